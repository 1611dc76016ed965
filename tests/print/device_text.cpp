// Lines of device text that tables of decisions only count: who stores a result, and where threads combine values.
#include "../compilation.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <regex>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string printed(const std::string &input, const std::string &arch = "") {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/inputs/" + input + ".cpp";
  options.target = Target::Cuda;
  options.arch = arch;
  return transform(options).text;
}

} // namespace

TEST(DeviceText, OneThreadOfABlockStoresItsResult) {
  const std::string text = printed("log_sum_exp");
  EXPECT_THAT(text, HasSubstr("if (thread == 0) {"));
  EXPECT_THAT(text, Not(HasSubstr("thread != 0")));
}

TEST(DeviceText, TeamsCombineBehindTheBeginOfSharedMemory) {
  const std::string text = printed("prefill_window", "sm_90a");
  const std::regex call(R"(= polymend_rt::combineTeam\(.*, thread, (.*)\);)"), place(R"(memory \+ [0-9]+)");
  std::size_t calls = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at, ++calls)
    EXPECT_TRUE(std::regex_match((*at)[1].str(), place)) << (*at)[0].str();
  EXPECT_GT(calls, 0U);
}
