// Functions written by hand, in few words, and isl objects from text: what the tests of model and deps start from.
#pragma once

#include "polymend/model.h"

#include <gtest/gtest.h>

namespace polymend::test {

inline Expr integer(std::int64_t value) { return Expr::integer(value, Type::Int32); }
inline Expr variable(const std::string &name) { return Expr::symbol(name, Type::Int32); }
inline Expr real(double value) { return Expr::real(value, Type::Float32); }
inline Expr at(const std::string &array, std::vector<Expr> subscripts = {}) {
  return Expr::read(array, std::move(subscripts), Type::Float32);
}
inline Expr operation(Op op, std::vector<Expr> arguments) { return Expr::make(op, std::move(arguments)); }

inline SourceRange line(unsigned number) { return {"input.cpp", number, 1, number, 2, 0, 1}; }

inline Node assign(const std::string &array, std::vector<Expr> subscripts, Expr value, unsigned number = 1) {
  return std::make_shared<const Assign>(Assign{array, std::move(subscripts), std::move(value), line(number)});
}
inline Node loop(const std::string &name, Expr first, Expr limit, Body body, std::int64_t step = 1) {
  return std::make_shared<const Loop>(
      Loop{name, name, std::move(first), std::move(limit), step, std::move(body), line(1)});
}
inline Node loop(const std::string &name, const std::string &limit, Body body) {
  return loop(name, integer(0), variable(limit), std::move(body));
}
inline Node branch(Expr condition, Body then, Body otherwise = {}) {
  return std::make_shared<const Branch>(Branch{std::move(condition), std::move(then), std::move(otherwise), line(1)});
}

inline Array array(const std::string &name, std::vector<Expr> extents, Array::Storage storage) {
  return {name, Type::Float32, std::move(extents), storage, false, false, false, false, false, false, line(1)};
}
inline Array parameter(const std::string &name, std::vector<Expr> extents) {
  return array(name, std::move(extents), Array::Storage::Parameter);
}
inline Array local(const std::string &name, std::vector<Expr> extents = {}) {
  return array(name, std::move(extents), Array::Storage::Local);
}
inline Array flat(const std::string &name) {
  Array result = parameter(name, {Expr()});
  result.flat = true;
  return result;
}

inline Function function(std::vector<std::string> sizes, std::vector<Array> arrays, Body body) {
  Function result;
  result.name = "kernel";
  result.sizes = std::move(sizes);
  result.arrays = std::move(arrays);
  result.body = std::move(body);
  return result;
}

inline isl::set setOf(const Scop &scop, const std::string &text) { return isl::set(scop.context.get(), text); }
inline isl::map mapOf(const Scop &scop, const std::string &text) { return isl::map(scop.context.get(), text); }

inline Result<Scop> tryModel(const Function &f) { return model(f, makeIslContext()); }

inline Scop modelled(const Function &f) {
  Result<Scop> result = tryModel(f);
  if (!result) throw std::runtime_error(result.refusal().reason);
  return *result;
}

#define EXPECT_SAME(actual, expected)                                                                                  \
  EXPECT_TRUE((actual).is_equal(expected)) << "actual:   " << (actual) << "\nexpected: " << (expected)

/// y[i] over three passes of a row: a maximum, a sum of exponentials, a division.
inline Function threePasses() {
  const Expr i = variable("i"), x = at("x", {i, variable("j")});
  const auto pass = [&](const std::string &name, Node body) { return loop(name, "M", {std::move(body)}); };
  const auto element = [&](const std::string &j) { return at("x", {i, variable(j)}); };
  Body row{assign("m", {}, real(-1e30), 1), pass("j", assign("m", {}, operation(Op::Max, {at("m"), element("j")}), 2)),
           assign("l", {}, real(0), 3),
           pass("k", assign("l", {}, at("l") + operation(Op::Exp, {element("k") - at("m")}), 4)),
           pass("n", assign("y", {i, variable("n")},
                            operation(Op::Div, {operation(Op::Exp, {element("n") - at("m")}), at("l")}), 5))};
  return function(
      {"N", "M"},
      {parameter("x", {Expr(), variable("M")}), parameter("y", {Expr(), variable("M")}), local("m"), local("l")},
      {loop("i", "N", row)});
}

/// c = a * b, the product of an N x K and a K x M matrix.
inline Function matrixProduct() {
  const Expr i = variable("i"), j = variable("j"), k = variable("k");
  const Expr c = at("c", {i, j});
  return function({"N", "M", "K"},
                  {parameter("a", {Expr(), variable("K")}), parameter("b", {Expr(), variable("M")}),
                   parameter("c", {Expr(), variable("M")})},
                  {loop("i", "N",
                        {loop("j", "M",
                              {assign("c", {i, j}, real(0), 1),
                               loop("k", "K", {assign("c", {i, j}, c + at("a", {i, k}) * at("b", {k, j}), 2)})})})});
}

} // namespace polymend::test
