// What the elements of rows are worth, where rows that are read from arrays begin at `begin`.
#pragma once

#include "polymend/device.h"

#include <optional>

namespace polymend::device_room {

/// a - b where that is one number whatever is read and whatever variables are.
std::optional<std::int64_t> distanceOf(const Expr &a, const Expr &b);

/// A value that belongs to an element of a row, over the symbol `elementOfRow`, and which element it is.
struct RowElement {
  Expr value, place;
};
/// Absent: the value reads nothing of the row, more than one element of it, or knows `begin` otherwise.
std::optional<RowElement> rowElementOf(const Expr &value, const Expr &begin);

/// The nodes with each value that equals `element` at some place of a row read from there in the array `name`.
DeviceBlock withRowElements(const DeviceBlock &nodes, const Expr &begin, const Expr &element, const std::string &name);

} // namespace polymend::device_room
