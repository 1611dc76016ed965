// { [others, x] } is { first(others) <= x <= last(others) } where isl says that both are equal; the ends are functions
// in pieces, as a window's that is pushed inside at the border: min(max(i - r, 0), n - k), which isl knows as three
// choices.
#include "tile/intervals.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// { [others] -> [x] } of a set and its dimension.
isl::map alongDimension(const isl::set &set, unsigned dim) {
  isl_map *map = isl_map_from_domain(isl_set_reset_tuple_id(set.copy()));
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in, dim, 1);
  return isl::manage(map);
}

/// { [others] -> [x] : from <= x (side 1) or x <= from (side -1) }.
isl::map beyondEnd(const isl::map &end, int side) {
  isl_space *line = isl_space_range(isl_map_get_space(end.get()));
  return isl::manage(isl_map_apply_range(end.copy(), side > 0 ? isl_map_lex_le(line) : isl_map_lex_ge(line)));
}

std::vector<isl::pw_aff> piecesOf(const isl::map &end) {
  std::vector<isl::pw_aff> all;
  isl_pw_multi_aff *function = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(end.copy()));
  isl_pw_multi_aff_foreach_piece(
      function,
      [](isl_set *set, isl_multi_aff *value, void *user) {
        isl_set_free(set);
        const isl::pw_aff one = isl::manage(isl_pw_aff_from_aff(isl_multi_aff_get_aff(value, 0)));
        isl_multi_aff_free(value);
        auto &into = *static_cast<std::vector<isl::pw_aff> *>(user);
        const bool isNew =
            std::ranges::none_of(into, [&](const isl::pw_aff &known) { return known.plain_is_equal(one); });
        if (isNew) into.push_back(one);
        return isl_stat_ok;
      },
      &all);
  isl_pw_multi_aff_free(function);
  return all;
}

/// A function, by isl and as it is written.
struct Written {
  isl::pw_aff value;
  Expr text;
};

Written extreme(Op op, const Written &a, const Written &b) {
  return {op == Op::Min ? a.value.min(b.value) : a.value.max(b.value), Expr::make(op, Type::Int64, {a.text, b.text})};
}

/// An end as an extreme of what its pieces are, or as an extreme of one and of the other extreme of two; else as a
/// choice.
std::optional<Expr> written(const isl::map &end, const DimNames &names) {
  std::vector<Written> all;
  for (const isl::pw_aff &piece : piecesOf(end)) {
    const auto text = toExprs(isl::manage(isl_map_from_pw_aff(piece.copy())), names);
    if (!text) return std::nullopt;
    all.push_back({piece, text->front()});
  }
  const auto isEnd = [&](const Written &guess) {
    return end.is_subset(isl::manage(isl_map_from_pw_aff(guess.value.copy())));
  };
  std::vector<Written> guesses;
  for (const Op op : {Op::Max, Op::Min}) {
    if (all.size() == 2) guesses.push_back(extreme(op, all[0], all[1]));
    for (std::size_t k = 0; k < all.size() && all.size() == 3; ++k)
      guesses.push_back(
          extreme(op, all[k], extreme(op == Op::Max ? Op::Min : Op::Max, all[(k + 1) % 3], all[(k + 2) % 3])));
  }
  for (const Written &guess : guesses)
    if (isEnd(guess)) return simplify(guess.text);
  const auto choice = toExprs(end, names);
  return choice ? std::optional(simplify(choice->front())) : std::nullopt;
}

} // namespace

std::optional<Interval1D> intervalAlong(const isl::set &set, unsigned dim, const isl::set &around,
                                        const DimNames &names) {
  isl::set known = isl::manage(isl_set_align_params(around.copy(), isl_set_get_space(set.get())));
  const isl::set all = isl::manage(isl_set_align_params(set.copy(), isl_set_get_space(known.get()))).intersect(known);
  const isl::map along = alongDimension(all, dim), where = alongDimension(known, dim);
  const isl::map first = isl::manage(isl_map_lexmin(along.copy())), last = isl::manage(isl_map_lexmax(along.copy()));
  if (!where.domain().is_subset(along.domain())) return std::nullopt;
  const isl::map between = beyondEnd(first, 1).intersect(beyondEnd(last, -1));
  if (!between.intersect(where).is_subset(along)) return std::nullopt;
  DimNames others = names;
  others.erase(others.begin() + dim);
  const auto from = written(first, others), to = written(last, others);
  if (!from || !to) return std::nullopt;
  return Interval1D{*from, *to};
}

} // namespace polymend
