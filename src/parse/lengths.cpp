#include "polymend/lengths.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::string_view behindData = ".data()";

/// What the source calls how many elements there are, of an array that is taken as `x.data()`, as rows of numbers or as
/// it is; else empty.
std::string lengthOf(const Parameter &array) {
  constexpr std::string_view cast = "reinterpret_cast<", open = ">(";
  std::string taken = array.taken;
  if (array.isArray && taken.starts_with(cast) && taken.ends_with(")"))
    taken = taken.substr(taken.rfind(open) + open.size(), taken.size() - taken.rfind(open) - open.size() - 1);
  if (!array.isArray || !taken.ends_with(behindData)) return "";
  return taken.substr(0, taken.size() - behindData.size()) + ".size()";
}

/// How many numbers there are in each of the array's elements; absent: nobody says, or it has no such elements.
Expr numbersInEach(const Array &array) {
  if (array.extents.empty() || array.extents.front() || (array.extents.size() == 1 && !array.flat)) return {};
  Expr each = Expr::integer(1);
  for (std::size_t k = 1; k < array.extents.size(); ++k) {
    if (!array.extents[k]) return {};
    each = simplify(each * array.extents[k]);
  }
  return each;
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
    const auto owner = std::find_if(function.arrays.begin(), function.arrays.end(),
                                    [&](const Array &one) { return one.name == array.name && numbersInEach(one); });
    if (length.empty() || owner == function.arrays.end()) continue;
    const auto known = std::find_if(given.begin(), given.end(), [&](const Parameter &other) {
      return !other.isArray && other.taken.find("(" + length + ")") != std::string::npos;
    });
    const std::string name = known != given.end() ? known->name : freshName(function, array.name);
    if (known == given.end())
      function.parameters.push_back(
          {name, Type::Int64, false, array.where, {}, "static_cast<std::int64_t>(" + length + ")", false});
    owner->length = simplify(Expr::symbol(name, Type::Int64) * numbersInEach(*owner));
  }
  return function;
}

} // namespace polymend
