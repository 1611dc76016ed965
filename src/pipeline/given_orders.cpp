// A file of documents arrives, each becomes the order of one function or ends the run.
#include "given_orders.h"

#include "polymend/by_hand.h"
#include "polymend/run.h"

namespace polymend {

std::optional<std::string> takeTree(Compilation &compilation, const std::string &function) {
  const auto found = compilation.trees.find(function);
  if (found == compilation.trees.end()) return std::nullopt;
  std::string tree = found->second;
  compilation.trees.erase(found);
  return tree;
}

void refuseTrees(const PipelineOptions &options, Compilation &compilation) {
  for (const auto &[name, tree] : compilation.trees)
    compilation.wrongTrees.push_back({"'" + name + "' is no function that is read here", whole(options)});
  for (const Refusal &why : compilation.wrongTrees)
    stop(compilation, ExitCode::Usage, {"'" + options.scheduleFile + "' is not followed: " + why.reason, why.where});
}

std::optional<Refusal> readTrees(const PipelineOptions &options, Compilation &compilation) {
  if (options.scheduleFile.empty()) return std::nullopt;
  const auto text = readFile(options.scheduleFile);
  if (!text) return Refusal{text.refusal().reason, whole(options)};
  compilation.trees = documentsOf(*text);
  if (compilation.trees.empty())
    return Refusal{"'" + options.scheduleFile + "' has no document that begins with '# function NAME'", whole(options)};
  return std::nullopt;
}

} // namespace polymend
