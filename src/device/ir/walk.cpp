#include "device/walk.h"

#include "tile/touched.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Replace = std::function<Expr(const Expr &)>;
using Loop = std::shared_ptr<const DeviceLoop>;
using Branch = std::shared_ptr<const DeviceBranch>;
using Deal = std::shared_ptr<const DeviceDeal>;
using One = std::shared_ptr<const DeviceOne>;
using Shares = std::shared_ptr<const DeviceShares>;

PointDim replaced(PointDim d, const Replace &f) {
  d.first = f(d.first);
  d.limit = f(d.limit);
  return d;
}

Ref replaced(Ref r, const Replace &f) {
  for (Expr &subscript : r.subscripts) subscript = f(subscript);
  return r;
}

TileAssign replaced(const TileAssign &a, const Replace &f) {
  return {replaced(a.target, f), a.update, f(a.value), a.where ? f(a.where) : a.where};
}

DeviceNode rebuilt(const TileNote &n, const Replace &) { return n; }
DeviceNode rebuilt(const DeviceLet &l, const Replace &f) { return DeviceLet{l.name, f(l.value)}; }
DeviceNode rebuilt(const DeviceAssign &a, const Replace &f) {
  return DeviceAssign{replaced(a.what, f), a.fused, a.declares};
}
DeviceNode rebuilt(const DeviceFold &l, const Replace &f) {
  return DeviceFold{replaced(l.what, f), replaced(l.along, f), l.carrier};
}
DeviceNode rebuilt(const DeviceMultiply &m, const Replace &f) {
  return DeviceMultiply{replaced(m.row, f),
                        replaced(m.column, f),
                        replaced(m.sum, f),
                        replaced(m.target, f),
                        m.type,
                        f(m.rowFactor),
                        f(m.columnFactor),
                        m.walk};
}
DeviceNode rebuilt(const DeviceTranspose &t, const Replace &f) {
  return DeviceTranspose{replaced(t.row, f), replaced(t.column, f), replaced(t.target, f), f(t.source)};
}
DeviceNode rebuilt(const Loop &l, const Replace &f) {
  DeviceLoop loop = *l;
  loop.first = f(loop.first);
  loop.limit = f(loop.limit);
  if (loop.goesOn) loop.goesOn = f(loop.goesOn);
  return std::make_shared<const DeviceLoop>(std::move(loop));
}
DeviceNode rebuilt(const Branch &b, const Replace &f) {
  return std::make_shared<const DeviceBranch>(DeviceBranch{f(b->condition), b->then, b->otherwise});
}

TermsRead replaced(TermsRead reads, const Replace &f) {
  for (auto &[read, name] : reads) read = f(read);
  return reads;
}

DeviceNode rebuilt(const Deal &d, const Replace &f) {
  const auto also = [&](Expr &e) {
    if (e) e = f(e);
  };
  DeviceDeal deal = *d;
  for (PointDim &dim : deal.points.dims) dim = replaced(dim, f);
  for (TileAssign &a : deal.points.body) a = replaced(a, f);
  for (DealtDim &dim : deal.dealt) {
    also(dim.first);
    also(dim.limit);
    also(dim.asked);
  }
  for (DeviceStream &s : deal.streams) {
    for (Expr &subscript : s.subscripts) subscript = f(subscript);
    also(s.left);
  }
  also(deal.rowFactor);
  also(deal.columnFactor);
  for (Expr &e : deal.early) e = f(e);
  deal.loaded = replaced(deal.loaded, f);
  return std::make_shared<const DeviceDeal>(std::move(deal));
}
DeviceNode rebuilt(const One &o, const Replace &) { return o; }
DeviceNode rebuilt(const DeviceBarrier &b, const Replace &) { return b; }
DeviceNode rebuilt(const DeviceLaunch &l, const Replace &) { return l; }
DeviceNode rebuilt(const DeviceReadAhead &r, const Replace &f) {
  DeviceReadAhead result{replaced(r.reads, f), r.own, f(r.limit)};
  if (result.own) result.own = replaced(*result.own, f);
  return result;
}

