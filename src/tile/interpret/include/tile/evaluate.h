// Values of expressions: integers in 64 bits, floating values in double rounded to the type of every node.
#pragma once

#include "polymend/interpret.h"

#include <bit>
#include <unordered_map>

namespace polymend::tile {

/// A whole number of 64 bits or a floating one: two words, that travel in registers.
class Number {
public:
  Number() = default;
  static Number whole(std::int64_t value) { return {false, value}; }
  static Number real(double value) { return {true, std::bit_cast<std::int64_t>(value)}; }
  [[nodiscard]] bool isReal() const { return floating; }
  /// Of a floating one: 0.
  [[nodiscard]] std::int64_t integer() const { return floating ? 0 : bits; }
  [[nodiscard]] double asReal() const { return floating ? std::bit_cast<double>(bits) : static_cast<double>(bits); }
  [[nodiscard]] bool truth() const { return floating ? asReal() != 0 : bits != 0; }

private:
  Number(bool isFloating, std::int64_t value) : floating(isFloating), bits(value) {}
  bool floating = false;
  std::int64_t bits = 0;
};

/// An array of the running program: its shape, and its elements row-major.
struct Elements {
  const TileArray *shape = nullptr;
  std::vector<std::int64_t> extents; // -1: unknown
  std::vector<std::int64_t> used;    // as extents, of what is touched
  std::vector<double> *values = nullptr;
  std::int64_t origin = 0; // where element 0 stands among the values

  /// Is its extent unknown, so that it may be touched anywhere, also below its first element?
  [[nodiscard]] bool isOpen() const { return !extents.empty() && extents.front() < 0; }
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
  std::optional<Lack> lack; // where that is an element of an array of unknown extent
  bool inC = false;         // an int that overflows has no value
  bool everywhere = false;  // what conditions on real data choose between is all computed, to see what it touches

  void fail(const std::string &reason) {
    if (!fault) fault = reason;
  }
};

Number evaluate(const Expr &e, Environment &env);
/// Does it read real numbers from an array?
bool readsReal(const ExprNode &e);
/// Does the condition hold, or may what it guards be touched where that is asked for?
inline bool lets(const Expr &condition, Environment &env) {
  return evaluate(condition, env).truth() || (env.everywhere && readsReal(*condition));
}
/// The value of an Op::Integer or Op::Real.
Number literal(const ExprNode &e);
/// The element of `array` at `subscripts`, or null and a fault.
double *locate(const std::string &array, const std::vector<Expr> &subscripts, Environment &env);
Number convert(Number value, Type type);
/// a ⊕ b as the operation of an update of an element of `type` does it.
double combine(Update update, Type type, double old, double value);
/// Makes an element of `type` what an update with the value leaves.
void put(double &element, Type type, Update update, Number value);

} // namespace polymend::tile
