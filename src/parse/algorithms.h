// What the readers of the standard's algorithms share.
#pragma once

#include "reader.h"

namespace polymend {

/// A standard algorithm's name; empty: another function.
std::string algorithmOf(const clang::CallExpr &call);
/// The iterators' element type where the call's own arguments say it; null: they do not.
clang::QualType elementAtArgument(const clang::CallExpr &call, unsigned place);
/// An unsigned type of more than 32 bits: its values need not fit 64 bits with a sign.
bool isWideUnsigned(clang::QualType type, const clang::ASTContext &context);
/// May values of the type be added up one by one in it: floats, and integers whose overflow is undefined?
bool addsPlainly(clang::QualType type, const clang::ASTContext &context);
/// Is it max_element, or min_element, of two iterators and no more?
bool seeksExtreme(const clang::CallExpr &call);
/// Does `other` take the place of `old` as what such a call seeks?
Expr isFurtherOut(const clang::CallExpr &call, const Expr &other, const Expr &old, const SourceRange &where);
/// The element so many further.
Place further(Place place, const Expr &number);
/// place = value.
void put(const Place &place, const Expr &value, const SourceRange &where, Body &out);

} // namespace polymend
