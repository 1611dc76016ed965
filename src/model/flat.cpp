// Linear subscripts of flat arrays -> subscripts by dimension, after Grosser, Ramanujam, Pouchet, Sadayappan and Pop,
// "Optimistic Delinearization of Parametrically Sized Arrays" (ICS'15). Candidate strides come from the coefficients of
// the loop variables; consecutive ones must divide, which gives the extents. A shape is taken only when isl proves
// 0 <= subscript < extent for every dimension but the outermost, for all sizes: then linear and split addresses
// correspond one to one, so a wrong guess is rejected by the proof and never believed. Where no shape has a proof (rows
// a given number of elements apart), one is taken for the sizes that give it one; these are tested at entry.
#include "touch.h"

#include "polymend/about.h"
#include "polymend/shapes.h"

#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {

namespace {

using Parameters = std::set<std::string>;

/// Divides a linear subscript by the strides, outermost first; the sums come innermost first.
std::vector<Linear> split(const Linear &sum, const FlatShape &shape) {
  std::vector<Linear> parts(shape.strides.size());
  Linear rest = sum;
  for (std::size_t k = shape.strides.size(); k-- > 0;) {
    parts[k].meaning = sum.meaning;
    for (auto &[key, coefficient] : rest.terms) {
      Quotient part = divide(coefficient, shape.strides[k], key.empty());
      if (!part.quotient.empty()) parts[k].terms[key] = std::move(part.quotient);
      coefficient = std::move(part.remainder);
    }
  }
  return parts;
}

/// The same shapes with outer dimensions joined, for rows whose number cannot be told apart further.
std::vector<FlatShape> joined(const std::vector<FlatShape> &shapes) {
  std::vector<FlatShape> result;
  for (FlatShape shape : shapes)
    while (shape.strides.size() > 2) {
      shape.strides.pop_back();
      shape.extents.pop_back();
      result.push_back(shape);
    }
  return result;
}

Linear moved(const Linear &sum, const Polynomial &by, std::int64_t factor) {
  Linear result = sum;
  Polynomial &constant = result.terms[""];
  constant = plus(constant, by, factor);
  if (constant.empty()) result.terms.erase("");
  return result;
}

/// Where shapes of one array need more than is known: the sizes that they do not hold for, whatever is executed then.
struct Unproved {
  bool allowed = false;
  isl::set sizes;
};

/// Sets of sizes; null: none.
isl::set either(const isl::set &a, const isl::set &b) {
  if (a.is_null() && b.is_null()) return {};
  if (a.is_null() || b.is_null()) return a.is_null() ? b : a;
  return a.unite(b).coalesce();
}

/// Of an array that is only read, an extent below one may be left out: no value depends on which elements are equal.
bool provablyWithin(const Expr &subscript, const Expr &extent, const Frame &frame, bool onlyRead, Unproved &unproved) {
  const Expr zero = Expr::integer(0);
  const Result<isl::set> below = less(subscript, zero, true, frame), above = less(extent, subscript, false, frame);
  const Result<isl::set> some = less(zero, extent, true, frame);
  if (!below || !above || !some) return false;
  const isl::set outside = frame.domain.intersect(below->unite(*above));
  const isl::set wrong = onlyRead && !unproved.allowed ? outside.intersect(*some) : outside;
  if (wrong.is_empty()) return true;
  const isl::set sizes = wrong.params().gist(frame.domain.params());
  if (!unproved.allowed || frame.domain.intersect_params(sizes.complement()).is_empty()) return false;
  unproved.sizes = either(unproved.sizes, sizes);
  return true;
}

/// The sizes as a set in the other's space.
isl::set align(const isl::set &sizes, const isl::set &like) {
  return isl::manage(isl_set_align_params(sizes.copy(), isl_set_get_space(like.get())));
}

bool readsData(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || node.op() == Op::Read; });
  return found;
}

/// Does no touch stand at a place in its row that sizes alone make other than affine, so that it may be anywhere?
bool isPlaced(const std::vector<Touch *> &touches) {
  return std::ranges::none_of(touches, [](const Touch *touch) {
    return touch->open > 0 && std::ranges::none_of(touch->subscripts, readsData);
  });
}

/// Can every size be as large as it likes, outside `sizes`?
bool boundsNone(const isl::set &sizes, const Frame &frame) {
  if (sizes.is_null()) return true;
  const isl::set rest = frame.domain.params().subtract(sizes);
  for (unsigned p = 0; p < static_cast<unsigned>(isl_set_dim(rest.get(), isl_dim_param)); ++p)
    if (!greatest(rest, p).is_infty()) return false;
  return true;
}

/// Brings dimension k of `parts` into [0, extent), carrying one into the next dimension where that helps and is proved,
/// or holds for sizes that are as large as one likes.
bool settle(std::vector<Linear> &parts, std::size_t k, const Polynomial &extent, const Expr &bound, const Frame &frame,
            bool onlyRead, Unproved &unproved) {
  for (const std::int64_t carry : {0, 1, -1}) {
    const Linear here = moved(parts[k], extent, carry);
    Unproved own{unproved.allowed, {}};
    if (!provablyWithin(expression(here), bound, frame, onlyRead, own)) continue;
    if (carry != 0 && !boundsNone(own.sizes, frame)) continue;
    unproved.sizes = either(unproved.sizes, own.sizes);
    parts[k + 1] = moved(parts[k + 1], constantPolynomial(carry), -1);
    parts[k] = here;
    return true;
  }
  return false;
}

