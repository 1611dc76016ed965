// Which matrices of a printed program have a row marked for any element of it that is not a number: the program as the
// pipeline makes it, and changed so that such an element is no longer told by its row's sum.
#include "device/reported.h"
#include "../compilation.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <regex>

using namespace polymend;
using namespace polymend::tests;
using polymend::device_room::markedByElements;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

/// The tile program of an input.
std::string program(const std::string &input, const std::string &arch = "sm_90a") {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/inputs/" + input + ".cpp";
  options.target = Target::Cuda;
  options.arch = arch;
  options.dumpStage = "tile";
  return transform(options).text;
}

/// Of every kernel with roles whose name holds `part`; they must agree.
std::set<std::string> markedIn(const std::string &text, const std::string &part = "") {
  const auto read = readText(text);
  EXPECT_TRUE(read) << (read ? "" : read.refusal().reason);
  std::optional<std::set<std::string>> found;
  for (const Kernel &kernel : read ? read->kernels : std::vector<Kernel>()) {
    if (kernel.roles.empty() || kernel.name.find(part) == std::string::npos) continue;
    const auto here = markedByElements(kernel);
    EXPECT_TRUE(!found || *found == here);
    found = here;
  }
  return found.value_or(std::set<std::string>{"no kernel"});
}

/// The squashed scores with all places of a line changed.
std::set<std::string> markedWith(const std::string &from, const std::string &to) {
  static const std::string unchanged = program("prefill_softcap");
  std::string text = unchanged;
  std::size_t places = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()), ++places)
    text.replace(at, from.size(), to);
  EXPECT_GT(places, 0U) << from;
  return markedIn(text);
}

constexpr const char *added = "l[i] += dot[i, j_1]\n";
constexpr const char *packed = "= bf16(dot[i, j_1])\n";
constexpr const char *isPositive = "m_fallback[i] = select(0.0f32 < l[i], 0:i32, 1:i32)\n";
constexpr const char *bounded = "select(abs(l[i]) <= 3.4028234663852886e+38f32, 0:i32, 1:i32)\n";
constexpr const char *inRange =
    "select(l_least[i] <= abs(sum[i, d_1]) && abs(sum[i, d_1]) <= l_most[i], 0:i32, 1:i32)\n";

} // namespace

TEST(OddElements, AreToldByTheSumsOfTheirRow) {
  EXPECT_THAT(markedIn(program("prefill_softcap", "sm_80")), UnorderedElementsAre("dot", "dot_factor_2"));
  EXPECT_THAT(markedIn(program("prefill_window")), UnorderedElementsAre("dot", "dot_factor_2"));
}

TEST(OddElements, AreNotToldElsewhere) {
  EXPECT_THAT(markedIn(program("prefill_global")), UnorderedElementsAre("dot_factor_2")); // a maximum reads the scores
  EXPECT_THAT(markedIn(program("matmul_epilogue")), IsEmpty());                           // elements go to memory
  const std::string few = program("decode_softcap");
  EXPECT_THAT(markedIn(few, "softcap_matrix"), IsEmpty()); // parts of sums, which another kernel combines
  EXPECT_THAT(markedIn(few, "softcap_whole_matrix"), UnorderedElementsAre("dot", "dot_factor_2"));
}

/// One program in many changes, each of which matters for one reason.
TEST(OddElements, AreToldAsFarAsSumsKeepThem) {
  const auto all = UnorderedElementsAre("dot", "dot_factor_2");
  const auto packedAlone = UnorderedElementsAre("dot_factor_2");
  // A maximum loses what is no number.
  EXPECT_THAT(markedWith(added, "l[i] fmax= dot[i, j_1]\n"), packedAlone);
  EXPECT_THAT(markedWith(packed, "= bf16(fmax(dot[i, j_1], 0.0f32))\n"), packedAlone);
  // Either question about the sum of the factors will do, and the other sums' is one of its own.
  EXPECT_THAT(markedWith(isPositive, "m_fallback[i] = 0:i32\n"), all);
  EXPECT_THAT(markedWith(bounded, "0:i32\n"), all);
  EXPECT_THAT(markedWith(inRange, "0:i32\n"), IsEmpty());
  EXPECT_THAT(markedWith(inRange, "select(abs(sum[i, d_1]) != l_most[i], 0:i32, 1:i32)\n"), IsEmpty());
  // A question whose answer is overwritten.
  EXPECT_THAT(markedWith(bounded, std::string(bounded) + "}\npoints (i in [0, 1) parallel) {\nm_fallback[i] = 0:i32\n"),
              IsEmpty());
  // Sums that begin anew, are scaled, are bounded.
  const std::string then = "l[i] += dot[i, j_1]\n}\npoints (i in [0, 1) parallel) {\n";
  EXPECT_THAT(markedWith(added, then + "l[i] = 0.0f32\n"), packedAlone);
  EXPECT_THAT(markedWith(added, then + "l[i] = l[i] * 0.5f32\n"), all);
  EXPECT_THAT(markedWith(added, then + "l[i] = fmax(l[i], 0.0f32)\n"), packedAlone);
  // Elements that decide something, or are left out by their place.
  EXPECT_THAT(markedWith(packed, "= bf16(select(dot[i, j_1] < 1.0f32, dot[i, j_1], 0.0f32))\n"), packedAlone);
  EXPECT_THAT(markedWith(packed, "= bf16(select(j_1 < 7, dot[i, j_1], 0.0f32))\n"), all);
  EXPECT_THAT(markedWith(added, "l[i] += dot[i, j_1] where dot[i, j_1] < 1.0f32\n"), packedAlone);
  // Another row's elements.
  EXPECT_THAT(markedWith(packed, "= bf16(dot[0, j_1])\n"), packedAlone);
  EXPECT_THAT(markedWith(packed, "= bf16(dot[0, j_1] + dot[i, j_1])\n"), packedAlone);
  EXPECT_THAT(markedWith(packed, "= bf16(dot[i, j_1] + dot[0, j_1])\n"), packedAlone);
}
