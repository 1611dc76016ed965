// Strides that are no multiples of each other -> products of sizes. The elements at `i * p + j * q + k` are told apart
// by dimension where each stride divides the next. Of strides that are parameters of their own (those of views) nobody
// knows that they do, nor of a quotient `h = c / heads` that `c = heads * h`. Such a parameter is written as the
// product that it is a multiple of, in the order in which the source adds the terms, outermost first; that it is one is
// tested at entry (`given`), and where it is not the source runs.
#include "reader.h"

#include "polymend/in_body.h"
#include "polymend/shapes.h"

#include <algorithm>

namespace polymend {

namespace {

using Change = std::function<Expr(const Expr &)>;
using Products = std::map<std::string, Expr>; // what parameters are written as

/// The body with what f makes of each subscript of the array.
Body resubscripted(const Body &body, const std::string &array, const Change &f) {
  const Change inReads = [&](const Expr &e) {
    return rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Read || node->name != array) return node;
      ExprNode read = *node;
      for (Expr &arg : read.args) arg = f(arg);
      return Expr(std::move(read));
    });
  };
  const auto assigned = [&](Assign copy) {
    for (Expr &s : copy.subscripts) s = copy.target == array ? f(inReads(s)) : inReads(s);
    copy.value = inReads(copy.value);
    return copy;
  };
  return changed(body, assigned, inReads);
}

std::vector<Expr> subscriptsOf(const Body &body, const std::string &array) {
  std::vector<Expr> all;
  resubscripted(body, array, [&](const Expr &s) { return all.push_back(s), s; });
  return all;
}

Expr multiplied(const Expr &e, const Products &products) {
  return rewrite(e, [&](const Expr &node) {
    const auto at = node.op() == Op::Symbol ? products.find(node->name) : products.end();
    return at == products.end() ? node : at->second;
  });
}

/// The terms of a sum, in the order in which it adds them.
void terms(const Expr &e, std::vector<Expr> &all) {
  if (e.op() == Op::Cast && isInteger(e.arg(0).type())) return terms(e.arg(0), all);
  if (e.op() != Op::Add && e.op() != Op::Sub) return all.push_back(e);
  for (const Expr &arg : e->args) terms(arg, all);
}

/// The parameter that a coefficient is, if it is one alone.
std::optional<std::string> single(const Polynomial &coefficient) {
  if (coefficient.size() != 1 || coefficient.begin()->second != 1 || coefficient.begin()->first.size() != 1) return {};
  return coefficient.begin()->first.front();
}

bool isOne(const Polynomial &coefficient) { return coefficient == constantPolynomial(1); }

/// Is it a sum of variables and numbers?
bool isPlain(const Linear &sum) {
  return std::ranges::all_of(sum.terms, [](const auto &term) { return term.first.empty() || isOne(term.second); });
}

std::set<std::string> targetsOf(const Body &body) {
  std::set<std::string> all;
  const auto assigned = [&](const Assign &assign) { return all.insert(assign.target), assign; };
  changed(body, assigned, [](const Expr &e) { return e; });
  return all;
}

/// Dividend and divisor of a size that is a quotient.
std::optional<std::pair<Expr, Expr>> quotient(const Expr &meaning) {
  const Expr &value = meaning.op() == Op::Select ? meaning.arg(2) : meaning; // 0 where the divisor is 0
  if (value.op() != Op::Div && value.op() != Op::FloorDiv) return {};
  return std::pair{value.arg(0), value.arg(1)};
}

} // namespace

Linear Reader::overSizes(const Expr &subscript) const {
  return linear(subscript, [&](const std::string &name) {
    const bool isDerived = std::ranges::any_of(function.derived, [&](const auto &one) { return one.first == name; });
    return isDerived || isOverParameters(Expr::symbol(name, Type::Int64));
  });
}

bool Reader::haveShape(const std::vector<Expr> &subscripts, const Products &products) const {
  std::vector<Linear> sums;
  for (const Expr &s : subscripts) sums.push_back(overSizes(multiplied(s, products)));
  return !candidates(sums).empty();
}

/// The subscripts' strides but for 1, as parameters, outermost first; empty: one is none.
std::vector<std::string> Reader::singleStrides(const std::vector<Expr> &subscripts) const {
  std::vector<std::string> strides;
  for (const Expr &s : subscripts) {
    std::vector<Expr> summed;
    terms(s, summed);
    for (const Expr &term : summed)
      for (const auto &[key, coefficient] : overSizes(term).terms) {
        if (key.empty() || isOne(coefficient)) continue;
        const auto stride = single(coefficient);
        if (!stride) return {};
        if (std::ranges::find(strides, *stride) == strides.end()) strides.push_back(*stride);
      }
  }
  return strides;
}

