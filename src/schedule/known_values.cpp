// Two values are one where their expressions are, under names of the same dimensions, and what they read is.
#include "known_values.h"

#include "relax/operands.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// { E[dims] -> Factor[own dims] } on a product's domain.
isl::map toFactor(const Equation &product, const std::vector<unsigned> &dims, const std::string &name) {
  isl_map *map = isl_map_from_domain(product.domain.copy());
  map = isl_map_add_dims(map, isl_dim_out, static_cast<unsigned>(dims.size()));
  for (std::size_t k = 0; k < dims.size(); ++k)
    map = isl_map_equate(map, isl_dim_in, static_cast<int>(dims[k]), isl_dim_out, static_cast<int>(k));
  return setRangeTuple(isl::manage(map), name);
}

} // namespace

Equation asEquation(const Equation &product, const ComputedFactor &factor, const std::string &number) {
  Equation e;
  e.name = product.name + "_factor" + number;
  e.array = product.array;
  e.type = factor.value.type();
  for (unsigned d : factor.dims) e.dims.push_back(product.dims[d] + "f" + number);
  e.keys = static_cast<unsigned>(e.dims.size());
  const isl::map own = toFactor(product, factor.dims, e.name);
  e.domain = e.keyDomain = own.range().coalesce();
  e.value = rewrite(substitute(factor.value,
                               [&](const std::string &symbol) {
                                 for (std::size_t k = 0; k < factor.dims.size(); ++k)
                                   if (product.dims[factor.dims[k]] == symbol)
                                     return Expr::symbol(e.dims[k], Type::Int64);
                                 return Expr();
                               }),
                    [&](const Expr &node) {
                      if (node.op() != Op::Read) return node;
                      Operand operand = product.operands[static_cast<std::size_t>(node->access)];
                      operand.map = own.reverse().apply_range(operand.map).coalesce();
                      ExprNode read = *node;
                      read.access = addOperand(e, operand);
                      return Expr{read};
                    });
  e.statement = product.statement;
  e.through = product.through;
  return e;
}

std::optional<Equation> united(const Equation &a, const Equation &b) {
  if (a.type != b.type || a.keys != b.keys || a.operands.size() != b.operands.size()) return std::nullopt;
  const Expr renamed = substitute(b.value, [&](const std::string &symbol) {
    const auto at = std::find(b.dims.begin(), b.dims.end(), symbol);
    return at == b.dims.end() ? Expr()
                              : Expr::symbol(a.dims[static_cast<std::size_t>(at - b.dims.begin())], Type::Int64);
  });
  if (!equal(a.value, renamed)) return std::nullopt;
  Equation both = a;
  both.domain = both.keyDomain = a.domain.unite(setTuple(b.domain, a.name)).coalesce();
  for (std::size_t k = 0; k < a.operands.size(); ++k) {
    const Operand &other = b.operands[k];
    if (a.operands[k].equation != other.equation || a.operands[k].array != other.array) return std::nullopt;
    isl::map &map = both.operands[k].map;
    map = map.unite(setDomainTuple(other.map, a.name)).coalesce();
    if (!map.is_single_valued()) return std::nullopt;
  }
  return both;
}

void readStored(Equation &product, const ComputedFactor &factor, const Equation &stored, int index) {
  std::vector<Expr> subscripts;
  for (unsigned d : factor.dims) subscripts.push_back(Expr::symbol(product.dims[d], Type::Int64));
  std::vector<Operand> old = product.operands;
  old.push_back({index, "", toFactor(product, factor.dims, stored.name), true});
  const Expr read = Expr::read(stored.name, subscripts, stored.type, static_cast<int>(old.size()) - 1);
  product.value = rewrite(product.value, [&](const Expr &node) { return equal(node, factor.value) ? read : node; });
  product.operands.clear();
  std::map<int, int> kept;
  const auto keep = [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    const auto [at, added] = kept.emplace(node->access, static_cast<int>(product.operands.size()));
    if (added) product.operands.push_back(old[static_cast<std::size_t>(node->access)]);
    ExprNode renumbered = *node;
    renumbered.access = at->second;
    return Expr{renumbered};
  };
  product.value = rewrite(product.value, keep);
  product.initial = rewrite(product.initial, keep);
}

bool readInstead(System &system, int reader, const ComputedFactor &term, int known) {
  constexpr std::size_t mostDims = 4;
  const Equation &map = system.equations[static_cast<std::size_t>(known)];
  Equation &e = system.equations[static_cast<std::size_t>(reader)];
  if (map.monoid || map.keys != term.dims.size() || map.keys > mostDims || size(map.value) != size(term.value))
    return false;
  ComputedFactor turned = term;
  do {
    const auto both = united(map, asEquation(e, turned, ""));
    if (!both || !both->domain.is_subset(map.domain)) continue;
    readStored(e, turned, map, known);
    std::erase_if(e.through, [&](int statement) {
      return statement == map.statement || std::ranges::find(map.through, statement) != map.through.end();
    });
    return true;
  } while (std::ranges::next_permutation(turned.dims).found);
  return false;
}

} // namespace polymend
