// Tile extents for matrix units: as many groups of 64 rows as registers allow, then chunks as long as registers and two
// slots of every channel allow. Registers of a group's thread: an accumulator of 64 x N takes N / 2, twice as many
// where it holds doubles, and N / 4 more where it is the operand of a product that goes on beside the next one.
#include "polymend/factors.h"

#include "tile/matrix.h"
#include "warp_shapes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace polymend {
namespace {

std::int64_t chosen(const std::string &dim, const LowerOptions &options, std::int64_t otherwise) {
  const auto found = options.tiles.find(plainName(dim));
  return found == options.tiles.end() ? otherwise : found->second;
}

/// At least `least` factors are widened from 16 bits.
bool readsNarrow(const Expr &value, int least) {
  int narrow = 0;
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Cast && isFloating(node.type()) && isNarrow(node.arg(0).type())) ++narrow;
  });
  return narrow >= least;
}

/// Makes the tiles of the row dimension along which most rows share what the phase streams as long as they do; absent:
/// there is none.
std::optional<Padding> padded(const System &system, const Phase &phase, const MatrixAtom &atom, KernelPlan &plan) {
  std::size_t row = 0;
  std::int64_t most = 0;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::int64_t rows = rowsThatShare(system, phase, r);
    if (rows < most || rows == 0) continue;
    row = r;
    most = rows;
  }
  if (most == 0) return std::nullopt;
  plan.tiles[row] = most;
  return Padding{row, groupRows(atom)};
}

/// Extents of a plan's tiles on matrix units.
struct Extents {
  std::vector<std::int64_t> rows; // per row dimension: of the box
  std::size_t rolled = 0;         // of the loops of a sum, the one that comes in chunks; the others turn beside it
  std::int64_t chunk = 0;
};

/// Which factors of a sum's product move along its dimensions. Equations outlive it: each is asked about once.
class MovingFactors {
public:
  const std::set<std::size_t> &along(const Equation &e, int dim) const {
    const auto [at, asked] = known.try_emplace({&e, dim});
    if (!asked) return at->second;
    const std::vector<Expr> factors = factorsOf(e.value);
    for (std::size_t f = 0; f < factors.size(); ++f)
      visit(factors[f], [&](const Expr &node) {
        if (node.op() != Op::Read || node->access < 0) return;
        const isl::map &map = e.operands[static_cast<std::size_t>(node->access)].map;
        if (domainDimension(map) == e.dims.size() && movesAlong(map, static_cast<unsigned>(dim), 1))
          at->second.insert(f);
      });
    return at->second;
  }

private:
  mutable std::map<std::pair<const Equation *, int>, std::set<std::size_t>> known;
};

/// Is a factor read as it is, or computed, in the products' own type?
bool isOwn(const Expr &factor, Type type) {
  const Expr inner = unconverted(factor);
  return factor.type() == type && (inner.op() != Op::Read || inner.type() == type);
}

/// Is the member a sum of products of two matrices? Each factor has a dimension of the result that the other one has
/// not, and both have the sum's.
bool multiplies(const Equation &e, const MovingFactors &moving) {
  if (factorsOf(e.value).size() < 2) return false;
  std::set<std::size_t> summed;
  for (unsigned d = e.keys; d < e.dims.size(); ++d)
    summed.insert(moving.along(e, static_cast<int>(d)).begin(), moving.along(e, static_cast<int>(d)).end());
  const auto sides = [&](const std::set<std::size_t> &a, const std::set<std::size_t> &b) {
    const auto without = [](const std::set<std::size_t> &from, const std::set<std::size_t> &less) {
      return std::any_of(from.begin(), from.end(), [&](std::size_t f) { return !less.count(f); });
    };
    return without(a, b) && without(b, a);
  };
  for (int d = 0; d < static_cast<int>(e.keys); ++d)
    for (int other = 0; other < d; ++other)
      if (summed.size() > 1 && sides(moving.along(e, d), moving.along(e, other))) return true;
  return false;
}

/// The same, with factors in the sum's own type.
bool multipliesOwn(const Equation &e, const MovingFactors &moving) {
  const std::vector<Expr> factors = factorsOf(e.value);
  return std::all_of(factors.begin(), factors.end(), [&](const Expr &f) { return isOwn(f, e.type); }) &&
         multiplies(e, moving);
}

