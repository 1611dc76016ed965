#include "polymend/widths.h"

#include "polymend/machine.h"

#include <algorithm>

namespace polymend {

namespace {

/// The size that an extent is; empty: it is none.
std::string sizeOf(const Expr &extent) {
  if (!extent) return "";
  const Expr &value = extent.op() == Op::Cast ? extent.arg(0) : extent;
  return value.op() == Op::Symbol ? value->name : "";
}

} // namespace

std::vector<std::string> widthsOf(const Function &function, const TileProgram &program) {
  std::vector<std::string> widths;
  for (const std::string &size : function.sizes) {
    const bool isDerived = std::any_of(function.derived.begin(), function.derived.end(),
                                       [&](const auto &derived) { return derived.first == size; });
    const auto rows = std::count_if(program.arrays.begin(), program.arrays.end(), [&](const TileArray &a) {
      return a.space == Space::Argument && !a.written && isNarrow(a.type) && a.extents.size() > 1 &&
             sizeOf(a.extents.back()) == size;
    });
    if (!isDerived && rows > 1) widths.push_back(size);
  }
  return widths;
}

} // namespace polymend
