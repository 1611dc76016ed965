// Members of a phase as point regions: the accumulators' first values, the update per chunk, what is stored at the end.
#include "tile/phase.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

bool has(const std::vector<int> &list, unsigned dim) {
  return std::find(list.begin(), list.end(), static_cast<int>(dim)) != list.end();
}

} // namespace

Expr keyExtent(const Equation &e, unsigned key) { return boundsOf(onlyDimension(e.keyDomain, key), "x").second; }

/// The subscripts under which a member's result is kept: its rows within the tile, then (inner) rolled, then extras.
std::vector<Expr> PhaseLowerer::resultSubscripts(const Seated &seated) const {
  std::vector<Expr> result = rowSubscripts();
  if (seated.member.role == Member::Role::Inner)
    for (const Axis &axis : rolledAxes)
      if (!axis.point.empty()) result.push_back(axis.local());
  for (unsigned d : seated.extras) result.push_back(seated.axes[d].global());
  return result;
}

std::vector<Expr> PhaseLowerer::rowSubscripts() const {
  std::vector<Expr> result;
  for (const RowAxis &row : frame.rows)
    if (!row.axis.point.empty()) result.push_back(row.axis.local());
  return result;
}

TileArray PhaseLowerer::resultTile(const Seated &seated, const std::string &name) const {
  TileArray tile;
  tile.name = name;
  tile.type = seated.equation.type;
  tile.space = Space::Thread;
  tile.written = true;
  for (const RowAxis &row : frame.rows)
    if (!row.axis.point.empty()) tile.extents.push_back(Expr::integer(row.axis.extent));
  if (seated.member.role == Member::Role::Inner)
    for (const Axis &axis : rolledAxes)
      if (!axis.point.empty()) tile.extents.push_back(Expr::integer(axis.extent));
  for (unsigned d : seated.extras) {
    const bool whole = !seated.axes[d].base && seated.axes[d].extent > 0;
    tile.extents.push_back(whole ? Expr::integer(seated.axes[d].extent) : keyExtent(seated.equation, d));
    if (tile.extents.back().op() != Op::Integer) tile.space = Space::Row;
  }
  return tile;
}

std::string PhaseLowerer::makeTile(const Seated &seated, const std::string &wanted, Type type) {
  const std::string name = frame.unique(wanted);
  frame.tiles.push_back(resultTile(seated, name));
  frame.tiles.back().type = type;
  return name;
}

std::string PhaseLowerer::makeRowTile(const std::string &wanted, Type type) {
  TileArray tile;
  tile.name = frame.unique(wanted);
  tile.type = type;
  tile.written = true;
  for (const RowAxis &row : frame.rows)
    if (!row.axis.point.empty()) tile.extents.push_back(Expr::integer(row.axis.extent));
  frame.tiles.push_back(tile);
  return tile.name;
}

Ref PhaseLowerer::resultOf(const Seated &seated, const std::string &array) const {
  return {array, resultSubscripts(seated)};
}

Update PhaseLowerer::updateOf(const Equation &e, Monoid monoid) const {
  switch (monoid) {
  case Monoid::Sum: return Update::Sum;
  case Monoid::Product: return Update::Product;
  case Monoid::Max: return e.comparison ? Update::Max : Update::FMax;
  case Monoid::Min: return e.comparison ? Update::Min : Update::FMin;
  }
  return Update::Sum;
}

/// The value of an equation at keys that belong to the rows of this tile (or anywhere, when it lives in memory).
Expr PhaseLowerer::valueAt(int equation, const std::vector<Expr> &keys) const {
  const Equation &e = frame.equation(equation);
  const Residence &home = frame.homes.at(equation);
  if (scalarHomes.count(home.array)) return Expr::read(home.array, {}, e.type);
  if (home.global) return Expr::read(home.array, keys, e.type);
  const Member &member = *home.member;
  std::vector<Expr> subscripts = rowSubscripts();
  if (member.role == Member::Role::Inner)
    for (const Axis &axis : rolledAxes)
      if (!axis.point.empty()) subscripts.push_back(axis.local());
  for (unsigned d = 0; d < e.keys; ++d)
    if (!has(member.rows, d) && !(member.role == Member::Role::Inner && has(member.rolled, d)))
      subscripts.push_back(keys[d]);
  return Expr::read(home.array, subscripts, e.type);
}

