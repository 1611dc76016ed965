// A region is a loop over the registers of its target, one for each row or one for each element. What does not change
// along a row is computed first, once for each of the thread's rows. Sums over a row stay apart, one part a thread,
// until something reads them otherwise than by scaling; maxima are combined at once.
#include "registers.h"

#include "device/reported.h"
#include "device/rings.h"
#include "device/shared_division.h"
#include "polymend/atoms.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Arrays with values of rows that others have, too: other kernels make them, or the caller gives one for each row.
std::set<std::string> sharedByRows(const Kernel &kernel, const TileProgram &program) {
  std::set<std::string> shared;
  eachAssign(kernel.roles[1].body, [&](const TileAssign &a) {
    const bool hasRow = !a.target.subscripts.empty() && a.target.subscripts.front().op() == Op::Symbol;
    visit(a.value, [&](const Expr &e) {
      const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                      [&](const TileArray &t) { return e.op() == Op::Read && t.name == e->name; });
      if (array == program.arrays.end()) return;
      const bool isMade = array->space == Space::Work || array->written;
      if (isMade || (hasRow && symbols(e).contains(a.target.subscripts.front()->name))) shared.insert(e->name);
    });
  });
  return shared;
}

/// Does one of the conditions that all hold ask this?
bool asksFor(const Expr &conditions, Op op, const Expr &a, const Expr &b) {
  if (conditions.op() == Op::And) return asksFor(conditions.arg(0), op, a, b) || asksFor(conditions.arg(1), op, a, b);
  return conditions.op() == op && equal(simplify(conditions.arg(0)), simplify(a)) &&
         equal(simplify(conditions.arg(1)), simplify(b));
}

/// A sum of products of numbers that are at least zero: the places of chunks and of columns.
bool isPlace(const Expr &e, const TileProgram &program) {
  switch (e.op()) {
  case Op::Integer: return e->integer >= 0;
  case Op::Symbol:
    return std::ranges::find(program.sizes, e->name) == program.sizes.end() &&
           std::ranges::none_of(program.scalars, [&](const auto &scalar) { return scalar.first == e->name; });
  case Op::Read:
    return std::ranges::any_of(program.arrays, [&](const TileArray &a) {
      return a.name == e->name && a.space == Space::Work && a.type == Type::Int32;
    });
  case Op::Cast:
  case Op::Add:
  case Op::Mul: return std::ranges::all_of(e->args, [&](const Expr &arg) { return isPlace(arg, program); });
  default: return false;
  }
}

/// An element of an array, or a number where it would lie beyond its end: it can be read whatever else holds.
bool isGuardedRead(const Expr &e, const TileProgram &program, const ElementScope &scope) {
  if (e.op() != Op::Select || e.arg(1).op() != Op::Read || !e.arg(2)->args.empty() || reads(e.arg(2))) return false;
  const Expr &read = e.arg(1);
  const auto array = std::ranges::find_if(program.arrays, [&](const TileArray &a) { return a.name == read->name; });
  if (array == program.arrays.end() || array->extents.size() != read->args.size()) return false;
  for (std::size_t d = 0; d < read->args.size(); ++d) {
    const Expr &at = read->args[d];
    if (!movesInRow(at, scope)) continue;
    if (!array->extents[d] || !asksFor(e.arg(0), Op::Lt, at, usedExtent(*array, d))) return false;
    if (!isPlace(at, program) && !asksFor(e.arg(0), Op::Le, Expr::integer(0), at)) return false;
  }
  return true;
}

} // namespace

RegisterMapper::RegisterMapper(const Kernel &k, const TileProgram &p, const DeviceRoles &r, bool approximate)
    : kernel(k), program(p), roles(r), approximates(approximate), reported(markedByElements(k)),
      scope{{columnOfRegister}, columnOfRegister, sharedByRows(k, p)} {
  if (const TileLayout matrix = layoutOfMatrices(roles)) {
    warpsN = sharesOf(matrix).warpsN;
    ofBlock = registersOf(matrix) / warpsN;
  }
  for (const TileArray &tile : roles.tiles)
    if (!tile.layout.parts.empty()) open.insert(tile.name);
}

