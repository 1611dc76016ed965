// A product's computed factor becomes a map equation, which the kernel that has computed what it reads stores as
// another phase over its rows; the product reads it. So does what all rows of a sum share, in a kernel of its own if it
// must be. The stored type is the one that the source rounds to, so values are the same. Tried one by one: what the
// grouping does not seat so stays as it is.
#include "computed_factor.h"
#include "group.h"

#include "relax/operands.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// Every index of an equation that is `from` or more grows by one.
void makeRoom(Relaxed &relaxed, int from) {
  const auto move = [&](int &index) { index += index >= from; };
  for (Equation &e : relaxed.system->equations)
    for (Operand &operand : e.operands) move(operand.equation);
  for (Blocking &pair : relaxed.fused) {
    move(pair.producer);
    move(pair.consumer);
  }
  for (Mended &mended : relaxed.mended) {
    move(mended.consumer);
    for (int &producer : mended.producers) move(producer);
  }
  for (ConstantPivot &pivot : relaxed.constantPivots) {
    move(pivot.producer);
    move(pivot.scale);
  }
}

/// Leaves out correction m, whose consumer runs in a kernel of its own.
void dropCorrection(Relaxed &relaxed, int m) {
  const int consumer = relaxed.mended[static_cast<std::size_t>(m)].consumer;
  relaxed.mended.erase(relaxed.mended.begin() + m);
  std::erase_if(relaxed.fused, [&](const Blocking &pair) { return pair.consumer == consumer; });
  for (EdgeVerdict &verdict : relaxed.verdicts) {
    if (verdict.mended == m)
      verdict = {Verdict::Kept, Label::Exact, -1, "a product of matrices runs in a kernel of its own"};
    verdict.mended -= verdict.mended > m;
  }
  for (ConstantPivot &pivot : relaxed.constantPivots)
    for (int &mended : pivot.mended) mended -= mended > m;
}

/// The correction of an equation, -1: it has none.
int correctionOf(const Relaxed &relaxed, int e) {
  const auto own =
      std::find_if(relaxed.mended.begin(), relaxed.mended.end(), [&](const Mended &m) { return m.consumer == e; });
  return own == relaxed.mended.end() ? -1 : static_cast<int>(own - relaxed.mended.begin());
}

/// { E[dims] -> Factor[own dims] } on a product's domain.
isl::map toFactor(const Equation &product, const std::vector<unsigned> &dims, const std::string &name) {
  isl::map map = isl::manage(isl_set_identity(product.domain.copy()));
  for (unsigned d = rangeDimension(map); d-- > 0;)
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) map = projectOutRange(map, d, 1);
  return setRangeTuple(map, name);
}

/// The factor as an equation; what it reads is numbered in the order of its expression. `number` makes names unique.
Equation equationOf(const Equation &product, const ComputedFactor &factor, const std::string &number) {
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

/// Map a with the points of b too, if they are the same function of the same values; absent: they are not.
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

/// `product` with reads of equation `index` in place of the factor.
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

/// The number of the kernel, and how many phases come before the equation's.
std::pair<std::size_t, std::size_t> seatOf(const Grouping &grouping, int e) {
  for (std::size_t k = 0; k < grouping.kernels.size(); ++k)
    for (std::size_t p = 0; p < grouping.kernels[k].phases.size(); ++p)
      for (const Member &member : grouping.kernels[k].phases[p].members)
        if (member.equation == e) return {k, p};
  return {grouping.kernels.size(), 0};
}

class FactorStore {
public:
  FactorStore(const Relaxed &source, const ScheduleOptions &chosen) : result(source), options(chosen) {}

  Relaxed run() {
    if (!result.system) return result;
    for (int e = 0; e < static_cast<int>(result.system->equations.size()); ++e)
      while (storeOne(e)) {
      }
    return result;
  }

private:
  Relaxed result;
  const ScheduleOptions &options;
  std::vector<int> stored; // equations

  [[nodiscard]] const Equation &at(int e) const { return result.system->equations[static_cast<std::size_t>(e)]; }

  /// Is the correction one of those that a constant pivot may serve?
  [[nodiscard]] bool mayHaveConstantPivot(int correction) const {
    return std::any_of(result.constantPivots.begin(), result.constantPivots.end(), [&](const ConstantPivot &pivot) {
      return std::find(pivot.mended.begin(), pivot.mended.end(), correction) != pivot.mended.end();
    });
  }

  /// Does a correction stand at the equation, or one move with it?
  [[nodiscard]] bool isPartOfMend(int e) const {
    return std::ranges::any_of(result.mended, [&](const Mended &mended) {
      return mended.consumer == e || std::ranges::find(mended.producers, e) != mended.producers.end();
    });
  }

  /// Stores the first value of equation e that can be and is worth it; e is the equation's index, before and after.
  bool storeOne(int &e) {
    if (options.narrowFactors != 0)
      for (const ComputedFactor &factor : computedFactors(at(e), options))
        if (isCheaperStored(at(e), factor) && store(e, factor, true)) return true;
    if (isPartOfMend(e)) return false;
    const std::vector<ComputedFactor> terms = sharedTerms(at(e));
    return std::ranges::any_of(terms,
                               [&](const ComputedFactor &term) { return readKnown(e, term) || store(e, term, false); });
  }

  /// Reads what another equation before it computes anyway.
  bool readKnown(int e, const ComputedFactor &term) {
    const Equation own = equationOf(at(e), term, "");
    for (int other = 0; other < e; ++other) {
      const Equation &map = at(other);
      const auto both = map.monoid ? std::nullopt : united(map, own);
      if (!both || !both->domain.is_subset(map.domain)) continue;
      Equation &reader = result.system->equations[static_cast<std::size_t>(e)];
      readStored(reader, term, map, other);
      std::erase_if(reader.through, [&](int statement) {
        return statement == map.statement || std::ranges::find(map.through, statement) != map.through.end();
      });
      return true;
    }
    return false;
  }

  /// In an equation of its own, or in one that is stored already; `withRow`: where a kernel has its row anyway.
  bool store(int &e, const ComputedFactor &factor, bool withRow) {
    const int correction = correctionOf(result, e);
    if (mayHaveConstantPivot(correction)) return false;
    const Equation own = equationOf(at(e), factor, std::to_string(stored.size()));
    std::optional<Equation> both;
    const auto known = std::find_if(stored.begin(), stored.end(),
                                    [&](int other) { return (both = united(at(other), own)).has_value(); });
    Relaxed next = result;
    if (correction >= 0) dropCorrection(next, correction);
    const int index = both ? *known : e, product = both ? e : e + 1;
    auto &equations = next.system->equations;
    if (both) {
      equations[static_cast<std::size_t>(index)] = *both;
    } else {
      makeRoom(next, e);
      equations.insert(equations.begin() + e, own);
    }
    readStored(equations[static_cast<std::size_t>(product)], factor, equations[static_cast<std::size_t>(index)], index);
    const Grouping grouping = group(next, options);
    const auto [kernel, phase] = seatOf(grouping, index);
    if ((withRow && phase == 0) || kernel >= seatOf(grouping, product).first) return false;
    result = next;
    if (!both) stored.push_back(index);
    e = product;
    return true;
  }
};

} // namespace

Relaxed withStoredFactors(const Relaxed &relaxed, const ScheduleOptions &options) {
  return FactorStore(relaxed, options).run();
}

} // namespace polymend
