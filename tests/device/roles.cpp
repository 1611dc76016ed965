// Kernels on matrix units as device programs: their text reads back, what they mean is a tile program, and each fault
// that is put into a text is told.
#include "../compilation.h"

#include "polymend/pipeline.h"
#include "polymend/verify.h"
#include "polymend/verify_device.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

using namespace polymend;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string deviceText(const std::string &input, const std::string &arch) {
  PipelineOptions options;
  const std::string root = std::string(POLYMEND_SOURCE_DIR) + "/", file = "inputs/" + input + ".cpp";
  options.file = root + (std::filesystem::exists(root + file) ? file : "tests/corpus/" + input + ".cpp");
  options.target = Target::Cuda;
  options.arch = arch;
  options.dumpStage = "device";
  return transform(options).text;
}

DeviceProgram read(const std::string &text) {
  Result<DeviceProgram> program = readDeviceText(text);
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  return program ? *std::move(program) : DeviceProgram();
}

/// What is wrong with the causal rows on Hopper's units when every `from` of their text is `to`.
std::vector<std::string> faultsWith(const std::string &from, const std::string &to) {
  static const std::string unchanged = deviceText("prefill_causal", "sm_90a");
  std::string text = unchanged;
  std::size_t places = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()), ++places)
    text.replace(at, from.size(), to);
  EXPECT_GT(places, 0U) << from;
  return verify(read(text));
}

struct OnUnits : testing::TestWithParam<std::pair<const char *, const char *>> {};

} // namespace

TEST_P(OnUnits, ReadsBackAndMeansATileProgram) {
  const std::string text = deviceText(GetParam().first, GetParam().second);
  ASSERT_THAT(text, HasSubstr(" units ")) << text;
  const DeviceProgram program = read(text);
  EXPECT_EQ(writeText(program), text);
  EXPECT_THAT(verify(program), IsEmpty());
  const TileProgram meaning = forget(program);
  EXPECT_THAT(verify(meaning), IsEmpty());
  EXPECT_TRUE(hasRoles(meaning));
  const Result<TileProgram> again = readText(writeText(meaning));
  ASSERT_TRUE(again) << again.refusal().reason;
}

INSTANTIATE_TEST_SUITE_P(DeviceRoles, OnUnits,
                         testing::Values(std::pair("prefill_lengths", "sm_90a"), std::pair("prefill_lengths", "sm_80"),
                                         std::pair("prefill_causal", "sm_90a"), std::pair("prefill_causal", "sm_80"),
                                         std::pair("matmul_f64", "sm_80"), std::pair("matmul_bf16", "sm_90a"),
                                         std::pair("grouped_product", "sm_90a"), std::pair("grouped_product", "sm_80"),
                                         std::pair("causal_in_ranges", "sm_90a"), std::pair("decode_gqa", "sm_80"),
                                         std::pair("decode_paged", "sm_90a"), std::pair("few_rows_of_lengths", "sm_80"),
                                         std::pair("mask_documents", "sm_90a"), std::pair("mask_levels", "sm_80"),
                                         std::pair("windows_of_pixels", "sm_90a")),
                         [](const auto &info) { return std::string(info.param.first) + "_" + info.param.second; });

TEST(DeviceRoles, ARingThatLiesOverAnotherIsFound) {
  EXPECT_THAT(faultsWith("from k rows 2 at 98304", "from k rows 2 at 90112"),
              Contains(HasSubstr("two channels share slots")));
  EXPECT_THAT(faultsWith("barrier 4 ", "barrier 3 "), Contains(HasSubstr("two channels share barriers")));
  EXPECT_THAT(faultsWith("barriers 16 ", "barriers 15 "), Contains(HasSubstr("fewer barriers")));
}

TEST(DeviceRoles, ABoxOfOtherRowsIsFound) {
  const std::string text = deviceText("windows_of_pixels", "sm_90a");
  const std::size_t at = text.find(" box 4 1 ");
  ASSERT_NE(at, std::string::npos) << text;
  std::string other = text;
  other.replace(at, 9, " box 4 2 ");
  EXPECT_THAT(verify(read(other)), Contains(HasSubstr("takes a box that no copy does")));
}