const TileArray *RegisterMapper::fragment(const std::string &name) const {
  const auto at =
      std::find_if(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == roles.tiles.end() ? nullptr : &*at;
}

bool RegisterMapper::isChannel(const std::string &name) const {
  return std::any_of(roles.channels.begin(), roles.channels.end(),
                     [&](const DeviceChannel &c) { return c.tile.name == name; });
}

std::optional<RegisterMapper::Plane> RegisterMapper::planeOf(const TilePoints &points) const {
  if (points.dims.empty() || points.dims.size() > 2) return std::nullopt;
  std::set<std::string> rowNames;
  const auto note = [&](const std::string &array, const std::vector<Expr> &subscripts) {
    if (fragment(array) && !subscripts.empty() && subscripts[0].op() == Op::Symbol)
      rowNames.insert(subscripts[0]->name);
  };
  for (const TileAssign &a : points.body) {
    note(a.target.array, a.target.subscripts);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) note(e->name, e->args);
    });
  }
  Plane plane;
  const bool rowsAlone = rowNames.empty() && points.dims.size() == 1;
  for (const PointDim &d : points.dims) (rowsAlone || rowNames.contains(d.variable) ? plane.rows : plane.columns) = &d;
  if (!plane.rows || (points.dims.size() == 2) != (plane.columns != nullptr)) return std::nullopt;
  return plane;
}

std::optional<Refusal> RegisterMapper::region(const TilePoints &points, DeviceBlock &out) {
  const auto plane = planeOf(points);
  if (!plane) return Refusal{"a region without rows", {}};
  bool shared = false;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) { shared = shared || (e.op() == Op::Read && isChannel(e->name)); });
  const bool whole = plane->columns && constant(plane->columns->limit) == 2 * ofBlock * warpsN;
  if (warpsN > 1 && (shared || !whole)) return Refusal{"a region of other columns than those of sums", {}};
  if (!shared) return parts(points, *plane, out);
  if (!plane->columns) return Refusal{"a region of rows that reads a copied tile", {}};
  // This thread's share of every tile in shared memory that the region reads is loaded first.
  auto shares = std::make_shared<DeviceShares>();
  std::map<std::string, bool> turned;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read && isChannel(e->name))
        turned[e->name] = e->args[0].op() != Op::Symbol || e->args[0]->name != plane->rows->variable;
    });
  for (const auto &[name, isTurned] : turned) shares->tiles.push_back({name, isTurned});
  shares->columns = constant(plane->columns->limit);
  std::optional<Refusal> refusal = parts(points, *plane, shares->body);
  forgetVote();
  out.emplace_back(std::shared_ptr<const DeviceShares>(std::move(shares)));
  return refusal;
}

std::optional<Refusal> RegisterMapper::parts(const TilePoints &points, const Plane &plane, DeviceBlock &out) {
  if (!plane.columns) {
    rowRegions(points.body, plane, out);
    return std::nullopt;
  }
  for (const TileAssign &a : points.body) {
    const bool parallel = plane.columns->kind == PointDim::Kind::Parallel;
    if (auto refusal = parallel ? elementRegion(a, plane, out) : reduction(a, plane, out)) return refusal;
    noteWritten(a.target.array);
  }
  return std::nullopt;
}

DeviceRegisters RegisterMapper::partOf(const TileAssign &a, const Plane &plane, Form form) const {
  DeviceRegisters part;
  part.form = form;
  part.row = *plane.rows;
  if (plane.columns) part.column = *plane.columns;
  part.what = a;
  return part;
}

/// The expression over a thread's first column and a register's; what registers hold is computed with in a wider type.
Expr RegisterMapper::placed(const Expr &e, const Plane &plane) const {
  Expr typed = rewrite(e, [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    const TileArray *tile = fragment(node->name);
    const bool isMatrix = tile && tile->extents.size() == 2;
    if (!isChannel(node->name) && !(isMatrix && isNarrow(tile->type))) return node;
    const Type type = isNarrow(node.type()) ? Type::Float32 : node.type();
    return Expr::read(node->name, node->args, type);
  });
  if (!plane.columns) return typed;
  const Expr thread = Expr::symbol(columnOfThread, Type::Int64), own = Expr::symbol(columnOfRegister, Type::Int64);
  const Expr column = thread + own;
  // The columns of four threads are eight that begin at a multiple of eight, which a register's column alone says.
  constexpr std::int64_t ofFour = 8;
  if (warpsN == 1)
    typed = rewrite(typed, [&](const Expr &node) {
      const bool divides = node.op() == Op::FloorDiv || node.op() == Op::FloorMod;
      if (!divides || node.arg(0).op() != Op::Symbol || node.arg(0)->name != plane.columns->variable) return node;
      if (node.arg(1).op() != Op::Integer || node.arg(1)->integer <= 0 || node.arg(1)->integer % ofFour != 0)
        return node;
      const Expr part = Expr::make(node.op(), Type::Int64, {own, node.arg(1)});
      return node.op() == Op::FloorDiv ? part : thread + part;
    });
  return substitute(typed, [&](const std::string &name) { return name == plane.columns->variable ? column : Expr(); });
}

