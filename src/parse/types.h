// Clang's types as polymend's.
#pragma once

#include "clang.h"
#include "polymend/expr.h"

#include <optional>

namespace polymend {

/// The value type of an arithmetic type; unsigned 32-bit values are carried in 64 bits, narrow integers in 32.
std::optional<Type> valueType(clang::QualType type);
/// The element type of an array in memory: only where polymend's type has the same representation.
std::optional<Type> elementType(clang::QualType type);
/// The same of a member of a structure, which may be of an enumeration.
std::optional<Type> memberType(clang::QualType type);
/// The element type of what is only read: of an enumeration the one of the integers that hold it.
std::optional<Type> readType(clang::QualType type);
/// How C++ spells an integer of 64 bits that is another type than std::int64_t; empty: it is none.
std::string spellingOf(clang::QualType type, const clang::ASTContext &context);
/// The type of 8, 16 or 32 bits, but for int, that values of a type are converted to; absent: it is none of them.
std::optional<Type> shortType(clang::QualType type);
/// The type in which values of a type of integers are computed.
Type carrierOf(Type type);
/// Whether lvalues of the type may be used for objects of any other: bytes, and where a
/// typedef on the way to it says may_alias.
bool mayAliasAny(clang::QualType type);
/// Is it a std::array?
bool isFixedArray(clang::QualType type);
/// What a pointer, or an iterator that is one, points to; null: the type is neither.
clang::QualType pointedTo(clang::QualType type);
/// Is the type one of the values that valueType() takes?
bool isValueKind(clang::BuiltinType::Kind kind);

} // namespace polymend
