// Where arrays decide which points take part (their group is another one, a flag forbids the pair), a chunk in which
// the condition leaves out every point changes no state, and one in which it holds everywhere need not ask. Before the
// kernel runs, another one tells the kind of each chunk, and one lists the chunks that it visits, once for all grid
// points that share the condition:
//   list[t, .] = (how many are of kind 1, how many are of kind 1 or 2, their numbers: those of kind 1 first)
// for the rows of t, where kind 1 is that some points take part, and 2 that all do and the domain leaves none out. A
// block of threads has one list, and finds the places of some hundred chunks at a time. Finding lists takes as long as
// visiting a few chunks: where rows have no more, nothing is listed.
#include "chunk_choice.h"
#include "chunk_question.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

constexpr std::int64_t listedAtOnce = 128, fewChunks = 7;

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

/// The value where a variable has this one.
Expr placed(const Expr &e, const std::string &variable, const Expr &value) {
  return simplify(substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); }));
}

class ListMaker {
public:
  ListMaker(RectangularKernel &k, ChunkChoice c) : kernel(k), choice(std::move(c)) {}
  std::optional<ChunkLists> run(const PassContext &context);

private:
  [[nodiscard]] std::string unique(const std::string &wanted) { return freshName(kernel.names, wanted); }
  [[nodiscard]] static Expr number(std::int64_t value) { return Expr::integer(value, Type::Int32); }
  [[nodiscard]] static Expr both(const Expr &a, const Expr &b) { return Expr::make(Op::And, {a, b}); }
  [[nodiscard]] static Expr either(const Expr &condition, const Expr &a, const Expr &b) {
    return Expr::make(Op::Select, Type::Int32, {condition, a, b});
  }
  [[nodiscard]] static Expr readScalar(const TileArray &tile) { return Expr::read(tile.name, {}, Type::Int32); }
  /// The places of a list.
  [[nodiscard]] PointDim placesOf(const std::string &variable) const {
    return {variable, Expr::integer(0), chunks, PointDim::Kind::Parallel};
  }
  [[nodiscard]] Ref listed(const Expr &place) const;
  [[nodiscard]] Expr kindOf(const Expr &at) const;
  [[nodiscard]] TileNode counted(const TileArray &sum, const PointDim &along, const Expr &isCounted) const;
  void findRows();
  TileBlock listPart(const Expr &begin);
  Kernel list();
  void walkList();

  RectangularKernel &kernel;
  ChunkChoice choice;
  std::vector<PointDim> rows; // of the grid, those that the condition or the domain depends on
  Expr chunk, chunks;         // the number of one, how many there are
  TileArray kinds;
  TileArray lists, kind, rank, masked,
      visited; // of a part of the chunks: their kinds, their places; how many of kind 1 and of both are in the list
};

void ListMaker::findRows() {
  const ChunkLoop &loop = *kernel.loop;
  std::set<std::string> used = symbols(choice.condition);
  for (const Expr &e : {loop.first, loop.limit, loop.fullFirst, loop.fullLimit})
    used.merge(symbols(withoutLets(e, kernel.lets)));
  for (const PointDim &d : kernel.grid)
    if (used.contains(d.variable)) rows.push_back(d);
}

/// The element of a grid point's list.
Ref ListMaker::listed(const Expr &place) const {
  std::vector<Expr> subscripts = variablesOf(rows);
  subscripts.push_back(place);
  return {lists.name, subscripts};
}

/// The kind of chunk number `at`.
Expr ListMaker::kindOf(const Expr &at) const {
  std::vector<Expr> subscripts = variablesOf(rows);
  subscripts.push_back(at);
  return Expr::read(kinds.name, subscripts, Type::Int32);
}

/// Adds up over the points.
TileNode ListMaker::counted(const TileArray &sum, const PointDim &along, const Expr &isCounted) const {
  PointDim reduced = along;
  reduced.kind = PointDim::Kind::Reduced;
  const Expr value = either(isCounted, number(1), number(0));
  return nodeOf(TilePoints{{reduced}, {{{sum.name, {}}, Update::Sum, value, {}}}});
}

/// Lists the chunks from `begin` on: the place of one is behind those that are listed and those of its kind that come
/// before it. What stands at a place is the sum of the numbers of the chunks whose place it is.
TileBlock ListMaker::listPart(const Expr &begin) {
  const PointDim each{unique("x"), Expr::integer(0), Expr::integer(listedAtOnce), PointDim::Kind::Parallel},
      any{each.variable, each.first, each.limit, PointDim::Kind::Reduced};
  const Expr x = Expr::symbol(each.variable, Type::Int64), y = Expr::symbol(unique("y"), Type::Int64);
  const PointDim before{y->name, Expr::integer(0), x, PointDim::Kind::Reduced};
  const auto read = [](const TileArray &tile, const Expr &at) { return Expr::read(tile.name, {at}, Type::Int32); };
  const auto has = [&](const Expr &at, std::int64_t which) {
    return Expr::make(Op::Eq, {read(kind, at), number(which)});
  };
  const auto set = [&](const TileArray &tile, Update update, const Expr &value, std::vector<PointDim> dims) {
    return nodeOf(TilePoints{std::move(dims), {{{tile.name, {x}}, update, value, {}}}});
  };
  const Expr all = simplify(begin + x), is = Expr::make(Op::Eq, {read(kind, y), read(kind, x)});
  const Expr first = either(has(x, 1), readScalar(masked), readScalar(visited));
  const PointDim places = placesOf(unique("p"));
  const Expr p = Expr::symbol(places.variable, Type::Int64);
  const Expr isHere = Expr::make(Op::Eq, {read(rank, x), Expr::cast(Type::Int32, p)});
  TileBlock body;
  body.push_back(set(kind, Update::Set, either(Expr::make(Op::Lt, {all, chunks}), kindOf(all), number(0)), {each}));
  body.push_back(set(rank, Update::Set, either(has(x, 0), number(-1), first), {each}));
  body.push_back(
      set(rank, Update::Sum, either(both(is, Expr::make(Op::Not, {has(x, 0)})), number(1), number(0)), {each, before}));
  body.push_back(nodeOf(TilePoints{{places, any},
                                   {{listed(simplify(p + Expr::integer(2))),
                                     Update::Sum,
                                     either(isHere, Expr::cast(Type::Int32, all), number(0)),
                                     {}}}}));
  body.push_back(counted(masked, each, has(x, 1)));
  body.push_back(counted(visited, each, has(x, 2)));
  return body;
}

