// The report is JSON of the documented shape, and reads back as what went in.
#include "polymend/report.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

using namespace polymend;
namespace json = boost::json;

namespace {

Report sample() {
  Report report{"a \"b\".cpp", "cpp", "native", "algebraic", {"no NaN in x"}, {{"tanh", "2^-11"}}, {}, {}};
  report.functions.push_back({"kernel", Outcome::Transformed, {{"S3", "S5"}}, ""});
  report.functions.push_back({"other", Outcome::Left, {}, "it has no loops"});
  ReportedDependence dropped;
  dropped.function = "kernel";
  dropped.array = "m";
  dropped.kind = "flow";
  dropped.from = {"S3", {"a.cpp", 9, 5, 9, 20, 0, 0}};
  dropped.to = {"S5", {"a.cpp", 12, 5, 12, 20, 0, 0}};
  dropped.verdict = Verdict::Corrected;
  dropped.label = Label::Algebraic;
  dropped.update = "rolling";
  dropped.correction = ReportedCorrection{{"exp(u)"}, "u = s[i][j] - m", {{"exp(m - m')"}}, "X", {}, {"_Float16"}};
  dropped.proof = ReportedProof{"proved", "agrees", "proved", "pivoted about m"};
  ReportedDependence kept = dropped;
  kept.verdict = Verdict::Kept;
  kept.loop = "j";
  kept.distance = {0, 1};
  kept.correction.reset();
  kept.proof.reset();
  kept.update.clear();
  report.dependences = {dropped, kept};
  return report;
}

} // namespace

TEST(Report, HasTheDocumentedShape) {
  const json::object whole = json::parse(writeReport(sample())).as_object();
  EXPECT_EQ(whole.at("schema"), 1);
  EXPECT_EQ(whole.at("tool"), json::value("polymend " + toolVersion()));
  EXPECT_EQ(whole.at("input"), "a \"b\".cpp");
  const json::object &function = whole.at("functions").at(0).as_object();
  EXPECT_EQ(function.at("outcome"), "transformed");
  EXPECT_TRUE(function.at("reason").is_null());
  EXPECT_EQ(whole.at("functions").at(1).at("reason"), "it has no loops");
  const json::object &dropped = whole.at("dependences").at(0).as_object();
  EXPECT_TRUE(dropped.at("loop").is_null());
  EXPECT_TRUE(dropped.at("distance").is_null());
  EXPECT_EQ(dropped.at("verdict"), "corrected");
  EXPECT_EQ(dropped.at("from").at("line"), 9);
  EXPECT_EQ(dropped.at("correction").at("mend").at(0).at(0), "exp(m - m')");
  EXPECT_EQ(dropped.at("proof").at("normal_form"), "proved");
  EXPECT_EQ(dropped.at("proof").at("conditioning"), "pivoted about m");
  EXPECT_EQ(dropped.at("correction").at("roundings").at(0), "_Float16");
  const json::object &kept = whole.at("dependences").at(1).as_object();
  EXPECT_EQ(kept.at("distance"), json::parse("[0, 1]"));
  EXPECT_EQ(kept.at("loop"), "j");
  EXPECT_TRUE(kept.at("correction").is_null());
  EXPECT_TRUE(kept.at("update").is_null());
}

TEST(Report, ReadsByLine) {
  const std::string text = writeReport(sample());
  EXPECT_EQ(text.substr(0, text.find(",")), "{\n  \"schema\": 1");
  EXPECT_EQ(text.back(), '\n');
}

/// What fits 96 characters stands on one line, whatever is longer on several.
TEST(Report, BreaksWhatIsLongerThanALine) {
  std::size_t widest = 0;
  for (std::size_t letters = 1; letters < 80; ++letters) {
    Report report = sample();
    report.functions = {{std::string(letters, 'f'), Outcome::Left, {}, "none"}};
    report.dependences.clear();
    const std::string text = writeReport(report);
    const std::size_t from = text.find("{\"name\":"), to = text.find('}', from);
    if (from != std::string::npos) widest = std::max(widest, to + 1 - from);
  }
  EXPECT_EQ(widest, 96U);
}
