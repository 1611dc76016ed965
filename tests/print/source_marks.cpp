#include "polymend/source_marks.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

SourceRange bytes(unsigned begin, unsigned end) {
  SourceRange range;
  range.begin = begin;
  range.end = end;
  return range;
}

std::vector<unsigned> beginsOf(const LineOrigin &line) {
  std::vector<unsigned> all;
  for (const SourceRange &place : line.places) all.push_back(place.begin);
  return all;
}

using Begins = std::vector<unsigned>;

} // namespace

TEST(SourceMarks, AreFoundOnTheLineOfWhatTheyStandBefore) {
  const Printed file{"int a;\nx = f(y,\n      z);\n", {{7, 25}}, {{0, 100}}};
  const std::string marked = "int a; " + markOf(Stored{"x", true}) + "x = " + markOf(bytes(40, 44)) + "f(y, " +
                             markOf(bytes(50, 51)) + markOf(bytes(50, 51)) + "z);";
  const std::vector<LineOrigin> lines = originsOfLines(file, marked);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(beginsOf(lines[0]), Begins{100}) << "a line of the source's own";
  EXPECT_EQ(beginsOf(lines[1]), Begins{40});
  EXPECT_EQ(lines[1].stored, (std::vector<Stored>{{"x", true}}));
  EXPECT_EQ(beginsOf(lines[2]), Begins{50}) << "once";
}

TEST(SourceMarks, OfAnotherTextSayNothing) {
  const Printed file{"x = y;\n", {{0, 7}}, {}};
  EXPECT_TRUE(originsOfLines(file, markOf(bytes(1, 2)) + "x = z;\n")[0].places.empty());
  EXPECT_EQ(beginsOf(originsOfLines(file, markOf(bytes(1, 2)) + "x=y;")[0]), Begins{1});
}

TEST(SourceMarks, ACommentMayBeBrokenIntoLines) {
  const Printed file{"// one\n// two\nx = y;\n", {{0, 22}}, {}};
  EXPECT_EQ(beginsOf(originsOfLines(file, "// one two\n" + markOf(bytes(3, 4)) + "x = y;\n")[2]), Begins{3});
}
