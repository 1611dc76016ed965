// What a factor depends on is said by the symbols of its expression and by the maps of what it reads.
#include "computed_factor.h"

#include "polymend/factors.h"
#include "wide_product.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

constexpr std::int64_t manyRows = 32, columnsOfTile = 256, assumedExtent = 4096, operationsPerByte = 7,
                       costlyOperation = 8;

bool has(const std::vector<unsigned> &list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

const Operand &operandOf(const Equation &e, const Expr &read) {
  return e.operands[static_cast<std::size_t>(read->access)];
}

/// The terms of an equation, and along which of its dimensions what they read moves: isl is asked once of each read.
class Terms {
public:
  explicit Terms(const Equation &of) : equation(of), moves(of.operands.size()) {}

  const Equation &equation;

  /// Does the value depend on dimension d of the equation?
  bool dependOn(const Expr &value, unsigned d) {
    bool found = false;
    visit(value, [&](const Expr &node) {
      if (found) return;
      found = (node.op() == Op::Symbol && node->name == equation.dims[d]) || (node.op() == Op::Read && move(node, d));
    });
    return found;
  }

  std::vector<unsigned> dimensionsOf(const Expr &value) {
    std::vector<unsigned> dims;
    for (unsigned d = 0; d < equation.dims.size(); ++d)
      if (dependOn(value, d)) dims.push_back(d);
    return dims;
  }

  bool dependOnSum(const Expr &value) {
    for (unsigned d = equation.keys; d < equation.dims.size(); ++d)
      if (dependOn(value, d)) return true;
    return false;
  }

  /// Operations that each element of the sum needs anew, in plain arithmetic ones.
  std::int64_t operations(const Expr &value) {
    if (value.op() == Op::Read || !dependOnSum(value)) return 0;
    const bool costly = value.op() == Op::Div || (value.op() >= Op::Exp && value.op() <= Op::Call);
    std::int64_t sum = costly ? costlyOperation : 1;
    for (const Expr &arg : value->args) sum += operations(arg);
    return sum;
  }

private:
  std::vector<std::map<unsigned, bool>> moves;

  bool move(const Expr &read, unsigned d) {
    const auto [known, isNew] = moves[static_cast<std::size_t>(read->access)].try_emplace(d);
    if (isNew) known->second = movesAlong(operandOf(equation, read).map, d, 1);
    return known->second;
  }
};

/// The map of what is read, over the given dimensions alone.
isl::map along(isl::map map, const std::vector<unsigned> &dims) {
  for (unsigned d = domainDimension(map); d-- > 0;)
    if (!has(dims, d)) map = projectOutDomain(map, d, 1);
  return map;
}

/// Are all reads known elements?
bool readsKnown(const Equation &e, const Expr &value) {
  bool known = true;
  visit(value, [&](const Expr &node) {
    if (node.op() != Op::Read) return;
    const Operand &operand = operandOf(e, node);
    known = known && operand.exact && domainDimension(operand.map) == e.dims.size();
  });
  return known;
}

/// Are all reads known elements, some of them another equation's, and is there an array with an element for each of
/// the factor's own?
bool readsAsMany(const Equation &e, const Expr &value, const std::vector<unsigned> &dims) {
  if (!readsKnown(e, value)) return false;
  bool computed = false, asMany = false;
  visit(value, [&](const Expr &node) {
    if (node.op() != Op::Read) return;
    const Operand &operand = operandOf(e, node);
    computed = computed || operand.equation >= 0;
    asMany = asMany || (operand.equation < 0 && along(operand.map, dims).is_injective());
  });
  return computed && asMany;
}

/// Tiles of a product along the keys that the factor does not depend on.
std::int64_t columnTiles(const Equation &e, const ComputedFactor &factor) {
  std::int64_t tiles = 1;
  for (unsigned d = 0; d < e.keys; ++d)
    if (!has(factor.dims, d))
      tiles *= (constantExtent(e.keyDomain, d).value_or(assumedExtent) + columnsOfTile - 1) / columnsOfTile;
  return tiles;
}

bool hasManyRows(const Equation &e) {
  std::int64_t rows = 1;
  for (unsigned d = 0; d < e.keys && rows < manyRows; ++d) rows *= constantExtent(e.keyDomain, d).value_or(manyRows);
  return rows >= manyRows;
}

/// Looks in what every term computes: what a condition chooses may not be read elsewhere.
void findShared(Terms &terms, const Expr &value, std::vector<ComputedFactor> &found) {
  const std::vector<unsigned> dims = terms.dimensionsOf(value);
  const bool isShared = !dims.empty() && dims.front() >= terms.equation.keys;
  if (isShared && terms.operations(value) < costlyOperation) return;
  if (isShared && value.type() != Type::Bool && readsKnown(terms.equation, value)) {
    const auto isSame = [&](const ComputedFactor &other) { return equal(other.value, value); };
    if (std::ranges::none_of(found, isSame)) found.push_back({value, dims});
    return;
  }
  const bool isChosen = value.op() == Op::Select || value.op() == Op::And || value.op() == Op::Or;
  for (std::size_t k = 0; k < (isChosen ? 1 : value->args.size()); ++k) findShared(terms, value.arg(k), found);
}

} // namespace

