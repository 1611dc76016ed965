// for i in grid: for j in [first, limit): .. A[i, j] .. becomes for lines of 16 neighbouring i: for chunks of 64
// neighbouring j: tile[i, j] = A[i, j], by all threads; .. tile[i, j] .., by the thread of line i; A[i, j] = tile[i,
// j]. A line's points run in their order by one thread, and no two lines depend on one another, as they are points of a
// grid; so the result is the same if each element is read after the line's own writes to it and before those that come
// later. An element that a loop writes and reads again one turn later stands in the column before the tile's first.
#include "staged_lines.h"

#include "device/stride.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Kind = PointDim::Kind;

constexpr std::int64_t linesOfBlock = 16, chunkOfLine = 64;

bool areEqual(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expr &x, const Expr &y) { return differenceOf(x, y) == 0; });
}

/// Calls `f` on every read, and whether a condition may leave it out.
void eachRead(const Expr &e, bool isChosen, const std::function<void(const Expr &, bool)> &f) {
  if (!e) return;
  if (e.op() == Op::Read) f(e, isChosen);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t k = 0; k < e->args.size(); ++k) eachRead(e.arg(k), isChosen || (chooses && k > 0), f);
}

Expr withSymbol(const Expr &e, const std::string &variable, const Expr &value) {
  return substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); });
}

/// With another index in the place of a variable: as it is in subscripts, in values converted to the variable's type.
Expr withIndex(const Expr &e, const std::string &variable, const Expr &value) {
  const Expr inside = rewrite(e, [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    ExprNode read = *node;
    for (Expr &subscript : read.args) subscript = simplify(withSymbol(subscript, variable, value));
    return Expr{read};
  });
  return rewrite(inside, [&](const Expr &node) {
    if (node.op() != Op::Symbol || node->name != variable) return node;
    return node.type() == value.type() ? value : Expr::cast(node.type(), value);
  });
}

/// An element of each line that a loop reads or writes at each of its turns, and the tile for a chunk of them.
struct StagedAccess {
  std::string array;
  std::vector<Expr> subscripts;
  std::int64_t step = 1; // of the last subscript from turn to turn
  bool isLoaded = false, isStored = false;
  bool isCarried = false; // what is written is read one turn later
  TileArray tile;
};

class LineStager {
public:
  LineStager(const Kernel &k, Scope &s) : source(k), scope(s), result(k) {}

  Kernel run() {
    if (!isCandidate()) return source;
    line = scope.fresh(row().variable + "_line");
    const std::string block = scope.fresh(row().variable + "_lines");
    const Expr size = Expr::integer(linesOfBlock), number = Expr::symbol(block, Type::Int64);
    const Expr first = row().first, limit = row().limit, begin = simplify(first + size * number);
    index = simplify(begin + Expr::symbol(line, Type::Int64));
    lines = {line, Expr::integer(0), Expr::make(Op::Min, Type::Int64, {size, simplify(limit - begin)}), Kind::Parallel};
    for (TileArray &scalar : result.tiles) scalar.extents = {size};
    result.body.clear();
    for (const TileNode &node : source.body) add(node);
    flush();
    if (!isStaged) return source;
    const Expr last = simplify(limit - first - Expr::integer(1));
    result.grid = {{block, Expr::integer(0),
                    simplify(Expr::make(Op::FloorDiv, Type::Int64, {last, size}) + Expr::integer(1)), Kind::Parallel}};
    return result;
  }

private:
  const Kernel &source;
  Scope &scope;
  Kernel result;
  std::string line; // the variable of a line within the block
  Expr index;       // the grid's variable by it
  PointDim lines;
  std::vector<TileAssign> between; // assignments that are in no loop
  bool isStaged = false;

  [[nodiscard]] const PointDim &row() const { return source.grid.front(); }

