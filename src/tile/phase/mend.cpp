// A mended reduction accumulates its state at a pivot: a value of its producers that was regular when it was taken.
// Before a chunk's elements are added, the pivot moves to the producers' running values where these are regular
// (pivots.cpp), and the state is mended by the matrix A(pivot, next). At the end the pivot moves to the final values,
// unless it is there already, and the state becomes the result; rows where anything is not finite are replayed.
#include "mend.h"

#include "constant_pivot.h"
#include "finish.h"
#include "regions.h"
#include "start.h"
#include "update.h"
#include "values.h"

#include <algorithm>

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

} // namespace

/// Where a component's mended value waits until all components are mended.
std::string OnlineRescale::freshTile(const PhaseContext &context, const Seated &seated, const std::string &tile,
                                     Type type) {
  auto [found, isNew] = freshTiles.try_emplace(tile);
  if (isNew) found->second = makeTile(context, seated, tile + "_mended", type);
  return found->second;
}

/// The owner of a group of pivots moves them before its state is mended.
Emitted OnlineRescale::moveAndMend(const PhaseContext &context, const Seated &seated, bool last) {
  if (pivotsOf(states, seated).owner != seated.member.equation) return {{}, mendStates(context, seated, last), {}};
  factorTiles.clear();
  Emitted moves = movePivots(context, states, blind, seated, last);
  moves.body = joined(context, moves.body, mendStates(context, seated, last));
  return moves;
}

/// state := A(pivot, next) state, where the pivot moved; a state of zero stays zero.
TileBlock OnlineRescale::mendStates(const PhaseContext &context, const Seated &seated, bool last) {
  const Correction &correction = correctionOf(context, seated);
  const PivotGroup &group = pivotsOf(states, seated);
  const auto bound = bindings(context, states, seated, &group.pivots, &group.nexts);
  const auto &tiles = states.tiles.at(seated.member.equation);
  const Type type = seated.equation.type;
  const Expr moves = moved(context, group);
  std::vector<TileAssign> factors, body;
  std::vector<std::pair<std::string, std::string>> copies; // of mended components, once all are
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    Expr sum;
    for (std::size_t j = 0; j < tiles.size(); ++j) {
      const Expr entry = realize(context, correction.mend[i][j], seated, bound);
      if (isZero(entry)) continue;
      Expr term = bound.at("#" + std::to_string(j));
      if (!isOne(entry)) {
        const Expr factor =
            Expr::read(factorTile(context, seated, entry, moves, factors), rowSubscripts(context), entry.type());
        term = term * factor;
        if (const Expr much = blind.magnifies(context, seated, bound.at("#" + std::to_string(j)), factor))
          body.push_back({resultOf(context, seated, tiles[j]), Update::Set,
                          lost(context, seated, typeOfTile(context, tiles[j])), Expr::make(Op::And, {moves, much})});
      }
      const Expr state = bound.at("#" + std::to_string(j));
      const Expr zero = nothingOf(seated, Monoid::Sum, type);
      if (!isOne(entry) && !context.frame.rectangular)
        term = Expr::make(Op::Select, type, {Expr::make(Op::Eq, {state, zero}), zero, term});
      sum = sum ? sum + term : term;
    }
    if (!sum) sum = Expr::real(0, type);
    if (equal(sum, bound.at("#" + std::to_string(i)))) continue;
    const std::string target =
        tiles.size() == 1 ? tiles[0] : freshTile(context, seated, tiles[i], componentType(context, seated, i));
    body.push_back({resultOf(context, seated, target), Update::Set, sum, moves});
    if (tiles.size() > 1) copies.emplace_back(tiles[i], target);
  }
  for (const auto &[to, from] : copies)
    body.push_back({resultOf(context, seated, to), Update::Set,
                    Expr::read(from, resultSubscripts(context, seated), typeOfTile(context, from)), moves});
  if (!last) blind.lose(context, seated, body);
  return joined(context, rowPoints(context, seated, factors), keyPoints(context, seated, body));
}

/// The next tile for entries of the mend; the places in the program where states are mended use the same ones.
std::string OnlineRescale::factorName(const PhaseContext &context, const Seated &seated, Type type) {
  for (std::size_t k = factorTiles.size(); k < factorPool.size(); ++k)
    if (factorPool[k].second == type) {
      std::swap(factorPool[k], factorPool[factorTiles.size()]);
      return factorPool[factorTiles.size()].first;
    }
  factorPool.emplace_back(makeRowTile(context, seated.equation.array + "_mend", type), type);
  std::swap(factorPool.back(), factorPool[factorTiles.size()]);
  return factorPool[factorTiles.size()].first;
}

