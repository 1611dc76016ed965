// Types of the standard that are a few values: std::optional, std::pair and std::tuple.
#pragma once

#include "clang.h"

#include <vector>

namespace polymend {

/// Is it a std::optional?
bool isOptional(clang::QualType type);
/// The fields of a std::pair, or those that stand for the elements of a std::tuple, in order; none: another type.
std::vector<const clang::FieldDecl *> fieldsOfTuple(clang::QualType type);
/// What an object of the type has as members, those of its bases first, of an optional whether it has a value, and
/// the value; none: it is of another kind.
std::vector<const clang::FieldDecl *> fieldsOf(clang::QualType type);
/// Does nothing happen where an object of the type ends?
bool endsSilently(clang::QualType type);

} // namespace polymend
