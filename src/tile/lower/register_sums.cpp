// a[p] = f(a[p], b[p, k]) for k in order: a compiler stores a[p] in every turn where b's elements may be a's, and the
// next turn waits for the store. They are not where no instance reads the element that it writes in another way: along
// the loop all instances write the same one. Without a turn nothing is stored, as the source stores nothing then.
// Where the loop around it is parallel, several of its points run beside one another (unroll and jam), each with an
// element in a register: a turn waits for the one before it, and not for those of other points.
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

/// What one point updates along a loop, with the element in a register of this name.
struct HeldPoint {
  std::string name;
  TileAssign update;
};

/// The loop with the elements of several points in registers; nothing where it has no turn.
TileBlock heldTurns(const PointDim &loop, const std::vector<HeldPoint> &held, Type type) {
  TileLoop turns{loop.variable, loop.first, loop.limit, 1, TileLoop::Kind::Serial, {}};
  TileBlock before, after;
  for (const HeldPoint &one : held) {
    const Ref &element = one.update.target, scalar{one.name, {}};
    const Expr now = Expr::read(one.name, {}, type), stored = Expr::read(element.array, element.subscripts, type);
    const Expr value = rewrite(one.update.value, [&](const Expr &e) { return isSameElement(e, element) ? now : e; });
    before.emplace_back(TileAssign{scalar, Update::Set, stored, {}});
    turns.body.emplace_back(TileAssign{scalar, Update::Set, value, {}});
    after.emplace_back(TileAssign{element, Update::Set, now, {}});
  }
  TileBlock all = std::move(before);
  all.push_back(held.size() == 1 ? nodeOf(TilePoints{{loop}, {std::get<TileAssign>(turns.body.front())}})
                                 : nodeOf(std::move(turns)));
  append(all, after);
  const Expr length = simplify(loop.limit - loop.first);
  if (length.op() == Op::Integer && length->integer > 0) return all;
  return {nodeOf(TileBranch{Expr::make(Op::Lt, Type::Bool, {loop.first, loop.limit}), all, {}})};
}

/// The nodes within loops over the first `count` dimensions.
TileBlock within(const std::vector<PointDim> &dims, std::size_t count, TileBlock nodes) {
  for (std::size_t d = count; d-- > 0;)
    nodes = {nodeOf(TileLoop{dims[d].variable, dims[d].first, dims[d].limit, 1, TileLoop::Kind::Serial, nodes})};
  return nodes;
}

/// The update at another place along a dimension.
TileAssign placedAt(const TileAssign &update, const std::string &variable, const Expr &place) {
  const auto at = [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) { return name == variable ? place : Expr(); });
  };
  TileAssign result = update;
  for (Expr &subscript : result.target.subscripts) subscript = simplify(at(subscript));
  result.value = rewrite(at(update.value), [](const Expr &e) {
    if (e.op() != Op::Read) return e;
    ExprNode read = *e;
    for (Expr &subscript : read.args) subscript = simplify(subscript);
    return Expr{read};
  });
  return result;
}

/// Does the update, along the last dimension alone, read and write one element that it can hold?
bool isHeld(const TilePoints &points, const Statement &statement, Type type) {
  if (points.body.size() != 1 || points.dims.empty()) return false;
  const TileAssign &update = points.body.front();
  const PointDim &last = points.dims.back();
  const bool stands = std::none_of(update.target.subscripts.begin(), update.target.subscripts.end(),
                                   [&](const Expr &e) { return symbols(e).contains(last.variable); });
  bool readsIt = false;
  visit(update.value, [&](const Expr &e) { readsIt = readsIt || isSameElement(e, update.target); });
  return last.kind == PointDim::Kind::Serial && stands && readsIt && !update.where && update.update == Update::Set &&
         isComputedIn(type) && update.value.type() == type && !update.target.subscripts.empty() &&
         readsItsOwnAlone(statement);
}

} // namespace

std::optional<TileBlock> inRegister(const TilePoints &points, const Statement &statement, const TileArray &scalar) {
  const bool isInOrder = std::all_of(points.dims.begin(), points.dims.end(),
                                     [](const PointDim &dim) { return dim.kind == PointDim::Kind::Serial; });
  if (!isInOrder || !isHeld(points, statement, scalar.type)) return std::nullopt;
  return within(points.dims, points.dims.size() - 1,
                heldTurns(points.dims.back(), {{scalar.name, points.body.front()}}, scalar.type));
}

std::optional<TileBlock> inRegisters(const TilePoints &points, const Statement &statement,
                                     const std::vector<TileArray> &scalars, const std::string &block) {
  if (points.dims.size() < 2 || !isHeld(points, statement, scalars.front().type)) return std::nullopt;
  const PointDim &row = points.dims[points.dims.size() - 2], &last = points.dims.back();
  std::set<std::string> bounding = symbols(last.first);
  bounding.merge(symbols(last.limit));
  const auto count = static_cast<std::int64_t>(scalars.size());
  const Expr extent = simplify(row.limit - row.first);
  const bool isShort = extent.op() == Op::Integer && extent->integer < count;
  const Type type = scalars.front().type;
  if (row.kind != PointDim::Kind::Parallel || bounding.contains(row.variable) || isShort || !isFloating(type))
    return std::nullopt;
  const Expr begin = Expr::symbol(block, Type::Int64);
  std::vector<HeldPoint> held;
  for (std::int64_t k = 0; k < count; ++k)
    held.push_back({scalars[static_cast<std::size_t>(k)].name,
                    placedAt(points.body.front(), row.variable, begin + Expr::integer(k))});
  const TileBlock each = heldTurns(last, {{scalars.front().name, points.body.front()}}, type);
  const TileLoop rest{row.variable, begin, row.limit, 1, TileLoop::Kind::Serial, each};
  const Expr isWhole = Expr::make(Op::Le, Type::Bool, {begin + Expr::integer(count), row.limit});
  const TileBranch some{isWhole, heldTurns(last, held, type), {nodeOf(rest)}};
  const TileLoop blocks{block, row.first, row.limit, count, TileLoop::Kind::Serial, {nodeOf(some)}};
  return within(points.dims, points.dims.size() - 2, {nodeOf(blocks)});
}

} // namespace polymend
