// The rows of a tile are asked one by one of all columns of a chunk, and its columns one by one of all rows: what a
// comparison takes from one side is then a value, and from the other one a range, so that rows and columns of several
// groups are told apart unless both the tile and the chunk hold such. A block of threads finds the ranges of a tile and
// of some chunks, and tells their kinds. Where an array ends the source asks nothing: no range holds what lies behind,
// and the range of a value there is empty.
#include "certainty.h"
#include "chunk_question.h"
#include "reads_within.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

/// A value that is bounded over at most one dimension.
struct BoundedValue {
  Expr value;
  Expr inside; // where what it reads exists; absent: everywhere
  std::optional<PointDim> along;
  bool isOfChunk = false;
  TileArray least, most, numbers; // its bounds, and whether all is a number: of chunks, a tile for some of them
  [[nodiscard]] bool hasNumbers() const { return isFloating(value.type()); }
};

/// Can it be computed at points that the source does not come to?
bool isHarmless(const Expr &value) {
  bool harmless = true;
  visit(value, [&](const Expr &e) {
    const bool divides = e.op() == Op::Div || e.op() == Op::Mod || e.op() == Op::FloorDiv || e.op() == Op::FloorMod;
    const bool byNumber = divides && e.arg(1).op() == Op::Integer && e.arg(1)->integer != 0;
    if (e.op() == Op::Call || (divides && !byNumber && !isFloating(e.type()))) harmless = false;
  });
  return harmless;
}

constexpr std::int64_t toldAtOnce = 32;

/// A value of a type that bounds are kept in.
bool isBoundable(const Expr &value) {
  const Type type = value.type();
  const bool isKept = type == Type::Int32 || type == Type::Int64 || type == Type::Float32 || type == Type::Float64;
  return isKept && isHarmless(value);
}

PointDim chunksOf(const ChunkQuestion &q) {
  return {q.chunk->name, Expr::integer(0), q.chunks, PointDim::Kind::Parallel};
}

class RangeFinder {
public:
  RangeFinder(const ChunkQuestion &question, const PassContext &passes) : q(question), context(passes) {
    for (const PointDim &d : q.grid) natural.insert(d.variable);
    for (const PointDim &d : q.dims)
      if (d.first->integer >= 0) natural.insert(d.variable);
    natural.insert(q.chunk->name);
    part = freshName(q.kernel.names, "part");
    const Expr begin = Expr::symbol(part, Type::Int64) * Expr::integer(toldAtOnce);
    each = {freshName(q.kernel.names, "x"), Expr::integer(0),
            Expr::make(Op::Min, Type::Int64, {Expr::integer(toldAtOnce), simplify(q.chunks - begin)}),
            PointDim::Kind::Parallel};
    here = simplify(begin + Expr::symbol(each.variable, Type::Int64));
  }
  /// What is told of one row, or one column, after another.
  std::optional<Certainty> certaintyOfEach(const PointDim &one) {
    exact = one;
    return certaintyOf(q.condition, [&](const Expr &value) { return rangeOf(value); });
  }
  ChunkKinds kinds(const Certainty &ofRows, const Certainty &ofColumns);

private:
  std::optional<BoxRange> rangeOf(const Expr &value);
  std::optional<BoxRange> single(const Expr &value, bool isOfChunk);
  std::optional<BoxRange> bounded(const Expr &value, const std::vector<PointDim> &points, bool isOfChunk);
  std::optional<Expr> insideOf(const Expr &value, const std::vector<PointDim> &moving);
  void bound(const BoundedValue &one, TileBlock &body, std::vector<TileArray> &tiles);
  void boundInto(const TileArray &tile, Update update, const Expr &value, const BoundedValue &one, TileBlock &body);
  [[nodiscard]] Expr ofChunk(const Expr &e) const {
    return simplify(substitute(e, [&](const std::string &name) { return name == q.chunk->name ? here : Expr(); }));
  }
  /// The element of a tile for a chunk.
  [[nodiscard]] Ref ofEach(const TileArray &tile) const {
    return {tile.name, {Expr::symbol(each.variable, Type::Int64)}};
  }
  TileArray tileOfEach(const std::string &name, Type type);
  void tell(const TileArray &kinds, const Certainty &ofRows, const Certainty &ofColumns, Kernel &kernel);

  const ChunkQuestion &q;
  const PassContext &context;
  PointDim exact;   // the rows or the columns, whichever are asked one by one
  std::string part; // variable of the grid: chunks are told by so many at once
  PointDim each;    // of a part
  Expr here;        // the number of its chunk
  std::set<std::string> natural;
  std::vector<BoundedValue> all;
};

/// An integer as one of 64 bits.
Expr widened(const Expr &e) { return isInteger(e.type()) && e.type() != Type::Int64 ? Expr::cast(Type::Int64, e) : e; }

