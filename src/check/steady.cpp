// The source is run again on inputs that are a few roundings away, with statements whose values are, and with the zeros
// that C++ lets fmax and fmin choose among chosen by rule (C17 F.10.9.2: their sign is not fixed).
#include "steady.h"

#include "run.h"

#include "tile/visit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

/// A few roundings of a number of the type, relative to it.
double fewRoundings(Type type) { return type == Type::Float64 ? 0x1p-50 : type == Type::Float32 ? 0x1p-21 : 0x1p-7; }

/// A number in [-1, 1), another for each place and turn.
double shareAt(std::size_t at, std::size_t turn) {
  const std::uint64_t mixed = (at + 1) * 0x9E3779B97F4A7C15ULL + turn * 0xBF58476D1CE4E5B9ULL;
  return static_cast<double>((mixed >> 40) % 16) / 8 - 15.0 / 16;
}

const TileArray *arrayOf(const TileProgram &program, const std::string &name) {
  const auto at = std::find_if(program.arrays.begin(), program.arrays.end(),
                               [&](const TileArray &array) { return array.name == name; });
  return at == program.arrays.end() ? nullptr : &*at;
}

/// The start with every floating number moved by a few roundings.
Memory moved(const TileProgram &program, const Memory &start, std::size_t turn) {
  Memory result = start;
  for (auto &[name, values] : result.arrays) {
    const TileArray *array = arrayOf(program, name);
    if (!array || !isFloating(array->type)) continue;
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] =
          static_cast<double>(rounded(values[k] * (1 + fewRoundings(array->type) * shareAt(k, turn)), array->type));
  }
  return result;
}

/// The program with each assignment replaced.
TileProgram withAssignments(const TileProgram &program, const std::function<TileAssign(const TileAssign &)> &other) {
  TileProgram result = program;
  for (Kernel &kernel : result.kernels) kernel = rewrite(kernel, other);
  return result;
}

/// The program each of whose statements computes a floating value that is a few roundings from its own.
TileProgram stirred(const TileProgram &program, std::size_t turn) {
  std::size_t statement = 0;
  return withAssignments(program, [&](const TileAssign &assign) {
    TileAssign result = assign;
    const Type type = assign.value.type();
    if (!isFloating(type)) return result;
    const Expr factor = Expr::real(1 + fewRoundings(type) * shareAt(statement++, turn), type);
    result.value = Expr::make(Op::Mul, type, {assign.value, factor});
    return result;
  });
}

bool choosesZeros(const Expr &e) { return e.op() == Op::FMax || e.op() == Op::FMin; }

/// The program whose fmax and fmin take their first argument, or their second, where both are equal.
TileProgram choosingZeros(const TileProgram &program, std::size_t taken) {
  return withAssignments(program, [&](const TileAssign &assign) {
    TileAssign result = assign;
    if (assign.update == Update::FMax || assign.update == Update::FMin) {
      const Type type = assign.value.type();
      const Expr old = Expr::read(assign.target.array, assign.target.subscripts, type);
      result.value = Expr::make(assign.update == Update::FMax ? Op::FMax : Op::FMin, type, {old, assign.value});
      result.update = Update::Set;
    }
    result.value = rewrite(result.value, [&](const Expr &e) {
      if (!choosesZeros(e)) return e;
      return Expr::make(Op::Select, e.type(), {Expr::make(Op::Eq, {e.arg(0), e.arg(1)}), e.arg(taken), e});
    });
    return result;
  });
}

/// `kept`, with `wanted` wherever `other` is not like it.
void keepWhereAlike(Memory &kept, const Memory &wanted, const Memory &other) {
  for (std::size_t a = 0; a < kept.arrays.size(); ++a)
    for (std::size_t k = 0; k < kept.arrays[a].second.size(); ++k) {
      const double x = wanted.arrays[a].second[k];
      const double y = other.arrays[a].second[k];
      if (!isClose(x, y, 0) || shareNoDigit(x, y)) kept.arrays[a].second[k] = x;
    }
}

} // namespace

bool isClose(double a, double b, double scale) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 0.02 * std::max({1.0, std::abs(a), scale});
}

Memory whereSteady(const TileProgram &source, const Memory &start, const Memory &wanted, const Memory &got) {
  Memory result = got;
  for (const std::size_t turn : {1, 2, 3, 4}) {
    Memory other = moved(source, start, turn);
    if (interpret(source, other)) return got;
    keepWhereAlike(result, wanted, other);
  }
  for (const TileProgram &program :
       {stirred(source, 1), stirred(source, 2), choosingZeros(source, 0), choosingZeros(source, 1)}) {
    Memory other = start;
    if (interpret(program, other)) return got;
    keepWhereAlike(result, wanted, other);
  }
  return result;
}

} // namespace polymend
