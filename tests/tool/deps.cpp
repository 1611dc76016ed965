// The dependence graph on the command line, in each of its forms.
#include "session.h"

#include <boost/json.hpp>

namespace {

const std::string one = "void f(int n, float *y) { for (int i = 0; i < n; i++) y[0] += 1; }\n";
const std::string other = "void g(int n, float *y) { for (int i = 0; i < n; i++) y[0] += 2; }\n";

TEST_F(Tool, WritesTheDependencesOfAllFunctionsAsOneDocument) {
  const auto document = [&](const std::string &text) {
    const auto done = run({"deps", write("a.cpp", text), "--format=json"});
    EXPECT_EQ(done.exitCode, 0) << done.error;
    return boost::json::parse(done.output);
  };
  EXPECT_EQ(document(one + other).at("functions").as_array().size(), 2U);
  EXPECT_GT(document(one).at("functions").at(0).at("dependences").as_array().size(), 0U);
  EXPECT_EQ(document("int x;\n").at("functions").as_array().size(), 0U);
}

TEST_F(Tool, DrawsAPageAndAPicture) {
  const std::string file = write("a.cpp", logSum);
  const auto page = run({"deps", file, "--format=html", "-o", scratch.file("page.html")});
  EXPECT_EQ(page.exitCode, 0) << page.error;
  const std::string text = *polymend::readFile(scratch.file("page.html"));
  EXPECT_EQ(text.rfind("<!doctype html>", 0), 0U);
  EXPECT_LT(text.size(), 500'000U);
  const std::string plain = run({"deps", file, "--format=svg"}).output;
  const std::string points = run({"deps", file, "--format=svg", "--sizes=n=2,m=3"}).output;
  EXPECT_EQ(plain.rfind("<svg", 0), 0U);
  EXPECT_EQ(plain.find("<circle"), std::string::npos);
  EXPECT_NE(points.find("m = 3, n = 2"), std::string::npos);
  EXPECT_NE(points.find("<circle"), std::string::npos);
  const auto unknown = run({"deps", file, "--format=svg", "--sizes=rows=2"});
  EXPECT_EQ(unknown.exitCode, 1);
  EXPECT_NE(unknown.error.find("--sizes names 'rows'"), std::string::npos) << unknown.error;
}

TEST_F(Tool, DrawsWhatIsRefusedWithItsReason) {
  const auto page = run({"deps", write("a.cpp", refused), "--format=html"});
  EXPECT_EQ(page.exitCode, 0) << page.error;
  EXPECT_NE(page.output.find("has no finite rank"), std::string::npos);
  const auto left = run({"deps", write("b.cpp", "void f(int *x) { while (*x) x++; }\n"), "--format=html"});
  EXPECT_EQ(left.exitCode, 0) << left.error;
  EXPECT_NE(left.output.find("\"outcome\":\"left\""), std::string::npos);
}

TEST_F(Tool, ShowsFlowUnlessAllKindsAreAskedFor) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_EQ(run({"deps", file, "--format=dot"}).output.find("class=\"g0 output"), std::string::npos);
  EXPECT_NE(run({"deps", file, "--format=dot", "--kinds=all"}).output.find("class=\"g0 output"), std::string::npos);
  EXPECT_EQ(run({"deps", file, "--kinds=some"}).exitCode, 1);
  EXPECT_EQ(run({"check", file, "--format=html"}).exitCode, 1);
}

} // namespace