/// The expression with reads that a padded tile takes at its first row moved there.
Expr PhaseLowerer::atFirstRow(const Expr &value, const Seated &seated) const {
  if (!frame.padding) return value;
  const std::size_t row = frame.padding->row;
  const std::string &dim = seated.equation.dims[static_cast<std::size_t>(seated.member.rows[row])];
  return rewrite(value, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return node;
    if (!frame.atFirstRow.count({seated.member.equation, static_cast<std::size_t>(node->access)})) return node;
    ExprNode read = *node;
    for (Expr &subscript : read.args)
      subscript = substitute(subscript,
                             [&](const std::string &name) { return name == dim ? frame.rows[row].axis.base : Expr(); });
    return Expr{read};
  });
}

/// An equation's expression in loop variables; named symbols (of a correction) are replaced first.
Expr PhaseLowerer::realize(const Expr &value, const Seated &seated, const std::map<std::string, Expr> &bound) const {
  const Equation &e = seated.equation;
  const Expr placed = substitute(atFirstRow(value, seated), [&](const std::string &name) {
    const auto found = bound.find(name);
    if (found != bound.end()) return found->second;
    for (std::size_t d = 0; d < e.dims.size(); ++d)
      if (e.dims[d] == name) return seated.axes[d].global();
    return Expr();
  });
  const Expr complete = rewrite(placed, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return node;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    ExprNode read = *node;
    read.access = -1;
    for (Expr &subscript : read.args) subscript = simplify(subscript);
    return operand.equation < 0 ? Expr{read} : valueAt(operand.equation, read.args);
  });
  return frame.boxed ? timesConstants(complete) : complete;
}

/// Own loops around a block, with bounds from the member's domain.
TileBlock PhaseLowerer::wrapOwn(const Seated &seated, bool keysOnly, TileBlock body) const {
  for (std::size_t k = seated.loops.size(); k-- > 0;) {
    const OwnLoop &own = seated.loops[k];
    if (keysOnly && own.dim >= seated.equation.keys) continue;
    Axes axes = seated.axes;
    axes[own.dim] = {"x", {}, 0};
    for (std::size_t other = 0; other < seated.loops.size(); ++other)
      if (other != k) axes[seated.loops[other].dim] = {"y", {}, 0};
    if (keysOnly)
      for (unsigned d = seated.equation.keys; d < axes.size(); ++d) axes[d] = {"z", {}, 0};
    const auto [low, high] = boundsOf(pointSet(seated.equation.domain, axes, {own.dim}), "x");
    TileLoop loop;
    loop.variable = own.variable;
    loop.step = own.step;
    loop.first =
        simplify(Expr::make(Op::FloorDiv, Type::Int64, {low, Expr::integer(own.step)}) * Expr::integer(own.step));
    loop.limit = keysOnly ? keyExtent(seated.equation, own.dim) : high;
    loop.body = body;
    body = {std::make_shared<const TileLoop>(loop)};
  }
  return body;
}

