// What a name's type is taken to be in the text form where none is written: declared arrays and scalars have theirs,
// every other symbol is a 64-bit integer.
#pragma once

#include "polymend/tile.h"

#include <map>

namespace polymend::tile {

class TypeScope {
public:
  void declare(const TileArray &array) { arrays[array.name] = array.type; }
  void declareScalar(const std::string &name, Type type) { scalars[name] = type; }
  [[nodiscard]] Type ofArray(const std::string &name) const { return lookup(arrays, name, Type::Float32); }
  [[nodiscard]] Type ofSymbol(const std::string &name) const { return lookup(scalars, name, Type::Int64); }

private:
  using Types = std::map<std::string, Type>;
  static Type lookup(const Types &types, const std::string &name, Type otherwise) {
    const auto at = types.find(name);
    return at == types.end() ? otherwise : at->second;
  }
  Types arrays, scalars;
};

/// The type that C's conversions give an operation; a 64-bit integer where an operand is absent.
inline Type naturalType(Op op, const std::vector<Expr> &args) {
  for (const Expr &arg : args)
    if (!arg) return Type::Int64;
  return Expr::make(op, args).type();
}

} // namespace polymend::tile