  /// One row of points that each run assignments and loops of such, with scalars of their own.
  [[nodiscard]] bool isCandidate() const {
    if (source.grid.size() != 1 || !source.roles.empty() || source.order || !source.lets.empty() ||
        !source.fallback.empty() || reads(row().first) || reads(row().limit))
      return false;
    const auto isPlain = [](const TileAssign &a) { return !a.where && a.update == Update::Set; };
    const auto isNode = [&](const TileNode &node) {
      if (const auto *assign = as<TileAssign>(node)) return isPlain(*assign);
      const auto *loop = as<TileLoop>(node);
      if (!loop) return as<TileNote>(node) != nullptr;
      const bool isUniform = !reads(loop->first) && !reads(loop->limit) && !dependsOn(loop->first, row().variable) &&
                             !dependsOn(loop->limit, row().variable);
      return isUniform && loop->step == 1 && loop->kind == TileLoop::Kind::Serial &&
             std::ranges::all_of(loop->body, [&](const TileNode &inner) {
               const auto *assign = as<TileAssign>(inner);
               return assign ? isPlain(*assign) : as<TileNote>(inner) != nullptr;
             });
    };
    return std::ranges::all_of(source.tiles, [](const TileArray &a) { return a.extents.empty(); }) &&
           std::ranges::all_of(source.body, isNode);
  }

  [[nodiscard]] bool isScalar(const std::string &array) const {
    return std::ranges::any_of(source.tiles, [&](const TileArray &a) { return a.name == array; });
  }

  /// The expression at a line of the block, whose scalars are elements of rows.
  [[nodiscard]] Expr atLine(const Expr &e) const {
    return rewrite(withIndex(e, row().variable, index), [&](const Expr &node) {
      if (node.op() != Op::Read || !isScalar(node->name)) return node;
      ExprNode read = *node;
      read.args = {Expr::symbol(line, Type::Int64)};
      return Expr{read};
    });
  }

  [[nodiscard]] TileAssign atLine(const TileAssign &a) const {
    TileAssign own = a;
    own.value = atLine(a.value);
    for (Expr &subscript : own.target.subscripts) subscript = simplify(withSymbol(subscript, row().variable, index));
    if (isScalar(a.target.array)) own.target.subscripts = {Expr::symbol(line, Type::Int64)};
    return own;
  }

  void add(const TileNode &node) {
    if (const auto *assign = as<TileAssign>(node)) {
      between.push_back(atLine(*assign));
      return;
    }
    flush();
    if (const auto *loop = as<TileLoop>(node))
      addLoop(*loop);
    else
      result.body.push_back(node);
  }

  void flush() {
    if (!between.empty()) result.body.push_back(nodeOf(TilePoints{{lines}, std::exchange(between, {})}));
  }

  /// How the element moves from turn to turn, to a neighbour, if it is another for each point and one subscript alone
  /// follows the turns, another the points.
  [[nodiscard]] std::optional<std::int64_t> stepOfLine(const std::vector<Expr> &subscripts,
                                                       const std::string &turn) const {
    std::optional<std::int64_t> along;
    bool isOwn = false;
    for (const Expr &subscript : subscripts) {
      const auto step = stepOf(subscript, turn), own = stepOf(subscript, row().variable);
      if (!step || !own || (*step != 0 && (*own != 0 || along)) || (*own != 0 && isOwn)) return std::nullopt;
      if (*step != 0) along = step;
      if (*own != 0 && *own != 1) return std::nullopt;
      isOwn = isOwn || *own == 1;
    }
    return isOwn && (along == 1 || along == -1) ? along : std::nullopt;
  }

  static std::vector<const TileAssign *> assignsOf(const TileLoop &loop) {
    std::vector<const TileAssign *> all;
    for (const TileNode &node : loop.body)
      if (const auto *assign = as<TileAssign>(node)) all.push_back(assign);
    return all;
  }

  [[nodiscard]] StagedAccess accessOf(const std::string &array, const std::vector<Expr> &subscripts,
                                      std::int64_t step) const {
    StagedAccess access;
    access.array = array;
    access.subscripts = subscripts;
    access.step = step;
    return access;
  }

