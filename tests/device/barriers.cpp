// Barriers on programs made by hand: each program needs the barriers that it gets, and gets no other.
#include "device/barriers.h"

#include <gtest/gtest.h>

using namespace polymend::device_room;

namespace {

Span run(const Touches &reads, const Touches &writes) {
  Span s;
  s.reads = reads;
  s.writes = writes;
  return s;
}

Span loop(const std::vector<Span> &body, const Touches &bounds = {}) {
  Span s;
  s.kind = Span::Kind::Repeat;
  s.reads = bounds;
  s.first = body;
  return s;
}

Span choose(const Touches &condition, const std::vector<Span> &then, const std::vector<Span> &otherwise = {}) {
  Span s;
  s.kind = Span::Kind::Choose;
  s.reads = condition;
  s.first = then;
  s.second = otherwise;
  return s;
}

/// One character a span, in order: 'b' with a barrier before it, '.' without; loops and branches hold theirs in
/// brackets.
std::string show(const std::vector<Span> &spans) {
  std::string text;
  for (const Span &s : spans) {
    text += s.barrier ? 'b' : '.';
    if (s.kind != Span::Kind::Run) text += "(" + show(s.first) + (s.barrierAtEnd ? "e" : "") + ")";
    if (!s.second.empty()) text += "(" + show(s.second) + ")";
  }
  return text;
}

std::string placed(const std::vector<Span> &spans) { return show(placeBarriers(spans)); }

const Touches a{{"a", ""}}, b{{"b", ""}}, none;

} // namespace

TEST(GpuBarriers, ReadAfterWriteWaits) { EXPECT_EQ(placed({run(none, a), run(a, b)}), ".b"); }

TEST(GpuBarriers, WriteAfterReadWaits) { EXPECT_EQ(placed({run(a, none), run(none, a)}), ".b"); }

TEST(GpuBarriers, WriteAfterWriteWaits) { EXPECT_EQ(placed({run(none, a), run(none, a)}), ".b"); }

TEST(GpuBarriers, ReadersNeedNoBarrier) { EXPECT_EQ(placed({run(a, none), run(a, none)}), ".."); }

TEST(GpuBarriers, OneBarrierServesAllThatCameBefore) {
  EXPECT_EQ(placed({run(none, a), run(none, b), run(a, none), run(b, none)}), "..b.");
}

TEST(GpuBarriers, OneThreadNeedNotWaitForItself) {
  const Touches mine{{"a", "by 0:0+64"}}, other{{"a", "by 1:0+64"}};
  EXPECT_EQ(placed({run(none, mine), run(mine, mine)}), "..");
  EXPECT_EQ(placed({run(none, mine), run(other, none)}), ".b");
}

TEST(GpuBarriers, LoopBodyComesAfterItself) {
  EXPECT_EQ(placed({loop({run(none, a), run(a, none)})}), ".(bb)");
  EXPECT_EQ(placed({loop({run(none, a), run(none, b)})}), ".(b.)");
}

TEST(GpuBarriers, ReadOnlyLoopWaitsBeforeNotWithin) {
  EXPECT_EQ(placed({run(none, a), loop({run(a, none)})}), ".b(.)");
}

TEST(GpuBarriers, ConditionWaitsForWhatItReads) {
  EXPECT_EQ(placed({run(none, a), choose(a, {run(none, b)})}), ".b(.)");
}

TEST(GpuBarriers, WriteWaitsForTheConditionThatReadIt) {
  EXPECT_EQ(placed({choose(a, {run(none, a)})}), ".(b)");
  EXPECT_EQ(placed({choose(a, {}, {}), run(none, a)}), ".()b");
}

TEST(GpuBarriers, EitherBranchCounts) {
  EXPECT_EQ(placed({choose(none, {run(none, a)}, {run(none, b)}), run(b, none)}), ".(.)(.)b");
  EXPECT_EQ(placed({run(none, a), choose(none, {run(a, none)}, {}), run(a, none)}), "..(b)b");
}

TEST(GpuBarriers, BoundsAreReadAgainAtEachTurn) {
  EXPECT_EQ(placed({loop({run(none, a)}, a)}), ".(be)");
  EXPECT_EQ(placed({loop({run(none, b)}, a)}), ".(b)");
}

TEST(GpuBarriers, BarrierWithinARegionServesTheNext) {
  Span whole = run(a, {{"b", "one"}});
  whole.synchronises = true;
  EXPECT_EQ(placed({whole, run(none, a)}), "..");
  EXPECT_EQ(placed({whole, run(b, none)}), ".b");
  EXPECT_EQ(placed({run(none, a), whole}), ".b");
}

TEST(GpuBarriers, NestedLoopsCarryWhatTheInnerOneTouched) {
  EXPECT_EQ(placed({loop({loop({run(a, none)}), run(none, a)})}), ".(b(.)b)");
}
