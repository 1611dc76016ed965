// Walks expressions: equality, traversal and rebuilding. Subtrees that a rewrite leaves alone stay shared, so an
// unchanged expression keeps its identity.
#include "polymend/expr.h"

#include <algorithm>
#include <bit>

namespace polymend {

bool equal(const Expr &a, const Expr &b) {
  if (a.identity() == b.identity()) return true;
  if (!a || !b) return false;
  if (a.op() != b.op() || a.type() != b.type() || a->integer != b->integer || a->name != b->name) return false;
  if (std::bit_cast<std::uint64_t>(a->real) != std::bit_cast<std::uint64_t>(b->real)) return false;
  return std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(), equal);
}

Expr rewrite(const Expr &e, const std::function<Expr(const Expr &)> &f) {
  if (!e) return e;
  std::vector<Expr> args;
  args.reserve(e->args.size());
  bool changed = false;
  for (const Expr &arg : e->args) {
    args.push_back(rewrite(arg, f));
    changed = changed || args.back().identity() != arg.identity();
  }
  if (!changed) return f(e);
  ExprNode node = *e;
  node.args = std::move(args);
  return f(Expr(std::move(node)));
}

void visit(const Expr &e, const std::function<void(const Expr &)> &f) {
  if (!e) return;
  f(e);
  for (const Expr &arg : e->args) visit(arg, f);
}

Expr substitute(const Expr &e, const std::function<Expr(const std::string &)> &f) {
  return rewrite(e, [&](const Expr &node) {
    if (node.op() != Op::Symbol) return node;
    Expr replacement = f(node->name);
    return replacement ? replacement : node;
  });
}

std::set<std::string> symbols(const Expr &e) {
  std::set<std::string> names;
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Symbol) names.insert(node->name);
  });
  return names;
}

bool reads(const Expr &e, const std::string &array) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && node->name == array); });
  return found;
}

bool reads(const Expr &e) {
  bool found = false;
  if (e) visit(e, [&](const Expr &node) { found = found || node.op() == Op::Read; });
  return found;
}

SourceRange placeOf(const Expr &e) {
  SourceRange place;
  if (e)
    visit(e, [&](const Expr &node) {
      if (!place.valid() && node->where.valid()) place = node->where;
    });
  return place;
}

std::int64_t constant(const Expr &e) { return e && e.op() == Op::Integer ? e->integer : 0; }

std::size_t size(const Expr &e) {
  std::size_t count = 0;
  visit(e, [&](const Expr &) { ++count; });
  return count;
}

} // namespace polymend
