#include "polymend/joined_by.h"

namespace polymend {

std::vector<Expr> joinedBy(Op joint, const Expr &e) {
  if (!e) return {};
  if (e.op() != joint) return {e};
  std::vector<Expr> all;
  for (const Expr &arg : e->args) {
    const std::vector<Expr> terms = joinedBy(joint, arg);
    all.insert(all.end(), terms.begin(), terms.end());
  }
  return all;
}

} // namespace polymend
