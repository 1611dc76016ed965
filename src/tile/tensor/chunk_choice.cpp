// A chunk that a choice leaves out changes no state where all that it does beside copies is made of what the choice
// gives there: a maximum of -inf, a sum of zeros. A weight of zero counts for nothing whatever is multiplied by it: the
// other factor counts as finite, which the caller tells.
#include "chunk_choice.h"

#include "tile/visit.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

bool isTile(const RectangularKernel &kernel, const std::string &name) {
  return std::ranges::any_of(kernel.tiles, [&](const TileArray &tile) { return tile.name == name; });
}

/// Does the condition read arrays, and no tile?
bool isOfArrays(const RectangularKernel &kernel, const Expr &condition) {
  bool reads = false, tiles = false;
  visit(condition, [&](const Expr &e) {
    reads = reads || e.op() == Op::Read;
    tiles = tiles || (e.op() == Op::Read && isTile(kernel, e->name));
  });
  return reads && !tiles;
}

MaskedValue nothing(const Expr &e) {
  if (e.op() != Op::Real) return MaskedValue::Unknown;
  if (e->real == 0) return MaskedValue::Zero;
  return std::isinf(e->real) && e->real < 0 ? MaskedValue::NegativeInfinity : MaskedValue::Unknown;
}

/// The array that a copy of the chunk fills the tile from; empty: none does.
std::string copiedFrom(const TileBlock &chunk, const std::string &tile) {
  for (const TileNode &node : chunk) {
    const auto *points = as<TilePoints>(node);
    if (!points || points->body.size() != 1) continue;
    const TileAssign &a = points->body[0];
    if (a.target.array == tile && a.update == Update::Set && !a.where && a.value.op() == Op::Read) return a.value->name;
  }
  return "";
}

/// What a chunk does that the choice leaves out.
class LeftOut {
public:
  LeftOut(const RectangularKernel &k, const ChunkChoice &c) : kernel(k), choice(c), chunk(k.loop->full) {
    facts.takesFinite = true;
    for (const TileArray &tile : kernel.tiles)
      if (tile.extents.size() > 1 && copiedFrom(chunk, tile.name).empty())
        facts.matrices[tile.name] = MaskedValue::Unknown;
    facts.matrices[choice.matrix] = choice.otherwise;
  }
  /// Does it leave all states as they are? What mends a state has nothing new to mend it by, whenever it runs.
  bool changesNothing();
  /// Where the arrays that count as finite then are read.
  [[nodiscard]] std::map<std::string, SourceRange> finite() const;

private:
  bool passes(std::size_t at, const TileAssign &assign, bool reduces);

  const RectangularKernel &kernel;
  const ChunkChoice &choice;
  const TileBlock &chunk;
  MaskedFacts facts;
  std::set<std::string> begun; // in this chunk, before the choice
};

bool LeftOut::changesNothing() {
  for (std::size_t at = 0; at < chunk.size(); ++at) {
    const auto *points = as<TilePoints>(chunk[at]);
    if (!points && !as<TileNote>(chunk[at])) return false;
    if (!points) continue;
    const bool reduces =
        std::ranges::any_of(points->dims, [](const PointDim &d) { return d.kind != PointDim::Kind::Parallel; });
    for (const TileAssign &assign : points->body)
      if (!passes(at, assign, reduces)) return false;
  }
  return true;
}

bool LeftOut::passes(std::size_t at, const TileAssign &a, bool reduces) {
  const std::string &target = a.target.array;
  if (!isTile(kernel, target)) return false; // it stores something
  if (at < choice.at) {
    if (!reduces) begun.insert(target);
    return begun.contains(target);
  }
  if (at == choice.at || !copiedFrom(chunk, target).empty()) return true;
  const MaskedValue value = a.where && reduces ? MaskedValue::Unknown : maskedValue(a.value, facts);
  if (reduces)
    return (a.update == Update::Sum && value == MaskedValue::Zero) ||
           ((a.update == Update::Max || a.update == Update::FMax) && value == MaskedValue::NegativeInfinity);
  if (a.target.subscripts.size() > 1) facts.matrices[target] = a.update == Update::Set ? value : MaskedValue::Unknown;
  return true;
}

std::map<std::string, SourceRange> LeftOut::finite() const {
  std::map<std::string, SourceRange> arrays;
  for (const std::string &tile : facts.finite)
    if (const std::string array = copiedFrom(chunk, tile); !array.empty()) arrays[array] = placeOf(chunk, array);
  return arrays;
}

} // namespace

std::optional<ChunkChoice> choiceIn(const RectangularKernel &kernel) {
  const TileBlock &chunk = kernel.loop->full;
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    const auto *points = as<TilePoints>(chunk[k]);
    if (!points || points->body.size() != 1 || points->dims.size() != 2) continue;
    const TileAssign &a = points->body[0];
    const bool isWhole =
        a.update == Update::Set && !a.where && a.target.subscripts.size() == 2 &&
        std::ranges::all_of(points->dims, [](const PointDim &d) {
          return d.kind == PointDim::Kind::Parallel && d.first.op() == Op::Integer && d.limit.op() == Op::Integer;
        });
    if (!isWhole || a.value.op() != Op::Select || !isOfArrays(kernel, a.value.arg(0))) continue;
    const MaskedValue otherwise = nothing(a.value.arg(2));
    if (otherwise == MaskedValue::Unknown || !isTile(kernel, a.target.array)) continue;
    return ChunkChoice{k, a.target.array, points->dims, a.value.arg(0), a.value.arg(1), otherwise};
  }
  return std::nullopt;
}

std::optional<std::map<std::string, SourceRange>> finiteWhereLeftOut(const RectangularKernel &kernel,
                                                                     const ChunkChoice &choice) {
  LeftOut chunk(kernel, choice);
  if (!chunk.changesNothing()) return std::nullopt;
  return chunk.finite();
}

TileBlock unasked(TileBlock chunk, const ChunkChoice &choice) {
  TilePoints points = *as<TilePoints>(chunk[choice.at]);
  points.body[0].value = choice.value;
  chunk[choice.at] = nodeOf(points);
  return chunk;
}

} // namespace polymend