/// Parameters as multiples of what the sizes `quotient` divide them by: those that are strides, or parts of some.
std::optional<Products> Reader::asDividends(const std::vector<Expr> &subscripts) const {
  Products products;
  for (const auto &[name, meaning] : function.derived) {
    const auto parts = quotient(meaning);
    if (!parts || parts->first.op() != Op::Symbol) continue;
    products[parts->first->name] = parts->second * Expr::symbol(name, Type::Int64);
    if (haveShape(subscripts, products)) return products;
    products.erase(parts->first->name);
  }
  return {};
}

/// Strides as multiples of the next one inwards.
Products Reader::asMultiples(const std::vector<std::string> &strides) {
  Products products;
  for (std::size_t k = strides.size(); k-- > 1;) {
    const Expr inner = Expr::symbol(strides[k], Type::Int64), outer = Expr::symbol(strides[k - 1], Type::Int64);
    const Expr times = Expr::make(Op::Div, Type::Int64, {outer, inner});
    const Expr isNone = Expr::make(Op::Lt, {inner, Expr::integer(1)}); // no such stride keeps elements apart
    const Expr meaning = Expr::make(Op::Select, Type::Int64, {isNone, Expr::integer(0), times});
    products[outer->name] = multiplied(inner, products) * sizeFor(meaning, times, "quotient");
  }
  return products;
}

/// What the strides of an array that is written are products of, besides what is known; empty: nothing.
Products Reader::relations(const std::vector<Expr> &subscripts) {
  if (const std::optional<Products> dividends = asDividends(subscripts)) return *dividends;
  const std::vector<std::string> strides = singleStrides(subscripts);
  return strides.size() > 1 ? asMultiples(strides) : Products{};
}

namespace {

/// Does everything that subscripts within say of the variable name one element of a row, `x[i]`?
bool subscriptsAlone(const Body &body, const std::string &variable, std::set<std::string> &arrays) {
  bool alone = true;
  const auto within = [&](const std::string &array, const std::vector<Expr> &subscripts) {
    for (const Expr &s : subscripts) {
      if (!symbols(s).contains(variable)) continue;
      alone = alone && subscripts.size() == 1 && s.op() == Op::Symbol;
      arrays.insert(array);
    }
  };
  for (const Node &node : body) {
    const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node);
    if (assign == nullptr) return false;
    within((*assign)->target, (*assign)->subscripts);
    visit((*assign)->value, [&](const Expr &e) {
      if (e.op() == Op::Read) within(e->name, e->args);
    });
  }
  return alone;
}

} // namespace

/// A loop over all elements of an array of the function's own, of which other subscripts say that they are rows of so
/// many columns: as a loop over rows and one over a row. Where there are no whole rows the source runs.
Body Reader::byRows(const Body &body) {
  Body result;
  for (const Node &node : body) {
    const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
    const auto *choice = std::get_if<std::shared_ptr<const Branch>>(&node);
    if (choice != nullptr) {
      Branch copy = **choice;
      copy.then = byRows(copy.then);
      copy.otherwise = byRows(copy.otherwise);
      result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
      continue;
    }
    const auto rows = loop != nullptr ? inRows(**loop) : std::nullopt;
    result.push_back(rows ? std::make_shared<const Loop>(*rows) : node);
  }
  return result;
}

Expr Grid::row() const {
  Expr all = columns.front();
  for (std::size_t k = 1; k < columns.size(); ++k) all = all * columns[k];
  return all;
}

std::optional<Loop> Reader::inRows(const Loop &loop) {
  std::set<std::string> arrays;
  const bool isFlat = loop.step == 1 && loop.first.op() == Op::Integer && loop.first->integer == 0 &&
                      isOverParameters(loop.limit) && subscriptsAlone(loop.body, loop.variable, arrays);
  if (!isFlat) return {};
  for (const std::string &name : arrays) {
    const Array &array = arrayNamed(name);
    const auto known = loop.limit.op() == Op::Symbol ? rowsOfSize.find(loop.limit->name) : rowsOfSize.end();
    const bool isKnown = known != rowsOfSize.end();
    if (array.storage != Array::Storage::Local || array.extents.size() != 1 ||
        !(equal(array.extents[0], loop.limit) ||
          (isKnown && equal(array.extents[0], known->second.rows * known->second.row()))))
      continue;
    const auto shape = isKnown ? std::optional(known->second) : rowsIn(loop.limit, subscriptsOf(function.body, name));
    if (!shape) continue;
    if (!isNonNegative(shape->rows, knowledge)) assume(Expr::make(Op::Le, {Expr::integer(0), shape->rows}));
    for (const Expr &count : shape->columns)
      if (!isNonNegative(count, knowledge)) assume(Expr::make(Op::Le, {Expr::integer(0), count}));
    return overGrid(loop, *shape);
  }
  return {};
}

