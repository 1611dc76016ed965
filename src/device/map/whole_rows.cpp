#include "whole_rows.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// The only node of a block, if it is a region of one dimension from 0.
const TilePoints *regionOf(const TileBlock &block) {
  const TilePoints *points = block.size() == 1 ? as<TilePoints>(block.front()) : nullptr;
  if (!points || points->dims.size() != 1) return nullptr;
  const Expr first = simplify(points->dims.front().first);
  return first.op() == Op::Integer && first->integer == 0 ? points : nullptr;
}

bool same(const Expr &a, const Expr &b) { return a && b ? equal(a, b) : !a && !b; }

bool same(const TileAssign &a, const TileAssign &b) {
  return a.target.array == b.target.array && a.update == b.update && same(a.value, b.value) && same(a.where, b.where) &&
         std::equal(a.target.subscripts.begin(), a.target.subscripts.end(), b.target.subscripts.begin(),
                    b.target.subscripts.end(), [](const Expr &x, const Expr &y) { return same(x, y); });
}

/// Do both the same at each point?
bool doTheSame(const TilePoints &a, const TilePoints &b) {
  return a.dims.front().variable == b.dims.front().variable && a.dims.front().kind == b.dims.front().kind &&
         std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                    [](const TileAssign &x, const TileAssign &y) { return same(x, y); });
}

/// What a chunk runs, whether full or not; null: it is no region alone.
const TilePoints *chunkOf(const TileLoop &loop) {
  if (loop.body.size() != 1) return nullptr;
  const auto *branch = as<TileBranch>(loop.body.front());
  if (!branch) return regionOf(loop.body);
  const TilePoints *full = regionOf(branch->then), *part = regionOf(branch->otherwise);
  return full && part && doTheSame(*full, *part) ? part : nullptr;
}

/// The region over the whole row; absent: the loop is none over the chunks of a row that is read from arrays.
std::optional<TilePoints> wholeRow(const TileLoop &loop) {
  const Expr first = simplify(loop.first);
  const TilePoints *chunk = loop.step > 1 && reads(loop.limit) ? chunkOf(loop) : nullptr;
  if (!chunk || first.op() != Op::Integer || first->integer != 0) return std::nullopt;
  const Expr rest = loop.limit - Expr::symbol(loop.variable, Type::Int64), step = Expr::integer(loop.step);
  const Expr limit = simplify(chunk->dims.front().limit);
  const bool isRest = equal(limit, simplify(Expr::make(Op::Min, Type::Int64, {step, rest}))) ||
                      equal(limit, simplify(Expr::make(Op::Min, Type::Int64, {rest, step})));
  if (!isRest) return std::nullopt;
  const auto atStart = [&](const Expr &e) {
    return e ? simplify(substitute(
                   e, [&](const std::string &name) { return name == loop.variable ? Expr::integer(0) : Expr(); }))
             : e;
  };
  TilePoints whole = *chunk;
  whole.dims.front().limit = loop.limit;
  for (TileAssign &a : whole.body) {
    for (Expr &subscript : a.target.subscripts) subscript = atStart(subscript);
    a.value = atStart(a.value);
    a.where = atStart(a.where);
  }
  return whole;
}

} // namespace

TileBlock withWholeRows(const TileBlock &body) {
  TileBlock result;
  for (const TileNode &node : body) {
    const auto *loop = as<TileLoop>(node);
    const std::optional<TilePoints> whole = loop ? wholeRow(*loop) : std::nullopt;
    result.push_back(whole ? nodeOf(*whole) : node);
  }
  return result;
}

} // namespace polymend::device_room
