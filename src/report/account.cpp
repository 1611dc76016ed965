// Verdicts stand on the source's edges; formulas are in the source's names, a running value is primed.
#include "polymend/account.h"
#include "polymend/remarks.h"

#include "relax/rounding.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace polymend {
namespace {

/// A formula without the suffixes that make loop variables unique.
std::string formula(const Expr &e) {
  return show(substitute(e, [](const std::string &name) {
    const auto cut = name.rfind('_');
    const bool suffix = cut != std::string::npos && cut > 0 && cut + 1 < name.size() &&
                        name.find_first_not_of("0123456789co", cut + 1) == std::string::npos &&
                        name.find('[') == std::string::npos;
    return suffix ? Expr::symbol(name.substr(0, cut), Type::Int64) : Expr();
  }));
}

std::vector<std::string> formulas(const std::vector<Expr> &all) {
  std::vector<std::string> result;
  for (const Expr &e : all) result.push_back(formula(e));
  return result;
}

/// The constant pivot of a correction, null: it has none; `mended` is one of those of `relaxed`.
const ConstantPivot *constantPivotOf(const Relaxed &relaxed, const Mended &mended) {
  return constantPivotOfConsumer(relaxed, static_cast<int>(&mended - relaxed.mended.data()));
}

/// What stands for a producer: "0, as what m is the max of lies in [-50, 50]".
std::string constantText(const Relaxed &relaxed, const ConstantPivot &pivot) {
  const Equation &e = relaxed.system->equations[static_cast<std::size_t>(pivot.producer)];
  std::ostringstream out;
  out.precision(4);
  out << pivot.value << ", as what " << e.array << " is the " << spell(*e.monoid) << " of lies in [" << pivot.range.low
      << ", " << pivot.range.high << "]";
  return out.str();
}

/// The types to which the source rounds what waits for producers: a correction rounds what is left of it once a factor
/// of the producers has moved out, so that other digits are dropped.
std::vector<std::string> movedRoundings(const Mended &mended) {
  std::vector<std::string> types;
  visit(mended.candidate.element, [&](const Expr &node) {
    if (!isNarrowing(node)) return;
    const std::set<std::string> used = symbols(node.arg(0));
    const bool waits =
        std::any_of(mended.candidate.symbols.begin(), mended.candidate.symbols.end(),
                    [&](const auto &s) { return s.role == AlgebraSymbol::Role::Producer && used.contains(s.name); });
    if (waits && std::find(types.begin(), types.end(), spell(node.type())) == types.end())
      types.push_back(spell(node.type()));
  });
  return types;
}

/// What is proved of a correction: that each state at the next values r' of the producers is the mend times the states
/// at r, and that the element is what `final` makes of its states. Without equations of one side and itself.
std::vector<std::string> obligationsOf(const Mended &mended) {
  const Correction &correction = mended.correction;
  std::vector<std::string> equations;
  const auto add = [&](const Expr &left, const Expr &right) {
    if (!equal(left, right)) equations.push_back(formula(left) + " = " + formula(right));
  };
  const auto isNumber = [](const Expr &e, double value) { return e.op() == Op::Real && e->real == value; };
  const auto moved = [&](const std::string &name) {
    for (const AlgebraSymbol &symbol : mended.candidate.symbols)
      if (symbol.role == AlgebraSymbol::Role::Producer && symbol.name == name)
        return Expr::symbol(name + "'", Type::Float64);
    return Expr();
  };
  for (std::size_t i = 0; i < correction.state.size() && correction.moves; ++i) {
    Expr sum;
    for (std::size_t j = 0; j < correction.state.size(); ++j) {
      const Expr &factor = correction.mend[i][j], &state = correction.state[j];
      if (isNumber(factor, 0)) continue;
      const Expr term = isNumber(factor, 1) ? state : isNumber(state, 1) ? factor : factor * state;
      sum = sum ? sum + term : term;
    }
    add(substitute(correction.state[i], moved), sum ? sum : Expr::real(0));
  }
  const auto ofElement = [&](const std::string &name) {
    for (std::size_t k = 0; k < correction.state.size(); ++k)
      if (name == "#" + std::to_string(k)) return correction.state[k];
    return Expr();
  };
  add(mended.candidate.element, substitute(correction.final, ofElement));
  return equations;
}

ReportedCorrection reported(const Relaxed &relaxed, int mended) {
  const Correction &correction = relaxed.mended[static_cast<std::size_t>(mended)].correction;
  ReportedCorrection result;
  result.state = formulas(correction.state);
  for (const Expr &node : correction.pivotNodes) result.pivot += (result.pivot.empty() ? "" : ", ") + formula(node);
  for (const auto &row : correction.mend) result.mend.push_back(formulas(row));
  result.final = formula(correction.final);
  if (const ConstantPivot *pivot = constantPivotOfConsumer(relaxed, mended)) {
    result.pivot = constantText(relaxed, *pivot);
    result.guards.push_back("replay the row if " +
                            relaxed.system->equations[static_cast<std::size_t>(pivot->scale)].array +
                            " says that the pivot is too far off");
  }
  for (const std::string &name : correction.pivots) result.guards.push_back(name + " is finite");
  for (const std::string &text : formulas(correction.nonzero)) result.guards.push_back(text + " != 0");
  for (const std::string &text : formulas(correction.singular))
    result.guards.push_back("replay the row if " + text + " is near 0");
  result.guards.emplace_back("replay the row if a producer or the result is not finite");
  result.roundings = movedRoundings(relaxed.mended[static_cast<std::size_t>(mended)]);
  const bool isConstant = constantPivotOfConsumer(relaxed, mended) != nullptr; // nothing moves, and all is free of it
  if (!isConstant) result.obligations = obligationsOf(relaxed.mended[static_cast<std::size_t>(mended)]);
  return result;
}

ReportedStatement place(const Statement &statement) { return {statement.id, statement.where}; }

/// Statements that share a loop now: the members of each phase with what was substituted into them.
std::vector<std::vector<std::string>> fusedStatements(const FunctionTrace &trace) {
  std::vector<std::vector<std::string>> result;
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases) {
      std::set<int> all;
      for (const Member &member : phase.members) {
        const Equation &e = trace.relaxed->system->equations[static_cast<std::size_t>(member.equation)];
        all.insert(e.statement);
        all.insert(e.through.begin(), e.through.end());
        all.insert(e.twins.begin(), e.twins.end());
      }
      if (phase.members.size() < 2) continue;
      std::vector<std::string> names;
      for (int s : all) names.push_back(trace.scop->statements[static_cast<std::size_t>(s)].id);
      result.push_back(names);
    }
  return result;
}

