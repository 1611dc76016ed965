// The loops of a function, outer ones before those that they hold.
#include "parts.h"

#include <algorithm>

namespace polymend::graph_room {

namespace {

void collect(const Body &body, int parent, std::vector<DrawnLoop> &loops) {
  for (const Node &node : body) {
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      collect((*branch)->then, parent, loops);
      collect((*branch)->otherwise, parent, loops);
    }
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      loops.push_back({(*loop)->variable, (*loop)->sourceName, parent, (*loop)->step > 0, (*loop)->where});
      collect((*loop)->body, static_cast<int>(loops.size()) - 1, loops);
    }
  }
}

} // namespace

std::vector<DrawnLoop> loopsOf(const Function &function) {
  std::vector<DrawnLoop> loops;
  collect(function.body, -1, loops);
  return loops;
}

std::vector<int> loopsAround(const Statement &statement, const std::vector<DrawnLoop> &loops) {
  std::vector<int> result;
  for (const std::string &iterator : statement.iterators) {
    const auto at =
        std::find_if(loops.begin(), loops.end(), [&](const DrawnLoop &loop) { return loop.variable == iterator; });
    if (at == loops.end()) return {};
    result.push_back(static_cast<int>(at - loops.begin()));
  }
  return result;
}

} // namespace polymend::graph_room
