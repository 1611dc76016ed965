// Functions: parameters and arrays, selection, places, diagnostics.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<std::string> namesOf(const Nest &nest) {
  std::vector<std::string> names;
  names.reserve(nest.functions.size());
  for (const Function &function : nest.functions) names.push_back(function.name);
  return names;
}

std::string loopIn(const std::string &name) {
  return "void " + name + "(float *a, int n) { for (int i = 0; i < n; ++i) a[i] = 0; }\n";
}

TEST(Functions, Arrays) {
  EXPECT_EQ(
      dumped("constexpr int N = 8; static float g[N][4]; float scale = 2;\n"
             "void f(const float a[2][N][64], float b[][64], float (*c)[N], double *__restrict__ d, float (&e)[3],\n"
             "       const int *t, int n, long m, unsigned w, float s, bool unusedFlag) {\n"
             "  static float l[N];\n"
             "  for (int i = 0; i < n; ++i) {\n"
             "    b[i][0] = a[0][i][1] * s * w; c[i][t[i]] = g[i][0] * scale; d[i + m] = e[2]; l[i] = 0; }\n}\n"),
      "function f -> void\n  array const float a[2][8][64]: parameter\n  array float b[][64]: parameter\n"
      "  array float c[][8]: parameter\n  array double d[]: parameter, flat\n  array float e[3]: parameter\n"
      "  array const int t[]: parameter, flat\n  array float l[8]: function static\n  array float g[8][4]: static\n"
      "  array float scale: static\n  sizes n m\n  scalars w s\n  for i = 0 to n\n"
      "    b[i][0] = a[0][i][1] * s * float(w)\n    c[i][t[i]] = g[i][0] * scale\n    d[i + m] = double(e[2])\n"
      "    l[i] = 0.0\n");
}

/// A number that data are held to says nothing of points, and keeps its type.
TEST(Functions, AThresholdIsNoSize) {
  const auto parameters = [](const std::string &condition) {
    const std::string text = dumped("void f(int n, const unsigned char *x, unsigned char *y, unsigned char t) {\n"
                                    "  for (int i = 0; i < n; ++i) y[i] = " +
                                    condition + " ? 255 : 0;\n}\n");
    const std::size_t first = text.find("  sizes"), last = text.find("  for");
    return text.substr(first, last - first);
  };
  EXPECT_EQ(parameters("x[i] > t"), "  sizes n\n  scalars t\n");
  EXPECT_EQ(parameters("t == x[i] + 1"), "  sizes n\n  scalars t\n");
  EXPECT_EQ(parameters("i > t"), "  sizes n t\n");
  EXPECT_EQ(parameters("x[i] > t + i"), "  sizes n t\n");
  EXPECT_EQ(parameters("x[t] > t"), "  sizes n t\n");
}

TEST(Functions, ParametersInOrder) {
  const ParseOutcome outcome = parseText("void f(int n, float *a, double s) { for (int i = 0; i < n; ++i) a[i] = s; }");
  ASSERT_TRUE(outcome.nest && outcome.nest->functions.size() == 1);
  const std::vector<Parameter> &parameters = outcome.nest->functions[0].parameters;
  ASSERT_EQ(parameters.size(), 3U);
  EXPECT_EQ(parameters[0].name, "n");
  EXPECT_EQ(parameters[0].type, Type::Int32);
  EXPECT_TRUE(parameters[1].isArray);
  EXPECT_EQ(parameters[2].type, Type::Float64);
  EXPECT_FALSE(parameters[2].isArray);
}

TEST(Functions, PlacesAreExact) {
  const std::string source =
      "// first\n  static void f(float *a) {\n  for (int i = 0; i < 4; ++i)\n    a[i] = 1;\n}\nint z;\n";
  const ParseOutcome outcome = parseText(source);
  ASSERT_TRUE(outcome.nest && outcome.nest->functions.size() == 1);
  const Function &f = outcome.nest->functions[0];
  const auto text = [&](const SourceRange &r) { return source.substr(r.begin, r.end - r.begin); };
  EXPECT_EQ(text(f.where), source.substr(11, source.find("\nint z") - 11));
  EXPECT_EQ(text(f.bodyRange), source.substr(source.find('{'), source.find("\nint z") - source.find('{')));
  EXPECT_EQ(outcome.nest->source, source);
  const auto &loop = *std::get<std::shared_ptr<const Loop>>(f.body[0]);
  EXPECT_EQ(loop.where.line, 3U);
  EXPECT_EQ(loop.where.column, 3U);
  const auto &assign = *std::get<std::shared_ptr<const Assign>>(loop.body[0]);
  EXPECT_EQ(text(assign.where), "a[i] = 1");
  EXPECT_EQ(assign.where.file, outcome.nest->file);
}

