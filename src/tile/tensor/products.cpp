#include "products.h"

#include "polymend/factors.h"

#include <algorithm>
#include <limits>

namespace polymend {

namespace {

/// At least `least` factors are widened from 16 bits.
bool readsNarrow(const Expr &value, int least) {
  int narrow = 0;
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Cast && isFloating(node.type()) && isNarrow(node.arg(0).type())) ++narrow;
  });
  return narrow >= least;
}

/// Is a factor read as it is, or computed, in the products' own type?
bool isOwn(const Expr &factor, Type type) {
  const Expr inner = unconverted(factor);
  return factor.type() == type && (inner.op() != Op::Read || inner.type() == type);
}

/// Is the subscript the dimension and what does not depend on it, as index[g] + i is along i?
bool advancesWith(const Expr &subscript, const std::string &dim) {
  return symbols(subscript).contains(dim) &&
         !symbols(simplify(subscript - Expr::symbol(dim, Type::Int64))).contains(dim);
}

/// Does what is read move along the dimension, also where data say from where on?
bool readMovesAlong(const Equation &e, const Operand &operand, const Expr &read, unsigned dim) {
  if (domainDimension(operand.map) == e.dims.size() && movesAlong(operand.map, dim, 1)) return true;
  return !operand.exact && std::any_of(read->args.begin(), read->args.end(),
                                       [&](const Expr &subscript) { return advancesWith(subscript, e.dims[dim]); });
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

/// Does not every factor move along every key? Else each element is used once.
bool usesOften(const Equation &e, const MovingFactors &moving) {
  const std::size_t factors = factorsOf(e.value).size();
  for (unsigned key = 0; key < e.keys; ++key)
    if (moving.along(e, static_cast<int>(key)).size() < factors) return true;
  return false;
}

} // namespace

const std::set<std::size_t> &MovingFactors::along(const Equation &e, int dim) const {
  const auto [at, asked] = known.try_emplace({&e, dim});
  if (!asked) return at->second;
  const std::vector<Expr> factors = factorsOf(e.value);
  for (std::size_t f = 0; f < factors.size(); ++f)
    visit(factors[f], [&](const Expr &node) {
      if (node.op() != Op::Read || node->access < 0) return;
      const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
      if (readMovesAlong(e, operand, node, static_cast<unsigned>(dim))) at->second.insert(f);
    });
  return at->second;
}

std::optional<std::string> whyNotNarrow(const Equation &e, const LowerOptions &options, const MovingFactors &moving) {
  std::set<Type> copied; // of factors that are read as they are
  bool any = false;
  for (const Expr &factor : factorsOf(e.value)) {
    const Expr inner = unconverted(factor);
    if (inner.op() == Op::Read && isNarrow(inner.type())) copied.insert(inner.type());
    visit(factor, [&](const Expr &node) { any = any || (node.op() == Op::Read && isNarrow(node.type())); });
  }
  if (e.monoid != Monoid::Sum || !any || !multiplies(e, moving)) return std::nullopt;
  if (copied.size() > 1) return "a sum of products has factors of two 16-bit types";
  if (!options.approximate && !readsNarrow(e.value, 2))
    return "a sum of products has a factor of more than 16 bits (--fp=approx rounds it)";
  return std::nullopt;
}

std::int64_t productBytes(const Equation &e, const LowerOptions &options, const MovingFactors &moving) {
  if (e.monoid != Monoid::Sum) return 0;
  if (readsNarrow(e.value, options.approximate ? 1 : 2)) return usesOften(e, moving) ? 2 : 0;
  const bool taken = e.type == Type::Float64 || (e.type == Type::Float32 && options.approximate);
  return taken && multipliesOwn(e, moving) ? multipliedBytes(e.type) : 0;
}

std::int64_t productBytes(const System &system, const Phase &phase, const LowerOptions &options,
                          const MovingFactors &moving) {
  std::int64_t bytes = 0;
  for (const Member &member : phase.members) {
    const std::int64_t own = productBytes(system.equations[static_cast<std::size_t>(member.equation)], options, moving);
    if (own > 0 && (bytes == 0 || own < bytes)) bytes = own;
  }
  return bytes;
}

bool Products::take(const Equation &e) const {
  const auto [at, asked] = taken.try_emplace(&e, false);
  if (asked) at->second = productBytes(e, options, factors) == units.elementBytes;
  return at->second;
}

Products::Moves Products::moves(const Equation &e, const Operand &operand, unsigned dim) const {
  const auto [at, asked] = moving.try_emplace({&operand, dim}, Moves());
  if (asked) at->second.at = movesAlong(operand.map, dim, 1);
  if (asked && !operand.exact)
    visit(e.value, [&](const Expr &node) {
      if (node.op() == Op::Read && node->access >= 0 && &e.operands[static_cast<std::size_t>(node->access)] == &operand)
        at->second.at = at->second.at || readMovesAlong(e, operand, node, dim);
    });
  if (asked && at->second.at)
    at->second.column = movesAlong(projectOutRange(operand.map, 0, rangeDimension(operand.map) - 1), dim, 1);
  return at->second;
}

bool isBare(const Expr &factor, std::int64_t bytes) {
  const Expr read = unconverted(factor);
  return read.op() == Op::Read && multipliedBytes(read.type()) == bytes;
}

std::vector<Expr> computedParts(const Equation &e, const Products &products) {
  if (!products.take(e)) return {e.value};
  std::vector<Expr> parts = factorsOf(e.value);
  std::erase_if(parts, [&](const Expr &factor) { return isBare(factor, products.units.elementBytes); });
  return parts;
}

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

} // namespace polymend