  /// What the loop reads of lines of an array that it does not write.
  void takeReads(const TileLoop &loop, std::vector<StagedAccess> &found) const {
    std::set<std::string> written;
    for (const TileAssign *a : assignsOf(loop)) written.insert(a->target.array);
    for (const TileAssign *a : assignsOf(loop))
      eachRead(a->value, false, [&](const Expr &read, bool isChosen) {
        if (written.contains(read->name) || isChosen) return;
        const auto step = stepOfLine(read->args, loop.variable);
        const auto isSame = [&](const StagedAccess &other) {
          return other.array == read->name && areEqual(other.subscripts, read->args);
        };
        if (!step || std::ranges::any_of(found, isSame)) return;
        found.push_back(accessOf(read->name, read->args, *step));
        found.back().isLoaded = true;
      });
  }

  /// What one assignment alone writes, if all that is read of the array is that element, or what it was one turn
  /// before.
  void takeWrite(const TileLoop &loop, const TileAssign &assign, std::vector<StagedAccess> &found) const {
    const std::string &array = assign.target.array;
    const auto all = assignsOf(loop);
    const auto step = stepOfLine(assign.target.subscripts, loop.variable);
    const bool isOnly = std::ranges::count_if(all, [&](const TileAssign *a) { return a->target.array == array; }) == 1;
    if (!step || !isOnly) return;
    StagedAccess access = accessOf(array, assign.target.subscripts, *step);
    access.isStored = true;
    std::vector<Expr> before = access.subscripts;
    const Expr turn = Expr::symbol(loop.variable, Type::Int64);
    for (Expr &subscript : before) subscript = simplify(withSymbol(subscript, loop.variable, turn - Expr::integer(1)));
    bool isKnown = true, isWritten = false;
    for (const TileAssign *a : all) {
      eachRead(a->value, false, [&](const Expr &read, bool isChosen) {
        if (read->name != array) return;
        const bool isHere = areEqual(read->args, access.subscripts), isBefore = areEqual(read->args, before);
        isKnown = isKnown && (isHere || isBefore) && !(isChosen && (isBefore || !isWritten));
        access.isLoaded = access.isLoaded || (isHere && !isWritten);
        access.isCarried = access.isCarried || isBefore;
      });
      isWritten = isWritten || a == &assign;
    }
    if (isKnown) found.push_back(access);
  }

  /// The column of a turn's element in a tile, the first of which is for what was before.
  static Expr columnOf(const Expr &place) { return simplify(place + Expr::integer(1)); }

  /// `to` = `from` along all lines, for each place of a chunk, in the order of memory.
  void addCopy(const StagedAccess &access, const Expr &begin, const Expr &count, bool loads, const TileLoop &loop) {
    const std::string place = scope.fresh(loop.variable + "_place");
    const Expr number = Expr::symbol(place, Type::Int64);
    const Expr turn = access.step == 1 ? number : simplify(count - Expr::integer(1) - number);
    std::vector<Expr> subscripts = access.subscripts;
    for (Expr &subscript : subscripts)
      subscript =
          simplify(withSymbol(withSymbol(subscript, loop.variable, simplify(begin + turn)), row().variable, index));
    const Ref memory{access.array, subscripts};
    const Ref tile{access.tile.name, {Expr::symbol(line, Type::Int64), columnOf(turn)}};
    const Ref &to = loads ? tile : memory, &from = loads ? memory : tile;
    const TileAssign copy{to, Update::Set, Expr::read(from.array, from.subscripts, access.tile.type), {}};
    result.body.push_back(nodeOf(TilePoints{{lines, {place, Expr::integer(0), count, Kind::Parallel}}, {copy}}));
  }

  /// What was written at the turn before the chunk's first: by the loop's own before it, or else at its last place.
  void addBefore(const StagedAccess &access, const Expr &begin, const TileLoop &loop) {
    std::vector<Expr> subscripts = access.subscripts;
    for (Expr &subscript : subscripts)
      subscript = simplify(
          withSymbol(withSymbol(subscript, loop.variable, simplify(begin - Expr::integer(1))), row().variable, index));
    const Type type = access.tile.type;
    const Expr own = Expr::symbol(line, Type::Int64), isFirst = Expr::make(Op::Eq, Type::Bool, {begin, loop.first});
    const Expr last = Expr::read(access.tile.name, {own, Expr::integer(chunkOfLine)}, type);
    const Expr value = Expr::make(Op::Select, type, {isFirst, Expr::read(access.array, subscripts, type), last});
    const TileAssign copy{{access.tile.name, {own, Expr::integer(0)}}, Update::Set, value, {}};
    result.body.push_back(nodeOf(TilePoints{{lines}, {copy}}));
  }

