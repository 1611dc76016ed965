// Where arrays decide which points take part (their group is another one, a flag forbids the pair), a chunk in which
// the condition leaves out every point changes no state, and one in which it holds everywhere need not ask. Kernels of
// their own look at the condition once for all grid points that share it, before the kernel runs:
//   kind[t, c] = 0: no point of chunk c takes part, for the rows of t; 2: all do, and the domain leaves none out; 1:
//   else, list[t, .] = (how many are of kind 1, how many are of kind 1 or 2, their numbers: those of kind 1 first).
// The loop then counts over the list. A condition that is asked for rows or columns beyond the arrays, where reads give
// zero, only makes more chunks be of kind 1. What is left out weighs nothing: where a weight of zero is a factor, the
// other one counts as finite, which the caller tells.
#include "masked_value.h"

#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

/// A matrix of the chunk that a condition on arrays decides on, element by element.
struct Choice {
  std::size_t at = 0; // of the region in the chunk
  std::string matrix;
  std::vector<PointDim> dims;
  Expr condition, value; // what it is where the condition holds
  MaskedValue otherwise = MaskedValue::Unknown;
};

bool isTile(const RectangularKernel &kernel, const std::string &name) {
  return std::ranges::any_of(kernel.tiles, [&](const TileArray &tile) { return tile.name == name; });
}

/// Does the condition read arrays, and no tile?
bool isOfArrays(const RectangularKernel &kernel, const Expr &condition) {
  bool reads = false, tiles = false;
  visit(condition, [&](const Expr &e) {
    reads = reads || e.op() == Op::Read;
    tiles = tiles || (e.op() == Op::Read && isTile(kernel, e->name));
  });
  return reads && !tiles;
}

MaskedValue nothing(const Expr &e) {
  if (e.op() != Op::Real) return MaskedValue::Unknown;
  if (e->real == 0) return MaskedValue::Zero;
  return std::isinf(e->real) && e->real < 0 ? MaskedValue::NegativeInfinity : MaskedValue::Unknown;
}

std::optional<Choice> choiceIn(const RectangularKernel &kernel, const TileBlock &chunk) {
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    const auto *points = as<TilePoints>(chunk[k]);
    if (!points || points->body.size() != 1 || points->dims.size() != 2) continue;
    const TileAssign &a = points->body[0];
    const bool isWhole =
        a.update == Update::Set && !a.where && a.target.subscripts.size() == 2 &&
        std::ranges::all_of(points->dims, [](const PointDim &d) {
          return d.kind == PointDim::Kind::Parallel && d.first.op() == Op::Integer && d.limit.op() == Op::Integer;
        });
    if (!isWhole || a.value.op() != Op::Select || !isOfArrays(kernel, a.value.arg(0))) continue;
    const MaskedValue otherwise = nothing(a.value.arg(2));
    if (otherwise == MaskedValue::Unknown || !isTile(kernel, a.target.array)) continue;
    return Choice{k, a.target.array, points->dims, a.value.arg(0), a.value.arg(1), otherwise};
  }
  return std::nullopt;
}

/// The array that a copy of the chunk fills the tile from; empty: none does.
std::string copiedFrom(const TileBlock &chunk, const std::string &tile) {
  for (const TileNode &node : chunk) {
    const auto *points = as<TilePoints>(node);
    if (!points || points->body.size() != 1) continue;
    const TileAssign &a = points->body[0];
    if (a.target.array == tile && a.update == Update::Set && !a.where && a.value.op() == Op::Read) return a.value->name;
  }
  return "";
}

/// What a chunk does that the choice leaves out.
class LeftOut {
public:
  LeftOut(const RectangularKernel &k, const Choice &c) : kernel(k), choice(c), chunk(k.loop->full) {
    facts.takesFinite = true;
    for (const TileArray &tile : kernel.tiles)
      if (tile.extents.size() > 1 && copiedFrom(chunk, tile.name).empty())
        facts.matrices[tile.name] = MaskedValue::Unknown;
    facts.matrices[choice.matrix] = choice.otherwise;
  }
  /// Does it leave all states as they are? What mends a state has nothing new to mend it by, whenever it runs.
  bool changesNothing();
  /// The arrays that count as finite then.
  [[nodiscard]] std::set<std::string> finite() const;

private:
  bool passes(std::size_t at, const TileAssign &assign, bool reduces);

  const RectangularKernel &kernel;
  const Choice &choice;
  const TileBlock &chunk;
  MaskedFacts facts;
  std::set<std::string> begun; // in this chunk, before the choice
};

