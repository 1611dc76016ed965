// Loops that end where their turns begin to do nothing.
#include "mapping.h"

#include <gmock/gmock.h>

using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string programWith(const std::string &nodes) {
  return "program f\nsize n\narray x : f32[n] flat\narray y : f32[n] flat written\n"
         "kernel k grid (r in [0, n) parallel) {\ntile more : i32 written\ntile holds : i32 written\n"
         "tile s : f32 written\ntile line : f32[8] written\nmore = 1:i32\ns = 0.0f32\n" +
         nodes + "y[r] = s[]\n}\n";
}

std::string turnsOf(const std::string &turn) {
  return bodyOf(programWith("for i in [0, 8) step 1 {\n" + turn + "}\n"));
}

const std::string sum = "s = select(more[] != 0:i32, s[] + x[i], s[])\n";
const std::string end = "more = select(more[] != 0:i32, select(x[i] < 0.0f32, 0:i32, more[]), more[])\n";

} // namespace

TEST(LoopEnds, AreWhereTurnsBeginToDoNothing) {
  EXPECT_THAT(turnsOf(sum + end), HasSubstr("for i in [0, 8) step 1 while more[] != 0:i32 {\n"
                                            "s = s[] + x[i]\n"
                                            "more = select(x[i] < 0.0f32, 0:i32, more[])\n}\n"));
}

TEST(LoopEnds, KnowWhatTheTurnKeepsOfTheCondition) {
  const std::string kept = "holds = select(more[] != 0:i32, 1:i32, 0:i32)\n";
  EXPECT_THAT(turnsOf(kept + end + "s = select(holds[] != 0:i32, s[] + x[i], s[])\n"),
              HasSubstr("more = select(x[i] < 0.0f32, 0:i32, more[])\ns = s[] + x[i]\n}\n"));
}

TEST(LoopEnds, LeaveOutTheRestOfTheLastTurn) {
  EXPECT_THAT(turnsOf(end + sum), HasSubstr("while more[] != 0:i32 {\nmore = select(x[i] < 0.0f32, 0:i32, more[])\n"
                                            "if (more[] != 0:i32) {\ns = s[] + x[i]\n}\n"));
  const std::string kept = "holds = select(more[] != 0:i32, 1:i32, 0:i32)\n";
  EXPECT_THAT(turnsOf(kept + end + "s = select(holds[] != 0:i32, select(x[i] < 0.0f32, s[], s[] + x[i]), s[])\n"),
              HasSubstr("if (more[] != 0:i32) {\ns = s[] + x[i]\n}\n"));
  const std::string asIt =
      turnsOf(kept + end + "s = select(holds[] != 0:i32, select(x[i] < 0.0f32, s[] + 1.0f32, s[] + 2.0f32), s[])\n");
  EXPECT_THAT(asIt, HasSubstr("while"));
  EXPECT_THAT(asIt, Not(HasSubstr("if ("))) << "its last turn does something";
  EXPECT_THAT(turnsOf(kept + "for j in [0, 2) step 1 {\n" + end + "}\n" + end + sum), Not(HasSubstr("if (")))
      << "another end stands before";
}

/// As a loop does whose head asks: `while (s < 9) s += x[i];`.
TEST(LoopEnds, AskBeforeATurnWhatItBeginsWith) {
  const std::string turn = "holds = select(s[] < 9.0f32, 1:i32, 0:i32)\n"
                           "s = select(more[] != 0:i32, select(holds[] != 0:i32, s[] + x[i], s[]), s[])\n"
                           "more = select(more[] != 0:i32, select(holds[] != 0:i32, more[], 0:i32), more[])\n";
  const std::string asked = "while more[] != 0:i32 && s[] < 9.0f32 {\ns = s[] + x[i]\n}\n";
  EXPECT_THAT(turnsOf(turn), HasSubstr(asked));
  const std::string loop = "for i in [0, 8) step 1 {\n" + turn + "}\n";
  EXPECT_THAT(bodyOf(programWith(loop + "s += 1.0f32 where holds[] != 0:i32\n")), Not(HasSubstr("&&")))
      << "it is read behind the loop";
  const auto twice = [&](const std::string &first) {
    return bodyOf(programWith("for j in [0, 2) step 1 {\n" + first + loop + "}\n"));
  };
  EXPECT_THAT(twice(""), Not(HasSubstr("&&"))) << "the loop stays where it ended";
  EXPECT_THAT(twice("more = 1:i32\ns = 0.0f32\n"), HasSubstr(asked));
}

TEST(LoopEnds, AreNowhereIfATurnStillDoesSomething) {
  EXPECT_THAT(turnsOf(sum + end + "y[r] = x[i]\n"), Not(HasSubstr("while")));
  EXPECT_THAT(turnsOf(sum + end + "s += 1.0f32\n"), Not(HasSubstr("while")));
  EXPECT_THAT(turnsOf(sum + end + "more = 1:i32 where x[i] == 5.0f32\n"), Not(HasSubstr("while")))
      << "it may go on again";
  EXPECT_THAT(turnsOf(sum), Not(HasSubstr("while"))) << "nothing ends it";
}

TEST(LoopEnds, LeaveOutWhatTheLoopAloneTouches) {
  const std::string row = "line[i] = select(more[] != 0:i32, x[i], 0.0f32)\n";
  EXPECT_THAT(turnsOf(row + "s = select(more[] != 0:i32, s[] + line[i], s[])\n" + end), HasSubstr("while"));
  EXPECT_THAT(bodyOf(programWith("for i in [0, 8) step 1 {\n" + row + sum + end + "}\ns += line[3]\n")),
              Not(HasSubstr("while")));
  EXPECT_THAT(bodyOf(programWith("for t in [0, 3) step 1 {\nmore = 1:i32\nfor i in [0, 8) step 1 {\n" + row +
                                 "s = select(more[] != 0:i32, s[] + line[7 - i], s[])\n" + end + "}\n}\n")),
              Not(HasSubstr("while")))
      << "the next run of the loop finds what this one left";
}

TEST(LoopEnds, AreWrittenAndReadBack) {
  const polymend::DeviceProgram program = mapped(programWith("for i in [0, 8) step 1 {\n" + sum + end + "}\n"));
  const auto again = polymend::readDeviceText(writeText(program));
  ASSERT_TRUE(again) << again.refusal().reason;
  EXPECT_EQ(writeText(*again), writeText(program));
}

TEST(LoopEnds, KnowAnElementHoweverItsSubscriptIsSaid) {
  EXPECT_THAT(turnsOf(end + "y[2 * r + i] = select(more[] != 0:i32, x[i], y[i:i32 + 2:i32 * r:i32])\n"),
              HasSubstr("while"));
  EXPECT_THAT(turnsOf(end + "y[2 * r + i] = select(more[] != 0:i32, x[i], y[i:i32 + 3:i32 * r:i32])\n"),
              Not(HasSubstr("while")));
}
