// A correction's states are written by algebra, its producers' elements by the source. Where a state reads what an
// extreme reduces, or what the source rounded, it must hold that very expression: with all such expressions taken out,
// a state reads nothing that the element does not read outside of them.
#include "polymend/uses.h"

#include <algorithm>

namespace polymend {
namespace {

int digitsOf(Type type) { return type == Type::Float64 ? 53 : type == Type::Float32 ? 24 : 11; }

/// A conversion between floating types that loses digits or changes the kind of 16-bit number.
bool rounds(const Expr &e) {
  if (e.op() != Op::Cast || !isFloating(e.type()) || !isFloating(e.arg(0).type())) return false;
  const Type from = e.arg(0).type();
  return from != e.type() && digitsOf(from) >= digitsOf(e.type());
}

bool readsAny(const Expr &e, const std::set<std::string> &names) {
  const std::set<std::string> used = symbols(e);
  return std::any_of(used.begin(), used.end(), [&](const std::string &name) { return names.contains(name); });
}

std::set<std::string> producersOf(const Candidate &candidate) {
  std::set<std::string> names;
  for (const AlgebraSymbol &symbol : candidate.symbols)
    if (symbol.role == AlgebraSymbol::Role::Producer) names.insert(symbol.name);
  return names;
}

/// The computed values that an extreme chooses from, without those that wait for a producer.
void addChosen(const Expr &e, const std::set<std::string> &waiting, std::vector<Expr> &found) {
  if (!e || e->args.empty() || !isFloating(e.type())) return;
  const bool passes = e.op() == Op::Select || e.op() == Op::Max || e.op() == Op::Min || e.op() == Op::FMax ||
                      e.op() == Op::FMin || (e.op() == Op::Cast && !rounds(e));
  if (!passes && !readsAny(e, waiting) && !symbols(e).empty()) found.push_back(e);
  for (std::size_t k = e.op() == Op::Select ? 1 : 0; passes && k < e->args.size(); ++k)
    addChosen(e.arg(k), waiting, found);
}

/// The parts of an element that its states must hold as they are.
std::vector<Expr> partsOf(const Candidate &candidate) {
  const std::set<std::string> waiting = producersOf(candidate);
  std::vector<Expr> known, parts;
  for (const AlgebraSymbol &symbol : candidate.symbols)
    if (symbol.role == AlgebraSymbol::Role::Producer && (symbol.monoid == Monoid::Max || symbol.monoid == Monoid::Min))
      addChosen(symbol.element, waiting, known);
  const std::function<void(const Expr &)> add = [&](const Expr &e) {
    const bool chosen = std::any_of(known.begin(), known.end(), [&](const Expr &one) { return equal(one, e); });
    if (chosen || (rounds(e) && !readsAny(e, waiting) && !symbols(e).empty())) return parts.push_back(e);
    for (const Expr &arg : e->args) add(arg);
  };
  add(candidate.element);
  return parts;
}

Expr without(const Expr &e, const std::vector<Expr> &parts) {
  if (std::any_of(parts.begin(), parts.end(), [&](const Expr &part) { return equal(part, e); }))
    return Expr::real(0, e.type());
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = without(arg, parts);
  return Expr{node};
}

bool holds(const std::vector<Expr> &states, const std::function<bool(const Expr &)> &wanted) {
  bool found = false;
  for (const Expr &state : states) visit(state, [&](const Expr &node) { found = found || wanted(node); });
  return found;
}

/// The types to which values that wait for a producer are rounded.
std::set<Type> roundingsOf(const Candidate &candidate) {
  const std::set<std::string> waiting = producersOf(candidate);
  std::set<Type> types;
  visit(candidate.element, [&](const Expr &node) {
    if (rounds(node) && readsAny(node.arg(0), waiting)) types.insert(node.type());
  });
  return types;
}

std::optional<std::string> misreading(const Mended &mended) {
  const std::vector<Expr> &states = mended.correction.state, parts = partsOf(mended.candidate);
  const auto isRead = [&](const Expr &part) {
    const std::set<std::string> names = symbols(part);
    return std::any_of(states.begin(), states.end(), [&](const Expr &state) { return readsAny(state, names); });
  };
  for (const Expr &part : parts)
    if (isRead(part) && !holds(states, [&](const Expr &node) { return equal(node, part); }))
      return "does not read '" + show(part) + "' as the source computes it";
  const std::set<std::string> rest = symbols(without(mended.candidate.element, parts));
  for (const Expr &state : states)
    for (const std::string &name : symbols(without(state, parts)))
      if (!rest.contains(name)) return "reads '" + name + "' where the source reads what is computed from it";
  for (const Type type : roundingsOf(mended.candidate)) {
    const bool wider = std::any_of(states.begin(), states.end(),
                                   [&](const Expr &state) { return digitsOf(state.type()) > digitsOf(type); });
    if (wider && !holds(states, [&](const Expr &node) { return rounds(node) && node.type() == type; }))
      return "does not round to '" + spell(type) + "' what the source does";
  }
  return std::nullopt;
}

} // namespace

std::vector<std::string> misreadings(const Relaxed &relaxed) {
  std::vector<std::string> found;
  for (const Mended &mended : relaxed.mended)
    if (const auto fault = misreading(mended))
      found.push_back("'" + relaxed.system->equations[static_cast<std::size_t>(mended.consumer)].name + "' " + *fault);
  return found;
}

} // namespace polymend
