// A mended reduction accumulates its state at a pivot: a value of its producers that was regular when it was taken.
// Before a chunk's elements are added, the pivot moves to the producers' running values where these are regular, and
// the state is mended by the matrix A(pivot, next). At the end the pivot moves to the final values and the state
// becomes the result; rows where anything is not finite are replayed (replay.cpp).
#include "tile/evaluate.h"
#include "tile/phase.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

/// Matrix kernels scale pivots by constants: within this bound they stay finite. Rows beyond it are computed again.
constexpr double moderate = 0x1p100;

Expr largest(Type type) {
  if (type == Type::Float64) return Expr::real(std::numeric_limits<double>::max(), type);
  return Expr::real(std::numeric_limits<float>::max(), Type::Float32);
}

} // namespace

Expr isFinite(const Expr &value) {
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), largest(value.type())});
}

Expr isModerate(const Expr &value) {
  if (value.type() != Type::Float32) return isFinite(value);
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), Expr::real(moderate, Type::Float32)});
}

namespace {

Expr smallest(Type type) {
  return type == Type::Float64 ? Expr::real(std::numeric_limits<double>::min(), type)
                               : Expr::real(std::numeric_limits<float>::min(), Type::Float32);
}

/// What the state's elements are divided by that depends on the pivots alone.
std::vector<Expr> pivotDivisors(const Correction &correction) {
  std::vector<Expr> result;
  for (const Expr &state : correction.state)
    visit(state, [&](const Expr &node) {
      if (node.op() != Op::Div || !isFloating(node.type())) return;
      const std::set<std::string> used = symbols(node.arg(1));
      const bool pivots = !used.empty() && std::all_of(used.begin(), used.end(), [&](const std::string &name) {
        return std::find(correction.pivots.begin(), correction.pivots.end(), name) != correction.pivots.end();
      });
      const bool isNew =
          std::none_of(result.begin(), result.end(), [&](const Expr &other) { return equal(other, node.arg(1)); });
      if (pivots && isNew) result.push_back(node.arg(1));
    });
  return result;
}

/// a / d becomes a * "1/k" for the k-th divisor.
Expr withInverses(const Expr &state, const std::vector<Expr> &divisors) {
  return rewrite(state, [&](const Expr &node) {
    if (node.op() != Op::Div) return node;
    for (std::size_t k = 0; k < divisors.size(); ++k)
      if (equal(node.arg(1), divisors[k]))
        return node.arg(0) * Expr::symbol("1/" + std::to_string(k), node.arg(1).type());
    return node;
  });
}

Expr both(const Expr &a, const Expr &b) { return !a ? b : !b ? a : Expr::make(Op::And, {a, b}); }

Expr ofType(Type type, const Expr &value) { return value.type() == type ? value : Expr::cast(type, value); }
bool isOne(const Expr &e) { return (e.op() == Op::Integer && e->integer == 1) || (e.op() == Op::Real && e->real == 1); }
bool isZero(const Expr &e) {
  return (e.op() == Op::Integer && e->integer == 0) || (e.op() == Op::Real && e->real == 0);
}

/// Every entry of the mend from `from` to `to`, both for all producers alike, is finite in the state's arithmetic.
bool mendsFinitely(const Correction &correction, double from, double to) {
  tile::Environment env;
  for (const std::string &symbol : correction.pivots) {
    env.scalars[symbol] = {true, 0, from};
    env.scalars[symbol + "'"] = {true, 0, to};
  }
  for (const std::vector<Expr> &row : correction.mend)
    for (const Expr &entry : row) {
      const tile::Number value = tile::evaluate(entry, env);
      if (env.fault || !std::isfinite(value.asReal())) return false;
    }
  return true;
}

/// What a pivot is before any regular value: nothing was taken at it, so that it may be any value from which mends are
/// finite factors, which leave a state of zero at zero.
double boxedStandIn(const Correction &correction, Type type) {
  const double usual = correction.nonzero.empty() ? 0 : 1;
  if (type != Type::Float32) return usual;
  constexpr double large = moderate;
  for (const double candidate : {-large, large})
    if (mendsFinitely(correction, candidate, 1) && mendsFinitely(correction, candidate, -1000) &&
        mendsFinitely(correction, candidate, 1000))
      return candidate;
  return usual;
}

} // namespace

