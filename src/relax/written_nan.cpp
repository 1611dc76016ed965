// A NaN is written where an expression is NaN whatever is read (a literal, 0/0, inf - inf) and may become the value: as
// one side of a choice, as an operand, or through a value that was computed before. `r > v ? r : v` goes on from a NaN
// element with what comes after it, so that the order decides; `r < v ? v : r` leaves it out in every order, unless r
// starts from one.
#include "written_nan.h"

#include "polymend/classes.h"
#include "step_by_step.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

bool isNaNWhateverIsRead(const Expr &e) {
  return classesOf(e, [](const Expr &) { return std::nullopt; }) == classes::NaN;
}

class WrittenNaN {
public:
  explicit WrittenNaN(const System &all) : system(all) {}

  /// May a value of the equation be a NaN that is written? (fmax and fmin come to one only where they start from it)
  bool isIn(int index) {
    const auto [at, isNew] = known.try_emplace(index, false);
    if (!isNew) return at->second;
    const Equation &e = system.equations[static_cast<std::size_t>(index)];
    const bool ignores = (e.monoid == Monoid::Max || e.monoid == Monoid::Min) && !e.comparison;
    const bool found = (e.initial && isIn(e.initial, e)) || (!ignores && isIn(e.value, e));
    return known[index] = found;
  }

  /// May the value of an equation's expression be a NaN that is written?
  bool isIn(const Expr &value, const Equation &e) {
    if (!isFloating(value.type())) return false;
    if (isNaNWhateverIsRead(value)) return true;
    if (value.op() == Op::Read) {
      const Operand &operand = e.operands[static_cast<std::size_t>(value->access)];
      return operand.equation >= 0 && isIn(operand.equation);
    }
    const auto isOne = [&](const Expr &arg) { return isIn(arg, e); };
    const auto first = value->args.begin() + (value.op() == Op::Select ? 1 : 0);
    const bool ignores = value.op() == Op::FMax || value.op() == Op::FMin;
    return ignores ? std::all_of(first, value->args.end(), isOne) : std::any_of(first, value->args.end(), isOne);
  }

private:
  const System &system;
  std::map<int, bool> known;
};

/// Do the comparisons of all statements that became the equation leave a NaN element out?
bool leaveNaNOut(const Scop &scop, const Dependences &deps, const Equation &e) {
  std::vector<int> statements = e.twins;
  statements.push_back(e.statement);
  return std::all_of(statements.begin(), statements.end(), [&](int s) {
    const Reduction *const reduction = deps.reductionOf(s);
    return reduction && leavesNaNOut(scop, *reduction);
  });
}

} // namespace

std::optional<Refusal> comparesWrittenNaN(const Scop &scop, const Dependences &deps, const System &system) {
  WrittenNaN written(system);
  for (const Equation &e : system.equations) {
    if (!e.monoid || !e.comparison || !isFloating(e.type)) continue;
    const bool starts = e.initial && written.isIn(e.initial, e);
    if (!starts && (leaveNaNOut(scop, deps, e) || !written.isIn(e.value, e))) continue;
    const std::string kind = *e.monoid == Monoid::Max ? "maximum" : "minimum";
    return Refusal{"'" + e.array + "' is a " + kind + " by comparison " +
                       (starts ? "that may start from a NaN which" : "with a NaN that") +
                       " the source writes: what it comes to depends on the order",
                   scop.statements[static_cast<std::size_t>(e.statement)].where};
  }
  return std::nullopt;
}

} // namespace polymend