std::vector<ComputedFactor> computedFactors(const Equation &product, const ScheduleOptions &options) {
  std::vector<ComputedFactor> result;
  if (product.monoid != Monoid::Sum) return result;
  Terms terms(product);
  for (const Expr &factor : factorsOf(product.value)) {
    const Expr value = narrowOf(factor);
    if (!value || value.op() == Op::Read || !terms.dependOnSum(value)) continue;
    const ComputedFactor found{value, terms.dimensionsOf(value)};
    std::vector<int> rows;
    for (const unsigned d : found.dims)
      if (d < product.keys) rows.push_back(static_cast<int>(d));
    if (isWideProduct(product, rows, options) && readsAsMany(product, value, found.dims)) result.push_back(found);
  }
  return result;
}

std::vector<ComputedFactor> repeatedFactors(const Equation &product) {
  std::vector<ComputedFactor> result;
  if (product.monoid != Monoid::Sum || product.value.op() != Op::Mul || isNarrow(product.type)) return result;
  Terms terms(product);
  for (const Expr &factor : factorsOf(product.value)) {
    if (factor.op() == Op::Read || factor.type() != product.type || !terms.dependOnSum(factor)) continue;
    const ComputedFactor found{factor, terms.dimensionsOf(factor)};
    bool isRepeated = false;
    for (unsigned d = 0; d < product.keys; ++d) isRepeated = isRepeated || !has(found.dims, d);
    if (isRepeated && readsKnown(product, factor)) result.push_back(found);
  }
  return result;
}

std::vector<ComputedFactor> partsLike(const Equation &e, const Expr &value) {
  std::vector<ComputedFactor> result;
  Terms terms(e);
  const std::size_t wanted = size(value);
  visit(e.value, [&](const Expr &node) {
    if (node.op() != value.op() || node.type() != value.type() || size(node) != wanted || !readsKnown(e, node)) return;
    if (std::ranges::none_of(result, [&](const ComputedFactor &other) { return equal(other.value, node); }))
      result.push_back({node, terms.dimensionsOf(node)});
  });
  return result;
}

std::vector<ComputedFactor> sharedTerms(const Equation &sum) {
  std::vector<ComputedFactor> found;
  Terms terms(sum);
  if (sum.monoid && hasManyRows(sum)) findShared(terms, sum.value, found);
  return found;
}

bool isCheaperStored(const Equation &product, const ComputedFactor &factor) {
  constexpr std::int64_t bytes = 2;
  return Terms(product).operations(factor.value) * (columnTiles(product, factor) - 1) > bytes * operationsPerByte;
}

} // namespace polymend
