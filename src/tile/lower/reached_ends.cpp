// i * (i + 1) / 2 + j with j <= i goes up with i and with j, and (n - 1, n - 1) is an iteration: that is its end. A
// remainder goes both ways, and i * i - j is least where i is 0 and j is n - 1, which none is.
#include "reached_ends.h"

#include "linear_elements.h"
#include "touched_box.h"

#include "polymend/interval.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {
namespace {

class Direction {
public:
  Direction(const std::vector<std::string> &names, const isl::set &points) : iterators(names), iterations(points) {}

  /// 1: the value goes up with the iterator, -1: down, 0: it does not move; absent: neither is known.
  [[nodiscard]] std::optional<int> of(const Expr &e, const std::string &iterator) const {
    if (!symbols(e).contains(iterator)) return 0;
    switch (e.op()) {
    case Op::Symbol: return 1;
    case Op::Cast: return isInteger(e.arg(0).type()) && e.type() == Type::Int64 ? of(e.arg(0), iterator) : std::nullopt;
    case Op::Neg: return times(of(e.arg(0), iterator), -1);
    case Op::Sub: return together(of(e.arg(0), iterator), times(of(e.arg(1), iterator), -1));
    case Op::Add:
    case Op::Min:
    case Op::Max: return together(of(e.arg(0), iterator), of(e.arg(1), iterator));
    case Op::Div:
    case Op::FloorDiv:
      return isAtLeast(e.arg(1), 1) && reachesNone(e.arg(1), iterators) ? of(e.arg(0), iterator) : std::nullopt;
    case Op::Mul: {
      const Expr &a = e.arg(0), &b = e.arg(1);
      if (a.op() == Op::Integer) return times(of(b, iterator), a->integer < 0 ? -1 : 1);
      if (b.op() == Op::Integer) return times(of(a, iterator), b->integer < 0 ? -1 : 1);
      return isAtLeast(a, 0) && isAtLeast(b, 0) ? together(of(a, iterator), of(b, iterator)) : std::nullopt;
    }
    default: return std::nullopt;
    }
  }

private:
  const std::vector<std::string> &iterators;
  const isl::set &iterations;

  static std::optional<int> times(std::optional<int> direction, int factor) {
    return direction ? std::optional(*direction * factor) : std::nullopt;
  }

  static std::optional<int> together(std::optional<int> a, std::optional<int> b) {
    if (!a || !b || *a * *b < 0) return std::nullopt;
    return *a != 0 ? a : b;
  }

  /// Does the value never fall below a number, as far as numbers say?
  [[nodiscard]] bool isAtLeast(const Expr &e, std::int64_t bound) const {
    const auto low = intervalOf(e, [&](const Expr &leaf) {
                       const auto least = leaf.op() == Op::Symbol ? lowestOf(leaf->name) : std::nullopt;
                       return least ? Interval{*least} : Interval();
                     }).low();
    return low && *low >= bound;
  }

  [[nodiscard]] std::optional<std::int64_t> lowestOf(const std::string &name) const {
    isl_set *all = iterations.copy();
    const auto dim = std::ranges::find(iterators, name) - iterators.begin();
    auto at = static_cast<unsigned>(dim);
    if (at == iterators.size()) {
      const int parameter = isl_set_find_dim_by_name(all, isl_dim_param, name.c_str());
      if (parameter < 0) return isl_set_free(all), std::nullopt;
      all = isl_set_move_dims(all, isl_dim_set, 0, isl_dim_param, static_cast<unsigned>(parameter), 1);
      at = 0;
    }
    const isl::val least = isl::manage(isl_set_dim_min_val(all, static_cast<int>(at)));
    return least.is_int() ? std::optional<std::int64_t>(isl_val_get_num_si(least.get())) : std::nullopt;
  }
};

/// The iterations at which each dimension is as large as it ever is, or, where `ways` says -1, as small.
isl::set corner(const isl::set &iterations, const std::vector<int> &ways) {
  isl::set result = iterations;
  const auto count = static_cast<unsigned>(ways.size());
  for (unsigned d = 0; d < count; ++d) {
    if (ways[d] == 0) continue;
    const isl::set line = onlyDimension(iterations, d);
    isl_set *end = ways[d] > 0 ? isl_set_lexmax(line.copy()) : isl_set_lexmin(line.copy());
    end = isl_set_add_dims(isl_set_insert_dims(end, isl_dim_set, 0, d), isl_dim_set, count - d - 1);
    result = result.intersect(isl::manage(end));
  }
  return result;
}

/// Of a position in which each iterator occurs once: does the arithmetic of intervals lose nothing over a box? It does
/// not where a function goes one way with each operand, and in a remainder that takes all its values.
class Independent {
public:
  Independent(const std::vector<std::string> &names, const isl::set &points) : iterators(names), iterations(points) {}