/// Why a sum of products of matrices with 16-bit elements is none that matrix units take; absent: it is one, or has no
/// such elements.
std::optional<std::string> whyNotNarrow(const Equation &e, const LowerOptions &options, const MovingFactors &moving) {
  std::set<Type> copied; // of factors that are read as they are
  bool any = false;
  for (const Expr &factor : factorsOf(e.value)) {
    const Expr inner = unconverted(factor);
    if (inner.op() == Op::Read && isNarrow(inner.type())) copied.insert(inner.type());
    visit(factor, [&](const Expr &node) { any = any || (node.op() == Op::Read && isNarrow(node.type())); });
  }
  if (e.monoid != Monoid::Sum || !any || !multiplies(e, moving)) return std::nullopt;
  if (isNarrow(e.type)) return "a sum of products is made in 16 bits";
  if (copied.size() > 1) return "a sum of products has factors of two 16-bit types";
  if (!options.approximate && !readsNarrow(e.value, 2))
    return "a sum of products has a factor of more than 16 bits (--fp=approx rounds it)";
  return std::nullopt;
}

/// Does not every factor move along every key? Else each element is used once.
bool usesOften(const Equation &e, const MovingFactors &moving) {
  const std::size_t factors = factorsOf(e.value).size();
  for (unsigned key = 0; key < e.keys; ++key)
    if (moving.along(e, static_cast<int>(key)).size() < factors) return true;
  return false;
}

/// Bytes of the elements that matrix units multiply where the member is a sum of products that they can take, else 0.
std::int64_t productBytes(const Equation &e, const LowerOptions &options, const MovingFactors &moving) {
  if (e.monoid != Monoid::Sum) return 0;
  if (readsNarrow(e.value, options.approximate ? 1 : 2)) return usesOften(e, moving) ? 2 : 0;
  const bool taken = e.type == Type::Float64 || (e.type == Type::Float32 && options.approximate);
  return taken && multipliesOwn(e, moving) ? multipliedBytes(e.type) : 0;
}

/// The narrowest elements of the phase's products, 0: there is none. Units multiply elements of one size in a kernel.
std::int64_t productBytes(const System &system, const Phase &phase, const LowerOptions &options,
                          const MovingFactors &moving) {
  std::int64_t bytes = 0;
  for (const Member &member : phase.members) {
    const std::int64_t own = productBytes(system.equations[static_cast<std::size_t>(member.equation)], options, moving);
    if (own > 0 && (bytes == 0 || own < bytes)) bytes = own;
  }
  return bytes;
}

/// What a plan's products take. Its equations outlive it: each is asked about once.
class Products {
public:
  Products(const LowerOptions &o, MatrixUnits u, const MovingFactors &m)
      : options(o), units(std::move(u)), factors(m) {}
  [[nodiscard]] bool take(const Equation &e) const {
    const auto [at, asked] = taken.try_emplace(&e, false);
    if (asked) at->second = productBytes(e, options, factors) == units.elementBytes;
    return at->second;
  }
  /// Does what is read move along the dimension, and does its last subscript?
  struct Moves {
    bool at = false, column = false;
  };
  [[nodiscard]] Moves moves(const Operand &operand, unsigned dim) const {
    const auto [at, asked] = moving.try_emplace({&operand, dim}, Moves());
    if (asked) at->second.at = movesAlong(operand.map, dim, 1);
    if (asked && at->second.at)
      at->second.column = movesAlong(projectOutRange(operand.map, 0, rangeDimension(operand.map) - 1), dim, 1);
    return at->second;
  }

  const LowerOptions &options;
  const MatrixUnits units;
  const MovingFactors &factors;

private:
  mutable std::map<const Equation *, bool> taken;
  mutable std::map<std::pair<const Operand *, unsigned>, Moves> moving;
};

