// What is said of a result: it agrees only where its own text ran to the end, everywhere that time allowed for.
#include "polymend/check.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

using namespace polymend;

namespace {

/// One function with a fallback and a kernel, one run that took both and agrees.
CheckTable agreeing() {
  CheckTable table;
  table.functions = {"f"};
  table.paths = {{"f", "fallback", 3, true}, {"f", "kernel f", 9, false}};
  CheckRun run;
  run.function = "f";
  run.sizes = "n=3";
  run.data = "random";
  run.agrees = true;
  run.ran = {1};
  table.runs = {run};
  return table;
}

using Verdict = CheckTable::Verdict;

} // namespace

TEST(Verdict, IsAgreementWhereTheResultRan) {
  EXPECT_EQ(agreeing().verdict(), Verdict::Agree);
  EXPECT_NE(show(agreeing()).find("original and result agree"), std::string::npos);
}

TEST(Verdict, IsNoneWithoutARun) {
  EXPECT_EQ(CheckTable().verdict(), Verdict::Unfinished);
  CheckTable table = agreeing();
  table.functions.emplace_back("g");
  EXPECT_EQ(table.verdict(), Verdict::Unfinished);
  EXPECT_EQ(table.unfinished(), std::vector<std::string>{"nothing of 'g' was run"});
  table = agreeing();
  table.runs[0].skipped = true;
  table.runs[0].agrees = false;
  EXPECT_EQ(table.verdict(), Verdict::Unfinished);
  EXPECT_EQ(show(table).find("agree\n"), std::string::npos) << show(table);
}

TEST(Verdict, IsNoneWhereEveryRunTookTheCopy) {
  CheckTable table = agreeing();
  table.runs[0].ran = {0};
  EXPECT_EQ(table.verdict(), Verdict::Unfinished);
  EXPECT_NE(show(table).find("no verdict: every run of 'f' took the copy of the original"), std::string::npos);
  table.runs[0].ran = {0, 1};
  EXPECT_EQ(table.verdict(), Verdict::Agree);
}

TEST(Verdict, IsNoneWhereNearlyAllWasSkipped) {
  CheckTable table = agreeing();
  for (int k = 0; k < 9; ++k) {
    table.runs.push_back(table.runs[0]);
    table.runs.back().skipped = true;
    table.runs.back().agrees = false;
    table.runs.back().what = k < 3 ? "the source leaves 'x'" : "no valid index";
  }
  EXPECT_EQ(table.unfinished(),
            std::vector<std::string>{"9 of 10 runs of 'f' were skipped, most for this: no valid index"});
  table.runs[1].skipped = false;
  table.runs[1].agrees = true;
  EXPECT_EQ(table.verdict(), Verdict::Agree);
}

TEST(Verdict, IsNoneWhereTimeRanOut) {
  CheckTable late = agreeing();
  late.runs.push_back(late.runs[0]);
  late.runs[1].timedOut = true;
  late.runs[1].agrees = false;
  EXPECT_EQ(late.verdict(), Verdict::Unfinished);
  CheckTable cut = agreeing();
  cut.tooLong.emplace_back("f", "n=99");
  EXPECT_EQ(cut.verdict(), Verdict::Unfinished);
  cut.runs.push_back(cut.runs[0]);
  cut.runs[1].ran = {0};
  EXPECT_EQ(cut.verdict(), Verdict::Agree);
}

TEST(Verdict, IsDisagreementBeforeAllElse) {
  CheckTable table = agreeing();
  table.functions.emplace_back("g");
  table.runs[0].agrees = false;
  table.runs[0].what = "y[3]: 1 became 2";
  EXPECT_EQ(table.verdict(), Verdict::Disagree);
}

TEST(Verdict, IsTheSameInJson) {
  CheckTable table = agreeing();
  table.tooLong.emplace_back("f", "n=99,m=1");
  table.runs[0].errorResult = std::numeric_limits<double>::infinity();
  const boost::json::value all = boost::json::parse(writeJson(table));
  EXPECT_EQ(all.at("verdict"), "unfinished");
  EXPECT_EQ(all.at("reasons").as_array().size(), 1U);
  EXPECT_EQ(all.at("runs").at(0).at("sizes").at("n"), 3);
  EXPECT_EQ(all.at("paths").at(1).at("runs"), 1);
  EXPECT_EQ(all.at("too_long").at(0).at("sizes").at("m"), 1);
}