/// The touch in `shape`, or nothing when it may leave a dimension.
std::optional<Touch> reshaped(const Touch &touch, const Linear &sum, const FlatShape &shape,
                              const std::vector<Expr> &bounds, bool onlyRead, Unproved &unproved) {
  Touch result = touch;
  std::vector<Linear> parts = split(sum, shape);
  const std::size_t count = parts.size();
  for (std::size_t k = 0; k + 1 < count; ++k) {
    if (settle(parts, k, shape.extents[k], bounds[k], touch.frame, onlyRead, unproved)) continue;
    if (touch.write || !readsData(expression(parts[k]))) return std::nullopt;
    result.open = std::max(result.open, count - k);
  }
  result.subscripts.clear();
  for (std::size_t k = count; k-- > 0;) result.subscripts.push_back(expression(parts[k]));
  if (!affine(result.subscripts.front(), touch.frame)) {
    if (touch.write && !readsData(result.subscripts.front())) return std::nullopt;
    result.open = std::max<std::size_t>(result.open, 1);
  }
  return result;
}

/// What the sums know in common. A read keeps the meaning of its own sum: its number counts within its own statement.
std::map<std::string, Expr> allMeanings(const std::vector<Linear> &sums) {
  std::map<std::string, Expr> meanings;
  for (const Linear &sum : sums) meanings.insert(sum.meaning.begin(), sum.meaning.end());
  return meanings;
}

/// The extent of the outermost dimension: known only when the whole size is a multiple of the outermost stride.
std::optional<Expr> outermostExtent(const Array &array, const FlatShape &shape, const Parameters &parameters) {
  const Expr total = array.extents.empty() ? Expr() : array.extents.front();
  if (!total) return Expr();
  const Linear size = linear(total, [&](const std::string &name) { return parameters.count(name) != 0; });
  const auto constant = size.terms.find("");
  if (size.terms.size() == 1 && constant != size.terms.end())
    if (const auto quotient = divideExactly(constant->second, shape.strides.back()))
      return expression({{{"", *quotient}}, size.meaning});
  if (array.storage == Array::Storage::Parameter) return Expr();
  return std::nullopt;
}

/// Does the subscript move from row to row?
bool standsInRow(const Linear &sum, const FlatShape &shape) {
  const std::vector<Linear> parts = split(sum, shape);
  return std::any_of(parts.begin() + 1, parts.end(), [](const Linear &part) { return !part.terms.empty(); });
}

bool isWithin(const isl::set &a, const isl::set &b) { return !b.is_null() && a.is_subset(b); }

/// Are there no more points than some number, whatever the sizes are?
bool isFew(const isl::set &points) {
  isl_set *all = points.copy();
  return isl_set_is_bounded(
             isl::manage(isl_set_project_out(all, isl_dim_param, 0, isl_set_dim(all, isl_dim_param))).get()) ==
         isl_bool_true;
}

/// Is anything touched for sizes of `open` that are not among these, and as often as one likes where it was before?
bool leavesAny(const isl::set &sizes, const isl::set &open, const std::vector<Touch *> &touches) {
  const isl::set left = open.subtract(align(sizes, open));
  return std::any_of(touches.begin(), touches.end(), [&](const Touch *touch) {
    const isl::set points = touch->frame.domain.intersect_params(left);
    return !points.is_empty() && (!isFew(points) || isFew(touch->frame.domain.intersect_params(open)));
  });
}

/// Are all names in the strides among those that are known?
template <class Known> bool isMadeOf(const FlatShape &shape, const Known &known) {
  return std::ranges::all_of(shape.strides, [&](const Polynomial &stride) {
    return std::ranges::all_of(stride, [&](const auto &term) {
      return std::ranges::all_of(term.first, [&](const std::string &name) { return known.contains(name); });
    });
  });
}

/// Is it an array of the function's own whose elements stand in one row, as many as sizes say?
bool isRow(const Array &array) {
  return array.storage == Array::Storage::Local && array.extents.size() == 1 && array.extents.front() &&
         array.extents.front().op() != Op::Integer;
}

