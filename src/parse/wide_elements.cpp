#include "wide_elements.h"

#include "ranges.h"

namespace polymend {

void fitsSigned(const Expr &value, const std::set<std::string> &wide, const SourceRange &where) {
  visit(value, [&](const Expr &e) {
    if (e.op() == Op::Read && wide.contains(e->name))
      refuse("an element of 64 bits without a sign is used as a number", where);
  });
}

} // namespace polymend
