// Prints the nodes of a kernel's body.
#pragma once

#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

void printBlock(const TileBlock &nodes, Writer &out, Context &context);
/// The text as comments.
void printNote(const TileNote &note, Writer &out);
void printAssign(const TileAssign &a, Writer &out, Context &context);
void printPoints(const TilePoints &points, Writer &out, Context &context);
/// "for (std::int64_t v = first; v < limit; ++v)"; binds the variable's name.
std::string loopHead(const std::string &variable, const Expr &first, const Expr &limit, std::int64_t step,
                     Context &context);

/// Keeps account of whether the variable of `dim` can be negative.
void noteSign(const PointDim &dim, Context &context);

} // namespace polymend::print_room
