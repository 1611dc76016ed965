#include "polymend/in_body.h"

namespace polymend {

Body inBody(const Body &body, const std::function<Expr(const Expr &)> &expression,
            const std::function<void(Assign &)> &assigned) {
  const auto within = [&](const Expr &e) { return e ? expression(e) : e; };
  Body result;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop copy = **loop;
      for (Expr *e : {&copy.first, &copy.limit, &copy.origin}) *e = within(*e);
      copy.body = inBody(copy.body, expression, assigned);
      result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.condition = within(copy.condition);
      copy.then = inBody(copy.then, expression, assigned);
      copy.otherwise = inBody(copy.otherwise, expression, assigned);
      result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else {
      Assign copy = *std::get<std::shared_ptr<const Assign>>(node);
      for (Expr &subscript : copy.subscripts) subscript = within(subscript);
      copy.value = within(copy.value);
      if (assigned) assigned(copy);
      result.emplace_back(std::make_shared<const Assign>(std::move(copy)));
    }
  }
  return result;
}

} // namespace polymend