/// The loop over the elements of a grid as one loop for each of its extents.
Loop Reader::overGrid(const Loop &loop, const Grid &grid) {
  Expr whole = Expr::symbol(loop.variable, Type::Int64);
  std::vector<std::string> inner;
  for (const Expr &extent : grid.columns) {
    inner.push_back(unique(loop.variable + "_column"));
    whole = whole * extent + Expr::symbol(inner.back(), Type::Int64);
  }
  const auto moved = [&](const Expr &e) {
    return substitute(e, [&](const std::string &s) { return s == loop.variable ? whole : Expr(); });
  };
  Body body = polymend::changed(
      loop.body,
      [&](Assign copy) {
        for (Expr &s : copy.subscripts) s = moved(s);
        copy.value = moved(copy.value);
        return copy;
      },
      [](const Expr &e) { return e; });
  for (std::size_t k = inner.size(); k-- > 0;)
    body = {std::make_shared<const Loop>(
        Loop{inner[k], inner[k], Expr::integer(0), grid.columns[k], 1, std::move(body), loop.where})};
  Loop outer = loop;
  outer.limit = grid.rows;
  outer.body = std::move(body);
  return outer;
}

/// The extents within a row by the strides of subscripts, each of which is a part of the next one outwards, outermost
/// first; empty: they are no such products of sizes.
std::vector<Expr> Reader::columnsIn(const std::vector<Expr> &subscripts) const {
  std::vector<Monomial> strides;
  for (const Expr &s : subscripts)
    for (const auto &[key, coefficient] : overSizes(s).terms) {
      if (key.empty() || isOne(coefficient)) continue;
      if (coefficient.size() != 1 || coefficient.begin()->second != 1 || coefficient.begin()->first.empty()) return {};
      if (std::ranges::find(strides, coefficient.begin()->first) == strides.end())
        strides.push_back(coefficient.begin()->first);
    }
  std::ranges::sort(strides, {}, [](const Monomial &one) { return one.size(); });
  std::vector<Expr> columns;
  Monomial within;
  for (const Monomial &stride : strides) {
    Monomial factors;
    if (stride.size() <= within.size() || !std::ranges::includes(stride, within)) return {};
    std::ranges::set_difference(stride, within, std::back_inserter(factors));
    Expr extent = Expr::symbol(factors.front(), Type::Int64);
    for (std::size_t k = 1; k < factors.size(); ++k) extent = extent * Expr::symbol(factors[k], Type::Int64);
    columns.insert(columns.begin(), extent);
    within = stride;
  }
  return columns;
}

/// How many rows of how many elements so many elements are, by the strides of subscripts; absent: no stride is known.
std::optional<Grid> Reader::rowsIn(const Expr &count, const std::vector<Expr> &subscripts) {
  const auto isStride = [&](const Expr &e) {
    const Linear row = overSizes(e);
    if (e.op() == Op::Integer || row.terms.size() != 1 || !row.terms.contains("")) return false;
    return std::ranges::any_of(subscripts, [&](const Expr &s) {
      return std::ranges::any_of(
          overSizes(s).terms, [&](const auto &term) { return !term.first.empty() && term.second == row.terms.at(""); });
    });
  };
  if (count.op() == Op::Mul)
    for (const std::size_t k : {1, 0})
      if (isStride(count.arg(k))) return Grid{count.arg(1 - k), {count.arg(k)}};
  Grid grid{{}, columnsIn(subscripts)};
  if (count.op() != Op::Symbol || grid.columns.empty() || symbols(grid.row()).contains(count->name)) return {};
  const Expr columns = grid.row();
  const Expr whole = Expr::make(Op::Div, Type::Int64, {count, columns});
  const Expr isNone = Expr::make(Op::Lt, {columns, Expr::integer(1)});
  grid.rows = sizeFor(Expr::make(Op::Select, Type::Int64, {isNone, Expr::integer(0), whole}), whole, "quotient");
  if (!grid.rows) return {};
  function.given.push_back(Expr::make(Op::Eq, {count, grid.rows * columns}));
  for (Array &array : function.arrays)
    if (array.storage == Array::Storage::Local && array.extents.size() == 1 && equal(array.extents[0], count))
      array.extents[0] = grid.rows * columns;
  return rowsOfSize[count->name] = grid;
}

void Reader::relateStrides() {
  const std::set<std::string> targets = targetsOf(function.body);
  Products known;
  for (const bool areWritten : {true, false}) // where elements are only read need not be told
    for (const Array &array : function.arrays) {
      if (!array.flat || array.storage != Array::Storage::Parameter || targets.contains(array.name) != areWritten)
        continue;
      const std::vector<Expr> subscripts = subscriptsOf(function.body, array.name);
      if (std::ranges::all_of(subscripts, [&](const Expr &s) { return isPlain(overSizes(s)); }) ||
          haveShape(subscripts, {}))
        continue;
      if (areWritten && !haveShape(subscripts, known))
        for (const auto &[name, product] : relations(subscripts))
          if (known.try_emplace(name, product).second)
            function.given.push_back(Expr::make(Op::Eq, {Expr::symbol(name, Type::Int64), product}));
      if (haveShape(subscripts, known))
        function.body = resubscripted(function.body, array.name, [&](const Expr &s) { return multiplied(s, known); });
    }
}

} // namespace polymend
