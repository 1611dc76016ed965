// What the types of the standard's containers say.
#pragma once

#include "reader.h"

namespace polymend {

/// "vector", "array", "span", or "unique_ptr" of an array; empty: none of them.
std::string containerName(clang::QualType type);
/// The type of a container's elements.
clang::QualType elementIn(clang::QualType type, const clang::ASTContext &context);
/// The number of elements that the type says, or -1.
std::int64_t fixedCount(clang::QualType type);
/// An object itself, as text.
std::string itselfOf(const Object &object);
/// Are the container's elements vectors, each with elements of its own?
bool holdsRowsApart(clang::QualType container, const clang::ASTContext &context);
/// Is it a std::vector<bool>?
bool isBitVector(clang::QualType type, const clang::ASTContext &context);
/// Is it made of a number of elements, `std::vector<T>(n, ...)`?
bool isMadeOfCount(const clang::CXXConstructExpr *made);
/// Does the source say the argument at that place, not a default?
bool isGivenTo(const clang::CXXConstructExpr &made, unsigned place);
/// Which element a call asks for.
struct AskedElement {
  const clang::Expr *index = nullptr; // null: the first, or the last
  bool isLast = false;
};
/// `v[i]`, `v.front()` and `v.back()`; absent: another call.
std::optional<AskedElement> elementAsked(const clang::CallExpr &call);
/// Where a container's elements begin, as text.
std::string startOf(const Object &container);

} // namespace polymend