TEST(DeviceRoles, AProductThatIsNotAwaitedIsFound) {
  EXPECT_THAT(faultsWith("await first pending 1", "await first pending 0"),
              Contains(HasSubstr("leaves others pending")));
  EXPECT_THAT(faultsWith("await second pending 0 before (dot) after (dot_factor_2, sum)\n", "combine l\n"),
              Contains(HasSubstr("awaited")));
  EXPECT_THAT(faultsWith("after (dot_factor_2, sum)", "after (dot_factor_2)"),
              Contains(HasSubstr("may be read before")));
}

TEST(DeviceRoles, ALaneThatSpeaksForOthersIsFound) {
  EXPECT_THAT(faultsWith(" meets", ""), Contains(HasSubstr("given back by one lane")));
}

TEST(DeviceRoles, RegistersThatNobodyMayTouchAreFound) {
  EXPECT_THAT(faultsWith("vote vote1 everywhere", "vote vote9 everywhere"), Contains(HasSubstr("was not voted on")));
  EXPECT_THAT(faultsWith("await first pending 1 after (dot)\n", "combine l\n"),
              Contains(HasSubstr("'dot' is touched before 'first' is awaited")));
  EXPECT_THAT(faultsWith("registers words", "registers element"),
              Contains(HasSubstr("is assigned otherwise than where it lies")));
}

TEST(DeviceRoles, ATileThatLiesOtherwiseIsFound) {
  EXPECT_THAT(faultsWith("dot : f32[192, 80] <8l4 2r2 4w1 3g1 | 2r1 4l1 10r4>",
                         "dot : f32[192, 80] <8l4 2r2 4w1 3g1 | 2r1 10r4 4l1>"),
              Contains(HasSubstr("'dot' lies as")));
}

TEST(DeviceRoles, KernelsThatShareALaunchHaveNothingToDoWithEachOther) {
  const auto faultsIn = [](const std::string &text) { return verify(read(text)); };
  const auto with = [](std::string text, const std::string &from, const std::string &to) {
    EXPECT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  const std::string text = deviceText("products_of_one_input", "sm_90a"),
                    first = "behind products_of_one_input_0_matrix";
  const std::size_t second = text.find(first);
  ASSERT_NE(second, std::string::npos) << text;
  EXPECT_NE(text.find(first, second + 1), std::string::npos) << "the third product has a launch of its own";
  EXPECT_THAT(faultsIn(text), IsEmpty());
  const auto refused = Contains(HasSubstr("cannot come in the launch"));
  EXPECT_THAT(faultsIn(with(text, "v_tile : bf16[256, 64]", "v_tile : bf16[128, 64]")), refused);
  EXPECT_THAT(faultsIn(with(text, "from v rows", "from a rows")), refused); // what the first one writes
  EXPECT_THAT(faultsIn(with(text, "b[128 * i", "x[128 * i")), refused);     // what it reads
  EXPECT_THAT(faultsIn(with(text, first, "behind products_of_one_input_2_matrix")), refused); // it comes later
  EXPECT_THAT(
      faultsIn(with(text, "products_of_one_input_1_fallback never", "products_of_one_input_1_fallback nowhere")),
      refused);
}

TEST(DeviceRoles, WarpsThatDoAnothersWorkAreFound) {
  EXPECT_THAT(faultsWith("draws 2", "draws 4"), Contains(HasSubstr("tickets are drawn by no copier")));
  EXPECT_THAT(faultsWith("of 512 groups", "of 384 groups"), Contains(HasSubstr("so many threads")));
  EXPECT_THAT(faultsWith("fill q_tile", "fill dot"), Contains(HasSubstr("no channel that could be filled")));
}

/// An element of an array that the column alone chooses, within its bounds, is read ahead of the elements, not for each
/// of them; one that the row has a part in is not.
TEST(DeviceRoles, WhatAColumnAloneReadsIsReadOnce) {
  const auto linesWith = [](const std::string &text, const std::string &begin, const std::string &array) {
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find_first_not_of(' ');
      if (at == std::string::npos || line.compare(at, begin.size(), begin) != 0) continue;
      if (line.find(array + "[") != std::string::npos && line.find("`column of register`") != std::string::npos)
        ++count;
    }
    return count;
  };
  const std::string documents = deviceText("mask_documents", "sm_90a"), flags = deviceText("mask_flags", "sm_90a");
  EXPECT_GT(linesWith(documents, "value ", "document"), 0);
  EXPECT_EQ(linesWith(documents, "t[i, j_1] =", "< n, document"), 0);
  EXPECT_EQ(linesWith(flags, "value ", "allowed"), 0);
  EXPECT_GT(linesWith(flags, "t[i, j_1] =", "allowed"), 0);
}