TEST(Functions, TypeNamesAreFoundOutsideComments) {
  const std::string source = "// __bf16\nusing half = _Float16;\nvoid f(__bf16 *a) {}\nconst char *s = \"__bf16\";\n";
  const ParseOutcome outcome = parseText(source);
  ASSERT_TRUE(outcome.nest);
  ASSERT_EQ(outcome.nest->typeNames.size(), 2U);
  EXPECT_EQ(outcome.nest->typeNames[0].second, Type::Float16);
  EXPECT_EQ(outcome.nest->typeNames[1].second, Type::BFloat16);
  const SourceRange &place = outcome.nest->typeNames[1].first;
  EXPECT_EQ(source.substr(place.begin, place.end - place.begin), "__bf16");
  EXPECT_EQ(place.line, 3U);
}

TEST(Selection, EntriesWin) {
  ParseOptions options;
  options.entries = {"g"};
  const ParseOutcome outcome = parseText(loopIn("f") + loopIn("g"), options);
  ASSERT_TRUE(outcome.nest);
  EXPECT_EQ(namesOf(*outcome.nest), std::vector<std::string>{"g"});
  options.entries = {"missing"};
  const ParseOutcome none = parseText(loopIn("f"), options);
  EXPECT_FALSE(none.nest);
  ASSERT_EQ(none.diagnostics.size(), 1U);
  EXPECT_THAT(none.diagnostics[0].message, HasSubstr("no function named 'missing'"));
}

TEST(Selection, PragmasAndAnnotations) {
  const std::string pragma =
      "void g(float *a) {\n#pragma scop\n  for (int i = 0; i < 4; ++i) a[i] = 0;\n#pragma endscop\n}\n";
  const ParseOutcome byPragma = parseText(loopIn("f") + pragma + loopIn("h"));
  ASSERT_TRUE(byPragma.nest);
  EXPECT_EQ(namesOf(*byPragma.nest), std::vector<std::string>{"g"});
  const ParseOutcome annotated = parseText(loopIn("f") + "[[clang::annotate(\"polymend\")]] " + loopIn("g"));
  ASSERT_TRUE(annotated.nest);
  EXPECT_EQ(namesOf(*annotated.nest), std::vector<std::string>{"g"});
  const ParseOutcome all =
      parseText(loopIn("f") + "namespace x {\n" + loopIn("g") + "}\nextern \"C\" {\n" + loopIn("h") + "}\n");
  ASSERT_TRUE(all.nest);
  EXPECT_EQ(namesOf(*all.nest), (std::vector<std::string>{"f", "g", "h"}));
}

TEST(Selection, LeftAlone) {
  EXPECT_EQ(whyLeft("int main() {\n for (int i = 0; i < 3; ++i) {} }"), "1: main is never transformed");
  EXPECT_EQ(whyLeft("\nvoid f(float *a) { *a = 1; }"), "2: no loop");
  EXPECT_THAT(whyLeft("struct S { S(float *a) { for (int i = 0; i < 3; ++i) a[i] = 0; } };"),
              HasSubstr("a constructor, destructor or conversion"));
  EXPECT_THAT(whyLeft("template <int N> void f(float *a) { for (int i = 0; i < N; ++i) a[i] = 0; }"),
              HasSubstr("a template that the file does not instantiate is not supported: add"));
  EXPECT_THAT(whyLeft("#define LOOP(f) void f(float *a) { for (int i = 0; i < 3; ++i) a[i] = 0; }\nLOOP(f)"),
              HasSubstr("macro"));
  EXPECT_THAT(whyLeft("void f(float **a) { for (int i = 0; i < 3; ++i) a[i][0] = 0; }"),
              HasSubstr("parameter 'a' has the unsupported type"));
  EXPECT_THAT(whyLeft("void f(wchar_t *a) { for (int i = 0; i < 3; ++i) a[i] = 0; }"), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(int *a, float *y, int n) {\n for (int i = 0; i < n; ++i) { a[i] = i; y[a[i]] = 1; } }"),
              HasSubstr("2: 'a' changes, and is a subscript"));
  EXPECT_THAT(whyLeft("void f(int *a, int n) {\n for (int i = 0; i < n; ++i) { int v = a[i]; a[i] = 0; a[v] = 1; } }"),
              HasSubstr("2: 'a' changes, and is a subscript"));
}

