// Loops of which no equation is known.
#pragma once

#include "clang.h"

#include "polymend/expr.h"

#include <map>

namespace polymend {

/// A loop on its way to be a function of its own.
struct OutlinedLoop {
  std::string parameters, own; // as text; own: declarations that its body begins with
  std::vector<Expr> args;      // of the call
  std::map<unsigned, std::pair<unsigned, std::string>>
      renamed; // where the source says so, to where, and what it is here
  void take(const Expr &given, const std::string &declaration) {
    args.push_back(given);
    parameters += (parameters.empty() ? "" : ", ") + declaration;
  }
};

/// Does the statement hold a loop that ends when its data say so, as far as its text shows: a while or do loop, or one
/// that is left?
bool endsByData(const clang::Stmt *s, bool isInLoop = false);

/// Does the function hold such a loop?
bool turnsByData(const clang::FunctionDecl &function);
bool callsItself(const clang::FunctionDecl &function);

/// Is it a function of the standard, of numbers alone, that does nothing but return one?
bool isPureLibrary(const clang::FunctionDecl &callee);

} // namespace polymend
