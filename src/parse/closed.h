// What may become a function of numbers.
#pragma once

#include "clang.h"

#include <optional>
#include <set>
#include <vector>

namespace polymend {

/// Numbers around a statement: variables, in the order of the text, and elements of arrays.
struct NumbersAround {
  std::vector<const clang::VarDecl *> used;
  std::vector<const clang::ArraySubscriptExpr *> elements;
};

/// What a statement touches beside its own; absent: more than numbers, or it leaves by other ways than its end.
std::optional<NumbersAround> touchedBy(const clang::Stmt &s);

/// Is what the function returns a number that depends on its arguments, numbers too, alone?
bool touchesNumbersAlone(const clang::FunctionDecl &function);

/// The elements that a statement reads whatever data say.
std::set<const clang::Stmt *> readInAnyCase(const clang::Stmt &s, const clang::ASTContext &context);

/// Is it the type of a number that may be a parameter?
bool isNumber(clang::QualType type);
/// One whose values are carried as they are.
bool isResult(clang::QualType type);

bool isLoopStatement(const clang::Stmt *s);

} // namespace polymend