/// Tiles for the state components and, if the state moves, for the pivots.
void PhaseLowerer::beginMended(const Seated &seated) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  const Equation &e = seated.equation;
  std::vector<std::string> tiles;
  for (std::size_t k = 0; k < correction.state.size(); ++k) {
    tiles.push_back(makeTile(seated, k == 0 ? e.array : e.array + "_s" + std::to_string(k), componentType(seated, k)));
    append(
        prologue,
        keyPoints(
            seated,
            {{resultOf(seated, tiles.back()), Update::Set, neutral(correction.carry, componentType(seated, k)), {}}}));
  }
  states[seated.member.equation] = tiles;
  frame.homes[seated.member.equation] = {tiles[0], false, &seated.member};
  if (correction.moves) pivotGroup(seated);
}

Type PhaseLowerer::typeOfTile(const std::string &name) const {
  return std::find_if(frame.tiles.begin(), frame.tiles.end(), [&](const TileArray &tile) { return tile.name == name; })
      ->type;
}

/// A component that only counts elements is carried in double: a float stands still at 2^24.
Type PhaseLowerer::componentType(const Seated &seated, std::size_t k) const {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  return k > 0 && symbols(correction.state[k]).empty() ? Type::Float64 : seated.equation.type;
}

/// Where a component's mended value waits until all components are mended.
std::string PhaseLowerer::freshTile(const Seated &seated, const std::string &tile, Type type) {
  auto [found, isNew] = freshTiles.try_emplace(tile);
  if (isNew) found->second = makeTile(seated, tile + "_new", type);
  return found->second;
}

/// The pivots of a correction; corrections that watch the same producers under the same conditions share them.
PivotGroup &PhaseLowerer::pivotGroup(const Seated &seated) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  std::string key;
  std::vector<int> producers;
  for (const std::string &symbol : correction.pivots) {
    const auto named =
        std::find_if(mended.names.begin(), mended.names.end(), [&](const auto &n) { return n.first == symbol; });
    producers.push_back(seated.equation.operands[static_cast<std::size_t>(named->second)].equation);
    key += std::to_string(producers.back()) + ",";
  }
  for (const Expr &e : correction.regular) key += show(e) + ";";
  for (const Expr &e : correction.nonzero) key += show(e) + "!";
  for (PivotGroup &group : pivotGroups)
    if (group.key == key) return group;
  PivotGroup group{key, correction.pivots, producers, {}, {}, &seated};
  for (int producer : producers) {
    const Equation &e = frame.equation(producer);
    group.pivots.push_back(makeRowTile(e.array + "_pivot", e.type));
    group.nexts.push_back(makeRowTile(e.array + "_next", e.type));
    const Expr standIn = Expr::real(frame.boxed                  ? boxedStandIn(correction, e.type)
                                    : correction.nonzero.empty() ? 0
                                                                 : 1,
                                    e.type);
    append(prologue, rowPoints(seated, {{{group.pivots.back(), rowSubscripts()}, Update::Set, standIn, {}}}));
  }
  pivotGroups.push_back(group);
  return pivotGroups.back();
}

/// What the symbols of a correction stand for: reads of the consumer, pivots (r) and the values they move to (r').
std::map<std::string, Expr> PhaseLowerer::bindings(const Seated &seated, const std::vector<std::string> *pivots,
                                                   const std::vector<std::string> *nexts) const {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  std::map<std::string, Expr> bound;
  for (const auto &[symbol, operand] : mended.names) {
    Expr read;
    visit(seated.equation.value, [&](const Expr &node) {
      if (node.op() == Op::Read && node->access == operand) read = node;
    });
    const auto at = std::find(mended.correction.pivots.begin(), mended.correction.pivots.end(), symbol) -
                    mended.correction.pivots.begin();
    const bool pivot = at < static_cast<std::ptrdiff_t>(mended.correction.pivots.size());
    const bool narrow = read.type() == Type::Float16 || read.type() == Type::BFloat16;
    if (narrow) {
      bound[symbol] = Expr::cast(Type::Float32, realize(read, seated));
      continue;
    }
    const bool wider = nexts && read.type() == Type::Float32 && seated.equation.type == Type::Float64;
    const auto inStateType = [&](const Expr &value) { return wider ? Expr::cast(Type::Float64, value) : value; };
    bound[symbol] =
        inStateType(pivot && pivots ? Expr::read((*pivots)[static_cast<std::size_t>(at)], rowSubscripts(), read.type())
                                    : realize(read, seated));
    if (pivot && nexts)
      bound[symbol + "'"] =
          inStateType(Expr::read((*nexts)[static_cast<std::size_t>(at)], rowSubscripts(), read.type()));
  }
  const auto &tiles = states.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k)
    bound["#" + std::to_string(k)] =
        ofType(seated.equation.type, Expr::read(tiles[k], resultSubscripts(seated), componentType(seated, k)));
  return bound;
}

