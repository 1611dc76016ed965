// What the entries of a program on a GPU do is of the program: its text reads back, and verification sees what a caller
// would lose.
#include "mapping.h"

#include "polymend/pipeline.h"

using namespace polymend;

namespace {

/// A program whose index array chooses what of y is written: only the device can tell whether that is of x.
const std::string scattered = R"(device scattered
size n
given 0 < n
array x : f32[n] flat
array at : i32[n] flat
array y : f32 flat written
entry {
  given
  falls at
  unknown y
  elements x y
}
queue {
  given
  extents x at
  asked {
    falls at
    elements x y
    elements at y
  }
  copy x of n filled 4 < n
  copy at of select(0 < n, n, 0)
  copy y back
}
inorder {
  array x : f32[n] flat
  array at : i32[n] flat
  array y : f32 flat written
  tile few : f32[4] on held
  tile many : f32[n, 8] written on slice
  for i in [0, n) step 1 {
    many[i, 0] = x[i]
    y[at[i]] = many[i, 0] + few[0]
  }
}
step {
  launch 0
}
kernel scattered grid (i in [0, n) parallel) thread of 256 box ([0, n)) bytes 0 {
  y[at[i]] = x[i]
}
)";

/// What verification finds of the entries where the text is changed so.
std::string faultsOf(const std::string &from, const std::string &to) {
  std::string text = scattered;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const Result<DeviceProgram> program = readDeviceText(text.replace(at, from.size(), to));
  EXPECT_TRUE(program) << program.refusal().reason << "\n" << text;
  std::string all;
  if (program)
    for (const std::string &fault : verify(*program)) all += fault + "\n";
  return all;
}

bool has(const std::string &faults, const std::string &expected) { return faults.find(expected) != std::string::npos; }

} // namespace

TEST(Entries, AreOfTheText) {
  const Result<DeviceProgram> program = readDeviceText(scattered);
  ASSERT_TRUE(program) << program.refusal().reason;
  EXPECT_EQ(writeText(*program), scattered);
  const std::string faults = faultsOf("unknown y", "unknown y");
  for (const char *const entry : {"copied", "come back", "argument", "given", "order"})
    EXPECT_FALSE(has(faults, entry)) << faults;
}

TEST(Entries, CopyWhatKernelsTouch) {
  EXPECT_TRUE(has(faultsOf("  copy x of n filled 4 < n\n", ""), "'x' is touched, but not copied to the device"));
}

TEST(Entries, BringBackWhatKernelsWrite) {
  EXPECT_TRUE(has(faultsOf("copy y back", "copy y"), "'y' is written, but does not come back"));
}

TEST(Entries, TestWhatTheProgramRestsOn) {
  EXPECT_TRUE(has(faultsOf("  given\n  extents", "  extents"), "what is given is not tested"));
  EXPECT_TRUE(has(faultsOf("extents x at", "extents x z"), "a test of 'z', which is no argument"));
  EXPECT_TRUE(has(faultsOf("    falls at\n", ""), "where elements are written rests on 'at', which is not tested"));
  EXPECT_TRUE(has(faultsOf("  falls at\n", "  falls z\n"), "a test of 'z', which is no argument"));
}

TEST(Entries, RunTheSourcesOrderWhereTheDeviceIsAsked) {
  const std::string order = "the source's order runs exactly where";
  EXPECT_TRUE(has(faultsOf("  asked {\n    falls at\n    elements x y\n    elements at y\n  }\n", ""), order));
}

TEST(Entries, CopyNothingWhereTheSourceRuns) {
  EXPECT_TRUE(has(faultsOf("entry {\n  given", "entry source `why` {\n  given"), "the source runs, whatever is"));
}

namespace {

/// The device program of a file, which is well-formed and reads back.
std::string deviceTextOf(const std::string &file) {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/tests/corpus/" + file;
  options.target = Target::Cuda;
  options.dumpStage = "device";
  const std::string text = transform(options).text;
  const Result<DeviceProgram> program = readDeviceText(text);
  EXPECT_TRUE(program) << program.refusal().reason << "\n" << text;
  if (!program) return text;
  EXPECT_EQ(writeText(*program), text);
  EXPECT_EQ(verify(*program), std::vector<std::string>());
  return text;
}

} // namespace

TEST(Entries, OfAFunctionReadBack) {
  const std::string text = deviceTextOf("gathered_elements.cpp");
  EXPECT_TRUE(has(text, "\ninorder {\n")) << text;
}

TEST(Entries, OnDevicePointersAloneAskHowMemoryWasAllocated) {
  const std::string text = deviceTextOf("hashed_table.cpp");
  EXPECT_TRUE(has(text, "\nentry source `the number of elements of 'table' is unknown")) << text;
  EXPECT_TRUE(has(text, "  together table y\n")) << text;
  EXPECT_FALSE(has(text, "copy")) << text;
}
