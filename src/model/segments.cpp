// { [i, k] -> A[index[i] + k] : 0 <= k < index[i + 1] - index[i] } is no affine relation, but { [i, k] -> A[i, k] } is
// one that says as much of which iterations touch the same element, if segments [index[i], index[i + 1]) are disjoint.
// They are where index rises over all i there are, which one pass over it tells.
#include "segments.h"

#include <isl/set.h>

#include <algorithm>
#include <optional>

namespace polymend {

namespace {

/// A subscript read + rest; absent rest: 0.
struct Split {
  Expr read, rest;
};

/// Takes a sum apart; false: it is not of the form.
bool takeApart(const Expr &e, bool negative, Split &result) {
  if (isWidening(e) && reads(e) && !indexElement(e)) return takeApart(e.arg(0), negative, result);
  const bool isSum = e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Neg;
  if (isSum && reads(e)) {
    const bool first = takeApart(e.arg(0), negative != (e.op() == Op::Neg), result);
    return first && (e.op() == Op::Neg || takeApart(e.arg(1), negative != (e.op() == Op::Sub), result));
  }
  if (reads(e)) {
    const Expr element = indexElement(e);
    if (!element || negative || result.read) return false;
    result.read = element;
    return true;
  }
  const Expr term = negative ? Expr::make(Op::Neg, {e}) : e;
  result.rest = result.rest ? result.rest + term : term;
  return true;
}

std::optional<Split> splitOf(const Touch &touch) {
  Split result;
  if (touch.subscripts.empty() || !takeApart(touch.subscripts.front(), false, result) || !result.read)
    return std::nullopt;
  result.rest = result.rest ? simplify(result.rest) : Expr::integer(0);
  return result;
}

bool isInteger(const Expr &e, std::int64_t value) {
  const Expr number = simplify(e);
  return number.op() == Op::Integer && number->integer == value;
}

/// Is the data size how many elements there are from read = index[f] up to index[f + 1]?
bool isLengthFrom(const DataSize &data, const Expr &read) {
  if (data.value.op() != Op::Sub) return false;
  const Expr end = indexElement(data.value.arg(0)), begin = indexElement(data.value.arg(1));
  return end && begin && end->name == read->name && begin->name == read->name &&
         isInteger(begin.arg(0) - read.arg(0), 0) && isInteger(end.arg(0) - read.arg(0), 1);
}

/// Is the data size how many elements there are from read = index[f] up to somewhere?
bool isCountFrom(const DataSize &data, const Expr &read) {
  const Expr begin = data.value.op() == Op::Sub ? indexElement(data.value.arg(1)) : Expr();
  return begin && equal(begin, read);
}

/// Does the place lie in a range of elements, as `begins` tells one from read on, at each iteration that reaches the
/// touch?
bool staysWithin(const Split &split, const Touch &touch, const Scop &scop,
                 bool (&begins)(const DataSize &, const Expr &) = isLengthFrom) {
  return std::any_of(scop.dataSizes.begin(), scop.dataSizes.end(), [&](const DataSize &data) {
    if (!begins(data, split.read)) return false;
    const Expr below = Expr::make(Op::Lt, {split.rest, Expr::symbol(data.name, Type::Int64)});
    const Expr inside = Expr::make(Op::And, {Expr::make(Op::Le, {Expr::integer(0), split.rest}), below});
    const Result<isl::set> where = holds(inside, touch.frame);
    return where && touch.frame.domain.is_subset(*where);
  });
}

/// Are elements of the index array that are declared to differ all that the place depends on?
bool isPlain(const Split &split, const Function &function) {
  return isDeclared(function, IndexFact::Kind::Injective, split.read->name) && isInteger(split.rest, 0);
}

/// May segments of the index array lie in each other for all that is declared? Then no entry asks whether they do.
bool isApartOtherwise(const Function &function, const std::string &index) {
  return isDeclared(function, IndexFact::Kind::Injective, index) &&
         !isDeclared(function, IndexFact::Kind::Monotone, index);
}

void intoSegments(const Scop &scop, Array &array, const std::string &index, const std::vector<Touch *> &touches,
                  const Function &function) {
  std::vector<Split> splits;
  bool allPlain = true;
  for (const Touch *touch : touches) {
    const auto split = splitOf(*touch);
    if (!split || split->read->name != index || touch->open > 1) return;
    allPlain = allPlain && isPlain(*split, function);
    splits.push_back(*split);
  }
  for (std::size_t k = 0; k < touches.size() && !allPlain; ++k)
    if (isApartOtherwise(function, index) || !staysWithin(splits[k], *touches[k], scop)) return;
  array.extents.insert(array.extents.begin(), Expr());
  for (std::size_t k = 0; k < touches.size(); ++k) {
    std::vector<Expr> &subscripts = touches[k]->subscripts;
    subscripts.front() = splits[k].rest;
    subscripts.insert(subscripts.begin(), splits[k].read.arg(0));
    touches[k]->open = 0;
  }
}

} // namespace

void intoSegments(Scop &scop, const std::vector<Touch *> &touches, const Function &function) {
  if (!risingOf(function)) return;
  for (Array &array : scop.arrays) {
    const std::string index = indexOf(function, array.name);
    if (index.empty() || array.storage == Array::Storage::Local) continue;
    std::vector<Touch *> own;
    std::copy_if(touches.begin(), touches.end(), std::back_inserter(own),
                 [&](const Touch *touch) { return touch->array == array.name; });
    intoSegments(scop, array, index, own, function);
  }
}

namespace {

/// An element of an array that casts may widen, whatever chooses it; else absent.
Expr anyElement(const Expr &e) {
  if (isWidening(e)) return anyElement(e.arg(0));
  return e.op() == Op::Read && e->args.size() == 1 ? e : Expr();
}

/// The row f of a place that a loop from begin[f] on comes to.
Expr rowOf(const Expr &place, const std::string &begin, const Touch &touch, const Scop &scop) {
  Touch there = touch;
  there.subscripts = {place};
  const auto split = splitOf(there);
  return split && split->read->name == begin && staysWithin(*split, there, scop, isCountFrom) ? split->read.arg(0)
                                                                                              : Expr();
}

} // namespace

Expr diagonalRow(const Expr &e, const Function &function) {
  const Expr inner = e.op() == Op::Read && e->args.size() == 1 ? indexElement(e.arg(0)) : Expr();
  const bool isDiagonal =
      inner && std::any_of(function.facts.begin(), function.facts.end(), [&](const IndexFact &fact) {
        return fact.kind == IndexFact::Kind::Diagonal && fact.array == inner->name && fact.other == e->name;
      });
  return isDiagonal ? inner.arg(0) : Expr();
}

Expr withDiagonals(const Expr &e, const Function &function) {
  if (function.facts.empty()) return e;
  return rewrite(e, [&](const Expr &node) {
    const Expr row = diagonalRow(node, function);
    return row ? row : node;
  });
}

void useFacts(const Scop &scop, const std::vector<Touch *> &touches, const Function &function) {
  if (function.facts.empty()) return;
  for (Touch *touch : touches) {
    const Expr element = touch->subscripts.empty() ? Expr() : anyElement(touch->subscripts.front());
    for (const IndexFact &fact : function.facts)
      if (element && fact.kind == IndexFact::Kind::Lower && fact.array == element->name)
        if (const Expr row = rowOf(element.arg(0), fact.other, *touch, scop)) touch->below = row;
  }
}

} // namespace polymend
