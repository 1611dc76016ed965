// Expressions whose names are resolved. What a name stands for stays where it is until the name goes out of scope: so
// long, finding it once does for every evaluation.
#pragma once

#include "tile/evaluate.h"

namespace polymend::tile {

/// A node of such an expression, among its neighbours in a BoundExpr.
struct Bound {
  const ExprNode *source = nullptr; // null: the expression is absent
  Number literal;
  const std::int64_t *integer = nullptr; // of a symbol; null, and no scalar: it has no value
  const Number *scalar = nullptr;
  const Elements *array = nullptr; // of a read; null: there is none
  std::uint32_t next = 0, count = 0;
  Op operation = Op::Integer;
  Type of = Type::Int64;

  explicit operator bool() const { return source != nullptr; }
  [[nodiscard]] Op op() const { return operation; }
  [[nodiscard]] Type type() const { return of; }
  [[nodiscard]] const Bound &arg(std::size_t i) const { return this[next + i]; }
};

/// An expression, bound to the names of an environment; both must outlive this.
class BoundExpr {
public:
  BoundExpr(const Expr &e, const Environment &env);
  [[nodiscard]] const Bound &root() const { return nodes.front(); }

private:
  std::vector<Bound> nodes; // the arguments of a node follow one another, after it
};

Number evaluate(const Bound &e, Environment &env);
/// The element that a read is of, or null and a fault.
double *locate(const Bound &read, Environment &env);

} // namespace polymend::tile
