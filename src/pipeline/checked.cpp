// The same rooms, and then original and result run beside each other.
#include "result_text.h"

#include "polymend/request.h"
#include "polymend/run.h"

namespace polymend {
namespace {

/// Original and result of every function that was transformed, as the user would build them.
CheckRequest requestOf(const Compilation &compilation, const std::string &result, const PipelineOptions &options) {
  CheckRequest request;
  request.file = options.file;
  request.original = compilation.nest->source;
  request.result = result;
  request.target = options.target;
  request.arch = options.arch;
  for (const FunctionTrace &trace : compilation.traces)
    if (!trace.left) request.functions.push_back(checkedOf(trace, programOf(trace.function, compilation.programs)));
  request.sizes = options.sizes;
  request.clangArgs = options.clangArgs;
  request.seed = options.seed;
  request.bitEqual = options.fp == FloatMode::Strict;
  request.journal = options.journal;
  request.progress = options.progress;
  return request;
}

} // namespace

PipelineOutcome check(const PipelineOptions &asked) {
  PipelineOptions options = asked;
  options.thorough = true;
  Compilation compilation = compile(options);
  if (!compilation.nest) return compilation.outcome;
  const auto result =
      laidOut(print(*compilation.nest, compilation.mapped, printing(options)), *compilation.nest, options);
  if (!result) return stop(compilation, ExitCode::Usage, {result.refusal().reason, whole(options)});
  const CheckRequest request = requestOf(compilation, *result, options);
  if (const auto wrong = sizesRefused(request.sizes, request.functions))
    return stop(compilation, ExitCode::Usage, {*wrong, whole(options)});
  if (const auto place = placeFor(options.target, options.arch); !place)
    return stop(compilation, ExitCode::Untested, {"nothing was checked: " + place.refusal().reason, whole(options)});
  const auto table = runSideBySide(request);
  if (!table) {
    const bool isOurs = table.refusal().reason.starts_with("the result ");
    return stop(compilation, isOurs ? ExitCode::Invalid : ExitCode::Untested, table.refusal());
  }
  compilation.outcome.text = options.checkAsJson ? writeJson(*table) : show(*table);
  if (table->verdict() == CheckTable::Verdict::Disagree) compilation.outcome.exitCode = ExitCode::Invalid;
  if (table->verdict() == CheckTable::Verdict::Unfinished && compilation.outcome.exitCode == ExitCode::Done)
    compilation.outcome.exitCode = ExitCode::Untested;
  return compilation.outcome;
}

} // namespace polymend
