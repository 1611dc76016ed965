// What happens to rows whose pivot moves: one vote of a warp for all of it, while what was asked stands.
#include "../compilation.h"
#include "mapped.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <regex>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;
using testing_print::printMapped;

namespace {

constexpr const char *next = "m_next[i] = select(m_moves[i] != 0:i32, m[i], m_pivot[i])\n";
constexpr const char *factor = "l_mend[i] = select(m_moves[i] != 0:i32, exp(m_pivot[i] - m_next[i]), 1.0f32)\n";
constexpr const char *mended = "l[i] = l[i] * l_mend[i] where m_moves[i] != 0:i32\n";

/// The text with all places of a line changed.
std::string replaced(std::string text, const std::string &from, const std::string &to) {
  std::size_t places = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()), ++places)
    text.replace(at, from.size(), to);
  EXPECT_GT(places, 0U) << from;
  return text;
}

/// The tile program as text, each assignment on a line of its own without what stands before it.
std::string program() {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/inputs/prefill_global.cpp";
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  options.dumpStage = "tile";
  return std::regex_replace(transform(options).text, std::regex("\n +"), "\n");
}

/// The loop over whole chunks that is printed for the program, with the numbers of names left out.
std::string loopOf(const std::string &tileProgram) {
  const std::string file = std::string(POLYMEND_SOURCE_DIR) + "/inputs/prefill_global.cpp";
  const auto read = readText(tileProgram);
  const ParseOutcome parsed = parse(file, {});
  EXPECT_TRUE(read && parsed.nest);
  if (!read || !parsed.nest) return "";
  const PrintOptions options{Target::Cuda, FloatMode::Algebraic};
  const std::string text = std::regex_replace(printMapped(*parsed.nest, *read, options).text, std::regex("\\s+"), " ");
  const std::size_t kernel = text.find("prefill_global_matrix_kernel("), role = text.find("raiseRegisters", kernel),
                    from = text.find("for (int j_", role), to = text.find("for (int j_", from + 1);
  return std::regex_replace(text.substr(from, to - from), std::regex("moves_\\d+"), "moves");
}

/// Do the texts stand in this order?
bool inOrder(const std::string &text, const std::vector<std::string> &wanted) {
  std::size_t at = 0;
  for (const std::string &one : wanted) {
    at = text.find(one, at);
    if (at == std::string::npos) return false;
    at += one.size();
  }
  return true;
}

std::size_t count(const std::string &text, const std::string &what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

} // namespace

TEST(FragmentVote, IsAskedOnceAChunk) {
  const std::string loop = loopOf(program());
  EXPECT_EQ(count(loop, "__any_sync("), 1U);
  EXPECT_TRUE(
      inOrder(loop, {"m_moves[r] =", "__any_sync(", "m_next[r] = m_pivot[r];", "l_mend[r] = 1.0f;", "if (any_moves) {",
                     "m_next[r] = m_moves[r] != 0 ? m[r] : m_pivot[r];",
                     "l_mend[r] =", "++r) l[r] = __fmul_rn(l[r], l_mend[r]);", "}", "exp2Fast(", "wgmmaWait<0>()",
                     "dot_factor_2[p] =", "if (any_moves) {", "sum[e] = __fmul_rn(sum[e], l_mend[e / 2 % 2]);"}))
      << loop;
}

TEST(FragmentVote, LeavesWhatIsReadBeforeItIsSet) {
  const std::string loop = loopOf(replaced(program(), std::string(factor) + mended, std::string(mended) + factor));
  EXPECT_THAT(loop, Not(HasSubstr("l_mend[r] = 1.0f;")));
  EXPECT_TRUE(inOrder(loop, {"if (any_moves) {", "++r) if (moves[r]) l[r] = __fmul_rn(l[r], l_mend[r]);", "}",
                             "l_mend[r] = m_moves[r] != 0 ?"}))
      << loop;
}

TEST(FragmentVote, MultipliesTheRowsConcernedWhereOthersHaveNoOne) {
  std::string text =
      replaced(program(), "exp(m_pivot[i] - m_next[i]), 1.0f32)", "exp(m_pivot[i] - m_next[i]), 2.0f32)");
  const std::string loop = loopOf(text);
  EXPECT_THAT(loop, HasSubstr("l_mend[r] = 2.0f;"));
  EXPECT_THAT(loop, HasSubstr("++r) if (moves[r]) l[r] = __fmul_rn(l[r], l_mend[r]);"));
  EXPECT_THAT(loop, HasSubstr("sum[e] = moves[e / 2 % 2] ? __fmul_rn(sum[e], l_mend[e / 2 % 2]) : sum[e];"));
}

TEST(FragmentVote, IsAskedAgainWhereTheConditionChanges) {
  const std::string loop =
      loopOf(replaced(program(), std::string(factor) + mended, std::string(factor) + "m_moves[i] = 1:i32\n" + mended));
  EXPECT_EQ(count(loop, "__any_sync("), 1U); // none for the partial values before the change alone
  EXPECT_TRUE(inOrder(loop, {"l_mend[r] = m_moves[r] != 0 ?", "m_moves[r] = static_cast<int>(1);", "__any_sync(",
                             "if (any_moves) {", "++r) if (moves[r]) l[r] = __fmul_rn(l[r], l_mend[r]);"}))
      << loop;
}

TEST(FragmentVote, IsAskedAgainAfterAVoteWhoseConditionChanges) {
  const std::string loop = loopOf(replaced(program(), mended, std::string(mended) + "m_moves[i] = 1:i32\n" + mended));
  EXPECT_EQ(count(loop, "__any_sync("), 2U) << loop;
  EXPECT_TRUE(inOrder(loop, {"__any_sync(", "m_moves[r] = static_cast<int>(1);", "__any_sync(", "if (any_moves"}))
      << loop;
}

TEST(FragmentVote, SetsOthersOnlyToWhatStandsThere) {
  // The pivot itself changes for rows that move, before the next value of the others is read off it.
  const std::string loop =
      loopOf(replaced(program(), next, std::string("m_pivot[i] = m[i] where m_moves[i] != 0:i32\n") + next));
  EXPECT_TRUE(inOrder(loop, {"__any_sync(", "if (any_moves) {", "m_pivot[r] = m[r];", "}", "m_next[r] = m_pivot[r];",
                             "if (any_moves) {", "m_next[r] = m_moves[r] != 0 ? m[r] : m_pivot[r];"}))
      << loop;
}
