// What a device program must be, and which races are seen in it.
#include "mapping.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string head = "device f\nsize n\narray x : f32[n] flat\narray y : f32[n] flat written\n"
                         "array t : i32[n] flat\nentry {\n  extents x y\n}\n";

DeviceProgram read(const std::string &kernel) {
  const Result<DeviceProgram> program = readDeviceText(head + kernel);
  EXPECT_TRUE(program) << program.refusal().reason;
  return program ? *program : DeviceProgram();
}

std::vector<std::string> faultsOf(const std::string &kernel) { return verify(read(kernel)); }

std::vector<std::string> racesOf(const std::string &kernel) {
  return races(read(kernel), {{{"n", 6}}, {}, {{"t", {0, 1, 2, 2, 4, 5}}}});
}

const std::string shared = "kernel k grid (i in [0, n) parallel) static collapsed {\n";

} // namespace

TEST(VerifyDevice, TakesWhatTheMapMakes) { EXPECT_THAT(faultsOf(shared + "y[i] = x[i]\n}"), IsEmpty()); }

TEST(VerifyDevice, AsksForGridsThatTheirFormCanRun) {
  EXPECT_THAT(faultsOf("kernel k grid (i in [0, n) parallel) alone {\ny[i] = x[i]\n}"),
              Contains(HasSubstr("a grid is shared")));
  EXPECT_THAT(faultsOf("kernel k grid (i in [0, n) parallel, j in [0, i) parallel) static collapsed {\ny[j] = x[j]\n}"),
              Contains(HasSubstr("a collapsed grid")));
  EXPECT_THAT(faultsOf("kernel k grid (i in [0, n) parallel) dynamic collapsed turn i {\ny[i] = x[i]\n}"),
              Contains(HasSubstr("a turn that uses")));
}

TEST(VerifyDevice, AsksForTilesThatFitTheirPlace) {
  EXPECT_THAT(faultsOf(shared + "row r : f32[n] written on stack\nr[0] = x[i]\ny[i] = r[0]\n}"),
              Contains(HasSubstr("is not constant")));
  EXPECT_THAT(faultsOf(shared + "row r : f32[i + 1] written on heap\nr[0] = x[i]\ny[i] = r[0]\n}"),
              Contains(HasSubstr("before its extents are known")));
}

TEST(VerifyDevice, AsksForFoldsThatStandStill) {
  EXPECT_THAT(faultsOf("kernel k grid () alone {\nfold f32 (j in [0, n) reduced) {\ny[j] += x[j]\n}\n}"),
              Contains(HasSubstr("more than one element")));
  EXPECT_THAT(faultsOf("kernel k grid () alone {\nfold f32 (j in [0, n) reduced) {\ny[0] += y[j]\n}\n}"),
              Contains(HasSubstr("a fold that reads 'y'")));
  EXPECT_THAT(faultsOf("kernel k grid () alone {\nfold f64 (j in [0, n) reduced) {\ny[0] += x[j]\n}\n}"),
              Contains(HasSubstr("another type than its parts")));
}

TEST(VerifyDevice, AsksForDeclarationsBeforeUses) {
  const auto faults = [](const std::string &nodes) {
    return faultsOf(shared + "tile s : f32 written on assignment\n" + nodes + "}");
  };
  EXPECT_THAT(faults("new s = x[i]\ny[i] = s[]\n"), IsEmpty());
  EXPECT_THAT(faults("for j in [0, n) step 1 {\nnew s = x[j]\ny[i] = s[]\n}\nnew s = x[i]\ny[i] = s[]\n"), IsEmpty());
  EXPECT_THAT(faults("y[i] = s[]\nnew s = x[i]\n"), Contains(HasSubstr("before it is declared")));
  EXPECT_THAT(faults("s = x[i]\n"), Contains(HasSubstr("before it is declared")));
  EXPECT_THAT(faults("new s = x[i]\nnew s = x[i]\n"), Contains(HasSubstr("and elsewhere too")));
  EXPECT_THAT(faults("new s += x[i]\n"), Contains(HasSubstr("without a first value")));
}

TEST(VerifyDevice, AsksForTestsOfWhatIs) {
  const auto program =
      readDeviceText("device f\nsize n\ngiven 0 < n\narray x : f32[n] flat written\nentry {\n extents x z\n}\n");
  ASSERT_TRUE(program);
  EXPECT_THAT(verify(*program), Contains(HasSubstr("'z', which is no argument")));
  EXPECT_THAT(verify(*program), Contains(HasSubstr("what is given is not tested")));
}

TEST(Races, OfPointsThatWriteWhatOthersTouch) {
  EXPECT_THAT(racesOf(shared + "y[i] = x[i]\n}"), IsEmpty());
  EXPECT_THAT(racesOf(shared + "y[0] = x[i]\n}"),
              Contains(HasSubstr("two points of the grid touch one element of 'y'")));
  EXPECT_THAT(racesOf(shared + "y[i] = y[i] + x[i]\n}"), IsEmpty());
  EXPECT_THAT(racesOf(shared + "y[i] = y[max(i - 1, 0)]\n}"), Contains(HasSubstr("'y'")));
  EXPECT_THAT(racesOf(shared + "y[max(i - 1, 0)] = x[i]\n}"), Contains(HasSubstr("'y'")));
}

TEST(Races, OfVectors) {
  const auto loop = [](const std::string &body) {
    return racesOf("kernel k grid () alone {\ntile s : f32[8] written on stack\nfor j in [1, n) step 1 vector {\n" +
                   body + "\n}\n}");
  };
  EXPECT_THAT(loop("y[j] = x[j]"), IsEmpty());
  EXPECT_THAT(loop("y[j] = y[j - 1]"), Contains(HasSubstr("two iterations in vectors touch one element of 'y'")));
  EXPECT_THAT(loop("s[0] = x[j]"), Contains(HasSubstr("'s'")));
  EXPECT_THAT(loop("y[j] = s[0]"), IsEmpty());
}

/// A bound that nobody can reach costs no more than others do.
TEST(Races, AreLookedForAsLongAsIsAsked) {
  EXPECT_THAT(
      racesOf(
          "kernel k grid () alone {\nfor j in [0, 9223372036854775807) step 1 {\nif (n < 0) {\ny[0] = x[0]\n}\n}\n}"),
      IsEmpty());
}

/// What is chosen decides what is read.
TEST(Races, AreOfWhatIsRead) {
  EXPECT_THAT(racesOf(shared + "y[i] = select(i == 0, y[0], x[i])\n}"), IsEmpty());
  EXPECT_THAT(racesOf(shared + "y[i] = select(i == 1, y[0], x[i])\n}"), Contains(HasSubstr("'y'")));
}

/// Every point has tiles of its own; subscripts that are data are looked at.
TEST(Races, AreOfMemoryThatIsShared) {
  EXPECT_THAT(racesOf(shared + "tile s : f32 written on stack\ns = x[i]\ny[i] = s[]\n}"), IsEmpty());
  EXPECT_THAT(racesOf(shared + "y[t[i]] = x[i]\n}"), Contains(HasSubstr("'y'")));
  EXPECT_THAT(racesOf(shared + "y[i] = x[t[i]]\n}"), IsEmpty());
  EXPECT_THAT(racesOf(shared + "y[0] = x[i] where i == 3\n}"), IsEmpty());
}
