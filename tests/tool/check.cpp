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

TEST_F(Tool, ChecksAnEntryOnDevicePointersThatStandsAlone) {
  const std::string file = std::string(POLYMEND_SOURCE_DIR) + "/tests/corpus/hashed_table.cpp";
  const auto done = run({"check", file, "--target=cuda", "--sizes=n=3,mask=63;n=600,mask=1"});
  if (done.exitCode == 4) return; // no device is emulated here
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(done.output.find("kernel hashed_table_kernel (line "), std::string::npos) << done.output;
  EXPECT_NE(done.output.find(" 0 disagree"), std::string::npos) << done.output;
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

TEST_F(Tool, WritesTheTablesOfSeveralFilesAsOneArray) {
  const std::string a = write("a.cpp", product), b = write("b.cpp", product);
  const auto checked = run({"check", a, b, "--sizes=n=3,m=65", "--format=json"});
  EXPECT_EQ(boost::json::parse(checked.output).as_array().size(), 2U) << checked.output;
  const auto told = boost::json::parse(run({"explain", a, b, "--format=json", "--quiet"}).output);
  ASSERT_EQ(told.as_array().size(), 2U);
  EXPECT_EQ(told.at(0).at("input").as_string(), a);
  EXPECT_EQ(told.at(1).at("input").as_string(), b);
  EXPECT_EQ(boost::json::parse(run({"deps", a, b, "--format=json", "--quiet"}).output).as_array().size(), 2U);
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

namespace {

/// The last line of a check of a text, which says what ran.
std::string verdictOf(const std::string &output) {
  const std::size_t end = output.find_last_not_of('\n'), begin = output.rfind('\n', end);
  return output.substr(begin + 1, end - begin);
}

} // namespace

TEST_F(Tool, ChecksWhatTakesContainersOfStructures) {
  const auto done = run({"check", write("a.cpp", R"(#include <array>
#include <vector>
struct Sample { double at; float weight[2]; int kind; };
struct Pixel { float r, g, b; };
void weigh(const std::vector<Sample> &samples, std::vector<Pixel> &out, const std::vector<std::array<float, 3>> &tint) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].r = static_cast<float>(samples[i].at) * samples[i].weight[1] + tint[i][0];
    out[i].g = samples[i].weight[0] * static_cast<float>(samples[i].kind) + tint[i][2];
  }
}
)")});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(verdictOf(done.output).find(" 0 skipped, 0 disagree"), std::string::npos) << done.output;
}

TEST_F(Tool, ChecksWhatPointersInStructuresLeadTo) {
  const auto done = run({"check", write("a.cpp", R"(#include <cstdint>
struct Tensor { std::int64_t ne[2]; float *data; };
struct Point { double x; float mass; };
struct Cloud { const Point *points; const Tensor *weights; int count; };
void weigh(const Cloud *cloud, Tensor *out) {
  for (std::int64_t i = 0; i < out->ne[1]; ++i)
    for (std::int64_t j = 0; j < out->ne[0]; ++j)
      out->data[i * out->ne[0] + j] = cloud->points[i].mass * cloud->weights->data[j] + float(cloud->points[i].x);
}
)")});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_EQ(done.output.find("not made here"), std::string::npos) << done.output;
}

TEST_F(Tool, ChecksWhatPrivatePointersLeadTo) {
  const auto done = run({"check", write("a.cpp", R"(
struct Weights { const float *data; int rows, cols; };
class Layer {
public:
  void forward(const float *x, float *y) const {
    for (int i = 0; i < weights_->rows; ++i) {
      float sum = 0;
      for (int j = 0; j < weights_->cols; ++j) sum += weights_->data[i * weights_->cols + j] * x[j];
      y[i] = sum;
    }
  }

private:
  const Weights *weights_;
};
)")});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(verdictOf(done.output).find(" 0 skipped, 0 disagree"), std::string::npos) << done.output;
}

TEST_F(Tool, ChecksPartsOfFunctions) {
  const std::string file = write("a.cpp", R"(#include <cmath>
#include <cstdio>
#include <vector>
void report(const char *) {}
void rows(const float *x, std::vector<float> &y, int n, int m) {
  const float scale = 0.5f;
  const auto at = [&](int i, int j) { return x[i * m + j]; };
  float last[4] = {};
  std::printf("%d rows\n", n);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += std::exp(at(i, j)) * scale;
    y[i] = sum;
  }
  report("done");
  for (int i = 0; i < 4; ++i) last[i] += x[i];
  std::printf("%f\n", last[0]);
}
)");
  const auto done = run({"check", file});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(done.output.find("kernel rows_part_1"), std::string::npos) << done.output;
  EXPECT_EQ(done.output.find("not made here"), std::string::npos) << done.output;
}

TEST_F(Tool, ChecksWithTheConstantsOfTheSource) {
  const auto done = run({"check", write("a.cpp", R"(
static const int taps[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
constexpr double weights[3] = {0.25, 0.5, 0.25};
void filtered(const double *x, double *y, int rows, int cols) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < cols - 1; j++) {
      double sum = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) sum += taps[a][b] * weights[b] * x[(i + a - 1) * cols + j + b - 1];
      y[i * cols + j] = sum;
    }
}
)")});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  EXPECT_NE(verdictOf(done.output).find(" 0 skipped, 0 disagree"), std::string::npos) << done.output;
}

TEST_F(Tool, OneContainerStandsForTwo) {
  const auto done = run({"check", write("a.cpp", R"(#include <vector>
void shifted(const std::vector<float> &x, std::vector<float> &y, std::vector<float> &z) {
  for (std::size_t i = 1; i < y.size(); ++i) {
    y[i] = x[i - 1] * 0.5f + y[i];
    z[i] = y[i - 1] + x[i];
  }
}
)")});
  EXPECT_EQ(done.exitCode, 0) << done.output << done.error;
  for (const char *kind : {"y_data is x_data", "z_data is x_data", "z_data is y_data"})
    EXPECT_NE(done.output.find(kind), std::string::npos) << kind << done.output;
  EXPECT_EQ(done.output.find("y_data within x_data"), std::string::npos) << done.output;
}
