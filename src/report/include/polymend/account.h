// account: what was done to a function and why, for the report and for people.
#pragma once

#include "polymend/report.h"
#include "polymend/schedule.h"

#include <memory>

namespace polymend {

/// One function's way through the rooms; what is absent was not reached.
struct FunctionTrace {
  Function function;
  std::optional<Scop> scop;
  std::optional<Dependences> dependences;
  std::optional<Relaxed> relaxed;
  std::optional<Schedule> schedule;
  std::optional<Refusal> left;                 // why the function stays as it is
  bool invalid = false;                        // because our own validation rejected the result, or because we failed
  std::vector<std::string> faults = {};        // of ours: what failed, whether or not another way was found
  std::optional<std::string> unvalidated = {}; // why nothing of the result could be run beside the source
  std::shared_ptr<const FunctionTrace> source = {}; // as it is written, where `function` does without its scalars
  bool sharesWithin = false;   // as nothing else gains, threads share loops within such as keep their order
  std::string keptOnHost = {}; // why the entry on the caller's memory is the source's own, beside one on a device's
};

/// Adds the function's outcome and its dependences' verdicts to the report.
void account(Report &report, const FunctionTrace &trace, bool require);
/// Each decision in words and formulas, with its proof.
std::string explain(const FunctionTrace &trace);
/// The verdict on each edge in a few words, for a dependence graph.
std::vector<std::string> verdictLabels(const FunctionTrace &trace);
/// What the function's result rests on that the source does not say, each once; nothing where its loops keep their
/// order or it is left as it is.
std::vector<std::string> assumptionsOf(const FunctionTrace &trace);
/// Is anything refused, or the function left as it is?
bool blocked(const FunctionTrace &trace);

} // namespace polymend
