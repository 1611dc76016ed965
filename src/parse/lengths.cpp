#include "polymend/lengths.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::string_view behindData = ".data()";

/// What the source calls how many elements there are, of an array that is taken as `x.data()`; else empty.
std::string lengthOf(const Parameter &array) {
  if (!array.isArray || !array.taken.ends_with(behindData)) return "";
  return array.taken.substr(0, array.taken.size() - behindData.size()) + ".size()";
}

std::string freshName(const Function &function, const std::string &array) {
  std::string name = array.substr(0, array.rfind("_data")) + "_length";
  while (std::any_of(function.parameters.begin(), function.parameters.end(),
                     [&](const Parameter &other) { return other.name == name; }))
    name += "_2";
  return name;
}

} // namespace

Function withLengths(Function function) {
  const std::vector<Parameter> given = function.parameters;
  for (const Parameter &array : given) {
    const std::string length = lengthOf(array);
    const auto owner = std::find_if(function.arrays.begin(), function.arrays.end(), [&](const Array &one) {
      return one.name == array.name && one.flat && one.extents.size() == 1;
    });
    if (length.empty() || owner == function.arrays.end()) continue;
    const auto known = std::find_if(given.begin(), given.end(), [&](const Parameter &other) {
      return !other.isArray && other.taken.find(length) != std::string::npos;
    });
    const std::string name = known != given.end() ? known->name : freshName(function, array.name);
    if (known == given.end())
      function.parameters.push_back(
          {name, Type::Int64, false, array.where, {}, "static_cast<std::int64_t>(" + length + ")", false});
    owner->length = Expr::symbol(name, Type::Int64);
  }
  return function;
}

} // namespace polymend
