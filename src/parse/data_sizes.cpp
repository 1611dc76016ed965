#include "polymend/data_sizes.h"

#include <algorithm>

namespace polymend {

Expr withData(const Expr &e, const std::vector<DataSize> &dataSizes) {
  if (!e || dataSizes.empty()) return e;
  return substitute(e, [&](const std::string &name) {
    const auto at = std::find_if(dataSizes.begin(), dataSizes.end(), [&](const DataSize &d) { return d.name == name; });
    return at == dataSizes.end() ? Expr() : at->value;
  });
}

} // namespace polymend
