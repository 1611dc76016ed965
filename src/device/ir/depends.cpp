#include "device/depends.h"

#include <algorithm>
#include <map>

namespace polymend::device_room {

namespace {

bool uses(const TileAssign &a, const std::string &array) {
  return a.target.array == array || reads(a.value, array) || (a.where && reads(a.where, array));
}

} // namespace

bool isChoice(const Expr &e) {
  return e && isInteger(e.type()) && (e.op() == Op::Min || e.op() == Op::Max) && !reads(e);
}

bool isSameBound(const Expr &a, const Expr &b) {
  if (equal(a, b)) return true;
  return isChoice(a) && isChoice(b) && a.op() == b.op() && equal(a.arg(0), b.arg(1)) && equal(a.arg(1), b.arg(0));
}

bool dependsOn(const Expr &e, const std::string &variable) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Symbol && node->name == variable); });
  return found;
}

bool usesAny(const Expr &e, const std::vector<PointDim> &dims) {
  return std::any_of(dims.begin(), dims.end(), [&](const PointDim &d) { return dependsOn(e, d.variable); });
}

bool areIndependent(const std::vector<TileAssign> &body) {
  for (std::size_t i = 0; i < body.size(); ++i)
    for (std::size_t j = 0; j < body.size(); ++j)
      if (i != j && uses(body[i], body[j].target.array)) return false;
  return true;
}

namespace {

/// Are these two elements of one array never the same? Of those that differ by a constant it is seen.
bool areApart(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  for (std::size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
    const Expr between = simplify(a[d] - b[d]);
    if (between.op() == Op::Integer && between->integer != 0) return true;
  }
  return false;
}

bool areSame(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  return std::ranges::equal(a, b, [](const Expr &x, const Expr &y) { return equal(simplify(x), simplify(y)); });
}

} // namespace

bool isElement(const Ref &element, const Expr &read) {
  return read.op() == Op::Read && read->name == element.array && areSame(read->args, element.subscripts);
}

bool setsTheSame(const DeviceDeal &deal) {
  std::vector<PointDim> turns;
  for (std::size_t i = 0; i < deal.points.dims.size(); ++i)
    if (std::ranges::none_of(deal.dealt, [&](const DealtDim &d) { return d.dim == i; }))
      turns.push_back(deal.points.dims[i]);
  if (deal.form != DeviceDeal::Form::Each || turns.size() != 1 || turns.front().kind == PointDim::Kind::Parallel)
    return false;
  std::map<std::string, const Ref *> elements;
  for (const TileAssign &a : deal.points.body) {
    const auto stays = [&](const Expr &at) { return !reads(at) && !usesAny(at, turns); };
    if (a.where || !std::ranges::all_of(a.target.subscripts, stays)) return false;
    if (!elements.emplace(a.target.array, &a.target).second) return false;
  }
  bool all = true;
  for (const TileAssign &a : deal.points.body)
    visit(a.value, [&](const Expr &e) {
      const auto at = e.op() == Op::Read ? elements.find(e->name) : elements.end();
      if (at != elements.end()) all = all && (isElement(*at->second, e) || areApart(e->args, at->second->subscripts));
    });
  return all;
}

} // namespace polymend::device_room