/// Parts of `e` that are the same along a row and are no plain values get names of the part; so does what is read for
/// a column alone.
Expr RegisterMapper::hoisted(const Expr &e, const Plane &plane, const ElementScope &own, DeviceRegisters &part) {
  const bool leaf = e->args.empty() || e.op() == Op::Read;
  if (!movesInRow(e, own)) {
    const auto isHeld = [&](const Expr &x) { return x.op() == Op::Read && (fragment(x->name) || isChannel(x->name)); };
    const bool simple = leaf || (e.op() == Op::Neg && (e.arg(0)->args.empty() || isHeld(e.arg(0))));
    if (simple && (e.op() != Op::Read || isHeld(e))) return e;
    for (const DeviceRowValue &known : part.before)
      if (equal(known.value, e)) return Expr::symbol(known.name, e.type());
    bool once = true;
    visit(e, [&](const Expr &node) {
      if (node.op() == Op::Symbol && node->name == plane.rows->variable) once = false;
    });
    part.before.push_back({"h" + std::to_string(++hoists), e, once});
    return Expr::symbol(part.before.back().name, e.type());
  }
  if (leaf) return e;
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = hoisted(arg, plane, own, part);
  const bool isOfColumn = part.form != Form::Stored && !reported.contains(part.what.target.array) &&
                          !symbols(e).contains(plane.rows->variable) && isGuardedRead(e, program, own);
  if (!isOfColumn) return Expr{node};
  const auto known =
      std::ranges::find_if(part.before, [&](const DeviceRowValue &v) { return equal(v.value, Expr{node}); });
  if (known != part.before.end()) return Expr::symbol(known->name, e.type());
  part.before.push_back({"h" + std::to_string(++hoists), Expr{node}});
  return Expr::symbol(part.before.back().name, e.type());
}

void RegisterMapper::combine(const std::string &sum) {
  open.erase(sum);
  noteWritten(sum);
}

/// The 16-bit matrix is another, moved as it is.
bool RegisterMapper::isMoved(const TileAssign &a) const {
  const TileArray *from = a.value.op() == Op::Read ? fragment(a.value->name) : nullptr;
  const TileArray *to = fragment(a.target.array);
  return from && to && isNarrow(to->type) && from->type == to->type && to->extents.size() == 2 &&
         a.update == Update::Set && !a.where;
}

std::optional<Refusal> RegisterMapper::elementRegion(const TileAssign &a, const Plane &plane, DeviceBlock &out) {
  const TileArray *tile = fragment(a.target.array);
  if (!tile) {
    store(a, plane, out);
    return std::nullopt;
  }
  if (a.update != Update::Set && a.update != Update::Sum)
    return Refusal{"an update of '" + a.target.array + "', element by element, that is no sum", {}};
  if (isMoved(a)) {
    out.emplace_back(partOf(a, plane, Form::Moved));
    return std::nullopt;
  }
  DeviceRegisters part = partOf(a, plane, Form::Element);
  const bool perRow = a.where && !movesInRow(placed(a.where, plane), scope);
  if (perRow) {
    part.vote = voteOn(a.where, plane, out).name;
    part.everywhere = standsElsewhere(a);
  }
  const Expr value = isNarrow(tile->type) ? beforeRounding(a.value) : a.value;
  part.what.value = hoisted(arrange(placed(value, plane), scope, approximates), plane, scope, part);
  if (a.where && !perRow)
    part.what.where = hoisted(arrangeCondition(placed(a.where, plane), scope), plane, scope, part);
  if (reported.contains(a.target.array)) {
    const DividedValue divided =
        shareDivisions(part.what.value, scope, [&] { return "quotient" + std::to_string(++quotients); });
    part.what.value = divided.value;
    for (const SharedDivision &d : divided.divisions)
      part.divisions.push_back({d.quotient, d.numerator, d.denominator});
    if (!part.divisions.empty()) part.form = Form::Fours;
  }
  out.emplace_back(std::move(part));
  return std::nullopt;
}

std::optional<Refusal> RegisterMapper::reduction(const TileAssign &a, const Plane &plane, DeviceBlock &out) {
  const TileArray *tile = fragment(a.target.array);
  if (!tile || tile->extents.size() != 1 || warpsN > 1) return Refusal{"a reduction that is none of rows", {}};
  if (a.update == Update::Product || a.update == Update::Set) return Refusal{"a reduction of this kind", {}};
  DeviceRegisters part = partOf(a, plane, Form::Reduced);
  Monotone peeled{placed(a.value, plane), {}};
  if (a.update != Update::Sum && isFloating(tile->type)) peeled = peelIncreasing(peeled.inner, scope, resultOfRow);
  part.outer = peeled.outer;
  part.what.value = hoisted(arrange(peeled.inner, scope, approximates), plane, scope, part);
  if (a.where) part.what.where = hoisted(arrangeCondition(placed(a.where, plane), scope), plane, scope, part);
  part.open = a.update == Update::Sum && open.contains(a.target.array);
  out.emplace_back(std::move(part));
  return std::nullopt;
}

} // namespace polymend::device_room