/// How the consumer's loop runs: with running values, or in parts that are combined.
std::string updateOf(const FunctionTrace &trace, int consumer) {
  if (!trace.schedule) return "rolling";
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (member.equation == consumer && plan.parts > 1) return "split-k";
  return "rolling";
}

/// What index arrays decide is known at run time, unless it was found not to matter.
EdgeVerdict verdictOf(const FunctionTrace &trace, std::size_t edge) {
  const Dependence &dependence = trace.dependences->edges[edge];
  EdgeVerdict verdict;
  if (trace.relaxed && edge < trace.relaxed->verdicts.size()) verdict = trace.relaxed->verdicts[edge];
  if (verdict.verdict == Verdict::Kept && verdict.reason.empty() && !dependence.runtime.empty()) {
    verdict.verdict = Verdict::Runtime;
    verdict.reason = dependence.runtime;
  }
  return verdict;
}

/// The mend in a few words: "sum *= exp(m - m')", or what is deferred when the state never moves.
std::string mendText(const FunctionTrace &trace, const Mended &mended) {
  const Correction &correction = mended.correction;
  const std::string name = trace.relaxed->system->equations[static_cast<std::size_t>(mended.consumer)].array;
  if (const ConstantPivot *pivot = constantPivotOf(*trace.relaxed, mended))
    return name + " at the constant pivot " + constantText(*trace.relaxed, *pivot);
  if (!correction.moves) return name + " = " + formula(correction.final) + " at the end";
  if (correction.state.size() == 1) return name + " *= " + formula(correction.mend[0][0]);
  return name + " carried as " + std::to_string(correction.state.size()) + " sums";
}

/// Does some phase of the plan carry a reduction with this correction?
bool isApplied(const FunctionTrace &trace, int mended) {
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (member.mended == mended) return true;
  return false;
}