  /// The value with elements of tiles, at place `place` of the chunk.
  [[nodiscard]] Expr fromTiles(const Expr &value, const std::vector<StagedAccess> &staged, const TileLoop &loop,
                               const Expr &place) const {
    const Expr turn = Expr::symbol(loop.variable, Type::Int64);
    return rewrite(value, [&](const Expr &node) {
      if (node.op() != Op::Read) return node;
      for (const StagedAccess &access : staged) {
        if (access.array != node->name) continue;
        std::vector<Expr> before = access.subscripts;
        for (Expr &s : before) s = simplify(withSymbol(s, loop.variable, turn - Expr::integer(1)));
        const bool isHere = areEqual(node->args, access.subscripts);
        if (!isHere && !(access.isCarried && areEqual(node->args, before))) continue;
        return Expr::read(access.tile.name, {Expr::symbol(line, Type::Int64), isHere ? columnOf(place) : place},
                          access.tile.type);
      }
      return node;
    });
  }

  /// Chunks of the loop. What is carried from one to the next is taken before what is loaded takes its place.
  void addLoop(const TileLoop &loop) {
    std::vector<StagedAccess> staged;
    takeReads(loop, staged);
    for (const TileAssign *a : assignsOf(loop)) takeWrite(loop, *a, staged);
    std::erase_if(staged, [&](const StagedAccess &access) { return scope.find(access.array) == nullptr; });
    const auto liesAlong = [&](const StagedAccess &access) {
      return dependsOn(access.subscripts.back(), loop.variable);
    };
    isStaged = isStaged || std::ranges::any_of(staged, liesAlong);
    for (StagedAccess &access : staged) {
      access.tile.name = scope.fresh(access.array + "_staged");
      access.tile.type = scope.typeOf(access.array);
      access.tile.extents = {Expr::integer(linesOfBlock), Expr::integer(chunkOfLine + 1)};
      access.tile.written = true;
      result.tiles.push_back(access.tile);
    }
    const std::string chunk = scope.fresh(loop.variable + "_chunk"), within = scope.fresh(loop.variable + "_within");
    const Expr begin = Expr::symbol(chunk, Type::Int64), place = Expr::symbol(within, Type::Int64);
    const Expr size = Expr::integer(chunkOfLine);
    const Expr count = Expr::make(Op::Min, Type::Int64, {size, simplify(loop.limit - begin)});
    const TileBlock outside = std::exchange(result.body, {});
    for (const StagedAccess &access : staged)
      if (access.isCarried) addBefore(access, begin, loop);
    for (const StagedAccess &access : staged)
      if (access.isLoaded) addCopy(access, begin, count, true, loop);
    TilePoints walk{{lines, {within, Expr::integer(0), count, Kind::Serial}}, {}};
    for (const TileAssign *a : assignsOf(loop)) {
      TileAssign own = *a;
      own.value = fromTiles(a->value, staged, loop, place);
      for (const StagedAccess &access : staged)
        if (access.isStored && access.array == a->target.array)
          own.target = {access.tile.name, {Expr::symbol(line, Type::Int64), columnOf(place)}};
      own = atLine(own);
      own.value = withIndex(own.value, loop.variable, simplify(begin + place));
      for (Expr &subscript : own.target.subscripts)
        subscript = simplify(withSymbol(subscript, loop.variable, simplify(begin + place)));
      walk.body.push_back(std::move(own));
    }
    result.body.push_back(nodeOf(walk));
    for (const StagedAccess &access : staged)
      if (access.isStored) addCopy(access, begin, count, false, loop);
    TileLoop chunks{chunk, loop.first, loop.limit, chunkOfLine, TileLoop::Kind::Serial, std::move(result.body)};
    result.body = outside;
    result.body.push_back(nodeOf(std::move(chunks)));
  }
};

} // namespace

Kernel withStagedLines(const Kernel &kernel, Scope &scope) { return LineStager(kernel, scope).run(); }

} // namespace polymend::device_room