/// The kernel that lists chunks: first it counts those of kind 1, behind which stand those of kind 2.
Kernel ListMaker::list() {
  const auto tile = [&](const std::string &name, bool isRow) {
    TileArray array = scalarTile(unique(name), Type::Int32);
    if (isRow) array.extents = {Expr::integer(listedAtOnce)};
    return array;
  };
  kind = tile("kind", true);
  rank = tile("rank", true);
  masked = tile("masked", false);
  visited = tile("visited", false);
  const Expr begin = Expr::symbol(unique("first_chunk"), Type::Int64);
  const PointDim all{chunk->name, Expr::integer(0), chunks, PointDim::Kind::Reduced};
  const auto assign = [](const Ref &target, const Expr &value) { return TileAssign{target, Update::Set, value, {}}; };
  Kernel result;
  result.name = kernel.name + "_lists";
  result.grid = rows;
  result.tiles = {kind, rank, masked, visited};
  result.body.emplace_back(assign({visited.name, {}}, number(0)));
  result.body.push_back(counted(visited, all, Expr::make(Op::Eq, {kindOf(chunk), number(1)})));
  result.body.emplace_back(assign(listed(Expr::integer(0)), readScalar(visited)));
  const PointDim places = placesOf(unique("p"));
  const Expr place = simplify(Expr::symbol(places.variable, Type::Int64) + Expr::integer(2));
  result.body.push_back(nodeOf(TilePoints{{places}, {assign(listed(place), number(0))}}));
  result.body.emplace_back(assign({masked.name, {}}, number(0)));
  result.body.push_back(
      nodeOf(TileLoop{begin->name, Expr::integer(0), chunks, listedAtOnce, TileLoop::Kind::Serial, listPart(begin)}));
  result.body.emplace_back(assign(listed(Expr::integer(1)), readScalar(visited)));
  return result;
}

/// The loop over the list.
void ListMaker::walkList() {
  ChunkLoop &loop = *kernel.loop;
  const std::string variable = unique(loop.variable + "_turn");
  const auto read = [&](const Expr &place) {
    const Ref element = listed(place);
    return Expr::read(element.array, element.subscripts, Type::Int32);
  };
  const auto let = [&](const std::string &wanted, std::int64_t at) {
    kernel.lets.emplace_back(unique(wanted), read(Expr::integer(at)));
    return Expr::symbol(kernel.lets.back().first, Type::Int64);
  };
  const Expr number = read(Expr::symbol(variable, Type::Int64) + Expr::integer(2));
  const Expr begin = Expr::cast(Type::Int64, number) * Expr::integer(loop.step);
  const auto move = [&](const Expr &e) { return !e ? e : placed(e, loop.variable, begin); };
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
  const auto finite = finiteWhereLeftOut(kernel, choice);
  if (!finite) return std::nullopt;
  choice.condition = withoutLets(choice.condition, kernel.lets);
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
  chunk = Expr::symbol(unique("chunk"), Type::Int64);
  const Expr asked = placed(choice.condition, loop.variable, simplify(chunk * Expr::integer(loop.step)));
  const ChunkQuestion question{kernel, asked, choice.dims, rows, chunk, chunks};
  auto told = kindsByRanges(question, context);
  if (!told) told = kindsByPoints(question, context);
  if (!told) return std::nullopt;
  kinds = told->kinds;
  const std::string rowsOfTile = std::to_string(choice.dims[0].limit->integer);
  std::vector<PointDim> places = rows;
  places.push_back({"", Expr::integer(0), simplify(chunks + Expr::integer(2)), PointDim::Kind::Parallel});
  lists = elementFor(places, unique(kernel.name + "_chunks_" + rowsOfTile), Type::Int32);
  ChunkLists result{{kinds, lists}, {told->kernel}, *finite, Expr::make(Op::Lt, {Expr::integer(fewChunks), chunks})};
  result.kernels.push_back(list());
  walkList();
  kernel.natural.insert(lists.name);
  return result;
}

} // namespace

std::optional<ChunkLists> listChunks(RectangularKernel &kernel, const PassContext &context) {
  if (!kernel.loop) return std::nullopt;
  const auto choice = choiceIn(kernel);
  if (!choice) return std::nullopt;
  RectangularKernel listed = kernel;
  auto lists = ListMaker(listed, *choice).run(context);
  if (lists) kernel = listed;
  return lists;
}

} // namespace polymend