void describeCorrection(std::ostringstream &out, const FunctionTrace &trace, const Mended &mended) {
  const Equation &e = trace.relaxed->system->equations[static_cast<std::size_t>(mended.consumer)];
  const SourceRange &where = trace.scop->statements[static_cast<std::size_t>(e.statement)].where;
  out << "  " << where.file << ":" << where.line << ": '" << e.array << "' is a " << spell(*e.monoid)
      << "-reduction of\n      " << formula(mended.candidate.element) << "\n    which waits for";
  for (const AlgebraSymbol &symbol : mended.candidate.symbols)
    if (symbol.role == AlgebraSymbol::Role::Producer) out << " " << symbol.name;
  out << ". The dependence is dropped; polymend carries\n";
  for (std::size_t k = 0; k < mended.correction.state.size(); ++k)
    out << "      #" << k << " = " << spell(mended.correction.carry) << " over elements of "
        << formula(mended.correction.state[k]) << "\n";
  for (std::size_t i = 0; i < mended.correction.mend.size() && mended.correction.moves; ++i) {
    out << "    mended by #" << i << " :=";
    for (std::size_t j = 0; j < mended.correction.mend[i].size(); ++j)
      out << (j ? " + " : " ") << "(" << formula(mended.correction.mend[i][j]) << ") * #" << j;
    out << "\n";
  }
  if (const ConstantPivot *pivot = constantPivotOf(*trace.relaxed, mended))
    out << "    at the constant pivot " << constantText(*trace.relaxed, *pivot)
        << ";\n    the outputs are free of the pivot: proved by normal form\n";
  for (const std::string &type : movedRoundings(mended))
    out << "    rounded to " << type << " as in the source, without the factor that has moved out\n";
  out << "    and finishes with " << e.array << " = " << formula(mended.correction.final) << "\n    proof: normal form "
      << mended.correction.proof.normalForm << ", 60 digits " << mended.correction.proof.numeric << ", Z3 "
      << mended.correction.proof.z3 << "\n    in floating point: " << mended.correction.proof.conditioning << "\n";
}

} // namespace

void account(Report &report, const FunctionTrace &trace, bool require) {
  ReportedFunction function;
  function.name = trace.function.name;
  const bool refused = require && blocked(trace);
  function.outcome = refused ? Outcome::Refused : trace.left ? Outcome::Left : Outcome::Transformed;
  if (trace.left) function.reason = trace.left->reason;
  if (!trace.left && trace.schedule && trace.relaxed->system && !trace.schedule->order)
    function.fused = fusedStatements(trace);
  report.functions.push_back(function);
  if (!trace.dependences) return;
  for (const std::string &assumption : assumptionsOf(trace)) report.assumptions.push_back(assumption);
  for (std::size_t k = 0; k < trace.dependences->edges.size(); ++k) {
    const Dependence &edge = trace.dependences->edges[k];
    const EdgeVerdict verdict = verdictOf(trace, k);
    ReportedDependence entry;
    entry.function = trace.function.name;
    entry.array = edge.array;
    entry.kind = spell(edge.kind);
    entry.loop = edge.loop;
    entry.distance = edge.distance;
    entry.from = place(trace.scop->statements[static_cast<std::size_t>(edge.from)]);
    entry.to = place(trace.scop->statements[static_cast<std::size_t>(edge.to)]);
    entry.verdict = verdict.verdict;
    entry.label = verdict.label;
    entry.reason = verdict.reason;
    if (verdict.mended >= 0) {
      const Correction &correction = trace.relaxed->mended[static_cast<std::size_t>(verdict.mended)].correction;
      entry.update = updateOf(trace, trace.relaxed->mended[static_cast<std::size_t>(verdict.mended)].consumer);
      entry.correction = reported(*trace.relaxed, verdict.mended);
      entry.proof = ReportedProof{correction.proof.normalForm, correction.proof.numeric, correction.proof.z3,
                                  correction.proof.conditioning};
    }
    report.dependences.push_back(entry);
  }
}

namespace {

/// "injective(slot), as declared at file.cpp:2".
std::string declared(const IndexFact &fact) {
  const std::map<IndexFact::Kind, std::string> words{{IndexFact::Kind::Monotone, "monotone"},
                                                     {IndexFact::Kind::Injective, "injective"},
                                                     {IndexFact::Kind::Lower, "lower"},
                                                     {IndexFact::Kind::Diagonal, "diagonal"},
                                                     {IndexFact::Kind::Extent, "extent"}};
  const std::string second = fact.length ? show(fact.length) : fact.other;
  return words.at(fact.kind) + "(" + fact.array + (second.empty() ? "" : ", " + second) + "), as declared at " +
         fact.where.file + ":" + std::to_string(fact.where.line);
}

} // namespace