/// Numbers that may lie among elements that are written: entries ask.
TEST(Selection, NumbersBesideElements) {
  const auto besideIn = [](const std::string &head) {
    return dumped("void f(" + head + ") {\n for (int i = 0; i < (int)n; ++i) a[i] = i; }");
  };
  for (const char *head : {"int *a, const int &n", "int *a, const unsigned &n", "short *a, const short &n",
                           "signed char *a, const int &n", "float *a, const unsigned char &n"})
    EXPECT_THAT(besideIn(head), HasSubstr("beside a: n")) << head;
  for (const char *head : {"float *a, const int &n", "int *a, int n", "long *a, const int &n"})
    EXPECT_THAT(besideIn(head), Not(HasSubstr("beside"))) << head;
}

TEST(Diagnostics, SyntaxErrorsHaveTheirPlace) {
  const ParseOutcome outcome = parseText("void f() {\n  int x = y;\n}\n");
  EXPECT_FALSE(outcome.nest);
  ASSERT_EQ(outcome.diagnostics.size(), 1U);
  EXPECT_EQ(outcome.diagnostics[0].where.line, 2U);
  EXPECT_EQ(outcome.diagnostics[0].where.column, 11U);
  EXPECT_THAT(outcome.diagnostics[0].message, HasSubstr("undeclared identifier 'y'"));
}

TEST(Diagnostics, FilesFlagsAndWarnings) {
  const ParseOutcome missing = parse("/no/such/file.cpp", {});
  EXPECT_FALSE(missing.nest);
  ASSERT_EQ(missing.diagnostics.size(), 1U);
  EXPECT_EQ(missing.diagnostics[0].severity, Severity::Error);
  EXPECT_EQ(missing.diagnostics[0].where.file, "/no/such/file.cpp");
  EXPECT_TRUE(parseText("int f(int x) { int unused; x == 1; }\n").diagnostics.empty());
  ParseOptions options;
  options.clangArgs = {"-DWIDTH=5"};
  EXPECT_THAT(dumped("void f(float *a) { for (int i = 0; i < WIDTH; ++i) a[i] = 0; }", options),
              HasSubstr("for i = 0 to 5"));
  options.clangArgs = {"-no-such-flag"};
  const ParseOutcome unknown = parseText("int x;", options);
  EXPECT_FALSE(unknown.nest);
  EXPECT_FALSE(unknown.diagnostics.empty());
  options = {};
  options.buildDir = "/no/such/directory";
  EXPECT_FALSE(parseText("int x;", options).diagnostics.empty());
}

TEST(Diagnostics, DatabaseFlagsAreUsed) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("polymend-db-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "build");
  std::ofstream(folder / "k.cpp") << "void f(float *a) { for (int i = 0; i < WIDTH; ++i) a[i] = 0; }\n";
  std::ofstream(folder / "build/compile_commands.json")
      << "[{\"directory\": \"" << folder.string()
      << "\", \"file\": \"k.cpp\", \"command\": \"c++ -DWIDTH=7 -Werror -c k.cpp -o k.o\"}]";
  ParseOptions options;
  options.buildDir = (folder / "build").string();
  const ParseOutcome outcome = parse((folder / "k.cpp").string(), options);
  const ParseOutcome without = parse((folder / "k.cpp").string(), {});
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(outcome.nest) << outcome.diagnostics.at(0).message;
  EXPECT_THAT(dump(*outcome.nest), HasSubstr("for i = 0 to 7"));
  EXPECT_FALSE(without.nest);
}

} // namespace