/// A tile of rows that holds one entry of the mend where the pivot moved; equal entries share it.
std::string OnlineRescale::factorTile(const PhaseContext &context, const Seated &seated, const Expr &entry,
                                      const Expr &moved, std::vector<TileAssign> &factors) {
  for (const auto &[held, name] : factorTiles)
    if (equal(held, entry)) return name;
  const std::string name = factorName(context, seated, entry.type());
  factors.push_back({{name, rowSubscripts(context)},
                     Update::Set,
                     Expr::make(Op::Select, entry.type(), {moved, entry, Expr::real(1, entry.type())}),
                     {}});
  factorTiles.emplace_back(entry, name);
  return name;
}

std::string explain(const PhaseContext &context, const Seated &seated) {
  const Correction &correction = correctionOf(context, seated);
  const auto component = [&](std::size_t k) {
    return k == 0 ? seated.equation.array : seated.equation.array + "_state" + std::to_string(k);
  };
  std::string text;
  for (std::size_t i = 0; i < correction.mend.size(); ++i) {
    std::string sum;
    for (std::size_t j = 0; j < correction.mend[i].size(); ++j) {
      if (isZero(correction.mend[i][j])) continue;
      const std::string name = component(j);
      sum += (sum.empty() ? "" : " + ") +
             (isOne(correction.mend[i][j]) ? name : name + " * (" + show(correction.mend[i][j]) + ")");
    }
    if (sum != component(i)) text += (text.empty() ? "" : ", ") + component(i) + " := " + sum;
  }
  return "mend " + seated.equation.array + ": " + text;
}

Emitted OnlineRescale::step(const PhaseContext &context, const Seated &seated, Hoisting &hoisting) {
  const Correction &correction = correctionOf(context, seated);
  Emitted step;
  const std::vector<std::string> *pivots = nullptr;
  if (correction.moves) {
    step.body.emplace_back(TileNote{explain(context, seated)});
    append(step, moveAndMend(context, seated, false));
    if (lastOf(context, states, seated)) append(step.body, settle(context, states, seated));
    pivots = &pivotsOf(states, seated).nexts;
  }
  const std::map<std::string, Expr> ofRows = bindings(context, states, seated, pivots, nullptr);
  const std::map<std::string, Expr> ofElements = bindingsOfElements(context, states, seated, pivots);
  const std::vector<ChosenRead> chosen = chosenReads(context, seated);
  const auto &tiles = states.tiles.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const Expr state = withInverses(correction.state[k], pivotDivisors(correction));
    const Expr element = byInverse(context, seated, realize(context, state, seated, ofElements), ofRows, step.body);
    append(step, update(context, hoisting, seated, resultOf(context, seated, tiles[k]),
                        updateOf(seated.equation, correction.carry), whereChosen(element, chosen), chosen));
  }
  return step;
}

/// Divisions by the pivots become products with inverses that are computed once a row; a pivot whose inverse is not a
/// normal number is never taken (movePivots), so that nothing overflows or loses digits.
Expr OnlineRescale::byInverse(const PhaseContext &context, const Seated &seated, const Expr &element,
                              const std::map<std::string, Expr> &bound, TileBlock &block) {
  const std::vector<Expr> divisors = pivotDivisors(correctionOf(context, seated));
  std::map<std::string, Expr> inverses;
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    const std::string name = "1/" + std::to_string(k);
    if (!symbols(element).count(name)) continue;
    const Expr inverse =
        Expr::make(Op::Div, {Expr::real(1, divisors[k].type()), realize(context, divisors[k], seated, bound)});
    const std::string tile = inverseTile(context, seated, k, inverse.type());
    append(block, rowPoints(context, seated, {{{tile, rowSubscripts(context)}, Update::Set, inverse, {}}}));
    inverses[name] = Expr::read(tile, rowSubscripts(context), inverse.type());
  }
  return substitute(element,
                    [&](const std::string &name) { return inverses.count(name) ? inverses.at(name) : Expr(); });
}

std::string OnlineRescale::inverseTile(const PhaseContext &context, const Seated &seated, std::size_t k, Type type) {
  auto [found, isNew] = inverseTiles.try_emplace({seated.member.equation, k});
  if (isNew) found->second = makeRowTile(context, seated.equation.array + "_inverse", type);
  return found->second;
}

TileBlock OnlineRescale::end(const PhaseContext &context, const Seated &seated) {
  if (constantPivotOf(context, seated)) return finishTogether(context, states, seated);
  if (!correctionOf(context, seated).moves)
    return finishWithFallback(context, states, seated, bindings(context, states, seated, nullptr, nullptr));
  TileBlock block;
  if (!standsAtTheEnd(context, states, seated)) {
    append(block, moveAndMend(context, seated, true).body);
    if (lastOf(context, states, seated)) append(block, settle(context, states, seated));
  }
  append(block, finishWithFallback(context, states, seated,
                                   bindings(context, states, seated, &finalPivots(context, states, seated), nullptr)));
  return block;
}

} // namespace polymend