DeviceNode rebuilt(DeviceFill fill, const Replace &f) {
  for (Expr &subscript : fill.first) subscript = f(subscript);
  if (fill.rows) fill.rows = f(fill.rows);
  return fill;
}
DeviceNode rebuilt(const DeviceTake &t, const Replace &) { return t; }
DeviceNode rebuilt(const DeviceGive &g, const Replace &) { return g; }
DeviceNode rebuilt(const DeviceAwait &a, const Replace &) { return a; }
DeviceNode rebuilt(const DeviceCombine &c, const Replace &) { return c; }
DeviceNode rebuilt(DeviceIssue i, const Replace &f) {
  for (PointDim *d : {&i.row, &i.column, &i.sum}) *d = replaced(*d, f);
  for (Ref *r : {&i.target, &i.left, &i.right}) *r = replaced(*r, f);
  return i;
}
DeviceNode rebuilt(DeviceVote v, const Replace &f) {
  v.row = replaced(v.row, f);
  v.condition = f(v.condition);
  return v;
}
DeviceNode rebuilt(DeviceRegisters r, const Replace &f) {
  r.row = replaced(r.row, f);
  if (r.column) r.column = replaced(*r.column, f);
  r.what = replaced(r.what, f);
  for (DeviceRowValue &v : r.before) v.value = f(v.value);
  for (DeviceDivision &d : r.divisions) d.denominator = f(d.denominator);
  for (auto &[name, read] : r.reads) read = f(read);
  for (Expr *e : {&r.outer, &r.each, &r.ends})
    if (*e) *e = f(*e);
  return r;
}
DeviceNode rebuilt(const Shares &s, const Replace &) { return s; }

std::set<std::string> targetsOf(const DeviceNode &node) {
  if (const auto *assign = std::get_if<DeviceAssign>(&node)) return {assign->what.target.array};
  if (const auto *fold = std::get_if<DeviceFold>(&node)) return {fold->what.target.array};
  if (const auto *product = std::get_if<DeviceMultiply>(&node)) return {product->target.array};
  if (const auto *transposed = std::get_if<DeviceTranspose>(&node)) return {transposed->target.array};
  if (const auto *fill = std::get_if<DeviceFill>(&node)) return {fill->channel};
  if (const auto *issue = std::get_if<DeviceIssue>(&node)) return {issue->target.array};
  if (const auto *registers = std::get_if<DeviceRegisters>(&node)) return {registers->what.target.array};
  if (const auto *combine = std::get_if<DeviceCombine>(&node)) return {combine->sum};
  std::set<std::string> targets;
  if (const auto *deal = std::get_if<Deal>(&node))
    for (const TileAssign &a : (*deal)->points.body) targets.insert(a.target.array);
  return targets;
}

} // namespace

DeviceNode withExprs(const DeviceNode &node, const Replace &f) {
  return std::visit([&](const auto &x) { return rebuilt(x, f); }, node);
}

void eachExpr(const DeviceNode &node, const std::function<void(const Expr &)> &f) {
  static_cast<void>(withExprs(node, [&](const Expr &e) {
    f(e);
    return e;
  }));
}

std::vector<const DeviceBlock *> blocksOf(const DeviceNode &node) {
  if (const auto *loop = std::get_if<Loop>(&node)) return {&(*loop)->body};
  if (const auto *branch = std::get_if<Branch>(&node)) return {&(*branch)->then, &(*branch)->otherwise};
  if (const auto *one = std::get_if<One>(&node)) return {&(*one)->body};
  if (const auto *shares = std::get_if<Shares>(&node)) return {&(*shares)->body};
  return {};
}

DeviceNode withBlocks(const DeviceNode &node, const std::function<DeviceBlock(const DeviceBlock &)> &f) {
  if (const auto *loop = std::get_if<Loop>(&node)) {
    DeviceLoop copy = **loop;
    copy.body = f(copy.body);
    return std::make_shared<const DeviceLoop>(std::move(copy));
  }
  if (const auto *branch = std::get_if<Branch>(&node))
    return std::make_shared<const DeviceBranch>(
        DeviceBranch{(*branch)->condition, f((*branch)->then), f((*branch)->otherwise)});
  if (const auto *one = std::get_if<One>(&node)) return std::make_shared<const DeviceOne>(DeviceOne{f((*one)->body)});
  if (const auto *shares = std::get_if<Shares>(&node))
    return std::make_shared<const DeviceShares>(DeviceShares{(*shares)->tiles, (*shares)->columns, f((*shares)->body)});
  return node;
}

bool touches(const DeviceNode &node, const std::string &array) {
  bool found = targetsOf(node).contains(array);
  eachExpr(node, [&](const Expr &e) { found = found || reads(e, array); });
  for (const DeviceBlock *block : blocksOf(node))
    found = found || std::any_of(block->begin(), block->end(), [&](const DeviceNode &n) { return touches(n, array); });
  return found;
}

std::set<std::string> writtenIn(const DeviceBlock &nodes) {
  std::set<std::string> written;
  for (const DeviceNode &node : nodes) {
    written.merge(targetsOf(node));
    for (const DeviceBlock *block : blocksOf(node)) written.merge(writtenIn(*block));
  }
  return written;
}

std::set<std::string> usedIn(const DeviceBlock &nodes) {
  std::set<std::string> used;
  for (const DeviceNode &node : nodes) {
    used.merge(targetsOf(node));
    eachExpr(node, [&](const Expr &e) { noteReads(e, used); });
    for (const DeviceBlock *block : blocksOf(node)) used.merge(usedIn(*block));
  }
  return used;
}

} // namespace polymend::device_room
