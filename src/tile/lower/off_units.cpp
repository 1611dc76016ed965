// Looks at the source's statements alone: a statement that adds a product of two elements to what it writes is a sum of
// products over the loops that its target does not follow.
#include "polymend/off_units.h"

#include <algorithm>

namespace polymend {
namespace {

/// A sum of products in the source.
struct ProductSum {
  const Statement *statement = nullptr;
  bool narrow = false;  // both factors are made of 16-bit elements
  bool rounded = false; // multiplied or added up in 16 bits
};

bool isElement(const Expr &e, const std::string &target) {
  return e.op() == Op::Read && e->name != target && isFloating(e.type());
}

/// The elements that a factor is made of: how many, and whether all are narrow.
std::pair<int, bool> elementsOf(const Expr &factor, const std::string &target) {
  int count = 0;
  bool narrow = true;
  visit(factor, [&](const Expr &e) {
    if (!isElement(e, target)) return;
    ++count;
    narrow = narrow && isNarrow(e.type());
  });
  return {count, narrow && count > 0};
}

std::optional<ProductSum> productSumOf(const Scop &scop, const Statement &s) {
  const std::string &target = s.write.array;
  if (!reads(s.value, target)) return std::nullopt;
  std::optional<ProductSum> found;
  visit(s.value, [&](const Expr &e) {
    if (e.op() != Op::Mul || !isFloating(e.type()) || reads(e, target)) return;
    const auto [left, leftNarrow] = elementsOf(e.arg(0), target);
    const auto [right, rightNarrow] = elementsOf(e.arg(1), target);
    const bool narrow = leftNarrow && rightNarrow;
    if (left == 0 || right == 0 || (found && (found->narrow || !narrow))) return;
    found = ProductSum{&s, narrow, isNarrow(e.type()) || isNarrow(scop.array(target).type)};
  });
  return found;
}

std::set<std::string> targetIterators(const Statement &s) {
  std::set<std::string> used;
  for (const Expr &subscript : s.target) used.merge(symbols(subscript));
  return used;
}

/// Does a loop of the target run within a loop of the sum?
bool isUpdatedOutside(const Statement &s) {
  const std::set<std::string> used = targetIterators(s);
  return !s.iterators.empty() && used.contains(s.iterators.back());
}

/// Does what is read decide which terms count?
std::optional<std::string> dataMask(const Statement &s) {
  std::optional<std::string> found;
  visit(s.value, [&](const Expr &e) {
    if (e.op() != Op::Select) return;
    visit(e.arg(0), [&](const Expr &c) {
      if (c.op() == Op::Read && !found) found = c->name;
    });
  });
  return found;
}

std::string whyOf(const ProductSum &sum, const UnitsAsked &asked, const std::string &order) {
  const std::string name = "'" + sum.statement->write.array + "'";
  if (!asked.present) return "polymend does not use them on this target yet";
  if (!asked.reorder) return "--fp=strict keeps the order in which " + name + " adds up its products";
  if (sum.rounded) return name + " adds up products in 16 bits, matrix units in float: declare what adds them up float";
  if (!sum.narrow && !asked.rounds)
    return "the factors of " + name + " have more than 16 bits (--fp=approx rounds them)";
  if (isUpdatedOutside(*sum.statement))
    return "the accumulator of " + name + " is updated in a loop that is not innermost" +
           (order.empty() ? "" : ", and the loops keep their order: " + order);
  if (!order.empty()) return "the loops keep their order: " + order;
  if (const auto mask = dataMask(*sum.statement))
    return "what is read from '" + *mask + "' decides which terms " + name + " adds up";
  return "the loops around the sum of " + name + " form no matrix of rows and columns that share their factors";
}

} // namespace

std::optional<std::string> whyOffUnits(const Scop &scop, const UnitsAsked &asked, const std::string &order) {
  constexpr std::size_t loopsOfProduct = 3;
  std::optional<ProductSum> chosen;
  for (const Statement &s : scop.statements) {
    const auto sum = productSumOf(scop, s);
    if (!sum || s.iterators.size() < loopsOfProduct) continue;
    if (!sum->narrow && !asked.present) continue;
    const bool better = !chosen || (sum->narrow && !chosen->narrow) ||
                        (sum->narrow == chosen->narrow && isUpdatedOutside(s) && !isUpdatedOutside(*chosen->statement));
    if (better) chosen = sum;
  }
  return chosen ? std::optional(whyOf(*chosen, asked, order)) : std::nullopt;
}

} // namespace polymend