/// Bytes of the tile that a product copies of an operand.
std::int64_t tileBytes(const KernelPlan &plan, const Equation &e, const Member &member, const Operand &operand,
                       const Extents &extents, const Products &products) {
  std::int64_t rows = 1, columns = 1;
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    const Products::Moves moves = products.moves(operand, d);
    if (!moves.at) continue;
    const auto at = [d](const std::vector<int> &dims) {
      return std::find(dims.begin(), dims.end(), static_cast<int>(d));
    };
    std::int64_t extent = constantExtent(e.domain, d).value_or(1);
    if (const auto row = at(member.rows); row != member.rows.end()) {
      const auto r = static_cast<std::size_t>(row - member.rows.begin());
      extent = sameForTile(e, operand, d, plan.tiles[r]) ? 1 : extents.rows[r];
    }
    if (const auto rolled = at(member.rolled); rolled != member.rolled.end())
      extent = rolled - member.rolled.begin() == static_cast<std::ptrdiff_t>(extents.rolled) ? extents.chunk : 1;
    (moves.column ? columns : rows) *= extent;
  }
  return slotBytes(rows, columns, products.units.elementBytes);
}

/// Of the loops of a phase, the one that comes in chunks, and how long these may be.
struct Chunked {
  std::size_t loop = 0;
  std::int64_t longest = 0;
};

/// How far inside arrays the elements are that a sum reads along a dimension: the subscripts that move, by position.
std::size_t nearness(const Equation &e, unsigned dim) {
  std::size_t near = 0;
  for (const Operand &operand : e.operands) {
    const unsigned rank = rangeDimension(operand.map);
    for (unsigned d = 0; d < rank && operand.equation < 0 && domainDimension(operand.map) == e.dims.size(); ++d)
      if (movesAlong(onlyOutput(operand.map, d), dim, 1)) near += d + 1;
  }
  return near;
}

/// The loop along which the elements that the phase's products read are nearest to each other in memory, short ones
/// left out. The others turn beside it, and each turn ends with a part of a chunk: chunks are shorter where that may be
/// most of one. Absent: all loops are short.
std::optional<Chunked> chunkedLoop(const System &system, const Phase &phase, const Products &products) {
  constexpr std::int64_t whole = 128, part = 64, least = 16;
  if (phase.rolled.size() == 1) return Chunked{0, whole};
  std::optional<Chunked> best;
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < phase.rolled.size(); ++k) {
    std::size_t near = 0;
    std::int64_t extent = 0;
    for (const Member &member : phase.members) {
      const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
      const auto dim = static_cast<unsigned>(member.rolled[k]);
      extent = std::max(extent, constantExtent(e.domain, dim).value_or(part));
      if (products.take(e)) near += nearness(e, dim);
    }
    if (extent < least || (best && near <= nearest)) continue;
    best = Chunked{k, std::min((extent + 15) / 16 * 16, whole)};
    nearest = near;
  }
  return best;
}

/// Is the operand a value of the plan itself?
bool isWithin(const KernelPlan &plan, const Operand &operand) {
  const auto makes = [&](const Member &m) { return m.equation == operand.equation; };
  return std::any_of(plan.phases.begin(), plan.phases.end(), [&](const Phase &phase) {
    return std::any_of(phase.members.begin(), phase.members.end(), makes);
  });
}

/// Do so many slots of every tile that the phase's products copy in each chunk, and one of every other, fit shared
/// memory?
bool fitsShared(const System &system, const KernelPlan &plan, const Phase &phase, const Extents &extents,
                const Products &products, std::int64_t slots = 2) {
  std::int64_t bytes = 0;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (!products.take(e)) continue;
    for (const Operand &operand : e.operands) {
      if (isWithin(plan, operand) || rangeDimension(operand.map) < 2) continue;
      const bool each = std::any_of(member.rolled.begin(), member.rolled.end(),
                                    [&](int d) { return products.moves(operand, static_cast<unsigned>(d)).at; });
      bytes += (each ? slots : 1) * tileBytes(plan, e, member, operand, extents, products);
    }
  }
  return bytes <= products.units.sharedBytes;
}

