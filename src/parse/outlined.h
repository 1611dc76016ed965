// Loops of which no equation is known.
#pragma once

#include "reader.h"

#include <map>

namespace polymend {

/// A statement on its way to be a function of its own.
struct OutlinedLoop {
  /// What it leaves: a variable, or an element at a place.
  struct Left {
    std::string name;
    clang::QualType type;
    const clang::VarDecl *variable = nullptr;
    Place place = {};
    std::string value = {}; // as text; empty: its name
    std::string told = {};  // what people call it; empty: its name
  };
  std::string parameters, own; // as text; own: declarations that its body begins with
  std::vector<Expr> args;      // of the call
  std::map<unsigned, std::pair<unsigned, std::string>>
      renamed; // where the source says so, to where, and what it is here
  std::vector<Left> left;
  void take(const Expr &given, const std::string &declaration) {
    args.push_back(given);
    parameters += (parameters.empty() ? "" : ", ") + declaration;
  }
};

/// A number as text, in a type that carries it.
struct CarriedText {
  std::string type, value;
};

/// Is the variable named before a part of the function that declares it?
bool isNamedBefore(const clang::VarDecl &variable, const clang::Stmt &part, const clang::SourceManager &manager);

/// Does a loop of `s` around `region` run it again with what it left in the variable?
bool comesBackTo(const clang::Stmt *s, const clang::VarDecl &variable, const clang::Stmt *region);

bool callsItself(const clang::FunctionDecl &function);

/// Does the statement, or what it calls, turn in loops?
bool hasLoops(const clang::Stmt *s);
bool hasLoops(const clang::FunctionDecl &function);

/// Is it a function of the standard, of numbers alone, that does nothing but return one?
bool isPureLibrary(const clang::FunctionDecl &callee);

} // namespace polymend
