// What a factor depends on is said by the symbols of its expression and by the maps of what it reads.
#include "computed_factor.h"

#include "polymend/factors.h"
#include "wide_product.h"

#include <algorithm>

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

/// Does the value depend on dimension d of the equation?
bool dependsOn(const Equation &e, const Expr &value, unsigned d) {
  bool found = false;
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Symbol && node->name == e.dims[d]) found = true;
    if (node.op() == Op::Read && movesAlong(operandOf(e, node).map, d, 1)) found = true;
  });
  return found;
}

std::vector<unsigned> dimensionsOf(const Equation &e, const Expr &value) {
  std::vector<unsigned> dims;
  for (unsigned d = 0; d < e.dims.size(); ++d)
    if (dependsOn(e, value, d)) dims.push_back(d);
  return dims;
}

bool dependsOnSum(const Equation &e, const Expr &value) {
  for (unsigned d = e.keys; d < e.dims.size(); ++d)
    if (dependsOn(e, value, d)) return true;
  return false;
}

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

/// Operations that each element of the sum needs anew, in plain arithmetic ones.
std::int64_t operations(const Equation &e, const Expr &value) {
  if (value.op() == Op::Read || !dependsOnSum(e, value)) return 0;
  const bool costly = value.op() == Op::Div || (value.op() >= Op::Exp && value.op() <= Op::Call);
  std::int64_t sum = costly ? costlyOperation : 1;
  for (const Expr &arg : value->args) sum += operations(e, arg);
  return sum;
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
void findShared(const Equation &sum, const Expr &value, std::vector<ComputedFactor> &found) {
  const std::vector<unsigned> dims = dimensionsOf(sum, value);
  const bool isShared = !dims.empty() && dims.front() >= sum.keys;
  if (isShared && operations(sum, value) < costlyOperation) return;
  if (isShared && value.type() != Type::Bool && readsKnown(sum, value)) {
    const auto isSame = [&](const ComputedFactor &other) { return equal(other.value, value); };
    if (std::ranges::none_of(found, isSame)) found.push_back({value, dims});
    return;
  }
  const bool isChosen = value.op() == Op::Select || value.op() == Op::And || value.op() == Op::Or;
  for (std::size_t k = 0; k < (isChosen ? 1 : value->args.size()); ++k) findShared(sum, value.arg(k), found);
}

} // namespace

std::vector<ComputedFactor> computedFactors(const Equation &product, const ScheduleOptions &options) {
  std::vector<ComputedFactor> result;
  if (product.monoid != Monoid::Sum) return result;
  for (const Expr &factor : factorsOf(product.value)) {
    const Expr value = narrowOf(factor);
    if (!value || value.op() == Op::Read || !dependsOnSum(product, value)) continue;
    ComputedFactor found{value, {}};
    std::vector<int> rows;
    for (unsigned d = 0; d < product.dims.size(); ++d) {
      if (!dependsOn(product, value, d)) continue;
      found.dims.push_back(d);
      if (d < product.keys) rows.push_back(static_cast<int>(d));
    }
    if (isWideProduct(product, rows, options) && readsAsMany(product, value, found.dims)) result.push_back(found);
  }
  return result;
}

std::vector<ComputedFactor> sharedTerms(const Equation &sum) {
  std::vector<ComputedFactor> found;
  if (sum.monoid && hasManyRows(sum)) findShared(sum, sum.value, found);
  return found;
}

bool isCheaperStored(const Equation &product, const ComputedFactor &factor) {
  constexpr std::int64_t bytes = 2;
  return operations(product, factor.value) * (columnTiles(product, factor) - 1) > bytes * operationsPerByte;
}

} // namespace polymend
