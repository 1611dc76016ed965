// The order of kernels and who waits for whom, against all orders and all paths of small graphs.
#include "schedule/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace polymend;

namespace {

/// The graph on four kernels whose k-th possible edge, from a later to an earlier number or the reverse, is bit k.
Waits graph(unsigned bits, bool turned) {
  Waits waits(4);
  for (std::size_t from = 1; from < 4; ++from)
    for (std::size_t to = 0; to < from; ++to, bits >>= 1)
      if (bits & 1) waits[turned ? to : from].insert(turned ? from : to);
  return waits;
}

TEST(Order, PutsEachBehindWhatItWaitsFor) {
  for (const bool turned : {false, true})
    for (unsigned bits = 0; bits < 64; ++bits) {
      const Waits waits = graph(bits, turned);
      const auto order = inOrder(waits);
      ASSERT_EQ(order.size(), waits.size());
      const auto placeOf = [&](std::size_t k) { return std::find(order.begin(), order.end(), k) - order.begin(); };
      for (std::size_t k = 0; k < waits.size(); ++k)
        for (const std::size_t other : waits[k]) EXPECT_LT(placeOf(other), placeOf(k)) << bits;
    }
}

TEST(Order, KeepsTheNumbersWhereNothingWaits) { EXPECT_EQ(inOrder(Waits(3)), (std::vector<std::size_t>{0, 1, 2})); }

TEST(Order, FollowsWaitsThroughOthers) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    const Waits waits = graph(bits, false);
    const std::function<bool(std::size_t, std::size_t)> path = [&](std::size_t from, std::size_t to) {
      return from == to ||
             std::any_of(waits[from].begin(), waits[from].end(), [&](std::size_t next) { return path(next, to); });
    };
    for (std::size_t from = 0; from < 4; ++from)
      for (std::size_t to = 0; to < 4; ++to) EXPECT_EQ(waitsFor(waits, from, to), path(from, to)) << bits;
  }
}

} // namespace