/// The value a pivot should move to: the producer's running value; a running sum is extrapolated to the whole range,
/// so that a mean is watched as the mean of what was seen.
Expr PhaseLowerer::runningValue(const Seated &seated, int producer, bool last) {
  const Equation &p = frame.equation(producer);
  Expr value = valueAt(producer, {});
  if (last || p.monoid != Monoid::Sum || rolledAxes.size() != 1) return value;
  Axes axes = seated.axes;
  const auto rolled = static_cast<unsigned>(seated.member.rolled[0]);
  const std::string name = "at";
  axes[rolled] = {name, {}, 0};
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  order.push_back(rolled);
  for (unsigned d : seated.extras) axes[d] = {"x", {}, 0};
  const auto loops = loopsOver(pointSet(seated.equation.domain, axes, order), axes, order, frame.known);
  if (loops.size() != 1 || loops[0].inside) return value;
  const Expr low = loops[0].dims.back().first, high = loops[0].dims.back().limit;
  const Expr end = Expr::make(Op::Min, Type::Int64, {high, rolledAxes[0].base + Expr::integer(rolledAxes[0].extent)});
  const std::int64_t stride = partCount * rolledAxes[0].extent;
  const Expr chunks = Expr::make(Op::FloorDiv, Type::Int64, {rolledAxes[0].base - low, Expr::integer(stride)}) *
                      Expr::integer(rolledAxes[0].extent);
  const Expr seen = simplify(partCount > 1 ? chunks + (end - rolledAxes[0].base) : end - (partFirst ? partFirst : low));
  const Expr whole = Expr::cast(p.type, simplify(high - low));
  return value *
         Expr::make(Op::Div, {whole, Expr::cast(p.type, Expr::make(Op::Max, Type::Int64, {seen, Expr::integer(1)}))});
}

/// The entries, other than 0 and 1, of the mend of a member that uses the group's pivots.
std::vector<Expr> PhaseLowerer::mendEntries(const Seated &seated, const PivotGroup &group) const {
  std::vector<Expr> entries;
  if (seated.member.mended < 0) return entries;
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  if (!correction.moves || correction.pivots != group.symbols || &seated != group.owner) return entries;
  for (const std::vector<Expr> &row : correction.mend)
    for (const Expr &entry : row)
      if (!isOne(entry) && !isZero(entry)) entries.push_back(entry);
  return entries;
}

/// An entry of the mend from the pivots in use to the candidates.
Expr PhaseLowerer::moved(const Expr &entry, const Seated &seated, const PivotGroup &group,
                         const std::map<std::string, Expr> &candidate) const {
  std::map<std::string, Expr> bound = bindings(seated, &group.pivots, nullptr);
  for (const std::string &symbol : group.symbols) bound[symbol + "'"] = candidate.at(symbol);
  return realize(entry, seated, bound);
}

