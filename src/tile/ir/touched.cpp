// A condition, an update of what is there, and a value under a condition read what they change.
#include "tile/touched.h"

#include <algorithm>

namespace polymend {
namespace {

bool meet(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.count(name) > 0; });
}

} // namespace

void noteReads(const Expr &e, std::set<std::string> &reads) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) reads.insert(node->name);
  });
}

Touched touchedBy(const TilePoints &points) {
  Touched touched;
  for (const TileAssign &assign : points.body) {
    touched.writes.insert(assign.target.array);
    if (assign.update != Update::Set || assign.where) touched.reads.insert(assign.target.array);
    noteReads(assign.value, touched.reads);
    noteReads(assign.where, touched.reads);
  }
  return touched;
}

bool reads(const TilePoints &points, const std::string &array) { return touchedBy(points).reads.contains(array); }

bool conflict(const Touched &a, const Touched &b) {
  return meet(a.writes, b.reads) || meet(a.reads, b.writes) || meet(a.writes, b.writes);
}

} // namespace polymend
