#include "polymend/fixed_sizes.h"

#include "polymend/in_body.h"

namespace polymend {

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
  function.body = inBody(function.body, inPlace);
  for (auto &[name, value] : function.derived) value = inPlace(value);
  for (DataSize &data : function.dataSizes) data.value = inPlace(data.value);
  for (IndexFact &fact : function.facts) fact.length = inPlace(fact.length);
  for (Expr &given : function.given) given = inPlace(given);
  std::erase_if(function.given, [](const Expr &given) { return given.op() == Op::Integer && given->integer != 0; });
  function.given.push_back(Expr::make(Op::Eq, {Expr::symbol(size, Type::Int64), Expr::integer(number)}));
  return function;
}

} // namespace polymend
