// The same rooms, asked what depends on what and why: graphs, pages and words instead of a file.
#include "result_text.h"

#include "polymend/banner.h"
#include "polymend/page.h"
#include "polymend/tell.h"

#include <algorithm>

namespace polymend {
namespace {

/// What is wrong with the sizes that pictures are asked for at; absent: nothing.
std::optional<Refusal> unknownSize(const Compilation &compilation, const PipelineOptions &options) {
  std::set<std::string> known;
  for (const FunctionTrace &trace : compilation.traces)
    known.insert(trace.function.sizes.begin(), trace.function.sizes.end());
  for (const Sizes &sizes : options.sizes)
    for (const auto &[name, value] : sizes)
      if (!known.contains(name))
        return Refusal{"--sizes names '" + name + "', which is no size of a function here", {}};
  return std::nullopt;
}

/// All that can be shown of the file's functions.
Drawing drawingOf(const Compilation &compilation, const PipelineOptions &options, DepsFormat format) {
  const bool hasPoints = format == DepsFormat::Html || (format == DepsFormat::Svg && !options.sizes.empty());
  Drawing drawing{options.file, compilation.nest->source, "", {}};
  for (const FunctionTrace &trace : compilation.traces)
    drawing.functions.push_back(drawn(trace, {options.sizes, hasPoints}));
  for (const LeftAlone &left : compilation.nest->left) drawing.functions.push_back(drawn(left));
  if (format != DepsFormat::Html || compilation.programs.empty()) return drawing;
  PrintOptions how = printing(options);
  how.runtime = Runtime::Header;
  const auto file = wholeFile(print(*compilation.nest, compilation.mapped, how), *compilation.nest, options);
  if (!file) return drawing;
  drawing.printed = file->text;
  how.hasMarks = true;
  const Printed marked = print(*compilation.nest, compilation.mapped, how);
  const std::string banner = bannerOf(options.file, compilation.nest->source, wordsOf(options), options.replacesInput);
  linkPrinted(drawing, originsOfLines(*file, below(banner, marked).text));
  return drawing;
}

Result<std::string> show(const Drawing &drawing, DepsFormat format, Kinds kinds) {
  if (format == DepsFormat::Json) return writeJson(drawing);
  if (format == DepsFormat::Html) return writePage(drawing);
  if (format == DepsFormat::Svg) return writeSvg(drawing, kinds);
  std::string text;
  for (const DrawnFunction &function : drawing.functions)
    if (!function.statements.empty()) text += writeDot(function, {kinds, "", false, true});
  return text;
}

} // namespace

PipelineOutcome inspectDeps(const PipelineOptions &options, DepsFormat format) {
  Compilation compilation = compile(options);
  if (!compilation.nest) return compilation.outcome;
  if (const auto wrong = unknownSize(compilation, options))
    return stop(compilation, ExitCode::Usage, {wrong->reason, whole(options)});
  if (format == DepsFormat::Text) {
    for (const FunctionTrace &trace : compilation.traces)
      if (trace.dependences)
        compilation.outcome.text += graphText(*trace.scop, *trace.dependences, verdictLabels(trace));
    return compilation.outcome;
  }
  const auto text = show(drawingOf(compilation, options, format), format, options.allKinds ? Kinds::All : Kinds::Flow);
  if (!text) return stop(compilation, ExitCode::Usage, {text.refusal().reason, whole(options)});
  compilation.outcome.text = *text;
  return compilation.outcome;
}

PipelineOutcome explain(const PipelineOptions &options, DepsFormat format) {
  Compilation compilation = compile(options);
  PipelineOutcome &outcome = compilation.outcome;
  std::vector<Explained> functions;
  for (const FunctionTrace &trace : compilation.traces) {
    functions.push_back({trace.function.name, explain(trace), planInWords(trace)});
    for (const std::string &sentence : functions.back().plan) functions.back().text += "  plan of " + sentence + "\n";
  }
  for (std::size_t k = 0; compilation.nest && k < compilation.nest->left.size(); ++k) {
    const LeftAlone &left = compilation.nest->left[k];
    const bool isTold = std::any_of(functions.begin(), functions.end(),
                                    [&](const Explained &function) { return function.name == left.name; });
    if (!isTold) functions.push_back({left.name, left.name + ":\n  left as it is: " + left.refusal.reason + "\n", {}});
  }
  if (!compilation.nest) return outcome;
  if (format == DepsFormat::Json)
    outcome.text = explanationJson(outcome.report, functions);
  else if (format == DepsFormat::Html)
    outcome.text = explanationPage(options.file, compilation.nest->source, functions);
  else
    for (const Explained &function : functions) outcome.text += function.text;
  return outcome;
}

} // namespace polymend
