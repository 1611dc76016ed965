// Prints statements of one thread.
#pragma once

#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

/// The text as comments.
void printNote(const TileNote &note, Writer &out);
/// A mark before what an update, or a first value, is stored to, where marks are asked for.
std::string storeMark(const TileAssign &a, const Context &context);
/// An assignment; `fused`: the product that it adds is not rounded before.
void printAssign(const TileAssign &a, bool fused, Writer &out, Context &context);
/// "for (std::int64_t v = first; v < limit && goesOn; ++v)"; binds the variable's name. `goesOn`: absent, always.
std::string loopHead(const std::string &variable, const Expr &first, const Expr &limit, std::int64_t step,
                     Context &context, const Expr &goesOn = {});

} // namespace polymend::print_room
