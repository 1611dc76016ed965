// The loops of a function, by the names that the source gives them.
#include "polymend/parse.h"

namespace polymend {
namespace {

void addLoops(const Body &body, std::map<std::string, std::string> &names) {
  for (const Node &node : body)
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      names[(*loop)->variable] = (*loop)->sourceName;
      addLoops((*loop)->body, names);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addLoops((*branch)->then, names);
      addLoops((*branch)->otherwise, names);
    }
}

} // namespace

std::map<std::string, std::string> loopNames(const Function &function) {
  std::map<std::string, std::string> names;
  addLoops(function.body, names);
  return names;
}

} // namespace polymend
