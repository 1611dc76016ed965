#include "polymend/in_body.h"

namespace polymend {

Body changed(const Body &body, const std::function<Assign(const Assign &)> &assigned,
             const std::function<Expr(const Expr &)> &bound) {
  Body result;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop copy = **loop;
      copy.first = bound(copy.first);
      copy.limit = bound(copy.limit);
      if (copy.origin) copy.origin = bound(copy.origin);
      copy.body = changed(copy.body, assigned, bound);
      result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.condition = bound(copy.condition);
      copy.then = changed(copy.then, assigned, bound);
      copy.otherwise = changed(copy.otherwise, assigned, bound);
      result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else {
      result.emplace_back(std::make_shared<const Assign>(assigned(*std::get<std::shared_ptr<const Assign>>(node))));
    }
  }
  return result;
}

Body inBody(const Body &body, const std::function<Expr(const Expr &)> &expression,
            const std::function<void(Assign &)> &assigned) {
  const auto within = [&](const Assign &assign) {
    Assign copy = assign;
    for (Expr &subscript : copy.subscripts) subscript = expression(subscript);
    copy.value = expression(copy.value);
    if (assigned) assigned(copy);
    return copy;
  };
  return changed(body, within, expression);
}

} // namespace polymend
