// Which variables an expression uses.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

bool dependsOn(const Expr &e, const std::string &variable);
/// Does it depend on a variable of these dimensions?
bool usesAny(const Expr &e, const std::vector<PointDim> &dims);

} // namespace polymend::device_room
