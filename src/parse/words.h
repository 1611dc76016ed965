// Numbers of 64 bits without a sign, carried as the numbers with a sign that have their bits.
#pragma once

#include "clang.h"
#include "polymend/expr.h"

#include <string>

namespace polymend {

/// Is the variable set to more than a count: to what differences, products, operations on bits or elements of 64 bits
/// make?
bool becomesAnyWord(const clang::Stmt *body, const clang::VarDecl &variable, const clang::ASTContext &context);

/// A number with a sign for the word, which is less than another one's where the word is. Elements are printed in their
/// own type, so that a primitive gives it.
Expr inOrder(const Expr &word);

/// Is it a function of <bit>, or one of the compiler's own, of the bits of a number?
bool isOfBits(const std::string &name);

} // namespace polymend
