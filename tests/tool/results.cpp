// What a printed file is to its reader and to the files beside it.
#include "session.h"

#include <gmock/gmock.h>

#include <sstream>

using testing::HasSubstr;
using testing::Not;

namespace {

const char *const logarithms = R"(#include <cmath>
void logarithms(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  }
}
)";

const char *const norms = R"(#include <cmath>
void norms(int n, int m, const float *x, float *y, float scale = 2) {
  for (int i = 0; i < n; i++) {
    float largest = 0;
    for (int j = 0; j < m; j++) largest = std::fmax(largest, std::fabs(x[i * m + j]));
    float sum = 0;
    for (int j = 0; j < m; j++) sum += (x[i * m + j] / largest) * (x[i * m + j] / largest);
    y[i] = scale * largest * std::sqrt(sum);
  }
}
)";

/// Definitions of one scope on one line, the second named from outside of it.
const char *const elsewhere =
    R"(namespace a::b { constexpr float half = 0.5f; void f(int, int n, const float *x, float *y, int unused); }
void a::b::f(int, int n, const float *x, float *y, int unused) { for (int i = 0; i < n; i++) y[i] = half * x[i]; }
)";

/// The lines of a text, without their ends.
std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

} // namespace

TEST_F(Tool, PrintsResultsThatFitIntoOneTranslationUnit) {
  for (const auto &[name, text] : {std::pair("logarithms", logarithms), std::pair("norms", norms)})
    EXPECT_EQ(
        run({write(std::string(name) + ".cpp", text), "-o", scratch.file(std::string(name) + ".made.cpp")}).exitCode,
        0);
  const std::string both = write("both.cpp", "#include \"logarithms.made.cpp\"\n#include \"norms.made.cpp\"\n");
  for (const char *compiler : {"clang++-19", "g++"}) {
    const auto built = polymend::execute(
        {{compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp=libgomp", "-fsyntax-only", both}});
    const auto plain = polymend::execute(
        {{compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fsyntax-only", both}});
    EXPECT_EQ(plain->exitCode, 0) << plain->error;
    if (std::string(compiler) != "g++") EXPECT_EQ(built->exitCode, 0) << built->error;
  }
}

TEST_F(Tool, KeepsTheSourceBesideTheResult) {
  const std::string text = run({write("a.cpp", norms)}).output;
  EXPECT_THAT(text, HasSubstr("static void norms_reference(int n, int m, const float *x, float *y, float scale) {"));
  EXPECT_THAT(text, HasSubstr("return norms_reference(n, m, x, y, scale);"));
  EXPECT_THAT(text, HasSubstr("void norms(int n, int m, const float *x, float *y, float scale = 2) {"));
  EXPECT_THAT(text, Not(HasSubstr("[](decltype")));
}

TEST_F(Tool, KeepsDefaultArgumentsOfWhatRunsOnDevices) {
  const std::string text = run({write("a.cpp", norms), "--target=cuda"}).output;
  EXPECT_THAT(
      text,
      HasSubstr("cudaError_t norms_on(cudaStream_t stream, int n, int m, const float *x, float *y, float scale = 2)"));
}

TEST_F(Tool, PrintsBesideADefinitionThatNamesItsScope) {
  const std::string file = write("a.cpp", elsewhere), made = scratch.file("made.cpp");
  EXPECT_EQ(run({file, "-o", made}).exitCode, 0);
  EXPECT_THAT(*polymend::readFile(made), HasSubstr("f_reference(int n, const float *x, float *y)"));
  const auto built = polymend::execute({{"clang++-19", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", made}});
  EXPECT_EQ(built->exitCode, 0) << built->error;
}

TEST_F(Tool, LaysTextOutAsTheProjectDoes) {
  const std::string file = write("a.cpp", norms);
  EXPECT_THAT(run({file}).output, HasSubstr("\n  const std::int64_t n64 = n, m64 = m;"));
  write(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\n");
  EXPECT_THAT(run({file}).output, HasSubstr("\n        const std::int64_t n64 = n, m64 = m;"));
  EXPECT_THAT(run({file, "--style=none"}).output, HasSubstr("\n  const std::int64_t n64 = n, m64 = m;"));
  write(".clang-format", "BasedOnStyle: Nobody\n");
  const auto done = run({file});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_EQ(done.output, "");
  EXPECT_THAT(done.error, HasSubstr("--style=file: "));
}

TEST_F(Tool, SaysWhereLinesAreFromWhereAsked) {
  std::string source = norms;
  source.insert(source.rfind('\n'), " /* a comment\n that goes on */");
  source += "#define TWICE(x) \\\n  (2 * (x))\nint last;\n";
  const std::string file = write("a.cpp", source), out = scratch.file("out.cpp");
  EXPECT_EQ(run({file, "--lines", "-o", out}).exitCode, 0);
  const std::vector<std::string> from = linesOf(source), lines = linesOf(*polymend::readFile(out));
  const std::string plain = run({file}).output;
  std::string rest;
  int ours = 0, theirs = 0;
  std::size_t number = 0; // in the source; 0: a line of ours
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (!lines[at].starts_with("#line ")) {
      if (at > 0) rest += lines[at] + "\n";
      const std::string line = lines[at].substr(std::min(lines[at].find_first_not_of(' '), lines[at].size()));
      if (number > 0 && line.find('{') == std::string::npos) EXPECT_THAT(from.at(number - 1), HasSubstr(line));
      number += number > 0 ? 1 : 0;
      continue;
    }
    const std::size_t said = std::stoul(lines[at].substr(6));
    if (lines[at].ends_with("\"" + out + "\"")) {
      EXPECT_EQ(said, at + 2) << lines[at];
      ++ours;
      number = 0;
    } else {
      EXPECT_THAT(lines[at], testing::EndsWith("\"" + file + "\""));
      ++theirs;
      number = said;
    }
  }
  EXPECT_GE(ours, 3);
  EXPECT_GE(theirs, 4); // what is above, the reference, the head of the function, what is below
  EXPECT_EQ(rest, plain.substr(plain.find('\n') + 1));
  const auto built = polymend::execute({{"clang++-19", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", out}});
  EXPECT_EQ(built->exitCode, 0) << built->error;
  EXPECT_THAT(plain, Not(HasSubstr("#line")));
}

TEST_F(Tool, IncludesPrimitivesWhereAsked) {
  const std::string text = run({write("a.cpp", norms), "--runtime=header"}).output;
  EXPECT_THAT(text, HasSubstr("#include <polymend_rt/cpp/fmaximum.h>"));
  EXPECT_THAT(text, Not(HasSubstr("inline __attribute__((always_inline)) T reduce(")));
  EXPECT_THAT(text, HasSubstr("polymend_rt::fmaximum("));
}

TEST_F(Tool, SaysWhatMadeAResult) {
  const std::string file = write("a.cpp", norms);
  const std::string text = run({file, "--relax=rolling", "--tile=j:8"}).output;
  EXPECT_THAT(
      text.substr(0, text.find('\n')),
      testing::MatchesRegex("// Made by polymend [0-9.]+ from a.cpp [(]SHA-256 [0-9a-f]+[)] with --relax=rolling "
                            "--tile=j:8[.] Do not edit: make it again[.]"));
  EXPECT_THAT(text, HasSubstr("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\nnamespace polymend_rt {"));
  write("a.cpp", std::string(norms) + "// more\n");
  EXPECT_NE(run({file, "--relax=rolling", "--tile=j:8"}).output.substr(0, 80), text.substr(0, 80));
  const std::string left = "int none(int n) { return n; }\n";
  EXPECT_EQ(run({write("b.cpp", left)}).output, left);
}
