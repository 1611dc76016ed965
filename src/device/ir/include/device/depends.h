// Which variables an expression uses, and whether assignments use what others give.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

bool dependsOn(const Expr &e, const std::string &variable);
/// Does it depend on a variable of these dimensions?
bool usesAny(const Expr &e, const std::vector<PointDim> &dims);

/// Does none of the assignments read or set an array that another of them sets?
bool areIndependent(const std::vector<TileAssign> &body);

} // namespace polymend::device_room
