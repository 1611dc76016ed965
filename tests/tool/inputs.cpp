// Inputs that cannot be read as C++, hold nothing to do, or hold what cannot be done: the documented exit code, a
// message with its place, the output or none.
#include "session.h"

TEST_F(Tool, ReportsASyntaxErrorWithItsPlace) {
  const std::string file = write("a.cpp", "void f(int n) {\n  for (int i = 0; i < n; i++\n}\n");
  const auto done = run({file, "-o", scratch.file("out.cpp"), "--report", scratch.file("r.json")});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_NE(done.error.find(file + ":3:1: error: expected ')'"), std::string::npos) << done.error;
  EXPECT_NE(done.error.find("for (int i = 0; i < n; i++"), std::string::npos);
  EXPECT_NE(done.error.find("^"), std::string::npos);
  EXPECT_FALSE(exists("out.cpp"));
}

TEST_F(Tool, ReportsAMissingHeader) {
  const auto done = run({write("a.cpp", "#include \"none.h\"\nvoid f() {}\n")});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_NE(done.error.find("'none.h' file not found"), std::string::npos) << done.error;
}

TEST_F(Tool, PassesFlagsToClang) {
  const std::string file = write("a.cpp", "#ifndef WANTED\n#error not wanted\n#endif\nvoid f() {}\n");
  EXPECT_EQ(run({file}).exitCode, 1);
  EXPECT_EQ(run({file, "--", "-DWANTED"}).exitCode, 0);
  EXPECT_EQ(run({file, "--extra-arg=-DWANTED"}).exitCode, 0);
}

TEST_F(Tool, LeavesAloneWhatHasNoLoops) {
  for (const char *text : {"", "int f(int x) { return x + 1; }\n", "// only a comment\n", "struct S { int a; };\n"}) {
    const std::string file = write("a.cpp", text);
    const auto done = run({file});
    EXPECT_EQ(done.exitCode, 0) << text;
    EXPECT_NE(done.output.find(text), std::string::npos);
    EXPECT_NE(done.error.find("is left as it is"), std::string::npos) << text;
  }
}

