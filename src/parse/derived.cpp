// Bounds and strides that are quotients and products of parameters -> sizes of their own. What lies behind them is no
// affine function of the parameters, but it is a number that no loop changes: a function is modelled with that number
// as one more size, `q = n / d`, which entries compute and which every condition on sizes holds (`given`). A flat loop
// over n * m whose variable is taken apart by m again, `for (i < n * m) ... i / m ... i % m`, is the nest of two loops
// that it stands for.
#include "reader.h"
#include "wraps.h"

#include "polymend/in_body.h"

#include <algorithm>

namespace polymend {

namespace {

using Change = std::function<Expr(const Expr &)>;

/// What changes the bounds and conditions of a body, and what its subscripts.
Body reindexed(const Body &body, const Change &bound, const Change &subscript) {
  const auto inRead = [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    ExprNode read = *node;
    for (Expr &arg : read.args) arg = subscript(arg);
    return Expr(std::move(read));
  };
  const auto assigned = [&](Assign copy) {
    for (Expr &s : copy.subscripts) s = subscript(s);
    copy.value = rewrite(copy.value, inRead);
    return copy;
  };
  return changed(body, assigned, bound);
}

/// Calls f on every expression that bounds, chooses or subscripts.
void eachIndex(const Body &body, const std::function<void(const Expr &)> &f) {
  const Change look = [&](const Expr &e) { return f(e), e; };
  reindexed(body, look, look);
}

bool isDataSize(const std::string &name, const std::vector<DataSize> &all) {
  return std::any_of(all.begin(), all.end(), [&](const DataSize &data) { return data.name == name; });
}

Expr inWords(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() == Op::Cast) return node.arg(0);
    if (!isInteger(node.type()) || node.type() == Type::Int64) return node;
    ExprNode wide = *node;
    wide.type = Type::Int64;
    return Expr(std::move(wide));
  });
}

const Expr &bare(const Expr &e) { return e.op() == Op::Cast && isInteger(e.type()) ? bare(e.arg(0)) : e; }

bool isQuotientOf(const Expr &e, const std::string &variable, const Expr &divisor) {
  return isDivision(e.op()) && bare(e.arg(0)).op() == Op::Symbol && bare(e.arg(0))->name == variable &&
         equal(inWords(e.arg(1)), divisor);
}

/// The factors of a product of two, either way round.
std::vector<std::pair<Expr, Expr>> factorings(const Expr &e) {
  if (e.op() != Op::Mul) return {};
  return {{e.arg(0), e.arg(1)}, {e.arg(1), e.arg(0)}};
}

/// The factors of a product, of products within it as well.
void factors(const Expr &e, std::vector<Expr> &all) {
  if (bare(e).op() != Op::Mul) return all.push_back(bare(e));
  for (const Expr &arg : bare(e)->args) factors(arg, all);
}

/// e with `size` for the product that it is, wherever all factors of that are factors of a product.
Expr withProduct(const Expr &e, const std::vector<Expr> &product, const Expr &size) {
  if (e.op() == Op::Mul) {
    std::vector<Expr> all;
    factors(e, all);
    bool holds = true;
    for (const Expr &one : product) {
      const auto at =
          std::find_if(all.begin(), all.end(), [&](const Expr &other) { return equal(inWords(other), one); });
      holds = holds && at != all.end();
      if (at != all.end()) all.erase(at);
    }
    if (holds) {
      Expr result = size;
      for (const Expr &rest : all) result = rest * result;
      return result;
    }
  }
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = withProduct(arg, product, size);
  return Expr(std::move(node));
}

/// Everything within a body, values as well, with what f makes of it.
Body rewritten(const Body &body, const Change &f) {
  const Change all = [&](const Expr &e) { return rewrite(e, f); };
  const auto assigned = [&](Assign copy) {
    for (Expr &s : copy.subscripts) s = all(s);
    copy.value = all(copy.value);
    return copy;
  };
  return changed(body, assigned, all);
}

