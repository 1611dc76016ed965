// Two accesses meet where all their subscripts are equal and the bounds of both regions hold: inequalities, of which no
// two may contradict each other. The second region's variables get names of their own; an equation that says what one
// of them is takes its place.
#include "apart.h"

#include "tile/touched.h"

#include <algorithm>
#include <map>
#include <set>

namespace polymend::device_room {

namespace {

/// An element that a region reads or writes.
struct Place {
  std::string array;
  std::vector<Expr> subscripts;
  bool isWritten = false;
};

/// What a region touches, each expression over the names that it is given.
struct Footprint {
  std::vector<Place> places;
  std::vector<Expr> atLeastZero; // of its dimensions' variables
  std::set<std::string> variables;
  bool isKnown = true;
};

void noteArms(const Expr &e, Op op, std::vector<Expr> &arms) {
  if (e.op() != op) return arms.push_back(e);
  for (const Expr &arm : e->args) noteArms(arm, op, arms);
}

Footprint footprintOf(const TilePoints &points, const std::string &ending) {
  std::map<std::string, Expr> names;
  for (const PointDim &d : points.dims) names[d.variable] = Expr::symbol(d.variable + ending, Type::Int64);
  const auto named = [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) {
      const auto at = names.find(name);
      return at == names.end() ? Expr() : at->second;
    });
  };
  Footprint result;
  const auto note = [&](const std::string &array, const std::vector<Expr> &subscripts, bool isWritten) {
    Place place{array, {}, isWritten};
    for (const Expr &subscript : subscripts) {
      result.isKnown = result.isKnown && !reads(subscript);
      place.subscripts.push_back(named(subscript));
    }
    result.places.push_back(std::move(place));
  };
  const auto noteReadsOf = [&](const Expr &e) {
    if (!e) return;
    visit(e, [&](const Expr &node) {
      if (node.op() == Op::Read) note(node->name, node->args, false);
      result.isKnown = result.isKnown && node.op() != Op::Call;
    });
  };
  for (const PointDim &d : points.dims) {
    result.isKnown = result.isKnown && !reads(d.first) && !reads(d.limit);
    std::vector<Expr> lows, highs;
    noteArms(d.first, Op::Max, lows);
    noteArms(d.limit, Op::Min, highs);
    const Expr &variable = names.at(d.variable);
    result.variables.insert(variable->name);
    for (const Expr &low : lows) result.atLeastZero.push_back(variable - named(low));
    for (const Expr &high : highs) result.atLeastZero.push_back(named(high) - variable - Expr::integer(1));
  }
  for (const TileAssign &assign : points.body) {
    note(assign.target.array, assign.target.subscripts, true);
    noteReadsOf(assign.value);
    noteReadsOf(assign.where);
  }
  return result;
}

bool isNegative(const Expr &e) { return e.op() == Op::Integer && e->integer < 0; }

/// Do two of these, or one, contradict each other?
bool areContradictory(const std::vector<Expr> &atLeastZero) {
  for (std::size_t i = 0; i < atLeastZero.size(); ++i)
    for (std::size_t j = i; j < atLeastZero.size(); ++j)
      if (isNegative(simplify(atLeastZero[i] + atLeastZero[j]))) return true;
  return false;
}

/// Are these two of different elements wherever both regions have points? `other` are those of the second's names.
bool areDifferent(const Place &a, const Place &b, const Footprint &one, const Footprint &other) {
  if (a.subscripts.size() != b.subscripts.size()) return false;
  std::map<std::string, Expr> known;
  std::vector<std::pair<Expr, Expr>> equations;
  for (std::size_t s = 0; s < a.subscripts.size(); ++s) {
    const Expr &theirs = b.subscripts[s];
    const bool isVariable = theirs.op() == Op::Symbol && other.variables.contains(theirs->name);
    if (isVariable && known.try_emplace(theirs->name, a.subscripts[s]).second) continue;
    equations.emplace_back(a.subscripts[s], theirs);
  }
  const auto told = [&](const Expr &e) {
    return simplify(substitute(e, [&](const std::string &name) {
      const auto at = known.find(name);
      return at == known.end() ? Expr() : at->second;
    }));
  };
  std::vector<Expr> all;
  for (const Expr &e : one.atLeastZero) all.push_back(simplify(e));
  for (const Expr &e : other.atLeastZero) all.push_back(told(e));
  for (const auto &[ours, theirs] : equations) {
    all.push_back(simplify(ours - told(theirs)));
    all.push_back(simplify(told(theirs) - ours));
  }
  return areContradictory(all);
}

} // namespace

bool areApart(const TilePoints &a, const TilePoints &b) {
  const Footprint one = footprintOf(a, ""), other = footprintOf(b, "'");
  if (!one.isKnown || !other.isKnown) return false;
  return std::ranges::all_of(one.places, [&](const Place &mine) {
    return std::ranges::all_of(other.places, [&](const Place &theirs) {
      const bool mayConflict = mine.array == theirs.array && (mine.isWritten || theirs.isWritten);
      return !mayConflict || areDifferent(mine, theirs, one, other);
    });
  });
}

} // namespace polymend::device_room
