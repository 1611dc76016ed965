// A gather z[t[i]] from a computed array would keep the whole array alive. As a sum over the elements with one that is
// not zero it is a reduction like others, and runs in the loop that computes z.
#include "capture.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// An integer expression of `reader` rewritten for `c`, whose first dimensions are those of `reader`; reads come along.
Expr adopt(const Expr &value, const Equation &reader, Equation &c) {
  const Expr renamed = substitute(value, [&](const std::string &name) {
    for (std::size_t k = 0; k < reader.dims.size(); ++k)
      if (reader.dims[k] == name) return Expr::symbol(c.dims[k], Type::Int64);
    return Expr();
  });
  return rewrite(renamed, [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    Operand operand = reader.operands[static_cast<std::size_t>(node->access)];
    const auto more = static_cast<unsigned>(c.dims.size() - reader.dims.size());
    operand.map = setDomainTuple(isl::manage(isl_map_add_dims(operand.map.copy(), isl_dim_in, more)), c.name);
    c.operands.push_back(operand);
    ExprNode read = *node;
    read.access = static_cast<int>(c.operands.size()) - 1;
    return Expr{read};
  });
}

/// The keys of `from` as expressions of c's dimensions; those that the reader does not fix become reduced dimensions.
std::vector<unsigned> bindKeys(const Equation &from, const isl::map &values, unsigned number, Equation &c,
                               std::vector<Expr> &keys) {
  std::vector<unsigned> free;
  keys.resize(from.keys);
  for (unsigned k = 0; k < from.keys; ++k) {
    const isl::map one = onlyOutput(values, k);
    const auto fixed =
        one.is_single_valued() ? toExprs(one, symbolsOf({c.dims.begin(), c.dims.begin() + c.keys})) : std::nullopt;
    if (fixed)
      keys[k] = (*fixed)[0];
    else
      free.push_back(k);
  }
  for (unsigned k : free) {
    c.dims.push_back(from.dims[k] + "c" + std::to_string(number));
    keys[k] = Expr::symbol(c.dims.back(), Type::Int64);
  }
  return free;
}

/// "Is this the element that the gather reads?"; absent: it always is.
Expr conditionOf(const Expr &read, const Equation &reader, const Equation &from, const std::vector<Expr> &keys,
                 const std::vector<Expr> &elements, Equation &c) {
  Expr condition;
  for (std::size_t d = 0; d < elements.size(); ++d) {
    const Expr wanted = adopt(read->args[d], reader, c);
    const Expr here = substitute(elements[d], [&](const std::string &name) {
      for (unsigned k = 0; k < from.keys; ++k)
        if (from.dims[k] == name) return keys[k];
      return Expr();
    });
    if (equal(simplify(wanted), simplify(here))) continue;
    const Expr same = Expr::make(Op::Eq, {wanted, here});
    condition = condition ? Expr::make(Op::And, {condition, same}) : same;
  }
  return condition;
}

} // namespace

Equation captureOf(const Expr &read, const Equation &reader, const Equation &from, int fromIndex,
                   const isl::map &values, const std::vector<Expr> &elements, unsigned number, bool reorder) {
  Equation c;
  c.name = from.name + "_at" + std::to_string(number);
  c.array = from.array;
  c.type = from.type;
  c.statement = reader.statement;
  c.monoid = Monoid::Sum;
  c.keys = static_cast<unsigned>(reader.dims.size());
  for (const std::string &dim : reader.dims) c.dims.push_back(dim + "c" + std::to_string(number));
  std::vector<Expr> keys;
  const std::vector<unsigned> free = bindKeys(from, values, number, c, keys);
  isl::set flat = isl::manage(isl_set_flatten(isl_map_wrap(values.copy())));
  isl::map source = isl::manage(isl_map_flatten_domain(isl_map_range_map(values.copy())));
  for (unsigned k = from.keys; k-- > 0;) {
    if (std::find(free.begin(), free.end(), k) != free.end()) continue;
    flat = projectOut(flat, c.keys + k, 1);
    source = projectOutDomain(source, c.keys + k, 1);
  }
  c.domain = setTuple(flat, c.name);
  c.keyDomain = setTuple(reader.domain, c.name);
  const Expr condition = conditionOf(read, reader, from, keys, elements, c);
  c.operands.push_back({fromIndex, "", setDomainTuple(source, c.name), true});
  const Expr value = Expr::read(from.name, keys, from.type, static_cast<int>(c.operands.size()) - 1);
  const Expr nothing = Expr::real(reorder || !isFloating(c.type) ? 0.0 : -0.0, c.type);
  c.value = condition ? Expr::make(Op::Select, c.type, {condition, value, nothing}) : value;
  c.initial = nothing;
  return c;
}

} // namespace polymend
