#include "wide_elements.h"

#include "ranges.h"

namespace polymend {

bool mayBeWide(const Expr &value, const std::set<std::string> &wide) {
  bool found = false;
  visit(value, [&](const Expr &e) {
    found = found || ((e.op() == Op::Read || e.op() == Op::Call) && wide.contains(e->name));
  });
  return found;
}

void fitsSigned(const Expr &value, const std::set<std::string> &wide, const std::map<std::string, Refusal> &unread,
                const SourceRange &where) {
  visit(value, [&](const Expr &e) {
    if ((e.op() != Op::Read && e.op() != Op::Call) || !wide.contains(e->name)) return;
    if (const auto why = unread.find(e->name); why != unread.end()) throw Refusal(why->second);
    refuse("an element of 64 bits without a sign is used as a number", where);
  });
}

} // namespace polymend
