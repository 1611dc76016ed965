// A mended reduction accumulates its state at a pivot: a value of its producers that was regular when it was taken.
// Before a chunk's elements are added, the pivot moves to the producers' running values where these are regular
// (pivots.cpp), and the state is mended by the matrix A(pivot, next). At the end the pivot moves to the final values
// and the state becomes the result; rows where anything is not finite are replayed (replay.cpp).
#include "tile/phase.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

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

Expr ofType(Type type, const Expr &value) { return value.type() == type ? value : Expr::cast(type, value); }

} // namespace

bool isOne(const Expr &e) { return (e.op() == Op::Integer && e->integer == 1) || (e.op() == Op::Real && e->real == 1); }
bool isZero(const Expr &e) {
  return (e.op() == Op::Integer && e->integer == 0) || (e.op() == Op::Real && e->real == 0);
}

/// The state of nothing: of a sum that starts from -0 it is -0, as +0 would be seen at its end.
Expr PhaseLowerer::nothingOf(const Seated &seated, Monoid monoid, Type type) {
  const Expr &initial = seated.equation.initial;
  const bool negative = initial && initial.op() == Op::Real && initial->real == 0 && std::signbit(initial->real);
  return negative && monoid == Monoid::Sum && isFloating(type) ? Expr::real(-0.0, type) : neutral(monoid, type);
}

