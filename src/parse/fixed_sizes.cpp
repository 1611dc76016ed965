#include "polymend/fixed_sizes.h"

namespace polymend {

namespace {

using InPlace = std::function<Expr(const Expr &)>;

Body replacedIn(const Body &body, const InPlace &f) {
  Body result;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop copy = **loop;
      for (Expr *e : {&copy.first, &copy.limit, &copy.origin}) *e = f(*e);
      copy.body = replacedIn(copy.body, f);
      result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      Branch copy = **branch;
      copy.condition = f(copy.condition);
      copy.then = replacedIn(copy.then, f);
      copy.otherwise = replacedIn(copy.otherwise, f);
      result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
    } else {
      Assign copy = *std::get<std::shared_ptr<const Assign>>(node);
      for (Expr &subscript : copy.subscripts) subscript = f(subscript);
      copy.value = f(copy.value);
      result.emplace_back(std::make_shared<const Assign>(std::move(copy)));
    }
  }
  return result;
}

} // namespace

Function withSize(Function function, const std::string &size, std::int64_t number) {
  const auto inPlace = [&](const Expr &e) {
    if (!e) return e;
    const Expr replaced = rewrite(e, [&](const Expr &node) {
      return node.op() == Op::Symbol && node->name == size ? Expr::integer(number, node.type()) : node;
    });
    return isInteger(e.type()) ? simplify(replaced) : replaced;
  };
  for (Array &array : function.arrays) {
    for (Expr &extent : array.extents) extent = inPlace(extent);
    for (Expr *e : {&array.length, &array.count}) *e = inPlace(*e);
  }
  function.body = replacedIn(function.body, inPlace);
  for (auto &[name, value] : function.derived) value = inPlace(value);
  for (DataSize &data : function.dataSizes) data.value = inPlace(data.value);
  for (IndexFact &fact : function.facts) fact.length = inPlace(fact.length);
  for (Expr &given : function.given) given = inPlace(given);
  std::erase_if(function.given, [](const Expr &given) { return given.op() == Op::Integer && given->integer != 0; });
  function.given.push_back(Expr::make(Op::Eq, {Expr::symbol(size, Type::Int64), Expr::integer(number)}));
  return function;
}

} // namespace polymend