TEST_F(Tool, LeavesAloneWhatItCannotModel) {
  const std::string file =
      write("a.cpp", "void f(int n, float *x) {\n  int i = 0;\n  while (x[i] > 0)\n    x[i++] = 0;\n}\n");
  const auto done = run({file, "-o", scratch.file("out.cpp"), "--report", scratch.file("r.json")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_NE(done.error.find("a.cpp:"), std::string::npos) << done.error;
  EXPECT_NE(done.error.find("remark:"), std::string::npos) << done.error;
  EXPECT_NE(polymend::readFile(scratch.file("out.cpp"))->find("while (x[i] > 0)"), std::string::npos);
  EXPECT_NE(polymend::readFile(scratch.file("r.json"))->find("\"left\""), std::string::npos);
}

TEST_F(Tool, RefusesUnderRequire) {
  const std::string file = write("a.cpp", refused);
  const auto plain = run({file});
  EXPECT_EQ(plain.exitCode, 0) << plain.error;
  const auto required = run({file, "--require", "-o", scratch.file("out.cpp"), "--report", scratch.file("r.json")});
  EXPECT_EQ(required.exitCode, 2) << required.error;
  EXPECT_FALSE(exists("out.cpp"));
  ASSERT_TRUE(exists("r.json"));
  EXPECT_NE(polymend::readFile(scratch.file("r.json"))->find("\"verdict\": \"refused\""), std::string::npos);
}

TEST_F(Tool, RequiresTheChosenFunction) {
  const std::string file = write("a.cpp", logSum);
  const auto done = run({file, "--entry=missing"});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_NE(done.error.find("missing"), std::string::npos) << done.error;
}

TEST_F(Tool, ReplacesAnOlderOutput) {
  const std::string file = write("a.cpp", logSum), out = write("out.cpp", "old");
  const auto done = run({file, "-o", out});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(done.output, "");
  EXPECT_NE(polymend::readFile(out)->find("void f(int n, int m"), std::string::npos);
  EXPECT_EQ(*polymend::readFile(out), run({file}).output);
}

TEST_F(Tool, WritesADependencyRule) {
  write("b.h", "\n");
  const std::string file = write("a.cpp", std::string("#include \"b.h\"\n") + logSum);
  const auto done = run({file, "-o", scratch.file("out.cpp"), "-MF", scratch.file("out.d")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  const std::string rule = *polymend::readFile(scratch.file("out.d"));
  EXPECT_EQ(rule.rfind(scratch.file("out.cpp") + ":", 0), 0u) << rule;
  EXPECT_NE(rule.find(file), std::string::npos);
  EXPECT_NE(rule.find(scratch.file("b.h")), std::string::npos) << rule;
}

TEST_F(Tool, MendsWhatItCan) {
  const std::string file = write("a.cpp", logSum);
  const auto done = run({file, "--require", "--report", scratch.file("r.json")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  const std::string report = *polymend::readFile(scratch.file("r.json"));
  EXPECT_NE(report.find("\"verdict\": \"corrected\""), std::string::npos) << report;
  EXPECT_EQ(report.find("\"verdict\": \"refused\""), std::string::npos) << report;
  EXPECT_EQ(run({file, "--relax=none"}).output.find("corrected"), std::string::npos);
}

TEST_F(Tool, ShowsDependencesAndDecisions) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_NE(run({"deps", file}).output.find("top"), std::string::npos);
  EXPECT_EQ(run({"deps", file, "--format=dot"}).output.rfind("digraph", 0), 0u);
  EXPECT_NE(run({"explain", file}).output.find("exp("), std::string::npos);
}

TEST_F(Tool, ChecksItsOwnResult) {
  const auto done = run({"check", write("a.cpp", logSum), "--sizes=n=3,m=65;n=1,m=0"});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(done.output.find(" 0 disagree"), std::string::npos) << done.output;
}

TEST_F(Tool, WarnsOfATileForALoopThatIsNotThere) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_EQ(run({file, "--tile=i:8", "--quiet"}).error, "");
  const auto done = run({file, "--tile=row:8"});
  EXPECT_EQ(done.exitCode, 0);
  EXPECT_NE(done.error.find("warning: --tile names the loop 'row', which no function here has"), std::string::npos)
      << done.error;
}

TEST_F(Tool, TransformsFunctionsThatShareAName) {
  const std::string body = "y) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n";
  const std::string file =
      write("a.cpp", "void f(int n, const float *x, float *" + body + "void f(int n, const double *x, double *" + body);
  const auto done = run({file, "--quiet"});
  EXPECT_EQ(done.exitCode, 0);
  EXPECT_EQ(done.error, "");
  for (const char *type : {"float", "double"})
    EXPECT_EQ(done.output.find("void f(int n, const " + std::string(type) + " *x, " + type + " *" + body),
              std::string::npos)
        << done.output;
  const auto checked = run({"check", file, "--sizes=n=5"});
  EXPECT_EQ(checked.exitCode, 0) << checked.error;
  EXPECT_NE(checked.output.find("f_2, paths of the result that ran"), std::string::npos) << checked.output;
}

TEST_F(Tool, ChecksAFunctionOfANamespace) {
  const std::string file = write(
      "a.cpp", "namespace a::b { static float t[40]; void f(int n, const float *x, float *y) { for (int i = 0; i < n; "
               "i++) t[i] = x[i]; for (int i = 0; i < n; i++) y[i] = t[i] * 2; } }\n");
  const auto done = run({"check", file, "--sizes=n=5"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_NE(done.output.find(" 0 disagree"), std::string::npos) << done.output << done.error;
}

TEST_F(Tool, KeepsAByteOrderMarkInFront) {
  const std::string file =
      write("a.cpp", "\xEF\xBB\xBFvoid f(int n, const float *x, float *y) {\r\n  for (int i = 0; i < n; i++)\r\n    "
                     "y[i] = x[i];\r\n}\r\n");
  const auto done = run({"check", file, "--sizes=n=5"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  const auto text = run({file});
  EXPECT_EQ(text.output.rfind("\xEF\xBB\xBF// Made by", 0), 0U);
}

TEST_F(Tool, TilesEveryLoopOfTheNameThatIsGiven) {
  const std::string file = write("a.cpp", R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float squares[64];
    for (int j = 0; j < m; j++)
      squares[j] = x[i * m + j] * x[i * m + j];
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
      sum += squares[j];
    y[i] = sum;
  }
}
)");
  const std::string plan = run({file, "--tile=j:16", "--dump=schedule"}).output;
  const std::size_t at = plan.find("phase over (j_1_");
  ASSERT_NE(at, std::string::npos) << plan;
  EXPECT_EQ(plan.substr(plan.find(':', at), 4), ":16)") << plan;
  EXPECT_NE(run({file, "--tile=j_1:16"}).error.find("names the loop 'j_1', which no function here has"),
            std::string::npos);
}