bool LeftOut::changesNothing() {
  for (std::size_t at = 0; at < chunk.size(); ++at) {
    const auto *points = as<TilePoints>(chunk[at]);
    if (!points && !as<TileNote>(chunk[at])) return false;
    if (!points) continue;
    const bool reduces =
        std::ranges::any_of(points->dims, [](const PointDim &d) { return d.kind != PointDim::Kind::Parallel; });
    for (const TileAssign &assign : points->body)
      if (!passes(at, assign, reduces)) return false;
  }
  return true;
}

bool LeftOut::passes(std::size_t at, const TileAssign &a, bool reduces) {
  const std::string &target = a.target.array;
  if (!isTile(kernel, target)) return false; // it stores something
  if (at < choice.at) {
    if (!reduces) begun.insert(target);
    return begun.contains(target);
  }
  if (at == choice.at || !copiedFrom(chunk, target).empty()) return true;
  const MaskedValue value = a.where && reduces ? MaskedValue::Unknown : maskedValue(a.value, facts);
  if (reduces)
    return (a.update == Update::Sum && value == MaskedValue::Zero) ||
           ((a.update == Update::Max || a.update == Update::FMax) && value == MaskedValue::NegativeInfinity);
  if (a.target.subscripts.size() > 1) facts.matrices[target] = a.update == Update::Set ? value : MaskedValue::Unknown;
  return true;
}

std::set<std::string> LeftOut::finite() const {
  std::set<std::string> arrays;
  for (const std::string &tile : facts.finite)
    if (const std::string array = copiedFrom(chunk, tile); !array.empty()) arrays.insert(array);
  return arrays;
}

/// The chunk where the condition holds everywhere.
TileBlock unasked(TileBlock chunk, const Choice &choice) {
  TilePoints points = *as<TilePoints>(chunk[choice.at]);
  points.body[0].value = choice.value;
  chunk[choice.at] = nodeOf(points);
  return chunk;
}

/// At least the value, without the variables; absent: they bound it.
Expr withoutVariables(const Expr &value, const std::set<std::string> &variables) {
  const std::set<std::string> used = symbols(value);
  const bool isFree =
      std::ranges::none_of(variables, [&](const std::string &name) { return used.contains(name); }) && !reads(value);
  if (isFree) return value;
  if (value.op() != Op::Min) return {};
  const Expr a = withoutVariables(value.arg(0), variables), b = withoutVariables(value.arg(1), variables);
  return a && b ? Expr::make(Op::Min, Type::Int64, {a, b}) : a ? a : b;
}

Expr at(const Expr &e, const std::string &variable, const Expr &value) {
  return simplify(substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); }));
}

TileArray workOf(const std::string &name, const std::vector<PointDim> &rows, const Expr &last) {
  TileArray array;
  array.name = name;
  array.type = Type::Int32;
  array.space = Space::Work;
  array.written = true;
  for (const PointDim &d : rows) array.extents.push_back(d.limit);
  array.extents.push_back(last);
  return array;
}

TileArray counter(const std::string &name) {
  TileArray tile;
  tile.name = name;
  tile.type = Type::Int32;
  tile.written = true;
  return tile;
}

class ListMaker {
public:
  ListMaker(RectangularKernel &k, Choice c) : kernel(k), choice(std::move(c)) {}
  std::optional<ChunkLists> run(const PassContext &context);

private:
  [[nodiscard]] std::string unique(std::string wanted) {
    while (!kernel.names.insert(wanted).second) wanted += "_";
    return wanted;
  }
  [[nodiscard]] std::vector<Expr> rowsAnd(const Expr &last) const {
    std::vector<Expr> at;
    for (const PointDim &d : rows) at.push_back(Expr::symbol(d.variable, Type::Int64));
    at.push_back(last);
    return at;
  }
  [[nodiscard]] static Expr number(std::int64_t value) { return Expr::integer(value, Type::Int32); }
  void findRows();
  std::optional<Kernel> look(const PassContext &context);
  Kernel counting(const std::string &name, const TileArray &array, const Expr &place, const Expr &other,
                  const Expr &counted);
  std::vector<Kernel> list();
  void walkList();

  RectangularKernel &kernel;
  Choice choice;
  std::vector<PointDim> rows;    // of the grid, those that the condition or the domain depends on
  Expr chunks;                   // how many numbers of chunks there are
  TileArray kinds, ranks, lists; // of numbers of chunks
};

void ListMaker::findRows() {
  const ChunkLoop &loop = *kernel.loop;
  std::set<std::string> used = symbols(choice.condition);
  for (const Expr &e : {loop.first, loop.limit, loop.fullFirst, loop.fullLimit})
    used.merge(symbols(withoutLets(e, kernel.lets)));
  for (const PointDim &d : kernel.grid)
    if (used.contains(d.variable)) rows.push_back(d);
}

