// However a run ends that cannot go on: words that ask for a report, and the documented exit code.
#include "guard.h"

#include "polymend/pipeline.h"

#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>

using polymend::guarded;
using testing::ExitedWithCode;

namespace {

constexpr int broken = static_cast<int>(polymend::ExitCode::Invalid);

/// Takes a page's worth of every mebibyte of stack until there is none left.
int fall(int depth) {
  volatile char room[1 << 20];
  room[depth % (1 << 20)] = static_cast<char>(depth);
  return depth == 1 << 20 ? 0 : fall(depth + 1) + room[depth % (1 << 20)];
}

} // namespace

TEST(Guard, TellsTheExitCodeOfItsWork) {
  EXPECT_EQ(guarded([] { return 0; }), 0);
  EXPECT_EQ(guarded([] { return 2; }), 2);
}

TEST(Guard, NothingEscapes) {
  EXPECT_EXIT(guarded([]() -> int { throw std::out_of_range("map::at"); }), ExitedWithCode(broken),
              "internal error: map::at; nothing was written, please report this");
  EXPECT_EXIT(guarded([]() -> int { throw std::bad_alloc(); }), ExitedWithCode(broken), "bad_alloc; .*report");
  EXPECT_EXIT(guarded([]() -> int { throw 5; }), ExitedWithCode(broken), "an exception of an unknown kind; .*report");
  EXPECT_EXIT(guarded([]() -> int { return std::raise(SIGABRT); }), ExitedWithCode(broken), "an abort; .*report");
  EXPECT_EXIT(guarded([] { return fall(0); }), ExitedWithCode(broken), "nested too deeply; .*report");
}
