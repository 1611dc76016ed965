// The primitives of the device as the functions that they come near to, for evaluation.
#pragma once

#include "polymend/expr.h"

namespace polymend::testing_device {

inline Expr understood(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() != Op::Call) return node;
    const std::string name = node->name.substr(node->name.rfind(':') + 1); // npos + 1: all
    const auto one = [&](Op op) { return Expr::make(op, node.arg(0).type(), {node.arg(0)}); };
    if (name == "exp2Fast") return one(Op::Exp2);
    if (name == "tanhByExp2" || name == "tanhApprox") return one(Op::Tanh);
    if (name == "divideFull") return Expr::make(Op::Div, {node.arg(0), node.arg(1)});
    if (name == "reciprocal") return Expr::make(Op::Div, {Expr::real(1, Type::Float32), node.arg(0)});
    if (name == "atMost") return Expr::make(Op::Min, Type::Float32, {node.arg(0), node.arg(1)});
    return node;
  });
}

} // namespace polymend::testing_device