/// What kind each chunk is of.
std::optional<Kernel> ListMaker::look(const PassContext &context) {
  const ChunkLoop &loop = *kernel.loop;
  const Expr c = Expr::symbol(unique("chunk"), Type::Int64), begin = simplify(c * Expr::integer(loop.step));
  const TileArray seen = counter(unique("taking_part"));
  const Expr count = Expr::read(seen.name, {}, Type::Int32);
  TilePoints all{
      choice.dims,
      {{{seen.name, {}},
        Update::Sum,
        Expr::make(Op::Select, Type::Int32, {at(choice.condition, loop.variable, begin), number(1), number(0)}),
        {}}}};
  if (all.dims[0].limit->integer > all.dims[1].limit->integer) std::swap(all.dims[0], all.dims[1]); // the longer inside
  std::int64_t points = 1;
  for (PointDim &d : all.dims) {
    d.kind = PointDim::Kind::Reduced;
    points *= d.limit->integer - d.first->integer;
  }
  RectangularKernel asking;
  asking.grid = rows;
  asking.grid.push_back({c->name, Expr::integer(0), chunks, PointDim::Kind::Parallel});
  asking.before = {nodeOf(all)};
  const auto guarded = guardReads(asking, context);
  if (!guarded) return std::nullopt;
  const auto within = [&](const Expr &from, const Expr &to) {
    return Expr::make(Op::And, {Expr::make(Op::Le, {withoutLets(from, kernel.lets), begin}),
                                Expr::make(Op::Lt, {begin, withoutLets(to, kernel.lets)})});
  };
  const Expr isFull =
      Expr::make(Op::And, {Expr::make(Op::Eq, {count, number(points)}), within(loop.fullFirst, loop.fullLimit)});
  Kernel result;
  result.name = kernel.name + "_kinds";
  result.grid = asking.grid;
  result.tiles = {seen};
  result.body = {TileAssign{{seen.name, {}}, Update::Set, number(0), {}},
                 nodeOf(TileBranch{within(loop.first, loop.limit), guarded->before, {}}),
                 TileAssign{{kinds.name, rowsAnd(c)},
                            Update::Set,
                            Expr::make(Op::Select, Type::Int32,
                                       {Expr::make(Op::Eq, {count, number(0)}), number(0),
                                        Expr::make(Op::Select, Type::Int32, {isFull, number(2), number(1)})}),
                            {}}};
  return result;
}

/// Counts numbers of chunks for each place of an array: a point of the grid each, as the chunks of a grid point are
/// many.
Kernel ListMaker::counting(const std::string &name, const TileArray &array, const Expr &place, const Expr &other,
                           const Expr &counted) {
  const TileArray sum = counter(unique("sum"));
  const TilePoints all{{{other->name, Expr::integer(0), chunks, PointDim::Kind::Reduced}},
                       {{{sum.name, {}}, Update::Sum, counted, {}}}};
  Kernel result;
  result.name = kernel.name + name;
  result.grid = rows;
  result.grid.push_back({place->name, Expr::integer(0), array.extents.back(), PointDim::Kind::Parallel});
  result.tiles = {sum};
  result.body = {TileAssign{{sum.name, {}}, Update::Set, number(0), {}}, nodeOf(all),
                 TileAssign{{array.name, rowsAnd(place)}, Update::Set, Expr::read(sum.name, {}, Type::Int32), {}}};
  return result;
}

