// A division takes longer than the few sums that a short window is made of, and a compiler moves none out of a loop
// that may turn never.
#include "device/named_quotients.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Loop = std::shared_ptr<const DeviceLoop>;
using Branch = std::shared_ptr<const DeviceBranch>;

/// What is computed where the node stands, before anything within it.
std::vector<Expr> askedFirst(const DeviceNode &node) {
  if (const auto *loop = std::get_if<Loop>(&node)) return {(*loop)->first, (*loop)->limit};
  if (const auto *branch = std::get_if<Branch>(&node)) return {(*branch)->condition};
  if (const auto *fold = std::get_if<DeviceFold>(&node)) return {fold->along.first, fold->along.limit};
  return {};
}

/// Does it divide by what only the program's user knows?
bool isQuotient(const Expr &e) {
  const bool divides = e.op() == Op::Div || e.op() == Op::Mod || e.op() == Op::FloorDiv || e.op() == Op::FloorMod;
  return divides && isInteger(e.type()) && e.arg(1).op() != Op::Integer;
}

bool readsNothing(const Expr &e) {
  bool reads = false;
  visit(e, [&](const Expr &part) { reads = reads || part.op() == Op::Read || part.op() == Op::Call; });
  return !reads;
}

/// The outermost quotients of what is computed in any case.
void addQuotients(const Expr &e, std::vector<Expr> &all) {
  if (isQuotient(e) && readsNothing(e)) {
    all.push_back(e);
    return;
  }
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  const std::size_t count = e.op() == Op::Read ? 0 : chooses ? 1 : e->args.size();
  for (std::size_t k = 0; k < count; ++k) addQuotients(e.arg(k), all);
}

/// What divides by one of these, in a node or within it.
void addQuotientsBy(const std::set<std::string> &divisors, const DeviceNode &node, std::vector<Expr> &all) {
  eachExpr(node, [&](const Expr &e) {
    if (!e) return;
    visit(e, [&](const Expr &part) {
      if (isQuotient(part) && part.arg(1).op() == Op::Symbol && divisors.contains(part.arg(1)->name) &&
          readsNothing(part))
        all.push_back(part);
    });
  });
  for (const DeviceBlock *inner : blocksOf(node))
    for (const DeviceNode &n : *inner) addQuotientsBy(divisors, n, all);
}

/// How often it is computed; in a loop, more than once.
int occurrences(const Expr &quotient, const DeviceNode &node) {
  int count = 0, within = 0;
  eachExpr(node, [&](const Expr &e) {
    if (e) visit(e, [&](const Expr &part) { count += equal(part, quotient); });
  });
  for (const DeviceBlock *inner : blocksOf(node))
    for (const DeviceNode &n : *inner) within += occurrences(quotient, n);
  return count + (std::holds_alternative<Loop>(node) ? 2 * within : within);
}

DeviceNode replaced(const DeviceNode &node, const Expr &quotient, const Expr &name) {
  const auto inExpr = [&](const Expr &e) {
    return e ? rewrite(e, [&](const Expr &part) { return equal(part, quotient) ? name : part; }) : e;
  };
  return withBlocks(withExprs(node, inExpr), [&](const DeviceBlock &block) {
    DeviceBlock result;
    for (const DeviceNode &n : block) result.push_back(replaced(n, quotient, name));
    return result;
  });
}

/// The variable that it is named after: the first of the block's own.
std::string calledAfter(const Expr &quotient, const std::set<std::string> &own) {
  std::string first;
  visit(quotient, [&](const Expr &e) {
    if (first.empty() && e.op() == Op::Symbol && own.contains(e->name)) first = e->name;
  });
  return first + "_quotient";
}

class QuotientNamer {
public:
  explicit QuotientNamer(Scope &names) : scope(names) {}
  /// Within the body of the loop its limit is positive, where it begins at 0 or behind.
  void enter(const Expr &first, const Expr &limit);
  /// `own`: the variables that become known with this block.
  DeviceBlock block(DeviceBlock nodes, const std::set<std::string> &own);

private:
  [[nodiscard]] bool fits(const Expr &e, const std::set<std::string> &own) const;
  /// Names what is worth it at node k and behind; k stays the node's place.
  void name(DeviceBlock &nodes, std::size_t &k, const std::set<std::string> &own);

  Scope &scope;
  std::set<std::string> known;    // in the blocks around, and this one
  std::set<std::string> positive; // ends of loops around
};

void QuotientNamer::enter(const Expr &first, const Expr &limit) {
  if (first.op() == Op::Integer && first->integer >= 0 && limit.op() == Op::Symbol) positive.insert(limit->name);
}

/// Is it made of what is known, and of something that was not known further out?
bool QuotientNamer::fits(const Expr &e, const std::set<std::string> &own) const {
  const std::set<std::string> in = symbols(e);
  return std::includes(known.begin(), known.end(), in.begin(), in.end()) &&
         std::any_of(in.begin(), in.end(), [&](const std::string &name) { return own.contains(name); });
}

void QuotientNamer::name(DeviceBlock &nodes, std::size_t &k, const std::set<std::string> &own) {
  std::vector<Expr> quotients;
  for (const Expr &e : askedFirst(nodes[k])) addQuotients(e, quotients);
  addQuotientsBy(positive, nodes[k], quotients);
  for (const Expr &quotient : quotients) {
    int uses = 0;
    for (std::size_t n = k; n < nodes.size(); ++n) uses += occurrences(quotient, nodes[n]);
    if (!fits(quotient, own) || uses < 2) continue;
    const std::string name = scope.fresh(calledAfter(quotient, own));
    const auto at = nodes.begin() + static_cast<std::ptrdiff_t>(k);
    const Expr symbol = Expr::symbol(name, Type::Int64), wide = Expr::make(quotient.op(), Type::Int64, quotient->args);
    std::transform(at, nodes.end(), at, [&](const DeviceNode &n) { return replaced(n, quotient, symbol); });
    nodes.insert(at, DeviceLet{name, wide});
    ++k;
  }
}

DeviceBlock QuotientNamer::block(DeviceBlock nodes, const std::set<std::string> &own) {
  const std::set<std::string> outside = known;
  known.insert(own.begin(), own.end());
  for (std::size_t k = 0; k < nodes.size(); ++k) name(nodes, k, own);
  for (DeviceNode &n : nodes) {
    const auto *loop = std::get_if<Loop>(&n);
    const std::set<std::string> variables = loop ? std::set<std::string>{(*loop)->variable} : own;
    const std::set<std::string> before = positive;
    if (loop) enter((*loop)->first, (*loop)->limit);
    n = withBlocks(n, [&](const DeviceBlock &inner) { return block(inner, variables); });
    positive = before;
  }
  known = outside;
  return nodes;
}

} // namespace

DeviceKernel withNamedQuotients(DeviceKernel kernel, const std::vector<std::string> &sizes, Scope &scope) {
  std::set<std::string> known(sizes.begin(), sizes.end());
  QuotientNamer namer(scope);
  for (const PointDim &d : kernel.grid) {
    known.insert(d.variable);
    namer.enter(d.first, d.limit);
  }
  kernel.body = namer.block(std::move(kernel.body), known);
  return kernel;
}

} // namespace polymend::device_room