std::vector<std::string> assumptionsOf(const FunctionTrace &trace) {
  std::vector<std::string> result;
  for (const IndexFact &fact : trace.function.facts)
    if (!trace.left && fact.kind != IndexFact::Kind::Extent) result.push_back(declared(fact));
  if (trace.left || !trace.relaxed || !trace.relaxed->system || !trace.schedule || trace.schedule->order) return result;
  for (const std::string &assumption : trace.relaxed->assumptions)
    if (std::find(result.begin(), result.end(), assumption) == result.end()) result.push_back(assumption);
  return result;
}

bool blocked(const FunctionTrace &trace) {
  if (trace.left) return true;
  if (!trace.relaxed) return false;
  return std::any_of(trace.relaxed->verdicts.begin(), trace.relaxed->verdicts.end(),
                     [](const EdgeVerdict &verdict) { return verdict.verdict == Verdict::Refused; });
}

std::vector<std::string> verdictLabels(const FunctionTrace &trace) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < trace.dependences->edges.size(); ++k) {
    const EdgeVerdict verdict = verdictOf(trace, k);
    std::string text = spell(verdict.verdict);
    if (verdict.mended >= 0)
      text += ": " + mendText(trace, trace.relaxed->mended[static_cast<std::size_t>(verdict.mended)]);
    if (!verdict.reason.empty()) text += " (" + verdict.reason + ")";
    result.push_back(text);
  }
  return result;
}

namespace {

/// The dependences that index arrays decide on.
void describeRuntime(std::ostringstream &out, const FunctionTrace &trace) {
  for (std::size_t k = 0; trace.dependences && k < trace.dependences->edges.size(); ++k) {
    const EdgeVerdict verdict = verdictOf(trace, k);
    const Dependence &edge = trace.dependences->edges[k];
    if (verdict.verdict != Verdict::Runtime) continue;
    const SourceRange &where = trace.scop->statements[static_cast<std::size_t>(edge.to)].where;
    out << "  " << where.file << ":" << where.line << ": the " << spell(edge.kind) << " dependence on '" << edge.array
        << "'" << (edge.loop.empty() ? "" : ", carried by " + edge.loop) << ", is known at run time: " << verdict.reason
        << "\n";
  }
}

} // namespace

std::string explain(const FunctionTrace &trace) {
  std::ostringstream out;
  out << trace.function.name << ":\n";
  if (trace.left) {
    out << "  left as it is: " << trace.left->reason << "\n";
    describeRuntime(out, trace);
    return out.str();
  }
  for (const std::string &assumption : assumptionsOf(trace)) out << "  assumes " << assumption << "\n";
  if (trace.unvalidated) out << "  not validated: " << *trace.unvalidated << "\n";
  if (trace.schedule->order) out << "  its loops " << orderOf(trace) << "\n";
  for (std::size_t k = 0; k < trace.relaxed->mended.size(); ++k)
    if (isApplied(trace, static_cast<int>(k))) describeCorrection(out, trace, trace.relaxed->mended[k]);
  for (std::size_t k = 0; k < trace.dependences->edges.size(); ++k) {
    const EdgeVerdict verdict = verdictOf(trace, k);
    const Dependence &edge = trace.dependences->edges[k];
    if (verdict.verdict != Verdict::Refused) continue;
    const SourceRange &where = trace.scop->statements[static_cast<std::size_t>(edge.to)].where;
    out << "  " << where.file << ":" << where.line << ": the dependence on '" << edge.array
        << "' is kept: " << verdict.reason << "\n";
  }
  describeRuntime(out, trace);
  std::size_t number = 0;
  for (const KernelPlan &plan : trace.schedule->kernels) {
    out << "  kernel " << number++ << ": rows (";
    for (std::size_t r = 0; r < plan.rows.size(); ++r)
      out << (r ? ", " : "") << plan.rows[r].substr(0, plan.rows[r].rfind('_')) << " by " << plan.tiles[r];
    out << "), " << plan.phases.size() << (plan.phases.size() == 1 ? " phase\n" : " phases\n");
  }
  return out.str();
}

} // namespace polymend