/// Of the rows in tiles along which the same factors of every product move, one stays in tiles: the last whose extent
/// is no constant, else the longest. One factor of a product is a matrix of it and the sum's dimension.
std::vector<std::size_t> oneOfEachSide(const System &system, const Phase &phase, const KernelPlan &plan,
                                       const std::vector<std::size_t> &wide, const Products &products) {
  const auto together = [&](std::size_t a, std::size_t b) {
    for (const Member &member : phase.members) {
      const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
      if (!products.take(e)) continue;
      const std::set<std::size_t> &first = products.factors.along(e, member.rows[a]),
                                  &second = products.factors.along(e, member.rows[b]);
      const bool meet = std::any_of(first.begin(), first.end(), [&](std::size_t f) { return second.count(f) > 0; });
      if (!first.empty() && !second.empty() && !meet) return false;
    }
    return true;
  };
  const auto length = [&](std::size_t r) {
    return constantExtent(plan.domain, static_cast<unsigned>(r)).value_or(std::numeric_limits<std::int64_t>::max());
  };
  std::vector<std::size_t> kept;
  for (const std::size_t r : wide) {
    const auto side = std::find_if(kept.begin(), kept.end(), [&](std::size_t other) { return together(other, r); });
    if (side == kept.end())
      kept.push_back(r);
    else if (length(r) >= length(*side))
      *side = r;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// An element of so many bytes, read as it is.
bool isBare(const Expr &factor, std::int64_t bytes) {
  const Expr read = unconverted(factor);
  return read.op() == Op::Read && multipliedBytes(read.type()) == bytes;
}

/// What threads compute of a member between products: all of its value, or the factors that are not copied as they are.
std::vector<Expr> computedParts(const Equation &e, const Products &products) {
  if (!products.take(e)) return {e.value};
  std::vector<Expr> parts = factorsOf(e.value);
  std::erase_if(parts, [&](const Expr &factor) { return isBare(factor, products.units.elementBytes); });
  return parts;
}

/// The arguments' elements that a part looks up for each element along a loop.
std::vector<Expr> lookedUp(const Equation &e, const Expr &part, unsigned loop, const Products &products) {
  std::vector<Expr> reads;
  visit(part, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    if (operand.equation < 0 && products.moves(operand, loop).at) reads.push_back(node);
  });
  return reads;
}

/// Does what is read move along one of the rows in tiles?
bool movesInTile(const Equation &e, const Expr &read, const Member &member, const std::vector<std::size_t> &wide,
                 const Products &products) {
  const Operand &operand = e.operands[static_cast<std::size_t>(read->access)];
  return std::any_of(wide.begin(), wide.end(),
                     [&](std::size_t r) { return products.moves(operand, static_cast<unsigned>(member.rows[r])).at; });
}

/// Registers beside the matrices of one computing thread. `held`, in quarters: by what is looked up for a column and by
/// the choice among several pieces of a mask. In quarters of a column per element of a chunk: `between` products, for
/// what is looked up for each element; `ahead`, for a factor that is computed of a tile whose two sides the loop leaves
/// open: as it is read, as it is computed, as it is kept.
struct OtherRegisters {
  std::int64_t held = 0, between = 0, ahead = 0;
};

OtherRegisters otherRegisters(const System &system, const Phase &phase, std::size_t chunked,
                      const std::vector<std::size_t> &wide, const Products &products) {
  constexpr std::int64_t kept = 1, computed = 2; // halves of a register for each element
  constexpr std::int64_t forChoice = 48;         // 12 registers (H200: chunks of 64 columns and no spills)
  OtherRegisters others;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (member.role == Member::Role::Inner || member.rolled.size() <= chunked) continue;
    const bool inPieces = isl_set_n_basic_set(isl::set(e.domain).coalesce().get()) > 1;
    if (inPieces) others.held = forChoice;
    for (const Expr &part : computedParts(e, products)) {
      const std::vector<Expr> reads = lookedUp(e, part, static_cast<unsigned>(member.rolled[chunked]), products);
      for (const Expr &node : reads) {
        const bool each = movesInTile(e, node, member, wide, products);
        if (!products.take(e)) (each ? others.between : others.held) = each ? 1 : forChoice;
        if (wide.size() == 2 && products.take(e) && each)
          others.ahead = std::max<std::int64_t>(others.ahead, computed + kept + (isNarrow(node.type()) ? 1 : 2));
      }
    }
  }
  return others;
}

