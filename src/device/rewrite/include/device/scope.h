// What is known of names while a program is mapped.
#pragma once

#include "device/signs.h"

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
  void enter(const TileArray &array);
  [[nodiscard]] bool strict() const { return isExact; }
  [[nodiscard]] Type typeOf(const std::string &array) const;
  /// Null: no array in scope is called so.
  [[nodiscard]] const TileArray *find(const std::string &array) const;
  /// Does every element within the extents of the array exist?
  [[nodiscard]] bool isWhole(const std::string &array) const { return !partly.contains(array); }
  /// Is it an integer that the host can compute before a launch?
  [[nodiscard]] bool isOverSizes(const Expr &e) const { return isOver(e, sizes); }
  /// What is known of the signs of loop variables, as far as the program is mapped.
  Signs signs;
  /// A name like `wish` that stands for nothing yet.
  std::string fresh(const std::string &wish);

private:
  std::map<std::string, TileArray> arrays;
  std::set<std::string> taken, sizes, partly;
  bool isExact = false;
};

} // namespace polymend::device_room