/// Applies one candidate to all touches; an array that is only read gets none that asks more of a subscript within the
/// first row than of those that move from row to row, or leaves everything as it was. So does one that holds for no
/// sizes of `open` at which the array is touched, or only where loops are as short as a number says.
bool apply(const FlatShape &shape, Array &array, std::vector<Touch *> &touches, const std::vector<Linear> &sums,
           const Parameters &parameters, const isl::set &open, Unproved &unproved) {
  const std::optional<Expr> outermost = outermostExtent(array, shape, parameters);
  if (!outermost) return false;
  std::vector<Expr> bounds;
  bounds.reserve(shape.extents.size());
  const std::map<std::string, Expr> meanings = allMeanings(sums);
  for (const Polynomial &extent : shape.extents) bounds.push_back(expression({{{"", extent}}, meanings}));
  const bool onlyRead = std::none_of(touches.begin(), touches.end(), [](const Touch *touch) { return touch->write; });
  std::vector<Touch> fitted;
  Unproved inRows{unproved.allowed, {}}, outOfRows{unproved.allowed, {}};
  for (std::size_t i = 0; i < touches.size(); ++i) {
    Unproved &sizes = standsInRow(sums[i], shape) ? inRows : outOfRows;
    std::optional<Touch> touch = reshaped(*touches[i], sums[i], shape, bounds, onlyRead, sizes);
    if (!touch) return false;
    fitted.push_back(std::move(*touch));
  }
  if (onlyRead && !outOfRows.sizes.is_null() && !isWithin(outOfRows.sizes, inRows.sizes)) return false;
  unproved.sizes = either(either(unproved.sizes, inRows.sizes), outOfRows.sizes);
  if (!unproved.sizes.is_null() && !leavesAny(unproved.sizes, open, touches)) return false;
  for (std::size_t i = 0; i < touches.size(); ++i) *touches[i] = std::move(fitted[i]);
  array.extents.assign(1, *outermost);
  array.extents.insert(array.extents.end(), bounds.rbegin(), bounds.rend());
  return true;
}

} // namespace

isl::set delinearise(std::vector<Array> &arrays, std::vector<Touch *> &touches, const Parameters &parameters,
                     isl::set assumptions, bool mayPlace) {
  std::vector<FlatShape> found; // shapes of arrays before: others may have them whose own strides skip rows
  for (Array &array : arrays) {
    if (!array.flat && !isRow(array)) continue;
    std::vector<Touch *> mine;
    std::copy_if(touches.begin(), touches.end(), std::back_inserter(mine),
                 [&](const Touch *touch) { return touch->array == array.name && touch->subscripts.size() == 1; });
    const auto isAffine = [](const Touch *touch) { return affine(touch->subscripts[0], touch->frame).ok(); };
    if (!array.flat && std::all_of(mine.begin(), mine.end(), isAffine)) continue;
    std::vector<Linear> sums;
    sums.reserve(mine.size());
    for (const Touch *touch : mine)
      sums.push_back(
          linear(touch->subscripts[0], [&](const std::string &name) { return parameters.count(name) != 0; }));
    const std::map<std::string, Expr> meanings = allMeanings(sums);
    for (Linear &sum : sums) sum.meaning.insert(meanings.begin(), meanings.end());
    Unproved unproved;
    const auto fits = [&](const FlatShape &shape) {
      unproved.sizes = {};
      return apply(shape, array, mine, sums, parameters, assumptions, unproved);
    };
    const auto fitsSome = [&](const FlatShape &shape) {
      unproved.allowed = array.storage == Array::Storage::Parameter || !array.flat;
      return unproved.allowed && fits(shape);
    };
    const auto places = [&](const FlatShape &shape) {
      std::vector<Touch> before;
      for (const Touch *touch : mine) before.push_back(*touch);
      const std::vector<Expr> extents = array.extents;
      if (fits(shape) && isPlaced(mine)) return true;
      for (std::size_t k = 0; k < mine.size(); ++k) *mine[k] = before[k];
      array.extents = extents;
      return false;
    };
    const auto placesSome = [&](const FlatShape &shape) {
      unproved.allowed = mayPlace && array.storage == Array::Storage::Parameter;
      const bool placed = unproved.allowed && places(shape);
      unproved.allowed = false;
      return placed;
    };
    const std::vector<FlatShape> shapes = candidates(sums), coarser = joined(shapes);
    const auto fitsAsSeen = [&](const FlatShape &shape) {
      if (!fits(shape)) return false;
      const bool isNew =
          std::ranges::none_of(found, [&](const FlatShape &known) { return known.strides == shape.strides; });
      if (isNew && isMadeOf(shape, parameters)) found.push_back(shape);
      return true;
    };
    const auto fitsAsOthers = [&](const FlatShape &shape) {
      unproved.allowed = false;
      return isMadeOf(shape, meanings) && fits(shape);
    };
    const bool settled =
        std::any_of(shapes.begin(), shapes.end(), fitsAsSeen) || std::all_of(mine.begin(), mine.end(), isAffine) ||
        std::any_of(coarser.begin(), coarser.end(), places) || std::any_of(shapes.begin(), shapes.end(), placesSome) ||
        std::any_of(coarser.begin(), coarser.end(), fits) || std::any_of(shapes.begin(), shapes.end(), fitsSome) ||
        std::any_of(coarser.begin(), coarser.end(), fitsSome) ||
        (array.flat && !shapes.empty() && std::any_of(found.begin(), found.end(), fitsAsOthers));
    if (settled && !unproved.sizes.is_null())
      assumptions = assumptions.subtract(align(unproved.sizes, assumptions)).coalesce();
  }
  return assumptions;
}

} // namespace polymend
