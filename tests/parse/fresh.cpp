// Containers that a function makes before a part of it: nothing that it was given leads to their elements, unless they
// are exchanged.
#include "source.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::test;

namespace {

/// Does the part with the loop take the elements of `made` for elements that nothing else leads to?
bool isApart(const std::string &statements, const std::string &helpers = "") {
  const ParseOutcome outcome =
      parseText("#include <utility>\n#include <vector>\nusing V = std::vector<float>;\nvoid say(int);\n" + helpers +
                "V f(const V &x, V &other, const float *p, int n) {\n" + statements +
                "  say(n);\n"
                "  for (int i = 0; i < n; i++) made[i] = x[i] * p[i];\n  return made;\n}\n");
  for (const auto &[name, part] : outcome.nest->parts)
    for (const Array &array : part.arrays)
      if (array.name == "made_data") return array.restricted && !array.derived;
  ADD_FAILURE() << "no part writes it";
  return false;
}

} // namespace

TEST(Fresh, WhatIsMadeHereIsApartFromArguments) {
  EXPECT_TRUE(isApart("V made(n);"));
  EXPECT_TRUE(isApart("V made; made.assign(n, 0.f);"));
  EXPECT_TRUE(isApart("V made = x; made.resize(n);"));
  EXPECT_TRUE(isApart("V made(n); fill(made);", "void fill(V &v) { v[0] = 1; }\n"));
}

TEST(Fresh, WhatIsExchangedIsNot) {
  EXPECT_FALSE(isApart("V made(n); std::swap(made, other);"));
  EXPECT_FALSE(isApart("V made(n); made.swap(other);"));
  EXPECT_FALSE(isApart("V made(n); other = std::move(made); made.resize(n);"));
  EXPECT_FALSE(isApart("V made = std::move(other);"));
  EXPECT_FALSE(isApart("V made(n); take(made);", "void take(V &v);\n"));
  EXPECT_FALSE(isApart("V made(n); take(made, other);", "void take(V &v, V &w) { v.swap(w); }\n"));
  EXPECT_FALSE(isApart("V &made = other;"));
}

TEST(Fresh, NorIsWhatAClassMayHaveTaken) {
  const auto isApartIn = [](const std::string &type, const std::string &statements) {
    const ParseOutcome outcome =
        parseText("#include <utility>\n#include <vector>\nusing V = std::vector<float>;\nvoid say(int);\n" + type +
                  "void f(V &other, const float *p, int n) {\n" + statements +
                  "  say(n);\n  for (int i = 0; i < n; i++) made.v[i] = p[i];\n}\n");
    for (const auto &[name, part] : outcome.nest->parts)
      for (const Array &array : part.arrays)
        if (array.name == "made_v_data") return array.restricted && !array.derived;
    ADD_FAILURE() << "no part writes it";
    return true;
  };
  EXPECT_TRUE(isApartIn("struct T { int n; V v; T(int m) : n(m), v(m) {} };\n", "T made(n);"));
  EXPECT_TRUE(isApartIn("struct T { V v; double sum = 0; };\n", "T made; made.v.assign(n, 0.f);"));
  EXPECT_FALSE(isApartIn("struct T { V v; T(V &o) { v.swap(o); } };\n", "T made(other);"));
  EXPECT_FALSE(isApartIn("struct T { V v; V &pix() { return v; } };\n", "T made; made.pix().swap(other);"));
  EXPECT_FALSE(isApartIn("struct T { V v; T &of(V &o) { return v.swap(o), *this; } };\n", "T made; made.of(other);"));
  EXPECT_FALSE(isApartIn("#include <memory_resource>\nstruct T { std::pmr::vector<float> v; T(int m) : v(m) {} };\n",
                         "T made(n);"))
      << "its memory may be anywhere";
  EXPECT_FALSE(isApartIn("V kept; struct T { V v = std::move(kept); };\n", "T made;"));
}