/// Must a product's factors change sides? Only the left one, along the first of the rows in tiles, may be computed.
bool computesRight(const System &system, const Phase &phase, const std::vector<std::size_t> &wide,
                   const Products &products) {
  const std::int64_t bytes = products.units.elementBytes;
  bool left = false, right = false;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (member.mended >= 0) return false;
    if (e.monoid != Monoid::Sum) continue;
    const std::vector<Expr> factors = factorsOf(e.value);
    for (const std::size_t f : products.factors.along(e, member.rows[wide[0]]))
      left = left || !isBare(factors[f], bytes);
    for (const std::size_t f : products.factors.along(e, member.rows[wide[1]]))
      right = right || !isBare(factors[f], bytes);
  }
  return right && !left;
}

/// The plan with two of its rows exchanged.
KernelPlan exchanged(KernelPlan plan, std::size_t a, std::size_t b) {
  std::string from, to;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::size_t other = r == a ? b : r == b ? a : r;
    from += (r ? ", r" : "r") + std::to_string(r);
    to += (r ? ", r" : "r") + std::to_string(other);
  }
  plan.domain = plan.domain.apply(isl::manage(
      isl_map_read_from_str(isl_set_get_ctx(plan.domain.get()), ("{ [" + from + "] -> [" + to + "] }").c_str())));
  std::swap(plan.rows[a], plan.rows[b]);
  std::swap(plan.tiles[a], plan.tiles[b]);
  for (Phase &phase : plan.phases)
    for (Member &member : phase.members) std::swap(member.rows[a], member.rows[b]);
  return plan;
}

} // namespace