/// Whether something within a body, values included, is a quotient of the variable by the divisor.
bool isTakenApart(const Body &body, const std::string &variable, const Expr &divisor) {
  bool found = false;
  rewritten(body, [&](const Expr &node) {
    found = found || isQuotientOf(node, variable, divisor);
    return node;
  });
  return found;
}

} // namespace

Body Reader::inProducts(const Body &body) const {
  Body result;
  for (const Node &node : body) {
    const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
    if (loop == nullptr) {
      result.push_back(node);
      continue;
    }
    Loop copy = **loop;
    copy.body = inProducts(copy.body);
    for (const auto &[name, meaning] : function.derived) {
      if (copy.limit.op() != Op::Symbol || copy.limit->name != name || meaning.op() != Op::Mul) continue;
      std::vector<Expr> product;
      factors(meaning, product);
      const Change same = [](const Expr &e) { return e; };
      copy.body = reindexed(copy.body, same, [&](const Expr &e) { return withProduct(e, product, copy.limit); });
    }
    result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
  }
  return result;
}

bool Reader::isOverParameters(const Expr &e) const {
  bool all = isBound(e) || e.op() == Op::Integer || e.op() == Op::Symbol;
  visit(e, [&](const Expr &node) {
    const bool known = node.op() != Op::Symbol ||
                       (knowledge.parameters.contains(node->name) && !isDataSize(node->name, function.dataSizes));
    all = all && known && isInteger(node.type());
  });
  return all;
}

/// No affine function: a product of parameters, or a quotient by one.
bool Reader::needsSize(const Expr &e) const {
  if (!isOverParameters(e)) return false;
  const auto constant = [&](std::size_t k) { return e.arg(k).op() == Op::Integer; };
  if (e.op() == Op::Mul) return !constant(0) && !constant(1);
  return isDivision(e.op()) && !constant(1);
}

/// The size that stands for an expression over parameters; itself where it may not fit 64 bits.
Expr Reader::derivedSize(const Expr &e) {
  const Expr exact = inWords(e);
  const std::string name = e.op() == Op::Mul ? "product" : isDivision(e.op()) ? "quotient" : "derived";
  const Expr size = sizeFor(withoutTraps(exact), exact, name);
  return size || e.op() != Op::Mul ? size : e;
}

/// Where the source does not run instead, a product is no less than 0 and fits 64 bits; false: that cannot be asked.
bool Reader::assumeFits(const Expr &product) {
  const Interval limits{0, INT64_MAX};
  auto conditions = conditionsOf(product, limits, knowledge);
  if (!conditions) {
    assumeNonNegative(product);
    conditions = conditionsOf(product, limits, knowledge);
  }
  if (!conditions) return false;
  for (const Expr &condition : *conditions) assume(condition);
  assumeNonNegative(product);
  return true;
}

/// The size that is `meaning`: `exact`, but for where that traps; absent where a product may not fit 64 bits.
Expr Reader::sizeFor(const Expr &meaning, const Expr &exact, const std::string &called) {
  for (const auto &[name, known] : function.derived)
    if (equal(known, meaning)) return Expr::symbol(name, Type::Int64);
  const auto valuesOf = [&](const Expr &node) {
    return intervalOf(node, [&](const Expr &leaf) {
      const auto at = leaf.op() == Op::Symbol ? knowledge.parameters.find(leaf->name) : knowledge.parameters.end();
      return at == knowledge.parameters.end() ? Interval{} : at->second;
    });
  };
  bool fits = true;
  visit(exact, [&](const Expr &node) {
    const Interval values = valuesOf(node);
    fits = fits && values.least >= INT64_MIN && values.most <= INT64_MAX;
  });
  const bool isAssumed = !fits && exact.op() == Op::Mul;
  if (isAssumed && !assumeFits(exact)) return {};
  const std::string name = unique(called);
  function.derived.emplace_back(name, meaning);
  if (fits) knowledge.parameters[name] = valuesOf(exact); // sizes are derived from it, too
  if (isAssumed) knowledge.parameters[name] = {0, INT64_MAX};
  const Expr size = Expr::symbol(name, Type::Int64);
  function.given.push_back(Expr::make(Op::Eq, {size, meaning}));
  return size;
}