/// Where a state may be kept at any pivot, the pivot follows its producers only when the mend is no small factor: the
/// state's elements then stay within that factor of what they are at the producers' values. Absent: always follows.
Expr PhaseLowerer::movedFar(const Seated &seated, const PivotGroup &group,
                            const std::map<std::string, Expr> &candidate) const {
  constexpr double small = 256;
  Expr far;
  for (const Seated &other : seats) {
    if (other.member.mended < 0) continue;
    const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(other.member.mended)];
    const Correction &correction = mended.correction;
    if (!correction.moves || correction.pivots != group.symbols) continue;
    if (!correction.freePivot || correction.mend.size() != 1) return {};
    const Expr factor = moved(correction.mend[0][0], seated, group, candidate);
    if (factor.type() != Type::Float32) return {};
    const auto outside = [&](const Expr &low, const Expr &high) {
      return Expr::make(Op::Not, Type::Bool, {Expr::make(Op::Le, {low, high})});
    };
    const Expr leaves =
        Expr::make(Op::Or, {outside(Expr::real(1 / small), factor), outside(factor, Expr::real(small))});
    far = !far ? leaves : equal(far, leaves) ? far : Expr::make(Op::Or, {far, leaves});
  }
  return far;
}

/// next := running value where it is regular, else the pivot in use.
TileBlock PhaseLowerer::movePivots(const Seated &seated, bool last) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  PivotGroup &group = pivotGroup(seated);
  std::map<std::string, Expr> candidate = bindings(seated, &group.pivots, nullptr);
  std::vector<TileAssign> body;
  const std::vector<Expr> at = rowSubscripts();
  Expr regular;
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    candidate[group.symbols[k]] = runningValue(seated, group.producers[k], last);
    regular =
        both(regular, frame.boxed ? isModerate(candidate[group.symbols[k]]) : isFinite(candidate[group.symbols[k]]));
  }
  for (const Expr &e : correction.regular)
    if (e.op() != Op::Symbol) regular = both(regular, isFinite(realize(e, seated, candidate)));
  for (const Expr &divisor : pivotDivisors(correction)) {
    const Expr inverse = Expr::make(Op::Div, {Expr::real(1, divisor.type()), realize(divisor, seated, candidate)});
    const Expr size = Expr::make(Op::Abs, inverse.type(), {inverse});
    regular = both(regular, both(Expr::make(Op::Le, {smallest(inverse.type()), size}), isFinite(inverse)));
  }
  for (const Expr &e : correction.nonzero)
    regular = both(regular, Expr::make(Op::Ne, {realize(e, seated, candidate), Expr::real(0, e.type())}));
  if (frame.boxed) {
    for (const Seated &other : seats)
      for (const Expr &entry : mendEntries(other, group))
        regular = both(regular, isFinite(moved(entry, seated, group, candidate)));
    if (!last)
      if (const Expr far = movedFar(seated, group, candidate)) regular = both(regular, far);
  }
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    const Expr value = candidate[group.symbols[k]];
    const Expr old = Expr::read(group.pivots[k], at, value.type());
    body.push_back(
        {{group.nexts[k], at}, Update::Set, Expr::make(Op::Select, value.type(), {regular, value, old}), {}});
  }
  return rowPoints(seated, body);
}

/// state := A(pivot, next) state, where the pivot moved; a state of zero stays zero.
TileBlock PhaseLowerer::mendStates(const Seated &seated) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  const PivotGroup &group = pivotGroup(seated);
  const auto bound = bindings(seated, &group.pivots, &group.nexts);
  const auto &tiles = states.at(seated.member.equation);
  const Type type = seated.equation.type;
  TileBlock block;
  Expr moved;
  for (std::size_t k = 0; k < group.pivots.size(); ++k) {
    const Type own = frame.equation(group.producers[k]).type;
    const Expr differs = Expr::make(
        Op::Ne, {Expr::read(group.pivots[k], rowSubscripts(), own), Expr::read(group.nexts[k], rowSubscripts(), own)});
    moved = moved ? Expr::make(Op::Or, {moved, differs}) : differs;
  }
  std::vector<TileAssign> factors, body;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    Expr sum;
    for (std::size_t j = 0; j < tiles.size(); ++j) {
      const Expr entry = realize(correction.mend[i][j], seated, bound);
      if (isZero(entry)) continue;
      Expr term = bound.at("#" + std::to_string(j));
      if (!isOne(entry)) {
        const std::string factor = factorTile(seated, entry, moved, factors);
        term = term * Expr::read(factor, rowSubscripts(), entry.type());
      }
      const Expr state = bound.at("#" + std::to_string(j));
      const Expr zero = Expr::real(0, type);
      if (!isOne(entry) && !frame.boxed)
        term = Expr::make(Op::Select, type, {Expr::make(Op::Eq, {state, zero}), zero, term});
      sum = sum ? sum + term : term;
    }
    if (!sum) sum = Expr::real(0, type);
    if (equal(sum, bound.at("#" + std::to_string(i)))) continue;
    const std::string target = tiles.size() == 1 ? tiles[0] : freshTile(seated, tiles[i], componentType(seated, i));
    body.push_back({resultOf(seated, target), Update::Set, sum, moved});
    if (tiles.size() > 1) pendingCopies.emplace_back(tiles[i], target);
  }
  append(block, rowPoints(seated, factors));
  for (const auto &[to, from] : pendingCopies)
    body.push_back(
        {resultOf(seated, to), Update::Set, Expr::read(from, resultSubscripts(seated), typeOfTile(from)), moved});
  pendingCopies.clear();
  append(block, keyPoints(seated, body));
  return block;
}