  bool isExact(const Expr &e) {
    if (e.op() == Op::Symbol && std::ranges::count(iterators, e->name) > 0) return met.insert(e->name).second;
    switch (e.op()) {
    case Op::Mod:
    case Op::FloorMod:
      return reachesNone(e, iterators) ||
             (reachesNone(e.arg(1), iterators) && coversAll(e.arg(0), e.arg(1)) && isExact(e.arg(0)));
    case Op::Div:
    case Op::FloorDiv: return reachesNone(e.arg(1), iterators) && isExact(e.arg(0));
    case Op::Symbol:
    case Op::Integer: return true;
    case Op::Cast:
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Min:
    case Op::Max:
    case Op::FMin:
    case Op::FMax:
    case Op::Sqrt:
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Trunc: return std::ranges::all_of(e->args, [&](const Expr &arg) { return isExact(arg); });
    default: return reachesNone(e, iterators);
    }
  }

private:
  const std::vector<std::string> &iterators;
  const isl::set &iterations;
  std::set<std::string> met;

  /// The same sizes in 64 bits.
  static Expr wide(const Expr &e) {
    return rewrite(e, [](const Expr &node) {
      if (node.op() == Op::Symbol) return Expr::symbol(node->name, Type::Int64);
      return node.op() == Op::Cast && isInteger(node.type()) ? node.arg(0) : node;
    });
  }

  /// Does an iterator, moved by what stands still, take as many neighbouring values as the modulus, or more?
  [[nodiscard]] bool coversAll(const Expr &e, const Expr &modulus) const {
    if (e.op() == Op::Cast) return coversAll(e.arg(0), modulus);
    if (e.op() == Op::Add || e.op() == Op::Sub)
      return reachesNone(e.arg(1), iterators) ? coversAll(e.arg(0), modulus)
                                              : reachesNone(e.arg(0), iterators) && coversAll(e.arg(1), modulus);
    const auto at = e.op() == Op::Symbol ? std::ranges::find(iterators, e->name) : iterators.end();
    if (at == iterators.end()) return false;
    const auto [first, limit] = boundsOfLine(onlyDimension(iterations, static_cast<unsigned>(at - iterators.begin())));
    if (!first || !limit) return false;
    const Expr beyond = simplify(limit - first - wide(modulus));
    return beyond.op() == Op::Integer && beyond->integer >= 0;
  }
};

} // namespace

bool reachesEnds(const Expr &position, const std::vector<std::string> &iterators, const isl::set &iterations) {
  isl_set *all = isl_set_reset_tuple_id(iterations.copy());
  const std::set<std::string> used = symbols(position);
  std::vector<std::string> moving = iterators; // the others only say which of these there are
  for (std::size_t d = moving.size(); d-- > 0;) {
    if (used.contains(moving[d])) continue;
    all = isl_set_project_out(all, isl_dim_set, static_cast<unsigned>(d), 1);
    moving.erase(moving.begin() + static_cast<std::ptrdiff_t>(d));
  }
  const isl::set points = isl::manage(isl_set_coalesce(all));
  if (isBox(points) && Independent(moving, points).isExact(position)) return true;
  const Direction direction(moving, points);
  std::vector<int> up, down;
  for (const std::string &iterator : moving) {
    const auto way = direction.of(position, iterator);
    if (!way) return false;
    up.push_back(*way);
    down.push_back(-*way);
  }
  return points.params().is_subset(corner(points, up).params()) &&
         points.params().is_subset(corner(points, down).params());
}

} // namespace polymend
