// std::complex: a pair of numbers that lie behind each other.
#pragma once

#include "clang.h"

namespace polymend {

/// Is it std::complex<float> or std::complex<double>?
bool isComplex(clang::QualType type);

/// A record of two numbers, `re` and `im`, as which the standard lets one access a complex number
/// ([complex.numbers.general]/4).
const clang::CXXRecordDecl *pairOf(const clang::CXXRecordDecl &complex);

} // namespace polymend
