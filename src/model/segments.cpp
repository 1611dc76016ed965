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

/// Does the place lie in the segment at each iteration that reaches the touch?
bool staysWithin(const Split &split, const Touch &touch, const Scop &scop) {
  return std::any_of(scop.dataSizes.begin(), scop.dataSizes.end(), [&](const DataSize &data) {
    if (!isLengthFrom(data, split.read)) return false;
    const Expr below = Expr::make(Op::Lt, {split.rest, Expr::symbol(data.name, Type::Int64)});
    const Expr inside = Expr::make(Op::And, {Expr::make(Op::Le, {Expr::integer(0), split.rest}), below});
    const Result<isl::set> where = holds(inside, touch.frame);
    return where && touch.frame.domain.is_subset(*where);
  });
}

void intoSegments(const Scop &scop, Array &array, const std::string &index, const std::vector<Touch *> &touches) {
  std::vector<Split> splits;
  for (const Touch *touch : touches) {
    const auto split = splitOf(*touch);
    if (!split || split->read->name != index || touch->open > 1 || !staysWithin(*split, *touch, scop)) return;
    splits.push_back(*split);
  }
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
    intoSegments(scop, array, index, own);
  }
}

} // namespace polymend
