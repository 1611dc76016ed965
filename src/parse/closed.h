// What may become a function of numbers.
#pragma once

#include "certain.h"

#include <optional>
#include <set>
#include <vector>

namespace polymend {

/// An element of an array around a statement, or a part of an object: a number, or a record of numbers.
struct NumberAround {
  const clang::Expr *where;
  std::vector<const clang::Expr *> subscripts;
  bool isPlace = false; // that can be set; else a part of an object, which is a number
  bool reads = false, writes = false;
  std::optional<Conditions> under; // on numbers around, under which data do not matter; absent: they may
};

/// Numbers around a statement: variables, in the order of the text, elements of arrays and parts of objects.
struct NumbersAround {
  std::vector<const clang::VarDecl *> used;
  std::vector<NumberAround> elements;
  std::vector<const clang::VarDecl *> numbers; // its own, which subscripts may name: known before it runs
};

/// What a statement, or a turn of a loop, touches beside its own; absent: more than numbers, or it leaves by other ways
/// than its end.
std::optional<NumbersAround> touchedBy(const clang::Stmt &s, const clang::ASTContext &context, bool isTurn = false);

/// Is what the function returns a number that depends on its arguments, numbers too, alone?
bool touchesNumbersAlone(const clang::FunctionDecl &function);

/// Is it a structure that a list of numbers, or of such structures, makes, and that other functions know?
bool isRecordOfNumbers(clang::QualType type);

/// Is it the type of a number that may be a parameter?
bool isNumber(clang::QualType type);
/// One that may be a result.
bool isResult(clang::QualType type);
/// One whose values are carried in the type itself.
bool isCarriedAsItIs(clang::QualType type);

bool isLoopStatement(const clang::Stmt *s);

} // namespace polymend
