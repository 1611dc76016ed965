// Rows of two containers share memory only where they are the same rows; those of one and another argument are compared
// one by one, of which there are few beside their elements.
#include "print/apart_rows.h"

#include "device/extents.h"

#include <algorithm>

namespace polymend::print_room {

const Parameter *apartRows(const Function &function, const std::string &array) {
  const auto declared = std::ranges::find(function.arrays, array, &Array::name);
  if (declared == function.arrays.end() || declared->rows.empty() || declared->flat) return nullptr;
  const auto parameter = std::ranges::find(function.parameters, array, &Parameter::name);
  return parameter != function.parameters.end() ? &*parameter : nullptr;
}

std::string rowCountOf(const Parameter &rows) {
  constexpr std::string_view behind = "data()";
  if (!rows.taken.ends_with(behind)) return "std::int64_t{1}";
  return "static_cast<std::int64_t>(" + rows.taken.substr(0, rows.taken.size() - behind.size()) + "size())";
}

std::map<std::string, std::string> allApartRows(const Function &function) {
  std::map<std::string, std::string> result;
  for (const Array &array : function.arrays)
    if (const Parameter *rows = apartRows(function, array.name))
      result[array.name] = rows->name + ", " + rowCountOf(*rows);
  return result;
}

namespace {

/// The rows of bits that a parameter has, or the one row that it is, and how many; empty: it has others.
std::string rowsOfBits(const Function &function, const std::string &array) {
  const auto declared = std::ranges::find(function.arrays, array, &Array::name);
  const auto p = std::ranges::find(function.parameters, array, &Parameter::name);
  const bool areBits = declared != function.arrays.end() && p != function.parameters.end() &&
                       declared->rows.find("vector<bool") != std::string::npos;
  if (!areBits) return "";
  const std::string bits = bitsHeldBy(*p);
  return bits.empty() ? p->name + ", " + rowCountOf(*p) : "&" + bits + ", std::int64_t{1}";
}

} // namespace

std::optional<std::string> apartTest(const Function &function, const Touching &a, const Touching &b, bool byExtents,
                                     TouchedPrinter &touched, Context &context) {
  const std::string bits = rowsOfBits(function, a.array.name), others = rowsOfBits(function, b.array.name);
  if (!bits.empty() && !others.empty()) return context.primitive("rowsShared") + "(" + bits + ", " + others + ")";
  if (!bits.empty() || !others.empty()) return "";
  const Parameter *first = apartRows(function, a.array.name), *second = apartRows(function, b.array.name);
  if (first == nullptr && second == nullptr) return std::nullopt;
  if (first == nullptr) return apartTest(function, b, a, byExtents, touched, context);
  const std::string rows = first->name + ", " + rowCountOf(*first) + ", ";
  if (second != nullptr)
    return context.primitive("rowsShared") + "(" + rows + second->name + ", " + rowCountOf(*second) + ")";
  const std::string size = "std::int64_t{sizeof(" + spellFor(b.array.type, context.table) + ")}";
  if (!byExtents)
    return context.primitive("rowsMeet") + "(" + rows + b.begin + ", " + size + ", " +
           touched.elements(b.array, b.touched) + ")";
  const Expr count = b.array.extents.empty() ? Expr::integer(1) : simplify(device_room::elementsOf(b.array));
  return context.primitive("rowsOverlap") + "(" + rows + b.begin + ", " + printFactor(count, context) + " * " + size +
         ")";
}

} // namespace polymend::print_room
