// Arrays of rows that lie apart from each other, which the host has as containers of containers.
#pragma once

#include "print/beside.h"
#include "print/touched_text.h"

#include "polymend/parse.h"

#include <map>
#include <optional>

namespace polymend::print_room {

/// The parameter whose rows lie apart; null: they lie behind each other.
const Parameter *apartRows(const Function &function, const std::string &array);
/// How many rows the parameter has, as text.
std::string rowCountOf(const Parameter &rows);
/// Those parameters and how many rows each has, as text, by array.
std::map<std::string, std::string> allApartRows(const Function &function);
/// Whether two arrays, of which one has rows that lie apart, share memory; absent: neither has; empty: they never do.
/// `byExtents`: all elements of the other are touched.
std::optional<std::string> apartTest(const Function &function, const Touching &a, const Touching &b, bool byExtents,
                                     TouchedPrinter &touched, Context &context);

} // namespace polymend::print_room