/// Points of the member's domain in the current chunk.
TileBlock PhaseLowerer::points(const Seated &seated, const std::vector<unsigned> &order, std::size_t parallel,
                               const std::vector<TileAssign> &body) {
  if (frame.boxed) {
    PointLoops box = boxOf(seated.axes, order);
    if (seated.member.role == Member::Role::Map) box.inside = frame.onOwnRows(maskOf(seated));
    return emitPoints({box}, body, parallel, frame.options.reorder);
  }
  const bool symbolic = std::any_of(order.begin(), order.end(), [&](unsigned d) { return seated.axes[d].extent == 0; });
  if (full && !symbolic) return emitPoints({boxOf(seated.axes, order)}, body, parallel, frame.options.reorder);
  const isl::set inside = pointSet(seated.equation.domain, seated.axes, order);
  const bool sorted = !frame.options.reorder && order.size() > parallel + 1;
  return emitPoints(sorted ? sortedLoops(inside, seated.axes, order, known)
                           : loopsOver(inside, seated.axes, order, known),
                    body, parallel, frame.options.reorder);
}

/// Points of the member's keys: every element of its result in this tile, whether or not its range is empty.
/// `perRow`: the body updates one element per row, so that the other keys are reduced.
TileBlock PhaseLowerer::keyPoints(const Seated &seated, const std::vector<TileAssign> &body, bool perRow) {
  const unsigned keys = seated.equation.keys;
  const Axes axes(seated.axes.begin(), seated.axes.begin() + keys);
  std::vector<unsigned> order;
  for (unsigned d : seated.parallel)
    if (d < keys) order.push_back(d);
  const bool inner = seated.member.role == Member::Role::Inner;
  TileBlock block;
  if (frame.boxed || (inner && full && seated.loops.empty()))
    block = emitPoints({boxOf(axes, order)}, body, perRow ? rowSubscripts().size() : order.size(), true);
  else
    block = emitPoints(
        loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, inner ? known : frame.known), body,
        perRow ? rowSubscripts().size() : order.size(), true);
  return wrapOwn(seated, true, block);
}

/// Points of the tile's rows alone.
TileBlock PhaseLowerer::rowPoints(const Seated &seated, const std::vector<TileAssign> &body) {
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  if (frame.boxed) return emitPoints({boxOf(axes, order)}, body, order.size(), true);
  for (unsigned d : seated.extras) axes[d] = {"x", {}, 0};
  return emitPoints(loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, frame.known), body,
                    order.size(), true);
}

/// Where a reduction begins. Boxed: what is read from memory is read at the tile's own points only.
Expr PhaseLowerer::beginning(const Seated &seated) const {
  const Equation &e = seated.equation;
  const Expr value = realize(e.initial, seated);
  bool loads = false;
  visit(e.initial, [&](const Expr &node) { loads = loads || node.op() == Op::Read; });
  const Expr own = loads ? stored(seated) : Expr();
  return own ? Expr::make(Op::Select, value.type(), {own, value, neutral(*e.monoid, value.type())}) : value;
}

void PhaseLowerer::beginMember(const Seated &seated) {
  if (seated.member.role == Member::Role::Map) return;
  if (seated.member.mended >= 0) return beginMended(seated);
  if (isReplaced(seated)) return;
  const std::string name = makeTile(seated, seated.equation.array, seated.equation.type);
  frame.homes[seated.member.equation] = {name, false, &seated.member};
  if (seated.member.role == Member::Role::Inner) return;
  append(prologue, keyPoints(seated, {{resultOf(seated, name), Update::Set, beginning(seated), {}}}));
}

namespace {

/// A sum of one constant over a region with one reduced dimension is the constant times the number of its points.
TileBlock counted(const TileBlock &summed, const Expr &value) {
  TileBlock block;
  for (const TileNode &node : summed) {
    const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&node);
    if (!points || (*points)->dims.back().kind != PointDim::Kind::Reduced || (*points)->body.front().where) {
      block.push_back(node);
      continue;
    }
    TilePoints fewer = **points;
    const PointDim last = fewer.dims.back();
    fewer.dims.pop_back();
    const Expr count = Expr::make(Op::Max, Type::Int64, {simplify(last.limit - last.first), Expr::integer(0)});
    fewer.body.front().value = value * Expr::cast(value.type(), simplify(count));
    if (fewer.dims.empty())
      block.emplace_back(fewer.body.front());
    else
      block.emplace_back(std::make_shared<const TilePoints>(fewer));
  }
  return block;
}

} // namespace

