// Printed functions arrive, the text of the file leaves.
#include "result_text.h"

#include "polymend/banner.h"
#include "polymend/remarks.h"
#include "polymend/source_marks.h"
#include "polymend/tell.h"
#include "polymend/text_layout.h"

namespace polymend {

std::string wordsOf(const PipelineOptions &options) {
  std::string words = options.target == Target::Cuda  ? " --target=cuda"
                      : options.target == Target::Hip ? " --target=hip"
                                                      : "";
  if (!options.arch.empty()) words += " --arch=" + options.arch;
  for (const std::string &entry : options.entries) words += " --entry=" + entry;
  if (options.relax == RelaxMode::None) words += " --relax=none";
  if (options.relax == RelaxMode::Rolling) words += " --relax=rolling";
  if (options.relax == RelaxMode::SplitK) words += " --relax=split-k";
  if (options.fp == FloatMode::Strict) words += " --fp=strict";
  if (options.fp == FloatMode::Approx) words += " --fp=approx";
  if (options.runtime == Runtime::Header) words += " --runtime=header";
  if (options.guardsIndices) words += " --guard=index";
  if (options.hasLines) words += " --lines";
  if (!options.scheduleFile.empty()) words += " --schedule=" + options.scheduleFile;
  for (const auto &[loop, size] : options.tiles) words += " --tile=" + loop + ":" + std::to_string(size);
  return words.empty() ? words : words.substr(1);
}

Result<Printed> wholeFile(const Printed &printed, const Nest &nest, const PipelineOptions &options) {
  if (printed.ours.empty()) return printed;
  const Result<Printed> laid = layOut(printed, options.style, options.file);
  if (!laid) return laid.refusal();
  return below(bannerOf(options.file, nest.source, wordsOf(options), options.replacesInput), *laid);
}

Result<std::string> laidOut(const Printed &printed, const Nest &nest, const PipelineOptions &options) {
  const Result<Printed> whole = wholeFile(printed, nest, options);
  if (!whole) return whole.refusal();
  if (!options.hasLines || whole->ours.empty()) return whole->text;
  return withLineDirectives(*whole, nest.source, options.file, options.output.empty() ? "<stdout>" : options.output);
}

PrintOptions printing(const PipelineOptions &options) { return {options.target, options.fp, options.runtime}; }

std::vector<std::string> assumedIn(const PipelineOptions &options, const FunctionTrace &trace) {
  std::vector<std::string> result = assumptionsOf(trace);
  const std::string directory = options.file.substr(0, options.file.rfind('/') + 1);
  for (std::string &text : result)
    for (std::size_t at = 0; !directory.empty() && (at = text.find(options.file, at)) != std::string::npos;)
      text.erase(at, directory.size());
  return result;
}

std::string headerOf(const Compilation &compilation, const PipelineOptions &options) {
  std::vector<std::string> names;
  for (const FunctionTrace &trace : compilation.traces) names.push_back(trace.function.name);
  for (const LeftAlone &left : compilation.nest->left) names.push_back(left.name);
  return entryHeader(*compilation.nest, names, compilation.outcome.text,
                     options.file.substr(options.file.rfind('/') + 1));
}

} // namespace polymend