/// The next tile for entries of the mend; the places in the program where states are mended use the same ones.
std::string PhaseLowerer::factorName(const Seated &seated, Type type) {
  for (std::size_t k = factorTiles.size(); k < factorPool.size(); ++k)
    if (factorPool[k].second == type) {
      std::swap(factorPool[k], factorPool[factorTiles.size()]);
      return factorPool[factorTiles.size()].first;
    }
  factorPool.emplace_back(makeRowTile(seated.equation.array + "_mend", type), type);
  std::swap(factorPool.back(), factorPool[factorTiles.size()]);
  return factorPool[factorTiles.size()].first;
}

/// A tile of rows that holds one entry of the mend where the pivot moved; equal entries share it.
std::string PhaseLowerer::factorTile(const Seated &seated, const Expr &entry, const Expr &moved,
                                     std::vector<TileAssign> &factors) {
  for (const auto &[held, name] : factorTiles)
    if (equal(held, entry)) return name;
  const std::string name = factorName(seated, entry.type());
  factors.push_back({{name, rowSubscripts()},
                     Update::Set,
                     Expr::make(Op::Select, entry.type(), {moved, entry, Expr::real(1, entry.type())}),
                     {}});
  factorTiles.emplace_back(entry, name);
  return name;
}

/// The comment that explains a mend.
std::string PhaseLowerer::explain(const Seated &seated) const {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  std::string text = "mend " + seated.equation.array + ": ";
  for (std::size_t i = 0; i < correction.mend.size(); ++i) {
    std::string sum;
    for (std::size_t j = 0; j < correction.mend[i].size(); ++j) {
      if (isZero(correction.mend[i][j])) continue;
      const std::string name =
          correction.mend.size() == 1 ? seated.equation.array : seated.equation.array + "_s" + std::to_string(j);
      sum += (sum.empty() ? "" : " + ") +
             (isOne(correction.mend[i][j]) ? name : name + " * (" + show(correction.mend[i][j]) + ")");
    }
    text += (i ? ", " : "") +
            (correction.mend.size() == 1 ? seated.equation.array : seated.equation.array + "_s" + std::to_string(i)) +
            " := " + sum;
  }
  return text;
}

TileBlock PhaseLowerer::stepMended(const Seated &seated) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  TileBlock block;
  std::map<std::string, Expr> bound = bindings(seated, nullptr, nullptr);
  if (correction.moves) {
    PivotGroup &group = pivotGroup(seated);
    const bool owner = group.owner == &seated;
    if (owner) {
      factorTiles.clear();
      append(block, movePivots(seated, false));
    }
    block.push_back(TileNote{explain(seated)});
    append(block, mendStates(seated));
    if (lastOf(group, seated)) append(block, settle(seated, group));
    bound = bindings(seated, &group.nexts, nullptr);
  }
  const auto &tiles = states.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const Expr element = byInverse(
        seated, realize(withInverses(correction.state[k], pivotDivisors(correction)), seated, bound), bound, block);
    append(block, update(seated, resultOf(seated, tiles[k]), updateOf(seated.equation, correction.carry), element));
  }
  return block;
}