TileBlock PhaseLowerer::update(const Seated &seated, const Ref &target, Update update, const Expr &value) {
  if (frame.boxed) return boxedUpdate(seated, target, update, value);
  const bool counts = update == Update::Sum && value.op() == Op::Real && seated.reduced.size() == 1;
  if (counts && frame.options.reorder && seated.loops.empty())
    return counted(points(seated, seated.order(), seated.parallel.size(), {{target, update, value, {}}}),
                   Expr::real(value->real, typeOfTile(target.array)));
  TileBlock outer, inner;
  const bool product = update == Update::Sum && !seated.reduced.empty() && seated.parallel.size() > 1;
  const Expr slim =
      outline(seated, product && frame.options.reorder ? regroup(seated, value) : value, product, inner, outer);
  append(inner, points(seated, seated.order(), seated.parallel.size(), {{target, update, slim, {}}}));
  append(outer, wrapOwn(seated, false, inner));
  return outer;
}

TileBlock PhaseLowerer::stepMember(const Seated &seated) {
  if (seated.member.role == Member::Role::Map) return stepMap(seated);
  if (seated.member.mended >= 0) return stepMended(seated);
  if (const Steady *steady = steadyProducer(frame.relaxed, seated.member.equation)) return {TileNote{explain(*steady)}};
  TileBlock block;
  const Ref target = resultOf(seated, frame.homes.at(seated.member.equation).array);
  if (seated.member.role == Member::Role::Inner)
    block = keyPoints(seated, {{target, Update::Set, beginning(seated), {}}});
  append(block, update(seated, target, updateOf(seated.equation, *seated.equation.monoid),
                       realize(seated.equation.value, seated)));
  return block;
}

TileBlock PhaseLowerer::endMember(const Seated &seated) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(seated)) return {};
  TileBlock block;
  if (seated.member.mended >= 0) block = endMended(seated);
  if (watched.count(seated.member.equation)) append(block, markInfinite(seated));
  if (!steadyOf(seated)) append(block, storeWork(seated));
  return block;
}

/// Boxed: marks the rows where an element of the result is not finite.
TileBlock PhaseLowerer::markInfinite(const Seated &seated) {
  const std::string name = makeRowTile(seated.equation.array + "_odd", Type::Int32);
  const Ref mark{name, rowSubscripts()}, result = resultOf(seated, frame.homes.at(seated.member.equation).array);
  const Expr value = Expr::read(result.array, result.subscripts, seated.equation.type);
  TileBlock block = rowPoints(seated, {{mark, Update::Set, Expr::integer(0, Type::Int32), {}}});
  append(block, keyPoints(seated, {{mark, Update::Max, markUnless(isFinite(value)), {}}}, true));
  frame.marks.push_back(name);
  return block;
}

/// Boxed: the condition that a point of the box of keys, or of its rows alone, is one of the tile's; absent: all are.
Expr PhaseLowerer::stored(const Seated &seated, bool rowsAlone) const {
  if (!frame.boxed) return {};
  const unsigned keys = seated.equation.keys;
  const Axes axes(seated.axes.begin(), seated.axes.begin() + keys);
  std::vector<unsigned> order;
  DimNames names;
  for (unsigned d : seated.parallel) {
    if (d >= keys || (rowsAlone && !has(seated.member.rows, d))) continue;
    order.push_back(d);
    names.push_back(axes[d].local());
  }
  const isl::set inside = pointSet(seated.equation.keyDomain, axes, order);
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(inside.get())));
  for (unsigned k = 0; k < order.size(); ++k) {
    const auto row = std::find(seated.member.rows.begin(), seated.member.rows.end(), static_cast<int>(order[k]));
    const auto number = static_cast<std::size_t>(row - seated.member.rows.begin());
    const std::int64_t extent = row == seated.member.rows.end() ? axes[order[k]].extent : frame.rows[number].own;
    box = isl::manage(isl_set_lower_bound_si(box.release(), isl_dim_set, k, 0));
    box = isl::manage(isl_set_upper_bound_si(box.release(), isl_dim_set, k, static_cast<int>(extent) - 1));
  }
  isl::set context = isl::manage(isl_set_align_params(frame.known.copy(), isl_set_get_space(box.get())));
  box = isl::manage(isl_set_align_params(box.release(), isl_set_get_space(context.get())));
  box = isl::manage(isl_set_intersect_params(box.release(), isl_set_params(context.release())));
  const isl::set aligned = isl::manage(isl_set_align_params(inside.copy(), isl_set_get_space(box.get())));
  if (box.is_subset(aligned)) return frame.onOwnRows({});
  return frame.onOwnRows(simplify(toCondition(aligned.gist(box).coalesce(), names)));
}

