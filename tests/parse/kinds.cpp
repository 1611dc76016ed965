// The allow-list: each kind of node of Clang is classified, what is left alone says what stands there, what is modelled
// is read, and the rest is left alone by Clang's name for it.
#include "parse/kinds.h"
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;

namespace {

struct Sample {
  const char *body, *remark;
};

const char *const Before = R"(
#include <cmath>
#include <coroutine>
#include <typeinfo>
template <class... A> struct std::coroutine_traits<void, A...> {
  struct promise_type {
    void get_return_object() {}
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
struct P { float v; unsigned bits : 3; float get() const { return v; } };
struct C { operator float() const { return 1; } };
union U { float f; int i; };
P p;
C c;
U u;
_Atomic float atomic;
volatile float port;
thread_local float mine;
float *escaped;
enum class Colour { Red, Green };
struct Bag { int count; };
struct Walk { float *begin(); float *end(); };
Walk walk;
int effects();
void clean(float *);
float drawn() { static float state; return state += 1; }
__attribute__((weak)) float weak(float v) { return v; }
)";

/// The reasons for which functions with these bodies are left alone; empty: they are not.
std::vector<std::string> reasonsOf(const std::vector<std::string> &bodies, const ParseOptions &options = {}) {
  std::string source = Before;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    source +=
        "void f" + std::to_string(k) +
        "(float *y, const float *x, int *t, int n, unsigned m, float s, bool b) {\nfor (int i = 0; i < n; ++i) {" +
        bodies[k] + "}\n}\n";
  ParseOptions all = options;
  for (std::size_t k = 0; k < bodies.size(); ++k) all.entries.push_back("f" + std::to_string(k));
  const ParseOutcome outcome = parseText(source, all);
  std::vector<std::string> reasons(bodies.size());
  for (const Diagnostic &diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.message;
  if (!outcome.nest) return reasons;
  for (const LeftAlone &left : outcome.nest->left) {
    EXPECT_GT(left.refusal.where.line, 0U) << left.name;
    reasons[static_cast<std::size_t>(std::stoi(left.name.substr(1)))] = left.refusal.reason;
  }
  for (const Function &read : outcome.nest->functions)
    for (const Outlined &part : read.outlined)
      reasons[static_cast<std::size_t>(std::stoi(read.name.substr(1)))] = part.why.reason;
  return reasons;
}

void expectRemarks(const std::vector<Sample> &samples, const ParseOptions &options = {}) {
  std::vector<std::string> bodies;
  for (const Sample &sample : samples) bodies.emplace_back(sample.body);
  const std::vector<std::string> reasons = reasonsOf(bodies, options);
  for (std::size_t k = 0; k < samples.size(); ++k)
    EXPECT_THAT(reasons[k], HasSubstr(samples[k].remark)) << samples[k].body;
}

bool startsWithOneOf(const std::string &name, const std::vector<std::string> &prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string &p) { return name.starts_with(p); });
}

std::set<std::string> namesOf(const std::vector<Kind> &kinds, Reading reading) {
  std::set<std::string> names;
  for (const Kind &kind : kinds)
    if (kind.reading == reading) names.insert(kind.name);
  return names;
}

TEST(Kinds, OfStatementsAreClassified) {
  const std::vector<std::string> languages = {"ObjC", "OMP", "OpenACC", "SEH", "MS", "SYCL", "CUDA"};
  const std::set<std::string> dependent = {"TypoExpr",
                                           "SubstNonTypeTemplateParmPackExpr",
                                           "RecoveryExpr",
                                           "ParenListExpr",
                                           "PackExpansionExpr",
                                           "UnresolvedMemberExpr",
                                           "UnresolvedLookupExpr",
                                           "FunctionParmPackExpr",
                                           "CXXFoldExpr",
                                           "DependentScopeDeclRefExpr",
                                           "DependentCoawaitExpr",
                                           "CXXUnresolvedConstructExpr",
                                           "CXXDependentScopeMemberExpr"};
  const std::set<std::string> extensions = {"PseudoObjectExpr", "BlockExpr",     "AsTypeExpr",
                                            "ArraySectionExpr", "CXXUuidofExpr", "CXXAddrspaceCastExpr",
                                            "CapturedStmt"};
  const std::vector<Kind> kinds = statementKinds();
  EXPECT_GT(kinds.size(), 200U);
  for (const Kind &kind : kinds) {
    const bool foreign =
        startsWithOneOf(kind.name, languages) || dependent.contains(kind.name) || extensions.contains(kind.name);
    EXPECT_EQ(kind.reading == Reading::Foreign, foreign) << kind.name << " has no row, or one too many";
    if (kind.reading == Reading::Left) EXPECT_FALSE(kind.words.empty()) << kind.name;
  }
}

TEST(Kinds, OfCastsOperatorsDeclarationsAndTypes) {
  EXPECT_EQ(namesOf(castKinds(), Reading::Modelled),
            (std::set<std::string>{"LValueToRValue", "NoOp", "ArrayToPointerDecay", "IntegralCast", "IntegralToBoolean",
                                   "IntegralToFloating", "FloatingCast", "FloatingToIntegral", "FloatingToBoolean",
                                   "FunctionToPointerDecay", "BuiltinFnToFnPtr", "PointerToBoolean", "ToVoid"}));
  const std::vector<std::string> foreign = {"Dependent",
                                            "ObjC",
                                            "CPointerToObjC",
                                            "BlockPointerToObjC",
                                            "AnyPointerTo",
                                            "ARC",
                                            "CopyAndAutorelease",
                                            "ZeroToOCL",
                                            "IntToOCL",
                                            "HLSL",
                                            "Fixed",
                                            "FloatingToFixed",
                                            "IntegralToFixed",
                                            "BooleanToSigned"};
  for (const Kind &kind : castKinds())
    EXPECT_EQ(kind.reading == Reading::Foreign, startsWithOneOf(kind.name, foreign)) << kind.name;
  EXPECT_EQ(namesOf(operatorKinds(), Reading::Left),
            (std::set<std::string>{".*", "->*", "<=>", ",", "unary ++", "unary --", "unary __real", "unary __imag",
                                   "unary co_await"}));
  EXPECT_EQ(namesOf(declarationKinds(), Reading::Modelled),
            (std::set<std::string>{"Var", "Typedef", "TypeAlias", "StaticAssert", "Using", "UsingShadow", "UsingEnum",
                                   "UsingDirective", "NamespaceAlias", "Enum", "Empty", "Decomposition"}));
  EXPECT_EQ(namesOf(typeKinds(), Reading::Modelled),
            (std::set<std::string>{"Bool", "Char_U", "UChar", "UShort", "UInt", "ULong", "ULongLong", "Char_S", "SChar",
                                   "Short", "Int", "Long", "LongLong", "Float", "Double", "Float16", "BFloat16"}));
}

TEST(Kinds, StatementsLeftAloneSayWhatStandsThere) {
  expectRemarks({{"do y[i] = 1; while (n < 0);", "a do loop"},
                 {"for (int k = 0; float v : walk) y[k] = v;", "a range-based for loop with a declaration"},
                 {"for (float v : walk) y[0] = v;", "a range-based for loop over this is not supported"},
                 {"switch (i) { case 0: y[i] = 1; case 1: y[i] = 2; }", "run into each other"},
                 {"if (i > 3) return;", "a return before the end"},
                 {"goto end; end: y[i] = 1;", "a goto statement"},
                 {"goto *&&end; end: y[i] = 1;", "a computed goto"},
                 {"end: y[i] = 1;", "a label"},
                 {"try { y[i] = 1; } catch (...) {}", "a try block"},
                 {"asm volatile(\"\"); y[i] = 1;", "assembly"},
                 {"co_return;", "a coroutine"},
                 {"struct Q {}; y[i] = 1;", "a structure within a function"},
                 {"void g(); y[i] = 1;", "a function declared within a function"},
                 {"[] {};", "a lambda"},
                 {"new float;", "dynamic memory"},
                 {"delete y;", "dynamic memory"},
                 {"throw 1;", "a throw expression"},
                 {"__atomic_fetch_add(t, 1, 0);", "an atomic operation"},
                 {"({ y[i] = 1; });", "a statement expression"},
                 {"nullptr;", "a null pointer"},
                 {"typeid(float);", "a type's identity"},
                 {"y[i];", "a statement without an assignment"},
                 {"y[i]++;", "'++' outside a loop header"},
                 {"effects();", "call of 'effects' for its effects"},
                 {"y[i] = 1, y[i + 1];", "a statement without an assignment"},
                 {"p.v = 1;", "a member of a structure"},
                 {"u.f = 1;", "a member of a structure"},
                 {"(b ? y : y + 1)[i] = 1;", "this pointer is not"},
                 {"float v __attribute__((cleanup(clean))) = 1; y[i] = v;", "cleaned up"}});
}

TEST(Kinds, ExpressionsLeftAloneSayWhatStandsThere) {
  expectRemarks({{"y[i] = p.v;", "a member of a structure"},
                 {"y[i] = p.bits;", "a member of a structure"},
                 {"y[i] = u.i;", "a member of a structure"},
                 {"y[i] = p.get();", "an object of class type"},
                 {"y[i] = c;", "an object of class type"},
                 {"y[i] = x[i] ?: 1.0f;", "a conditional without a middle"},
                 {"y[i] = __builtin_bit_cast(float, n);", "a bit cast"},
                 {"y[i] = (throw 1, 1.0f);", "operator ','"},
                 {"y[i] = b ? throw 1 : 1.0f;", "a throw expression"},
                 {"y[i] = ({ 1.0f; });", "a statement expression"},
                 {"y[i] = 2 + (y[i + 1] = 1);", "operator '='"},
                 {"y[i] = y[t[i]++];", "operator '++'"},
                 {"y[i] = __real__ s;", "operator '__real'"},
                 {"y[i] = L'a';", "'wchar_t' is not supported"},
                 {"y[i] = (long double)s;", "'long double' is not supported"},
                 {"y[i] = (__int128)n;", "'__int128' is not supported"},
                 {"y[i] = y < x;", "a comparison of pointers"},
                 {"y[i] = x - y;", "how far these are from each other is not known"},
                 {"y[i] = atomic;", "AtomicToNonAtomic"},
                 {"y[i] = port;", "volatile"},
                 {"y[i] = mine;", "volatile or thread-local"},
                 {"y[i] = escaped[i];", "it is not known what pointer 'escaped' points to"},
                 {"y[i] = *(volatile const float *)(x + i);", "a volatile object"},
                 {"y[i] = const_cast<const volatile float &>(x[i]);", "volatile"},
                 {"volatile float &v = y[i]; v = 1;", "volatile"},
                 {"const_cast<float &>(x[i]) = 1;", "an object under another type"},
                 {"float *w = const_cast<float *>(x); w[i] = 1;", "a cast takes const away"},
                 {"((float *)x)[i] = 1;", "a cast takes const away"},
                 {"reinterpret_cast<int *>(y)[i] = 1;", "this conversion of a pointer"},
                 {"y[i] = *reinterpret_cast<const float *>(t + i);", "(BitCast)"},
                 {"static const float first[1] = {s}; y[i] = first[0];", "static array 'first' has an initialiser"},
                 {"static float keep = 0; keep += 1; y[i] = keep;", "keeps a value between calls"},
                 {"y[i] = effects();", "call of unknown function 'effects'"},
                 {"y[i] = drawn();", "keeps a value between calls"},
                 {"y[i] = weak(s);", "'weak' is weak"},
                 {"for (int j = 0; j < (int)s; j++) y[j] = 1;", "a bound made from a floating-point value"},
                 {"y[i] += y[i + 1] += 1;", "an assignment is added to another"}});
}

TEST(Kinds, TheRestIsLeftAloneByTheNameClangGivesIt) {
  ParseOptions options;
  options.clangArgs = {"-fopenmp"};
  expectRemarks({{"\n#pragma omp simd\nfor (int j = 0; j < n; ++j) y[j] = 1;\n", "OMPSimdDirective is not read here"},
                 {"\n#pragma omp critical\n{ y[i] = 1; }\n", "OMPCriticalDirective is not read here"}},
                options);
}

TEST(Kinds, WhatIsModelledIsRead) {
  const std::vector<std::string> bodies = {
      "{ y[i] = 1; ; }",
      "[[likely]] y[i] = 1;",
      "typedef float F; using G = F; G v = 1; y[i] = v;",
      "static_assert(sizeof(float) == 4); y[i] = sizeof(int) + alignof(double) + noexcept(1);",
      "enum { Two = 2 }; y[i] = Two;",
      "using enum Colour; y[i] = (int)Green;",
      "namespace a = std; y[i] = a::sqrt(s);",
      "(y[i]) = (x[i]);",
      "y[i] = _Generic(s, float: x[i], default: 1.0f);",

      "y[i] = (float)n + float(n) + static_cast<float>(n);",
      "y[i] = const_cast<const float &>(x[i]);",
      "y[i] = reinterpret_cast<const float *>(x)[i];",
      "float v{x[i]}; float w = {v}; y[i] = w;",
      "y[i] = 'a' + true + 0x1p-3f + 1'000;",
      "y[i] = float() + int{};",
      "y[i] = +x[i] - -x[i] * !b;",
      "y[i] = b ? x[i] : 2;",
      "y[i] = __extension__ 1.0f;",
      "(void)s; y[i] = *x;",
      "y[i] = 2[x];",
      "if constexpr (sizeof(int) == 4) y[i] = 1; else y[i] = n << 1;",
      "y[i] = __builtin_inff();",
      "static const float w[2] = {1, 2}; y[i] = w[1];",
      "static constexpr float w = 2; y[i] = w;",
      "if (i > 3) continue; y[i] = 1;",
      "const float &r = x[i]; float &o = y[i]; o = r; (void)r;",
      "y[i] = requires { s + 1; } ? 1.0f : 0.0f;",
      "y[i] = __is_same(int, int);"};
  const std::vector<std::string> reasons = reasonsOf(bodies);
  for (std::size_t k = 0; k < bodies.size(); ++k) EXPECT_EQ(reasons[k], "") << bodies[k];
}

TEST(Kinds, FunctionsAndParametersLeftAlone) {
  const std::string loop = " { for (int i = 0; i < n; ++i) y[i] = 1; }";
  EXPECT_THAT(whyLeft("void f(volatile float *y, int n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(float *volatile y, int n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(float *y, volatile int n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(_Atomic float *y, int n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(float *y, __int128 n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("void f(long double *y, int n)" + loop), HasSubstr("unsupported type"));
  EXPECT_THAT(whyLeft("enum E { A }; void operator+(E, float (&y)[4]) { for (int i = 0; i < 4; ++i) y[i] = 1; }"),
              HasSubstr("an operator"));
  EXPECT_EQ(whyLeft("void f(float *y, int n, int, const float *)" + loop), "");
}

} // namespace
