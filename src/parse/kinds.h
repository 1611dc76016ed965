// What is read of C++, by Clang's kinds of nodes: an allow-list. A kind that no row names is left alone, by the name
// that Clang gives it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clang {
class Decl;
class Stmt;
} // namespace clang

namespace polymend {

enum class Reading {
  Modelled, // where its parts are
  Constant, // where Clang can compute it
  Left,     // never; a remark names it
  Foreign   // no C++20: other languages, extensions that need a flag, templates before they are instantiated
};

struct Kind {
  std::string name; // Clang's
  Reading reading = Reading::Foreign;
  std::string words;  // what a remark calls it
  std::string advice; // the smallest change that would help; empty: none is known
};

std::vector<Kind> statementKinds(); // expressions too
std::vector<Kind> castKinds();
std::vector<Kind> operatorKinds(); // "+=", "unary -"
std::vector<Kind> declarationKinds();
std::vector<Kind> typeKinds(); // builtin ones, as values

/// The row of a statement, of an expression, or of a declaration within a function.
Kind kindOf(const clang::Stmt &statement);
Kind kindOf(const clang::Decl &declaration);
/// "a while loop is not supported", with the advice; of a kind without a row "WhileStmt is not read here".
std::string refusalOf(const Kind &kind);

} // namespace polymend
