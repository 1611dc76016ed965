// What is known of names while a program is mapped.
#pragma once

#include "polymend/tile.h"

#include <map>
#include <set>

namespace polymend::device_room {

/// The type in which values of `type` are computed: the 16-bit types compute in float.
inline Type computeType(Type type) { return isNarrow(type) ? Type::Float32 : type; }

/// The element type of an array, by its name.
using TypeOf = std::function<Type(const std::string &)>;

class Scope {
public:
  /// Of the program's names; `strict`: no operation may be replaced and no sum reordered.
  Scope(const TileProgram &program, bool isStrict);
  /// The arrays of a kernel join those of the program.
  void enter(const Kernel &kernel);
  [[nodiscard]] bool strict() const { return isExact; }
  [[nodiscard]] Type typeOf(const std::string &array) const;
  /// A name like `wish` that stands for nothing yet.
  std::string fresh(const std::string &wish);

private:
  std::map<std::string, Type> types;
  std::set<std::string> taken;
  bool isExact = false;
};

} // namespace polymend::device_room