std::optional<Result<MatrixPlan>> matrixTiles(const Relaxed &relaxed, const KernelPlan &plan,
                                              const LowerOptions &options, bool wholeRows) {
  const auto rolling =
      std::find_if(plan.phases.begin(), plan.phases.end(), [](const Phase &p) { return !p.rolled.empty(); });
  if (rolling == plan.phases.end()) return std::nullopt;
  const MovingFactors moving;
  for (const Member &member : rolling->members) {
    const Equation &e = relaxed.system->equations[static_cast<std::size_t>(member.equation)];
    if (const auto why = whyNotNarrow(e, options, moving)) return Refusal{*why, placeOf(e.value)};
    if (member.role == Member::Role::Inner && e.reduced() > 1 && productBytes(e, options, moving) > 0)
      return Refusal{"'" + e.array + "' is summed over several loops that are not one over neighbours in memory",
                     placeOf(e.value)};
  }
  const std::int64_t bytes = productBytes(*relaxed.system, *rolling, options, moving);
  if (bytes == 0) return std::nullopt;
  const Products products(options, *options.machine->unitsFor(bytes), moving);
  const auto chunked = chunkedLoop(*relaxed.system, *rolling, products);
  if (!chunked) return Refusal{"each of the loops that a sum runs over is short", {}};
  const MatrixUnits &units = products.units;
  std::vector<std::size_t> wide; // rows that come in tiles
  for (std::size_t r = 0; r < plan.tiles.size(); ++r)
    if (plan.tiles[r] > 1) wide.push_back(r);
  MatrixPlan result{plan, units, std::nullopt};
  const std::vector<std::size_t> tiled = oneOfEachSide(*relaxed.system, *rolling, plan, wide, products);
  for (const std::size_t r : wide)
    if (std::find(tiled.begin(), tiled.end(), r) == tiled.end()) result.plan.tiles[r] = 1;
  wide = tiled;
  if (wide.size() > 2) return Refusal{"more than two dimensions come in tiles", {}};
  if (wide.size() == 2 && computesRight(*relaxed.system, *rolling, wide, products))
    result.plan = exchanged(result.plan, wide[0], wide[1]);
  if (wide.empty()) {
    result.padding = padded(*relaxed.system, *rolling, units.atom, result.plan);
    if (!result.padding) return Refusal{"no rows share what a sum streams", {}};
  }
  std::int64_t fixed = 0, perChunk = 0; // registers in quarters of a column: constant, and per element of a chunk
  const std::int64_t words = bytes == 8 ? 2 : 1; // registers of an accumulator's element
  const bool asynchronous = units.atom.asynchronous;   // products go on while threads do
  std::int64_t open = 0;                         // the same, per column of a tile that the loop over chunks leaves open
  const Phase &streamed = result.plan.phases[static_cast<std::size_t>(rolling - plan.phases.begin())];
  for (const Member &member : streamed.members) {
    const Equation &e = relaxed.system->equations[static_cast<std::size_t>(member.equation)];
    if (member.role == Member::Role::Inner) {
      // the accumulator, and its narrowed copy where a product still reads that
      perChunk += words * (products.take(e) && asynchronous ? 3 : 2);
      continue;
    }
    std::int64_t extent = wide.size() == 2 ? 1 : 0;
    for (unsigned d = 0; d < e.keys; ++d)
      if (std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) == member.rows.end())
        extent = std::max<std::int64_t>(extent, 1) * constantExtent(e.keyDomain, d).value_or(0);
    (wide.size() == 2 ? open : fixed) += 2 * words * extent;
  }
  const OtherRegisters values = otherRegisters(*relaxed.system, streamed, chunked->loop, wide, products);
  perChunk += perChunk > 0 ? values.between : 0;
  fixed += perChunk > 0 && asynchronous ? values.held : 0;
  // Few rows share their loop out among blocks. Short chunks then keep more of them busy where the loop is short, and
  // more copies under way where nothing else hides a copy's time.
  const std::int64_t longestChunk =
      result.padding && asynchronous ? std::min<std::int64_t>(64, chunked->longest) : chunked->longest;
  const std::vector<std::int64_t> none{0};
  const auto across =
      wide.size() == 2 ? constantExtent(result.plan.domain, static_cast<unsigned>(wide[1])) : std::nullopt;
  const std::int64_t widest = (std::max<std::int64_t>(across.value_or(1 << 20), 1) + 15) / 16 * 16;
  const auto rollChunks = [&](std::int64_t chunk) {
    for (Phase &phase : result.plan.phases)
      for (std::size_t k = 0; k < phase.rolled.size(); ++k)
        phase.chunks[k] = k == chunked->loop ? chosen(phase.rolled[k], options, chunk) : 1;
  };
  if (!wholeRows && wide.size() == 2 && perChunk == 0 && !asynchronous) {
    constexpr std::int64_t slots = 3;
    for (const WarpShape &shape : warpShapes(units, open / (2 * words), widest)) {
      result.plan.tiles[wide[0]] = chosen(result.plan.rows[wide[0]], options, shape.groups * groupRows(units.atom));
      result.plan.tiles[wide[1]] = chosen(result.plan.rows[wide[1]], options, shape.columns);
      const Extents extents{result.plan.tiles, chunked->loop, std::min(128 / bytes, chunked->longest)};
      if (extents.rows[wide[0]] != shape.groups * groupRows(units.atom) || extents.rows[wide[1]] != shape.columns ||
          !fitsShared(*relaxed.system, result.plan, streamed, extents, products, slots))
        continue;
      rollChunks(extents.chunk);
      result.warpsN = shape.warpsN;
      return result;
    }
  }
  for (const GroupBudget &budget : units.budgets) {
    if (result.padding && budget.groups > 1) continue;
    if (wide.size() == 2 && budget.groups == 3) continue;
    for (const std::int64_t most : wide.size() == 2 ? units.columns : none) {
      const std::int64_t columns = std::min(most, widest);
      const std::int64_t registers = budget.registers - (perChunk == 0 ? 0 : budget.between);
      const std::int64_t ahead = asynchronous ? values.ahead * std::min(128 / bytes, longestChunk) : 0;
      const std::int64_t room = registers * 4 - fixed - open * columns - ahead;
      if (room < 0) continue;
      const std::int64_t longest =
          std::min(perChunk == 0 ? 128 / bytes : std::min<std::int64_t>(128, room / perChunk / 16 * 16), longestChunk);
      if (!wide.empty())
        result.plan.tiles[wide[0]] = chosen(result.plan.rows[wide[0]], options, budget.groups * groupRows(units.atom));
      if (wide.size() == 2) result.plan.tiles[wide[1]] = chosen(result.plan.rows[wide[1]], options, columns);
      Extents extents{result.plan.tiles, chunked->loop, longest};
      if (result.padding) extents.rows[result.padding->row] = result.padding->rows;
      while (extents.chunk > 16 && !fitsShared(*relaxed.system, result.plan, streamed, extents, products))
        extents.chunk -= 16;
      if (extents.chunk < budget.leastChunk) continue;
      rollChunks(extents.chunk);
      return result;
    }
  }
  return Refusal{"no tiles of its products fit registers and shared memory", {}};
}

} // namespace polymend
