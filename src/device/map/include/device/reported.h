// What an element that is not a number does to the results of its row.
#pragma once

#include "polymend/tile.h"

#include <set>
#include <string>

namespace polymend::device_room {

/// The matrices in registers of a kernel with roles of which one element that is not a number has its row marked,
/// whatever the other elements are: nothing that is made of the row's others is looked at then. Unsure: not among them.
std::set<std::string> markedByElements(const Kernel &kernel);

} // namespace polymend::device_room
