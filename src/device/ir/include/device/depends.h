// Which variables an expression uses, and whether assignments use what others give.
#pragma once

#include "polymend/device_team.h"

namespace polymend::device_room {

bool dependsOn(const Expr &e, const std::string &variable);
/// Does it depend on a variable of these dimensions?
bool usesAny(const Expr &e, const std::vector<PointDim> &dims);

/// Is it the least or the largest of integers, of no element of an array?
bool isChoice(const Expr &e);
/// Are two bounds equal but for the order of a choice?
bool isSameBound(const Expr &a, const Expr &b);

/// Does none of the assignments read or set an array that another of them sets?
bool areIndependent(const std::vector<TileAssign> &body);

/// Does the expression read this element?
bool isElement(const Ref &element, const Expr &read);
/// Does each assignment of the region set one element, which no other reads or sets, at all turns of its one dimension
/// that is not dealt out?
bool setsTheSame(const DeviceDeal &deal);

} // namespace polymend::device_room
