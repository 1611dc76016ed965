// a[p] = f(a[p], b[p, k]) for k in order: a compiler stores a[p] in every turn where b's elements may be a's, and the
// next turn waits for the store. They are not where no instance reads the element that it writes in another way: along
// the loop all instances write the same one. Without a turn nothing is stored, as the source stores nothing then.
#include "register_sums.h"

#include "tile/visit.h"

#include <isl/map.h>

#include <algorithm>

namespace polymend {

namespace {

bool isComputedIn(Type type) {
  return type == Type::Float32 || type == Type::Float64 || type == Type::Int32 || type == Type::Int64;
}

/// Does the statement read the element that it writes as such alone?
bool readsItsOwnAlone(const Statement &statement) {
  bool any = false;
  for (const Access &read : statement.reads) {
    if (read.array != statement.write.array) continue;
    const bool isOwn = read.exact && read.relation.is_equal(statement.write.relation);
    if (!isOwn && !read.relation.intersect(statement.write.relation).is_empty()) return false;
    any = any || isOwn;
  }
  return any && statement.write.exact;
}

bool isSameElement(const Expr &read, const Ref &target) {
  return read.op() == Op::Read && read->name == target.array &&
         std::equal(read->args.begin(), read->args.end(), target.subscripts.begin(), target.subscripts.end(),
                    [](const Expr &a, const Expr &b) { return equal(simplify(a), b); });
}

} // namespace

std::optional<TileNode> inRegister(const TilePoints &points, const Statement &statement, const TileArray &scalar) {
  if (points.body.size() != 1 || points.dims.empty()) return std::nullopt;
  const TileAssign &update = points.body.front();
  const PointDim &last = points.dims.back();
  const bool isInOrder = std::all_of(points.dims.begin(), points.dims.end(),
                                     [](const PointDim &dim) { return dim.kind == PointDim::Kind::Serial; });
  const bool stands = std::none_of(update.target.subscripts.begin(), update.target.subscripts.end(),
                                   [&](const Expr &e) { return symbols(e).contains(last.variable); });
  const Type type = scalar.type;
  const std::string &name = scalar.name;
  if (!isInOrder || !stands || update.where || update.update != Update::Set || !isComputedIn(type) ||
      update.value.type() != type)
    return std::nullopt;
  if (update.target.subscripts.empty() || !readsItsOwnAlone(statement)) return std::nullopt;
  const Expr held = Expr::read(name, {}, type),
             element = Expr::read(update.target.array, update.target.subscripts, type);
  const Expr value = rewrite(update.value, [&](const Expr &e) { return isSameElement(e, update.target) ? held : e; });
  if (!reads(value, name)) return std::nullopt;
  TilePoints turns{{last}, {{{name, {}}, Update::Set, value, {}}}};
  TileBranch some{Expr::make(Op::Lt, Type::Bool, {last.first, last.limit}),
                  {TileAssign{{name, {}}, Update::Set, element, {}}, nodeOf(turns),
                   TileAssign{update.target, Update::Set, held, {}}},
                  {}};
  TileNode node = nodeOf(some);
  for (std::size_t d = points.dims.size() - 1; d-- > 0;) {
    const PointDim &dim = points.dims[d];
    node = nodeOf(TileLoop{dim.variable, dim.first, dim.limit, 1, TileLoop::Kind::Serial, {node}});
  }
  return node;
}

} // namespace polymend
