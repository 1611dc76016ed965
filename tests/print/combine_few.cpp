// A few terms combined several at a time: every term once and in order, none beyond the last, however many there are.
#include "compiled.h"

#include "print/text/primitives.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

namespace {

constexpr const char *before = R"cpp(
#include <vector>
#define __device__
#define __forceinline__ inline
namespace {
)cpp";

constexpr const char *checks = R"cpp(
struct Then {
  unsigned operator()(unsigned a, unsigned b) const { return b == 0 ? a : a * 31 + b; }
};
}
/// The number of counts below `most` for which a term is missing, double, out of order or beyond the last.
extern "C" int faults(int most) {
  int wrong = 0;
  for (int count = 0; count < most; ++count) {
    unsigned wanted = 7;
    for (int i = 0; i < count; ++i) wanted = Then()(wanted, 1000u + static_cast<unsigned>(i));
    bool beyond = false;
    const auto term = [&](int i) -> unsigned {
      beyond = beyond || i < 0 || i >= count;
      return 1000u + static_cast<unsigned>(i);
    };
    if (combineFew<unsigned>(7, count, 0, term, Then()) != wanted || beyond) ++wrong;
  }
  return wrong;
}
extern "C" float chosen(bool first) { return choose<float>(first, 2.5f, -1.5f); }
)cpp";

} // namespace

TEST(CombineFew, TakesEachTermOnceAndInOrder) {
  const std::string text =
      std::string(before) + std::string(textOf("choose", "cuda")) + std::string(textOf("combineFew", "cuda")) + checks;
  const testing_print::Compiled program(text, "-std=c++20 -O1 -Wno-unknown-pragmas");
  ASSERT_TRUE(program.ok()) << program.failure();
  EXPECT_EQ(program.find<int(int)>("faults")(70), 0);
  EXPECT_EQ(program.find<float(bool)>("chosen")(true), 2.5f);
  EXPECT_EQ(program.find<float(bool)>("chosen")(false), -1.5f);
}
