// Loops and conditions stay around the statements that do.
#include "each_assign.h"

namespace polymend {

Body withEach(const Body &body, const std::function<std::optional<Assign>(const Assign &)> &assigned) {
  Body result;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop copy = **loop;
      copy.body = withEach(copy.body, assigned);
      if (!copy.body.empty()) result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.then = withEach(copy.then, assigned);
      copy.otherwise = withEach(copy.otherwise, assigned);
      if (!copy.then.empty() || !copy.otherwise.empty())
        result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else if (auto one = assigned(*std::get<std::shared_ptr<const Assign>>(node))) {
      result.emplace_back(std::make_shared<const Assign>(std::move(*one)));
    }
  }
  return result;
}

} // namespace polymend
