// isl divides only where it knows the signs: fdiv_q rounds down, pdiv_q and pdiv_r have a numerator that is not
// negative, div is exact, zdiv_r is compared with zero alone. All are floor division here.
#include "ast_expr.h"

#include <isl/id.h>
#include <isl/val.h>

#include <vector>

namespace polymend {

namespace {

std::optional<Expr> joined(isl_ast_expr_op_type type, const std::vector<Expr> &args) {
  const auto make = [&](Op op, Type result = Type::Int64) {
    Expr all = args.front();
    for (std::size_t i = 1; i < args.size(); ++i) all = Expr::make(op, result, {all, args[i]});
    return all;
  };
  switch (type) {
  case isl_ast_expr_op_max: return make(Op::Max);
  case isl_ast_expr_op_min: return make(Op::Min);
  case isl_ast_expr_op_minus: return simplify(Expr::integer(0) - args.front());
  case isl_ast_expr_op_add: return args[0] + args[1];
  case isl_ast_expr_op_sub: return args[0] - args[1];
  case isl_ast_expr_op_mul: return args[0] * args[1];
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q: return make(Op::FloorDiv);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: return make(Op::FloorMod);
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then: return make(Op::And, Type::Bool);
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else: return make(Op::Or, Type::Bool);
  case isl_ast_expr_op_eq: return make(Op::Eq, Type::Bool);
  case isl_ast_expr_op_le: return make(Op::Le, Type::Bool);
  case isl_ast_expr_op_lt: return make(Op::Lt, Type::Bool);
  case isl_ast_expr_op_ge: return Expr::make(Op::Le, Type::Bool, {args[1], args[0]});
  case isl_ast_expr_op_gt: return Expr::make(Op::Lt, Type::Bool, {args[1], args[0]});
  default: return std::nullopt;
  }
}

std::string nameOf(isl_ast_expr *expression) {
  isl_id *id = isl_ast_expr_id_get_id(expression);
  std::string name = isl_id_get_name(id);
  isl_id_free(id);
  return name;
}

std::int64_t valueOf(isl_ast_expr *expression) {
  isl_val *value = isl_ast_expr_int_get_val(expression);
  const std::int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

} // namespace

std::optional<Expr> fromAst(isl_ast_expr *expression, const Standing &standing) {
  switch (isl_ast_expr_get_type(expression)) {
  case isl_ast_expr_int: return Expr::integer(valueOf(expression));
  case isl_ast_expr_id: {
    const std::string name = nameOf(expression);
    const auto at = standing.find(name);
    return at == standing.end() ? Expr::symbol(name, Type::Int64) : at->second;
  }
  case isl_ast_expr_op: break;
  default: return std::nullopt;
  }
  std::vector<Expr> args;
  const int count = isl_ast_expr_op_get_n_arg(expression);
  for (int i = 0; i < count; ++i) {
    isl_ast_expr *one = isl_ast_expr_op_get_arg(expression, i);
    const auto arg = fromAst(one, standing);
    isl_ast_expr_free(one);
    if (!arg) return std::nullopt;
    args.push_back(*arg);
  }
  return joined(isl_ast_expr_op_get_type(expression), args);
}

} // namespace polymend
