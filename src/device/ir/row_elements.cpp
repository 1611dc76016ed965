// A subscript begin + s of a value leads to the element of that place; with one place alone the value is that
// element's.
#include "device/row_elements.h"

#include "device/depends.h"
#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// A sum of integers, with how often each occurs in it.
class LinearSum {
public:
  void add(const Expr &e, std::int64_t times);
  [[nodiscard]] std::int64_t timesOf(const Expr &e) const;
  /// The sum, if nothing but a number is in it.
  [[nodiscard]] std::optional<std::int64_t> value() const;

private:
  std::vector<std::pair<Expr, std::int64_t>> terms;
  std::int64_t number = 0;
};

void LinearSum::add(const Expr &e, std::int64_t times) {
  if (e.op() == Op::Add || e.op() == Op::Sub) {
    add(e.arg(0), times);
    return add(e.arg(1), e.op() == Op::Add ? times : -times);
  }
  if (e.op() == Op::Integer) {
    number += times * e->integer;
    return;
  }
  for (auto &[term, count] : terms)
    if (equal(term, e)) {
      count += times;
      return;
    }
  terms.emplace_back(e, times);
}

std::int64_t LinearSum::timesOf(const Expr &e) const {
  const auto at = std::find_if(terms.begin(), terms.end(), [&](const auto &term) { return equal(term.first, e); });
  return at == terms.end() ? 0 : at->second;
}

std::optional<std::int64_t> LinearSum::value() const {
  const bool isNumber = std::all_of(terms.begin(), terms.end(), [](const auto &term) { return term.second == 0; });
  return isNumber ? std::optional(number) : std::nullopt;
}

std::int64_t timesIn(const Expr &subscript, const Expr &begin) {
  LinearSum sum;
  sum.add(simplify(subscript), 1);
  return sum.timesOf(simplify(begin));
}

bool knows(const Expr &e, const Expr &part) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || equal(node, part); });
  return found;
}

} // namespace

std::optional<std::int64_t> distanceOf(const Expr &a, const Expr &b) {
  LinearSum sum;
  sum.add(simplify(a), 1);
  sum.add(simplify(b), -1);
  return sum.value();
}

std::optional<RowElement> rowElementOf(const Expr &value, const Expr &begin) {
  RowElement result;
  bool isOne = true;
  result.value = rewrite(value, [&](const Expr &e) {
    if (e.op() != Op::Read) return e;
    std::vector<Expr> subscripts = e->args;
    for (Expr &s : subscripts) {
      if (timesIn(s, begin) != 1) continue;
      isOne = isOne && (!result.place || distanceOf(s, result.place) == 0);
      result.place = s;
      s = Expr::symbol(elementOfRow, Type::Int64);
    }
    return Expr::read(e->name, subscripts, e.type());
  });
  if (!result.place || !isOne || knows(result.value, begin) || knows(result.value, simplify(begin)))
    return std::nullopt;
  return result;
}

DeviceBlock withRowElements(const DeviceBlock &nodes, const Expr &begin, const Expr &element, const std::string &name) {
  const auto replaced = [&](const Expr &whole) {
    if (!whole) return whole;
    return rewrite(whole, [&](const Expr &e) {
      if (e.op() != element.op() || e.type() != element.type()) return e;
      const auto found = rowElementOf(e, begin);
      return found && equal(found->value, element) ? Expr::read(name, {found->place}, e.type()) : e;
    });
  };
  DeviceBlock result;
  for (const DeviceNode &n : nodes)
    result.push_back(withBlocks(withExprs(n, replaced), [&](const DeviceBlock &inside) {
      return withRowElements(inside, begin, element, name);
    }));
  return result;
}

} // namespace polymend::device_room