/// Divisions by the pivots become products with inverses that are computed once a row; a pivot whose inverse is not a
/// normal number is never taken (movePivots), so that nothing overflows or loses digits.
Expr PhaseLowerer::byInverse(const Seated &seated, const Expr &element, const std::map<std::string, Expr> &bound,
                             TileBlock &block) {
  const std::vector<Expr> divisors =
      pivotDivisors(frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction);
  std::map<std::string, Expr> inverses;
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    const std::string name = "1/" + std::to_string(k);
    if (!symbols(element).count(name)) continue;
    const Expr inverse = Expr::make(Op::Div, {Expr::real(1, divisors[k].type()), realize(divisors[k], seated, bound)});
    const std::string tile = inverseTile(seated, k, inverse.type());
    append(block, rowPoints(seated, {{{tile, rowSubscripts()}, Update::Set, inverse, {}}}));
    inverses[name] = Expr::read(tile, rowSubscripts(), inverse.type());
  }
  return substitute(element,
                    [&](const std::string &name) { return inverses.count(name) ? inverses.at(name) : Expr(); });
}

std::string PhaseLowerer::inverseTile(const Seated &seated, std::size_t k, Type type) {
  auto [found, isNew] = inverseTiles.try_emplace({seated.member.equation, k});
  if (isNew) found->second = makeRowTile(seated.equation.array + "_inverse", type);
  return found->second;
}

/// Is this the last member of the phase that shares the group's pivots?
bool PhaseLowerer::lastOf(const PivotGroup &group, const Seated &seated) {
  const Seated *last = nullptr;
  for (const Seated &other : seats) {
    if (other.member.mended < 0 ||
        !frame.relaxed.mended[static_cast<std::size_t>(other.member.mended)].correction.moves)
      continue;
    if (pivotGroup(other).key == group.key) last = &other;
  }
  return last == &seated;
}

/// pivot := next.
TileBlock PhaseLowerer::settle(const Seated &seated, const PivotGroup &group) {
  std::vector<TileAssign> body;
  for (std::size_t k = 0; k < group.pivots.size(); ++k)
    body.push_back({{group.pivots[k], rowSubscripts()},
                    Update::Set,
                    Expr::read(group.nexts[k], rowSubscripts(), frame.equation(group.producers[k]).type),
                    {}});
  return rowPoints(seated, body);
}

TileBlock PhaseLowerer::endMended(const Seated &seated) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  TileBlock block;
  std::map<std::string, Expr> bound = bindings(seated, nullptr, nullptr);
  if (correction.moves) {
    PivotGroup &group = pivotGroup(seated);
    if (group.owner == &seated) {
      factorTiles.clear();
      append(block, movePivots(seated, true));
    }
    append(block, mendStates(seated));
    if (lastOf(group, seated)) append(block, settle(seated, group));
    bound = bindings(seated, &group.nexts, nullptr);
  }
  const Expr value = finalValue(seated, bound);
  const Ref result = resultOf(seated, states.at(seated.member.equation)[0]);
  if (!equal(value, Expr::read(result.array, result.subscripts, seated.equation.type)))
    append(block, keyPoints(seated, {{result, Update::Set, value, {}}}));
  append(block, replay(seated));
  return block;
}

/// The result from the state at the final pivot, and the accumulator's first value.
Expr PhaseLowerer::finalValue(const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  Expr value = realize(mended.correction.final, seated, bound);
  const Expr initial = realize(seated.equation.initial, seated);
  const Expr none = neutral(*seated.equation.monoid, seated.equation.type);
  if (equal(initial, none) || (isZero(initial) && isZero(none))) return value;
  return combine(*seated.equation.monoid, initial, value);
}

Expr PhaseLowerer::combine(Monoid monoid, const Expr &a, const Expr &b) {
  switch (monoid) {
  case Monoid::Sum: return a + b;
  case Monoid::Product: return a * b;
  case Monoid::Max: return Expr::make(Op::Max, {a, b});
  case Monoid::Min: return Expr::make(Op::Min, {a, b});
  }
  return a;
}

} // namespace polymend