/// A result that later kernels read goes to memory.
TileBlock PhaseLowerer::storeWork(const Seated &seated) {
  const int e = seated.member.equation;
  if (frame.schedule.places[static_cast<std::size_t>(e)] != Place::Work) return {};
  std::vector<Expr> keys;
  for (unsigned d = 0; d < seated.equation.keys; ++d) keys.push_back(seated.axes[d].global());
  const Ref own = resultOf(seated, frame.homes.at(e).array);
  return keyPoints(seated, {{{workName(seated.equation), keys},
                             Update::Set,
                             Expr::read(own.array, own.subscripts, seated.equation.type),
                             stored(seated)}});
}

TileBlock PhaseLowerer::stepMap(const Seated &seated) {
  const Equation &e = seated.equation;
  const Expr value = realize(e.value, seated);
  std::vector<TileAssign> body;
  if (frame.schedule.places[static_cast<std::size_t>(seated.member.equation)] == Place::Work) {
    std::vector<Expr> keys;
    for (unsigned d = 0; d < e.keys; ++d) keys.push_back(seated.axes[d].global());
    body.push_back({{workName(e), keys}, Update::Set, value, {}});
    frame.homes[seated.member.equation] = {workName(e), true, nullptr};
  }
  for (const Store &store : e.stores) {
    const isl::set where = store.map.domain();
    const auto subscripts = toExprs(store.map, symbolsOf(e.dims));
    Expr guard;
    if (!e.domain.is_subset(where)) guard = realize(toCondition(where.gist(e.domain), symbolsOf(e.dims)), seated);
    std::vector<Expr> placed;
    for (const Expr &subscript : *subscripts) placed.push_back(simplify(realize(subscript, seated)));
    body.push_back({{store.array, placed}, Update::Set, value, guard});
  }
  return mapPoints(seated, body);
}

/// The points of a map. Where a dimension has one point for each element that is stored and the subscripts do not say
/// it (the last turn of a loop), that dimension runs in order.
TileBlock PhaseLowerer::mapPoints(const Seated &seated, const std::vector<TileAssign> &body) {
  const std::vector<unsigned> all = seated.order();
  std::vector<TileAssign> own;
  TileBlock inOrder;
  for (const TileAssign &assign : body) {
    std::set<std::string> used;
    for (const Expr &subscript : assign.target.subscripts) used.merge(symbols(subscript));
    std::vector<unsigned> order, still;
    for (const unsigned d : all) (used.contains(seated.axes[d].point) ? order : still).push_back(d);
    const std::size_t parallel = order.size();
    order.insert(order.end(), still.begin(), still.end());
    if (still.empty())
      own.push_back(assign);
    else
      append(inOrder, points(seated, order, parallel, {assign}));
  }
  TileBlock block = points(seated, all, all.size(), own);
  append(block, inOrder);
  return block;
}

std::string workName(const Equation &e) { return e.name + "_all"; }

} // namespace polymend