/// The numbers of the chunks that are visited, by kind: chunk c stands behind those of kind 1 before it, and if it is
/// of kind 2, behind all of kind 1 and those of kind 2 before it. First where each stands, then who stands where.
std::vector<Kernel> ListMaker::list() {
  const Expr c = Expr::symbol(unique("chunk"), Type::Int64), x = Expr::symbol(unique("other"), Type::Int64),
             place = Expr::symbol(unique("place"), Type::Int64);
  const auto isOf = [&](const Expr &at, std::int64_t which) {
    return Expr::make(Op::Eq, {Expr::read(kinds.name, rowsAnd(at), Type::Int32), number(which)});
  };
  const auto both = [](const Expr &a, const Expr &b) { return Expr::make(Op::And, {a, b}); };
  const auto either = [](const Expr &condition, const Expr &a, const Expr &b) {
    return Expr::make(Op::Select, Type::Int32, {condition, a, b});
  };
  const Expr comesBefore = Expr::make(Op::Lt, {x, c}), one = number(1), none = number(0);
  const Expr isBefore = Expr::make(Op::Or, {both(isOf(x, 1), Expr::make(Op::Or, {comesBefore, isOf(c, 2)})),
                                            both(both(isOf(x, 2), isOf(c, 2)), comesBefore)});
  const Expr rank = Expr::cast(Type::Int64, Expr::read(ranks.name, rowsAnd(x), Type::Int32));
  const Expr isHere = Expr::make(Op::Eq, {rank + Expr::integer(2), place});
  const auto isAt = [&](std::int64_t at) { return Expr::make(Op::Eq, {place, Expr::integer(at)}); };
  const Expr visited = Expr::make(Op::Not, {isOf(x, 0)});
  const Expr inList = either(
      isAt(0), either(isOf(x, 1), one, none),
      either(isAt(1), either(visited, one, none), either(both(visited, isHere), Expr::cast(Type::Int32, x), none)));
  return {counting("_ranks", ranks, c, x, either(isBefore, one, none)), counting("_lists", lists, place, x, inList)};
}

/// The loop over the list.
void ListMaker::walkList() {
  ChunkLoop &loop = *kernel.loop;
  const std::string variable = unique(loop.variable + "_turn");
  const auto let = [&](const std::string &wanted, std::int64_t at) {
    kernel.lets.emplace_back(unique(wanted), Expr::read(lists.name, rowsAnd(Expr::integer(at)), Type::Int32));
    return Expr::symbol(kernel.lets.back().first, Type::Int64);
  };
  const Expr number =
      Expr::read(lists.name, rowsAnd(Expr::symbol(variable, Type::Int64) + Expr::integer(2)), Type::Int32);
  const Expr begin = Expr::cast(Type::Int64, number) * Expr::integer(loop.step);
  const auto move = [&](const Expr &e) { return !e ? e : at(e, loop.variable, begin); };
  loop.full = rewriteExprs(unasked(loop.full, choice), move);
  loop.masked = rewriteExprs(loop.masked, move);
  loop.fullFirst = let(loop.variable + "_masked", 0);
  loop.limit = loop.fullLimit = let(loop.variable + "_count", 1);
  loop.endsFull = true;
  loop.first = Expr::integer(0);
  loop.step = 1;
  loop.variable = variable;
}

std::optional<ChunkLists> ListMaker::run(const PassContext &context) {
  const ChunkLoop &loop = *kernel.loop;
  LeftOut chunk(kernel, choice);
  if (!chunk.changesNothing()) return std::nullopt;
  const std::set<std::string> finite = chunk.finite();
  findRows();
  std::set<std::string> variables;
  for (const PointDim &d : kernel.grid) variables.insert(d.variable);
  const Expr most = withoutVariables(withoutLets(loop.limit, kernel.lets), variables);
  const Expr first = withoutLets(loop.first, kernel.lets);
  const bool isNatural = first.op() == Op::Integer && first->integer >= 0 && first->integer % loop.step == 0;
  const bool beginsAtZero =
      std::ranges::all_of(rows, [](const PointDim &d) { return d.first.op() == Op::Integer && d.first->integer == 0; });
  if (!most || !isNatural || !beginsAtZero || rows.empty()) return std::nullopt;
  chunks =
      simplify(Expr::make(Op::FloorDiv, Type::Int64, {most + Expr::integer(loop.step - 1), Expr::integer(loop.step)}));
  const std::string rowsOfTile = std::to_string(choice.dims[0].limit->integer);
  kinds = workOf(unique(kernel.name + "_kinds_" + rowsOfTile), rows, chunks);
  lists = workOf(unique(kernel.name + "_chunks_" + rowsOfTile), rows, simplify(chunks + Expr::integer(2)));
  ranks = workOf(unique(kernel.name + "_ranks_" + rowsOfTile), rows, chunks);
  auto looking = look(context);
  if (!looking) return std::nullopt;
  ChunkLists result{{kinds, ranks, lists}, {*looking}, finite};
  for (Kernel &one : list()) result.kernels.push_back(std::move(one));
  walkList();
  kernel.natural.insert(lists.name);
  return result;
}

} // namespace

std::optional<ChunkLists> listChunks(RectangularKernel &kernel, const PassContext &context) {
  if (!kernel.loop) return std::nullopt;
  const auto choice = choiceIn(kernel, kernel.loop->full);
  if (!choice) return std::nullopt;
  RectangularKernel listed = kernel;
  auto lists = ListMaker(listed, *choice).run(context);
  if (lists) kernel = listed;
  return lists;
}

} // namespace polymend