/// A loop from 0 to P * m whose variable is divided by m, as one over P and one over m. Where m < 1 the source runs.
std::optional<Loop> Reader::unflattened(const Loop &loop) {
  if (loop.step != 1 || loop.first.op() != Op::Integer || loop.first->integer != 0) return std::nullopt;
  for (const auto &[rows, columns] : factorings(inWords(loop.limit))) {
    if (columns.op() == Op::Integer || !isOverParameters(loop.limit) ||
        !isTakenApart(loop.body, loop.variable, columns))
      continue;
    function.given.push_back(Expr::make(Op::Le, {Expr::integer(1), columns}));
    const Expr row = Expr::symbol(unique(loop.sourceName + "_row"), Type::Int64);
    const Expr column = Expr::symbol(unique(loop.sourceName + "_column"), Type::Int64);
    const auto divided = [&](const Expr &node) {
      if (isQuotientOf(bare(node), loop.variable, columns))
        return bare(node).op() == Op::Div || bare(node).op() == Op::FloorDiv ? row : column;
      return node;
    };
    const auto counted = [&](const Expr &node) {
      const bool isVariable = node.op() == Op::Symbol && node->name == loop.variable;
      return isVariable ? row * columns + column : node;
    };
    for (DataSize &data : function.dataSizes) data.value = rewrite(rewrite(data.value, divided), counted);
    const Body whole = rewritten(rewritten(loop.body, divided), counted);
    const Loop inner{column->name, loop.sourceName, Expr::integer(0), columns, 1, whole, loop.where};
    return Loop{row->name, loop.sourceName, Expr::integer(0), rows, 1, {std::make_shared<const Loop>(inner)},
                loop.where};
  }
  return std::nullopt;
}

Body Reader::unflattened(const Body &body) {
  Body result;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop copy = **loop;
      while (const auto split = unflattened(copy)) copy = *split;
      copy.body = unflattened(copy.body);
      result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.then = unflattened(copy.then);
      copy.otherwise = unflattened(copy.otherwise);
      result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else {
      result.push_back(node);
    }
  }
  return result;
}

void Reader::deriveSizes() {
  function.body = unflattened(function.body);
  std::vector<Expr> quotients;
  const auto isKnown = [&](const Expr &e) {
    return std::any_of(quotients.begin(), quotients.end(), [&](const Expr &other) { return equal(e, other); });
  };
  const auto note = [&](const Expr &e, bool isFactor) {
    const bool counts = isDivision(e.op()) && isOverParameters(e) && (isFactor || needsSize(e));
    if (counts && !symbols(e).empty() && !isKnown(e)) quotients.push_back(e);
  };
  eachIndex(function.body, [&](const Expr &e) {
    visit(e, [&](const Expr &node) {
      note(node, false);
      for (std::size_t k = 0; node.op() == Op::Mul && k < 2; ++k)
        if (node.arg(1 - k).op() != Op::Integer) visit(node.arg(k), [&](const Expr &part) { note(part, true); });
    });
  });
  const Change ofQuotients = [&](const Expr &e) {
    return rewrite(e, [&](const Expr &node) { return isKnown(node) ? derivedSize(node) : node; });
  };
  const std::function<Expr(const Expr &)> ofProducts = [&](const Expr &e) {
    if (needsSize(e)) return derivedSize(e);
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = ofProducts(arg);
    return Expr(std::move(node));
  };
  function.body = reindexed(function.body, [&](const Expr &e) { return ofProducts(ofQuotients(e)); }, ofQuotients);
  function.body = inProducts(function.body);
  for (Array &array : function.arrays)
    for (Expr &extent : array.extents)
      if (extent) extent = ofQuotients(extent);
}

} // namespace polymend
