// Values of expressions: integers in 64 bits, floating values in double rounded to the type of every node.
#pragma once

#include "polymend/tile.h"

#include <unordered_map>

namespace polymend::tile {

struct Number {
  bool floating = false;
  std::int64_t integer = 0;
  double real = 0;
  [[nodiscard]] double asReal() const { return floating ? real : static_cast<double>(integer); }
  [[nodiscard]] bool truth() const { return floating ? real != 0 : integer != 0; }
};

/// An array of the running program: its shape, and its elements row-major.
struct Elements {
  const TileArray *shape = nullptr;
  std::vector<std::int64_t> extents; // -1: unknown
  std::vector<std::int64_t> used;    // as extents, of what is touched
  std::vector<double> *values = nullptr;
};

/// FNV-1a. With std::hash the library would rather compare a name with every other of a small table.
struct NameHash {
  std::size_t operator()(const std::string &name) const {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
  }
};

template <class Value> using ByName = std::unordered_map<std::string, Value, NameHash>;

/// Names in scope; `fault` keeps the first thing that went wrong, values after it mean nothing.
struct Environment {
  ByName<std::int64_t> integers;
  ByName<Number> scalars;
  ByName<Elements> arrays;
  std::optional<std::string> fault;

  void fail(const std::string &reason) {
    if (!fault) fault = reason;
  }
};

Number evaluate(const Expr &e, Environment &env);
/// The element of `array` at `subscripts`, or null and a fault.
double *locate(const std::string &array, const std::vector<Expr> &subscripts, Environment &env);
Number convert(const Number &value, Type type);
/// a ⊕ b as the operation of an update of an element of `type` does it.
double combine(Update update, Type type, double old, double value);

} // namespace polymend::tile
