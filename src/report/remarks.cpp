// Remarks stand where the source can be changed: at the statement, the call or the function that they are about.
#include "polymend/remarks.h"

#include <algorithm>
#include <set>

namespace polymend {

Diagnostic remark(Severity severity, const SourceRange &where, const std::string &text) {
  return {severity, where, text, {}};
}

Diagnostic leftRemark(const std::string &function, const Refusal &refusal, bool ours) {
  const std::string text = "'" + function + "' is left as it is: " + refusal.reason;
  return ours ? remark(Severity::Warning, refusal.where, text + std::string(askForReport))
              : remark(Severity::Remark, refusal.where, text);
}

std::string orderOf(const FunctionTrace &trace) {
  if (trace.schedule->given) return "run in the order that was given, which breaks no dependence";
  const std::string what =
      trace.schedule->moved ? "run in another order that breaks no dependence, unmended: " : "keep their order: ";
  return what + trace.schedule->why;
}

std::vector<Diagnostic> refusalRemarks(const FunctionTrace &trace) {
  std::vector<Diagnostic> remarks;
  for (const Outlined &part : trace.function.outlined)
    remarks.push_back(
        remark(Severity::Remark, part.why.where,
               "a function of its own computes this in '" + trace.function.name + "': " + part.why.reason));
  if (trace.schedule->order)
    remarks.push_back(remark(Severity::Remark, trace.relaxed->system ? trace.function.where : trace.relaxed->why.where,
                             "the loops of '" + trace.function.name + "' " + orderOf(trace)));
  for (std::size_t k = 0; k < trace.relaxed->verdicts.size(); ++k) {
    const EdgeVerdict &verdict = trace.relaxed->verdicts[k];
    if (verdict.verdict != Verdict::Refused) continue;
    const Dependence &edge = trace.dependences->edges[k];
    const auto placeOf = [&](int statement) {
      return trace.scop->statements[static_cast<std::size_t>(statement)].where;
    };
    Diagnostic diagnostic = remark(Severity::Remark, placeOf(edge.to),
                                   "the dependence on '" + edge.array + "' cannot be dropped: " + verdict.reason);
    diagnostic.notes.push_back(remark(Severity::Note, placeOf(edge.from), "it waits for this value"));
    remarks.push_back(diagnostic);
  }
  return remarks;
}

Diagnostic offUnitsRemark(const FunctionTrace &trace, const Refusal &why) {
  return remark(Severity::Remark, why.where.valid() ? why.where : trace.function.where,
                "'" + trace.function.name + "' does not use matrix units: " + why.reason);
}

/// Strides that an entry holds to be multiples: sizes of the source's that must be products.
std::string multiplesOf(const Function &function) {
  std::string names;
  for (const Expr &given : function.given) {
    if (given.op() != Op::Eq || given.arg(0).op() != Op::Symbol || given.arg(1).op() != Op::Mul) continue;
    const std::string &name = given.arg(0)->name;
    const bool isDerived = std::ranges::any_of(function.derived, [&](const auto &one) { return one.first == name; });
    if (!isDerived) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  return names;
}

std::vector<Diagnostic> trustRemarks(const FunctionTrace &trace) {
  std::vector<Diagnostic> remarks;
  const auto say = [&](const std::string &text) {
    remarks.push_back(remark(Severity::Remark, trace.function.where, "'" + trace.function.name + "' " + text));
  };
  std::string all;
  for (const std::string &assumption : assumptionsOf(trace)) all += (all.empty() ? "" : "; ") + assumption;
  if (!all.empty()) say("assumes " + all);
  if (const std::string multiples = multiplesOf(trace.function); !trace.left && !multiples.empty())
    say("runs the source's own body unless these are multiples of the strides within them: " + multiples);
  if (!trace.left && trace.unvalidated) say("is not validated: " + *trace.unvalidated);
  return remarks;
}

std::vector<Diagnostic> keptRemarks(const FunctionTrace &trace) {
  const std::string &name = trace.function.name;
  if (trace.keptOnHost.empty()) return {};
  return {remark(Severity::Remark, trace.function.where,
                 "'" + name + "' runs as it is where it takes the host's memory, as " + trace.keptOnHost + "; '" +
                     name + "_on', which takes the device's, runs the result")};
}

std::vector<Diagnostic> hostEntryRemarks(const Nest &nest, const std::vector<FunctionTrace> &traces) {
  std::vector<Diagnostic> remarks;
  for (const CallSite &call : nest.calls) {
    const bool onDevice = std::any_of(traces.begin(), traces.end(), [&](const FunctionTrace &trace) {
      return trace.function.name == call.callee && !trace.left && trace.keptOnHost.empty();
    });
    if (!onDevice || call.caller == call.callee) continue;
    remarks.push_back(
        remark(Severity::Remark, call.where,
               "'" + call.caller + "' calls '" + call.callee +
                   "', which copies its arguments to the device and its results back at each call: call '" +
                   call.callee + "_on' on device pointers to keep them there"));
  }
  for (const FunctionTrace &trace : traces) {
    if (trace.left || trace.function.mayThrow || !trace.keptOnHost.empty()) continue;
    const std::string &name = trace.function.name;
    remarks.push_back(remark(Severity::Remark, trace.function.where,
                             "'" + name +
                                 "' is noexcept: where the device fails, or there is none, the program ends; '" + name +
                                 "_on' returns the error"));
  }
  return remarks;
}

std::vector<Diagnostic> tileWarnings(const Nest &nest, const std::map<std::string, std::int64_t> &tiles) {
  std::set<std::string> names;
  for (const Function &function : nest.functions)
    for (const auto &[variable, name] : loopNames(function)) names.insert(name);
  SourceRange file;
  file.file = nest.file;
  std::vector<Diagnostic> warnings;
  for (const auto &[name, size] : tiles)
    if (!names.contains(name))
      warnings.push_back(
          remark(Severity::Warning, file, "--tile names the loop '" + name + "', which no function here has"));
  return warnings;
}

} // namespace polymend
