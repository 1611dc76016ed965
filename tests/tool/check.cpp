// The honesty of check: what it ran, where, and what it says when it ran nothing; and JSON that is one document.
#include "session.h"

#include <boost/json.hpp>

#include <sstream>

namespace {

const char *const product = R"(void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
    y[i] = s;
  }
}
)";

} // namespace

TEST_F(Tool, SaysWhenACheckRanNothing) {
  const std::string file =
      write("a.cpp", "int g(float);\nvoid f(int n, float *x) {\n  for (int i = 0; i < n; i++) x[i] "
                     "= g(x[i]);\n}\n");
  const auto done = run({"check", file});
  EXPECT_EQ(done.exitCode, 4) << done.output << done.error;
  EXPECT_NE(done.output.find("no verdict: no function was run"), std::string::npos) << done.output;
}

TEST_F(Tool, SaysWhichPathsACheckRan) {
  const auto done = run({"check", write("a.cpp", product), "--sizes=n=3,m=2049"});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  for (const char *path : {"fallback (line ", "kernel f (line "})
    EXPECT_NE(done.output.find(path), std::string::npos) << path << done.output;
  EXPECT_NE(done.output.find(" on the CPU, "), std::string::npos) << done.output;
  const std::string attention = std::string(POLYMEND_SOURCE_DIR) + "/inputs/attention_causal.cpp";
  const auto tiles = run({"check", attention, "--sizes=n=130"});
  for (const char *path : {"fallback (line ", "full tiles (line ", "partial tiles (line "})
    EXPECT_NE(tiles.output.find(path), std::string::npos) << path << tiles.output;
}

TEST_F(Tool, RepeatsACheck) {
  const std::string file = write("a.cpp", product);
  const auto once = run({"check", file, "--sizes=n=3,m=65"}), twice = run({"check", file, "--sizes=n=3,m=65"});
  EXPECT_EQ(once.output, twice.output);
  EXPECT_NE(once.output, run({"check", file, "--sizes=n=3,m=65", "--seed=2"}).output);
}

TEST_F(Tool, OverlappingCallsRunTheSourceAsTheOriginalIsBuilt) {
  const char *squares = "void squares(int n, const double *x, double *y) {\n"
                        "  for (int i = 0; i < n; i++) y[i] = x[i] * x[i] + y[i] * 0.3;\n}\n";
  const auto done = run({"check", write("a.cpp", squares), "--target=cuda", "--fp=strict", "--sizes=n=513"});
  if (done.exitCode != 4) EXPECT_EQ(done.exitCode, 0) << done.output;
}

TEST_F(Tool, ChecksTextForAGpuOnADevice) {
  const auto done = run({"check", write("a.cpp", product), "--target=cuda", "--sizes=n=3,m=65"});
  if (done.exitCode == 4) {
    EXPECT_NE(done.error.find("nothing was checked: there is no GPU"), std::string::npos) << done.error;
    return;
  }
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_EQ(done.output.find(" on the CPU, "), std::string::npos) << done.output;
  EXPECT_NE(done.output.find("kernel f_kernel (line "), std::string::npos) << done.output;
}

TEST_F(Tool, SaysWhenThereIsNoDeviceToCheckOn) {
  const auto done = polymend::execute(
      {{"env", "PATH=/nowhere", POLYMEND_TOOL, "check", write("a.cpp", product), "--target=hip", "--sizes=n=1,m=1"}});
  EXPECT_EQ(done->exitCode, 4) << done->output << done->error;
  EXPECT_NE(done->error.find("nothing was checked: "), std::string::npos) << done->error;
}

TEST_F(Tool, WritesATableOfRunsAsOneObject) {
  const auto done = run({"check", write("a.cpp", product), "--sizes=n=3,m=65;n=1,m=0", "--format=json"});
  const boost::json::value all = boost::json::parse(done.output);
  EXPECT_EQ(all.at("verdict"), "agree");
  EXPECT_EQ(all.at("place"), "the CPU");
  EXPECT_GT(all.at("runs").as_array().size(), 20U);
  EXPECT_EQ(run({"check", write("a.cpp", product), "--format=dot"}).exitCode, 1);
}

TEST_F(Tool, GoesOnWhereACheckWasStopped) {
  const std::string file = write("a.cpp", product), journal = scratch.file("runs.jsonl");
  const std::vector<std::string> words{"check", file, "--sizes=n=3,m=65;n=1,m=0", "--resume=" + journal};
  const auto once = run(words);
  ASSERT_EQ(once.exitCode, 0) << once.output << once.error;
  EXPECT_EQ(once.output, run({"check", file, "--sizes=n=3,m=65;n=1,m=0"}).output);
  std::vector<std::string> lines;
  std::istringstream text(*polymend::readFile(journal));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_GT(lines.size(), 4U);
  const auto stopped = lines[0] + "\n" + lines[1] + "\n" + lines[2].substr(0, lines[2].size() / 2);
  ASSERT_FALSE(polymend::replaceFile(journal, stopped));
  EXPECT_EQ(run(words).output, once.output) << "the run that was cut off is made again";

  boost::json::object forged = boost::json::parse(lines[1]).as_object();
  forged["text"] = "0 1e9 0 1e9 3\n\n0 ";
  ASSERT_FALSE(polymend::replaceFile(journal, lines[0] + "\n" + boost::json::serialize(forged) + "\n"));
  EXPECT_EQ(run(words).exitCode, 3) << "what the file holds is not run again";
  write("a.cpp", std::string("// another text\n") + product);
  EXPECT_EQ(run(words).exitCode, 0) << "what it holds of another text counts for nothing";
  EXPECT_EQ(run({"check", file, "--resume=" + scratch.file("no/such/folder")}).exitCode, 4);
}

TEST_F(Tool, ShowsProgressOnATerminalAlone) {
  const std::string command = std::string(POLYMEND_TOOL) + " check " + write("a.cpp", product) + " --sizes=n=3,m=65";
  const auto shown = polymend::execute({{"script", "-qec", command, "/dev/null"}});
  if (!shown) GTEST_SKIP() << "there is no `script` to make a terminal";
  EXPECT_NE(shown->output.find("a.cpp: f, 1 of "), std::string::npos) << shown->output;
  EXPECT_EQ(polymend::execute({{"script", "-qec", command + " --quiet", "/dev/null"}})->output.find("1 of "),
            std::string::npos);
  EXPECT_EQ(polymend::execute({{"sh", "-c", command + " 2>&1"}})->output.find(" 1 of "), std::string::npos);
}
