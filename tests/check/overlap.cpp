// Arguments that share memory: every pair, at one place and from the middle on; and memory before a pointer.
#include "check/run.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace polymend;

namespace {

Shape shaped(const char *name, std::int64_t count, Type type = Type::Float32) {
  Shape shape;
  shape.name = name;
  shape.type = type;
  shape.extents = shape.reach = {count};
  shape.read = true;
  return shape;
}

bool holds(const std::vector<DataKind> &kinds, const std::string &name) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const DataKind &kind) { return kind.name == name; });
}

} // namespace

TEST(Overlap, IsOfEveryPairOfOneType) {
  std::vector<Shape> all{shaped("a", 8), shaped("b", 3), shaped("c", 5, Type::Float64), shaped("d", 4)};
  all[3].restricted = true;
  const auto kinds = dataKinds(all);
  for (const char *name : {"b is a", "a within b", "b within a"}) EXPECT_TRUE(holds(kinds, name)) << name;
  for (const char *name : {"c is a", "d is a", "a within d", "a within a"}) EXPECT_FALSE(holds(kinds, name)) << name;
  for (const char *name : {"near 10", "near -1000", "equal rows", "denormal", "near overflow", "huge last in a"})
    EXPECT_TRUE(holds(kinds, name)) << name;
}

TEST(Overlap, MakesOneMemoryOfTwo) {
  std::vector<Shape> all{shaped("a", 8), shaped("b", 6)};
  all[1].written = true;
  DataKind kind;
  kind.value = DataKind::Value::Overlap;
  kind.array = 1;
  kind.onto = 0;
  kind.amount = 4;
  const auto shared = withOverlap(all, kind);
  EXPECT_EQ(shared[0].count(), 10);
  EXPECT_TRUE(shared[0].written);
}

TEST(Assumptions, AreReadFromWhatAResultStates) {
  const Assumed assumed = assumedBy({"no NaN in top (comparison-based maximum at f.cpp:3:5)",
                                     "v, w are finite where a mask gives weight 0 (f.cpp:4:1)",
                                     "s is finite and not zero where the sum 't' shares it (f.cpp:5:1)"});
  EXPECT_EQ(assumed.noNaN, std::set<std::string>{"top"});
  EXPECT_EQ(assumed.finite, (std::set<std::string>{"s", "v", "w"}));
  EXPECT_EQ(assumed.notZero, std::set<std::string>{"s"});
  EXPECT_FALSE(assumedBy({"nothing of this form"}).any());
}
