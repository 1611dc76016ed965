// What a region that is dealt out to threads says of itself.
#pragma once

#include "polymend/device.h"

#include "device/bounds.h"

namespace polymend::device_room {

/// Whether `e` reads the elements of `s`.
bool isStream(const Expr &e, const DeviceStream &s);

/// The dimensions that are not dealt out, outermost first.
std::vector<std::size_t> innerOf(const DeviceDeal &deal);

/// What the variables of a region can be.
std::map<std::string, Interval> boundsOfDims(const TilePoints &points);

/// From -narrowLimit to narrowLimit.
constexpr std::int64_t narrowLimit = 4096;
/// Whether a variable with these bounds fits an `int` also after the arithmetic of a subscript.
bool isNarrow(const Interval &bounds);

} // namespace polymend::device_room