/// Tiles for the state components and, if the state moves, for the pivots.
void PhaseLowerer::beginMended(const Seated &seated) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  const Equation &e = seated.equation;
  std::vector<std::string> tiles;
  for (std::size_t k = 0; k < correction.state.size(); ++k) {
    tiles.push_back(makeTile(seated, k == 0 ? e.array : e.array + "_s" + std::to_string(k), componentType(seated, k)));
    append(prologue, keyPoints(seated, {{resultOf(seated, tiles.back()),
                                         Update::Set,
                                         nothingOf(seated, correction.carry, componentType(seated, k)),
                                         {}}}));
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

/// What the symbols of a correction stand for: reads of the consumer, pivots (r) and the values they move to (r').
std::map<std::string, Expr> PhaseLowerer::bindings(const Seated &seated, const std::vector<std::string> *pivots,
                                                   const std::vector<std::string> *nexts) const {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  std::map<std::string, Expr> bound;
  for (const auto &[symbol, operand] : mended.names) {
    if (steadyProducer(frame.relaxed, seated.equation.operands[static_cast<std::size_t>(operand)].equation)) continue;
    Expr read;
    visit(seated.equation.value, [&](const Expr &node) {
      if (node.op() == Op::Read && node->access == operand) read = node;
    });
    const auto at = std::find(mended.correction.pivots.begin(), mended.correction.pivots.end(), symbol) -
                    mended.correction.pivots.begin();
    const bool pivot = at < static_cast<std::ptrdiff_t>(mended.correction.pivots.size());
    if (isNarrow(read.type())) {
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

/// The two blocks; a region that ends the first and one over the same points that begins the second are one where tiles
/// lie in registers, of which each thread has whole rows.
TileBlock PhaseLowerer::joined(TileBlock first, const TileBlock &second) const {
  const TilePoints *a = first.empty() ? nullptr : regionOf(first.back());
  const TilePoints *b = second.empty() ? nullptr : regionOf(second.front());
  const bool same = a && b && frame.boxed &&
                    std::equal(a->dims.begin(), a->dims.end(), b->dims.begin(), b->dims.end(),
                               [](const PointDim &x, const PointDim &y) {
                                 return x.variable == y.variable && x.kind == y.kind && equal(x.first, y.first) &&
                                        equal(x.limit, y.limit);
                               });
  if (!same) {
    append(first, second);
    return first;
  }
  TilePoints both = *a;
  both.body.insert(both.body.end(), b->body.begin(), b->body.end());
  first.back() = std::make_shared<const TilePoints>(std::move(both));
  first.insert(first.end(), second.begin() + 1, second.end());
  return first;
}

/// The owner of a group of pivots moves them before its state is mended.
TileBlock PhaseLowerer::moveAndMend(const Seated &seated, bool owner, bool last) {
  if (!owner) return mendStates(seated, last);
  factorTiles.clear();
  TileBlock moves = movePivots(seated, last);
  return joined(moves, mendStates(seated, last));
}

/// state := A(pivot, next) state, where the pivot moved; a state of zero stays zero.
TileBlock PhaseLowerer::mendStates(const Seated &seated, bool last) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  const PivotGroup &group = pivotGroup(seated);
  const auto bound = bindings(seated, &group.pivots, &group.nexts);
  const auto &tiles = states.at(seated.member.equation);
  const Type type = seated.equation.type;
  TileBlock block;
  const Expr moves = moved(group);
  std::vector<TileAssign> factors, body;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    Expr sum;
    for (std::size_t j = 0; j < tiles.size(); ++j) {
      const Expr entry = realize(correction.mend[i][j], seated, bound);
      if (isZero(entry)) continue;
      Expr term = bound.at("#" + std::to_string(j));
      if (!isOne(entry)) {
        const Expr factor = Expr::read(factorTile(seated, entry, moves, factors), rowSubscripts(), entry.type());
        term = term * factor;
        if (const Expr much = magnifies(seated, bound.at("#" + std::to_string(j)), factor))
          body.push_back({resultOf(seated, tiles[j]), Update::Set, lost(seated, typeOfTile(tiles[j])),
                          Expr::make(Op::And, {moves, much})});
      }
      const Expr state = bound.at("#" + std::to_string(j));
      const Expr zero = nothingOf(seated, Monoid::Sum, type);
      if (!isOne(entry) && !frame.boxed)
        term = Expr::make(Op::Select, type, {Expr::make(Op::Eq, {state, zero}), zero, term});
      sum = sum ? sum + term : term;
    }
    if (!sum) sum = Expr::real(0, type);
    if (equal(sum, bound.at("#" + std::to_string(i)))) continue;
    const std::string target = tiles.size() == 1 ? tiles[0] : freshTile(seated, tiles[i], componentType(seated, i));
    body.push_back({resultOf(seated, target), Update::Set, sum, moves});
    if (tiles.size() > 1) pendingCopies.emplace_back(tiles[i], target);
  }
  for (const auto &[to, from] : pendingCopies)
    body.push_back(
        {resultOf(seated, to), Update::Set, Expr::read(from, resultSubscripts(seated), typeOfTile(from)), moves});
  pendingCopies.clear();
  if (!last) loseBlind(seated, body);
  append(block, joined(rowPoints(seated, factors), keyPoints(seated, body)));
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
    block.push_back(TileNote{explain(seated)});
    append(block, moveAndMend(seated, owner, false));
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

TileBlock PhaseLowerer::endMended(const Seated &seated) {
  if (steadyOf(seated)) return finishTogether(seated);
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  TileBlock block;
  std::map<std::string, Expr> bound = bindings(seated, nullptr, nullptr);
  if (correction.moves) {
    PivotGroup &group = pivotGroup(seated);
    append(block, moveAndMend(seated, group.owner == &seated, true));
    if (lastOf(group, seated)) append(block, settle(seated, group));
    bound = bindings(seated, &group.nexts, nullptr);
  }
  append(block, finishAndReplay(seated, bound));
  return block;
}

/// The state becomes the result, and rows that are exceptional are computed again.
TileBlock PhaseLowerer::finishAndReplay(const Seated &seated, const std::map<std::string, Expr> &bound) {
  const std::string mark = makeRowTile(seated.equation.array + "_odd", Type::Int32);
  TileBlock block = markImages(seated, bound, mark);
  if (block.empty()) block = markLost(seated, bound, mark);
  const Update rows = block.empty() ? Update::Set : Update::Max;
  append(block, finish(seated, bound));
  append(block, replay(seated, mark, rows));
  return block;
}

/// The state becomes the result.
TileBlock PhaseLowerer::finish(const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Expr value = finalValue(seated, bound);
  const Ref result = resultOf(seated, states.at(seated.member.equation)[0]);
  if (equal(value, Expr::read(result.array, result.subscripts, seated.equation.type))) return {};
  return keyPoints(seated, {{result, Update::Set, value, {}}});
}

/// The result from the state at the final pivot, and the accumulator's first value; that of nothing is a zero with the
/// sign of the start.
Expr PhaseLowerer::finalValue(const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  Expr value = realize(mended.correction.final, seated, bound);
  const Expr initial = beginning(seated);
  const Expr none = neutral(*seated.equation.monoid, seated.equation.type);
  const bool nothing = equal(initial, none) || (isZero(initial) && isZero(none));
  if (nothing && mended.correction.keepsZero) return value;
  return combine(seated.equation, initial, value);
}

/// A start and what was reduced, as the source combines them.
Expr PhaseLowerer::combine(const Equation &e, const Expr &a, const Expr &b) {
  switch (*e.monoid) {
  case Monoid::Sum: return a + b;
  case Monoid::Product: return a * b;
  case Monoid::Max: return Expr::make(e.comparison ? Op::Max : Op::FMax, {a, b});
  case Monoid::Min: return Expr::make(e.comparison ? Op::Min : Op::FMin, {a, b});
  }
  return a;
}

} // namespace polymend
