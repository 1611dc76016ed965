// Where the values of a phase's members lie, and their expressions in the kernel's loop variables.
#pragma once

#include "context.h"

namespace polymend {

/// The tile's rows as subscripts.
std::vector<Expr> rowSubscripts(const PhaseContext &context);
/// The subscripts under which a member's result is kept: its rows within the tile, then (inner) rolled, then extras.
std::vector<Expr> resultSubscripts(const PhaseContext &context, const Seated &seated);
Ref resultOf(const PhaseContext &context, const Seated &seated, const std::string &array);

/// A new tile for results of the member, or for a value a row; its name.
std::string makeTile(const PhaseContext &context, const Seated &seated, const std::string &wanted, Type type);
std::string makeRowTile(const PhaseContext &context, const std::string &wanted, Type type);
Type typeOfTile(const PhaseContext &context, const std::string &name);

/// The value of an equation at keys that belong to the rows of this tile (or anywhere, when it lives in memory).
Expr valueAt(const PhaseContext &context, int equation, const std::vector<Expr> &keys);
/// An equation's expression in loop variables; named symbols (of a correction) are replaced first.
Expr realize(const PhaseContext &context, const Expr &value, const Seated &seated,
             const std::map<std::string, Expr> &symbols = {});

Update updateOf(const Equation &e, Monoid monoid);

bool isZero(const Expr &e);
bool isOne(const Expr &e);

} // namespace polymend