std::optional<BoxRange> RangeFinder::rangeOf(const Expr &value) {
  const std::set<std::string> used = symbols(value);
  const bool isOfChunk = used.contains(q.chunk->name), isOfOne = used.contains(exact.variable), hasReads = reads(value);
  std::vector<PointDim> points;
  std::ranges::copy_if(q.dims, std::back_inserter(points),
                       [&](const PointDim &d) { return used.contains(d.variable) && d.variable != exact.variable; });
  if (points.empty() && !(hasReads && (isOfChunk || isOfOne))) return BoxRange{widened(value), widened(value)};
  if (value.op() == Op::Symbol) return BoxRange{points[0].first, simplify(points[0].limit - Expr::integer(1))};
  const auto parts = [&] { return rangeOfParts(value, [&](const Expr &part) { return rangeOf(part); }); };
  if (!hasReads)
    if (auto range = parts()) return range;
  if (isOfOne) return points.empty() ? single(value, isOfChunk) : parts();
  return bounded(value, points, isOfChunk);
}

/// A value that reads arrays at one row or column alone: where it lies beyond their end, the range is empty.
std::optional<BoxRange> RangeFinder::single(const Expr &asked, bool isOfChunk) {
  const Expr value = isNarrow(asked.type()) ? Expr::cast(Type::Float32, asked) : asked;
  std::vector<PointDim> moving{exact};
  if (isOfChunk) moving.push_back(chunksOf(q));
  const auto inside = isBoundable(value) ? insideOf(value, moving) : std::nullopt;
  if (!inside) return std::nullopt;
  const auto orNone = [&](Op op) {
    if (!*inside) return widened(value);
    return widened(Expr::make(Op::Select, value.type(), {*inside, value, neutral(op, value.type())}));
  };
  return BoxRange{orNone(Op::Min), orNone(Op::Max)};
}

std::optional<Expr> RangeFinder::insideOf(const Expr &value, const std::vector<PointDim> &moving) {
  Expr inside;
  bool isKnown = true;
  rewrite(value, [&](const Expr &e) { // what a subscript reads is asked before what it leads to
    if (e.op() != Op::Read) return e;
    const Result<Expr> one = readWithin(e, moving, context.arrays, natural);
    isKnown = isKnown && one.ok();
    if (one && *one) inside = inside ? Expr::make(Op::And, {inside, *one}) : *one;
    return e;
  });
  return isKnown ? std::optional(inside) : std::nullopt;
}

/// The bounds of a value that is computed for all points of a dimension.
std::optional<BoxRange> RangeFinder::bounded(const Expr &asked, const std::vector<PointDim> &points, bool isOfChunk) {
  const Expr value = isNarrow(asked.type()) ? Expr::cast(Type::Float32, asked) : asked;
  if (!isBoundable(value)) return std::nullopt;
  auto found = std::ranges::find_if(all, [&](const BoundedValue &one) { return equal(one.value, value); });
  if (found == all.end()) {
    BoundedValue one{value, {}, {}, isOfChunk, {}, {}, {}};
    std::vector<PointDim> moving = points;
    if (isOfChunk) moving.push_back(chunksOf(q));
    const auto inside = insideOf(value, moving);
    if (!inside) return std::nullopt;
    one.inside = *inside;
    if (!points.empty()) one.along = points[0];
    const auto place = [&](const std::string &what, Type type) {
      return isOfChunk ? tileOfEach("chunk_" + what, type) : scalarTile(freshName(q.kernel.names, "row_" + what), type);
    };
    one.least = place("least", value.type());
    one.most = place("most", value.type());
    if (one.hasNumbers()) one.numbers = place("numbers", Type::Int32);
    found = all.insert(all.end(), one);
  }
  const auto read = [&](const TileArray &tile) {
    return Expr::read(tile.name, found->isOfChunk ? ofEach(tile).subscripts : std::vector<Expr>(), tile.type);
  };
  BoxRange range{widened(read(found->least)), widened(read(found->most))};
  if (found->hasNumbers()) range.isOrdered = Expr::make(Op::Lt, {Expr::integer(0, Type::Int32), read(found->numbers)});
  return range;
}

TileArray RangeFinder::tileOfEach(const std::string &name, Type type) {
  TileArray tile = scalarTile(freshName(q.kernel.names, name), type);
  tile.extents = {Expr::integer(toldAtOnce)};
  return tile;
}

/// A bound of the value, kept in a tile.
void RangeFinder::boundInto(const TileArray &tile, Update update, const Expr &value, const BoundedValue &one,
                            TileBlock &body) {
  const Expr none = neutral(operationOf(update), tile.type);
  const Expr asked = one.inside ? Expr::make(Op::Select, tile.type, {one.inside, value, none}) : value;
  const Expr taken = one.isOfChunk ? ofChunk(asked) : asked;
  const Ref target = one.isOfChunk ? ofEach(tile) : Ref{tile.name, {}};
  std::vector<PointDim> dims;
  if (one.isOfChunk) dims.push_back(each);
  const auto add = [&](const TileAssign &assign) {
    if (dims.empty())
      body.emplace_back(assign);
    else
      body.push_back(nodeOf(TilePoints{dims, {assign}}));
  };
  add({target, Update::Set, one.along ? none : taken, {}});
  if (!one.along) return;
  dims.push_back(*one.along);
  dims.back().kind = PointDim::Kind::Reduced;
  add({target, update, taken, {}});
}

/// Both bounds, in tiles.
void RangeFinder::bound(const BoundedValue &one, TileBlock &body, std::vector<TileArray> &tiles) {
  tiles.insert(tiles.end(), {one.least, one.most});
  Expr least = one.value, most = one.value;
  if (one.hasNumbers()) {
    const auto number = [](std::int64_t value) { return Expr::integer(value, Type::Int32); };
    const Expr isNumber = Expr::make(Op::Eq, {one.value, one.value});
    const auto orElse = [&](Op op) {
      return Expr::make(Op::Select, one.value.type(), {isNumber, one.value, neutral(op, one.value.type())});
    };
    least = orElse(Op::Min);
    most = orElse(Op::Max);
    tiles.push_back(one.numbers);
    boundInto(one.numbers, Update::Min, Expr::make(Op::Select, Type::Int32, {isNumber, number(1), number(0)}), one,
              body);
  }
  boundInto(one.least, Update::Min, least, one, body);
  boundInto(one.most, Update::Max, most, one, body);
}

/// The kinds of some chunks. A sum over rows counts those that may take part, and, by more than there are rows each,
/// those that may be left out; so does one over columns.
void RangeFinder::tell(const TileArray &kinds, const Certainty &ofRows, const Certainty &ofColumns, Kernel &kernel) {
  constexpr std::int64_t more = 65536;
  const auto number = [](std::int64_t value) { return Expr::integer(value, Type::Int32); };
  const auto either = [](const Expr &a, const Expr &b) { return a ? Expr::make(Op::Or, {a, b}) : b; };
  const auto unless = [&](const Expr &e, std::int64_t value) {
    return Expr::make(Op::Select, Type::Int32, {ofChunk(e), number(0), number(value)});
  };
  Expr never, always;
  for (const auto &[certain, dim] : {std::pair(&ofRows, q.dims[0]), {&ofColumns, q.dims[1]}}) {
    const TileArray sum = tileOfEach("perhaps", Type::Int32);
    kernel.tiles.push_back(sum);
    PointDim along = dim;
    along.kind = PointDim::Kind::Reduced;
    kernel.body.push_back(nodeOf(TilePoints{{each}, {{ofEach(sum), Update::Set, number(0), {}}}}));
    kernel.body.push_back(nodeOf(TilePoints{
        {each, along}, {{ofEach(sum), Update::Sum, unless(certain->never, 1) + unless(certain->always, more), {}}}}));
    const Expr count = Expr::read(sum.name, ofEach(sum).subscripts, Type::Int32);
    const Expr takes = Expr::make(Op::FloorMod, Type::Int32, {count, number(more)});
    never = either(never, Expr::make(Op::Eq, {takes, number(0)}));
    always = either(always, Expr::make(Op::Lt, {count, number(more)}));
  }
  const ChunkLoop &loop = *q.kernel.loop;
  const Expr isNone = Expr::make(Op::Or, {Expr::make(Op::Not, {beginsWithin(q, loop.first, loop.limit)}), never});
  std::vector<Expr> place = variablesOf(q.grid);
  place.push_back(here);
  kernel.body.push_back(
      nodeOf(TilePoints{{each}, {{{kinds.name, place}, Update::Set, ofChunk(kindWhere(q, isNone, always)), {}}}}));
}

ChunkKinds RangeFinder::kinds(const Certainty &ofRows, const Certainty &ofColumns) {
  const TileArray kinds = kindsFor(q);
  Kernel kernel;
  kernel.name = q.kernel.name + "_ranges";
  kernel.grid = q.grid;
  const Expr parts =
      Expr::make(Op::FloorDiv, Type::Int64, {q.chunks + Expr::integer(toldAtOnce - 1), Expr::integer(toldAtOnce)});
  kernel.grid.push_back({part, Expr::integer(0), simplify(parts), PointDim::Kind::Parallel});
  for (const BoundedValue &one : all) bound(one, kernel.body, kernel.tiles);
  tell(kinds, ofRows, ofColumns, kernel);
  return {kinds, kernel};
}

} // namespace

std::optional<ChunkKinds> kindsByRanges(const ChunkQuestion &question, const PassContext &context) {
  const std::set<std::string> names = question.kernel.names;
  RangeFinder finder(question, context);
  const auto ofRows = finder.certaintyOfEach(question.dims[0]), ofColumns = finder.certaintyOfEach(question.dims[1]);
  if (ofRows && ofColumns) return finder.kinds(*ofRows, *ofColumns);
  question.kernel.names = names;
  return std::nullopt;
}

} // namespace polymend
