// A function and its sizes arrive, the shape of each array leaves. Extents that the source does not give are bounded by
// interval arithmetic over the subscripts of all accesses: too large at worst, which costs memory and nothing else.
#include "real_reach.h"
#include "run.h"

#include "polymend/element_types.h"
#include "polymend/segments.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::int64_t elementsPerRow = 3; // on average, where arrays say how many
constexpr std::int64_t far = std::int64_t(1) << 40;
// Elements; what is more comes of subscripts that nothing bounds.
constexpr std::int64_t mostAsked = std::int64_t(1) << 24;

/// What is known while walking a body: the interval of every symbol, the largest subscript per array and dimension, and
/// the least of the outermost one.
struct Walk {
  std::map<std::string, Interval> symbols;
  std::map<std::string, Interval> contents; // of integer arrays
  std::map<std::string, std::vector<std::int64_t>> largest;
  std::map<std::string, std::int64_t> least;
  std::map<std::string, bool> read, written;
  std::map<std::string, bool> subscript; // arrays whose values are used as subscripts
  std::set<std::string> own;             // integers that the function declares
  std::set<std::string> compared;        // arrays whose elements are asked whether they equal those of an array
  const std::vector<DataSize> *dataSizes = nullptr;
};

/// An end as a size: far where it is not known.
std::int64_t sized(Wide end) { return static_cast<std::int64_t>(std::clamp<Wide>(end, -far, far)); }

std::int64_t product(std::int64_t a, std::int64_t b) { return sized(Wide{a} * b); }

/// Every value that `e` can take; anything that is not understood may be anything.
Interval bounds(const Expr &e, const Walk &walk) {
  if (!e) return {};
  return intervalOf(e, [&](const Expr &carried) {
    const bool converts = carried.op() == Op::Cast && isShort(carried.arg(0).type());
    const Expr &leaf = converts ? carried.arg(0) : carried;
    if (leaf.op() == Op::Cast && isInteger(leaf.type()) && isFloating(leaf.arg(0).type()))
      return integersIn(rangeOf(leaf.arg(0), [&](const Expr &integer) { return bounds(integer, walk); }));
    if (leaf.op() == Op::Cast && isShort(leaf.type())) return limitsOf(leaf.type());
    const auto &known = leaf.op() == Op::Read ? walk.contents : walk.symbols;
    const auto found = leaf.op() == Op::Read || leaf.op() == Op::Symbol ? known.find(leaf->name) : known.end();
    return found == known.end() ? Interval{} : found->second;
  });
}

/// Notes an access to an array.
void touch(const std::string &array, const std::vector<Expr> &subscripts, Walk &walk) {
  auto &largest = walk.largest[array];
  largest.resize(std::max(largest.size(), subscripts.size()), -1);
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const Interval range = bounds(subscripts[d], walk);
    largest[d] = std::max(largest[d], sized(range.most));
    if (d == 0) walk.least[array] = std::min(walk.least[array], sized(range.least));
    visit(subscripts[d], [&](const Expr &e) {
      if (e.op() == Op::Read) walk.subscript[e->name] = true;
    });
  }
}

/// Notes the arrays of which an equality compares elements.
void noteCompared(const Expr &e, Walk &walk) {
  if (e.op() != Op::Eq && e.op() != Op::Ne) return;
  const auto elementOf = [](Expr side) {
    while (side.op() == Op::Cast) side = side.arg(0);
    return side;
  };
  const Expr a = elementOf(e.arg(0)), b = elementOf(e.arg(1));
  if (a.op() == Op::Read && b.op() == Op::Read) walk.compared.insert({a->name, b->name});
}

/// Notes every read within an expression.
void touchReads(const Expr &value, Walk &walk) {
  visit(value, [&](const Expr &e) {
    noteCompared(e, walk);
    if (e.op() != Op::Read) return;
    walk.read[e->name] = true;
    touch(e->name, e->args, walk);
  });
}

void walkBody(const Body &body, Walk &walk);

/// Notes what an integer that the function declares may be: what is assigned to it.
void noteContents(const Assign &assign, Walk &walk) {
  const auto own = walk.contents.find(assign.target);
  if (own == walk.contents.end() || !walk.own.contains(assign.target)) return;
  const Interval value = reads(assign.value, assign.target) ? Interval{} : bounds(assign.value, walk);
  own->second = own->second.empty() ? value : hull(own->second, value);
}

/// Gives the loop's variable its interval; a loop that never runs touches nothing.
void walkLoop(const Loop &loop, Walk &walk) {
  std::set<std::string> sizes = symbols(loop.first);
  sizes.merge(symbols(loop.limit));
  for (const DataSize &data : *walk.dataSizes)
    if (sizes.contains(data.name)) touchReads(data.value, walk);
  const Interval first = bounds(loop.first, walk), limit = bounds(loop.limit, walk);
  const Interval one{1, 1};
  const Interval range = loop.step > 0 ? Interval{first.least, intervalOf(Op::Sub, limit, one).most}
                                       : Interval{intervalOf(Op::Add, limit, one).least, first.most};
  if (range.empty()) return;
  walk.symbols[loop.variable] = range;
  walkBody(loop.body, walk);
}

void walkBody(const Body &body, Walk &walk) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      walkLoop(**loop, walk);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      walkBody((*branch)->then, walk);
      walkBody((*branch)->otherwise, walk);
    } else {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      walk.written[assign.target] = true;
      noteContents(assign, walk);
      touch(assign.target, assign.subscripts, walk);
      for (const Expr &subscript : assign.subscripts) touchReads(subscript, walk);
      touchReads(assign.value, walk);
    }
  }
}

/// The range of an integer array's values: as given, or below the smallest size.
Interval contentsOf(const Array &array, const CheckedFunction &checked, const Sizes &sizes, const Walk &walk) {
  for (const IndexRange &range : checked.ranges)
    if (range.array == array.name) return {bounds(range.first, walk).least, bounds(range.limit, walk).most - 1};
  std::int64_t smallest = sizes.empty() ? 1 : far;
  for (const auto &[name, value] : sizes) smallest = std::min(smallest, value);
  return {0, smallest - 1};
}

/// Arrays of which neighbours are the ends of a range: [r[i], r[i + 1]).
std::set<std::string> rangeEnds(const Function &function) {
  std::set<std::string> arrays;
  for (const DataSize &data : function.dataSizes) {
    const Expr &e = data.value;
    if (e.op() != Op::Sub) continue;
    const Expr end = indexElement(e.arg(0)), begin = indexElement(e.arg(1));
    if (end && begin && end->name == begin->name) arrays.insert(end->name);
  }
  return arrays;
}

/// Are no two of its elements the same? So it is of places of a diagonal, which lead to rows of their own.
bool isDeclaredToDiffer(const Function &function, const std::string &array) {
  return isDeclared(function, IndexFact::Kind::Injective, array) ||
         isDeclared(function, IndexFact::Kind::Diagonal, array);
}

/// One past the largest subscript in dimension `d` that any access has.
std::int64_t reachIn(const Array &array, std::size_t d, const Walk &walk) {
  const auto found = walk.largest.find(array.name);
  return found != walk.largest.end() && d < found->second.size() ? std::max<std::int64_t>(found->second[d] + 1, 0) : 0;
}

/// How many rows below the pointer an access may touch; where that is not known the source is taken not to.
std::int64_t below(const Array &array, const Walk &walk) {
  constexpr std::int64_t most = std::int64_t(1) << 24;
  const auto found = walk.least.find(array.name);
  const bool isPointer = array.storage == Array::Storage::Parameter && !array.extents.empty();
  return found != walk.least.end() && isPointer && found->second > -most ? -found->second : 0;
}

/// The extent that the description gives, or nothing.
std::optional<std::int64_t> extentIn(const Array &array, std::size_t d, const Walk &walk) {
  if (d >= array.extents.size() || !array.extents[d]) return std::nullopt;
  return std::max<std::int64_t>(sized(bounds(array.extents[d], walk).most), 0);
}

/// A pointer is one dimension, whatever arrangement was found behind it.
void shapeFlat(const Array &array, const Walk &walk, Shape &shape) {
  std::optional<std::int64_t> elements = array.extents.empty() ? std::nullopt : std::optional<std::int64_t>(1);
  for (std::size_t d = 0; d < array.extents.size() && elements; ++d) {
    const auto extent = extentIn(array, d, walk);
    elements = extent ? std::optional(product(*elements, *extent)) : std::nullopt;
  }
  const std::int64_t reach = reachIn(array, 0, walk);
  shape.extents = {elements.value_or(reach)};
  shape.reach = {std::min(reach, shape.extents[0])};
}

/// What holds the elements of an array so that they lie nowhere else; empty: nothing does.
std::string ownerOf(const Function &function, const std::string &array) {
  for (const Part &part : function.parts) {
    const bool isCopied = std::any_of(part.numbers.begin(), part.numbers.end(),
                                      [&](const RecordNumbers &numbers) { return numbers.array == array; });
    const bool owns =
        part.kind == Part::Kind::Vector || part.kind == Part::Kind::StandardArray || part.kind == Part::Kind::Array;
    if (isCopied || (owns && part.data == array))
      return part.path.empty() && owns ? part.type : part.argument + "'s " + array;
  }
  return "";
}

/// Extents and touched box of one array; the outermost elements that nothing touches are spare. Refuses what leaves a
/// constant extent or memory.
Result<Shape> shapeOf(const Array &array, const Walk &walk, bool limited) {
  Shape shape;
  shape.name = array.name;
  shape.type = array.type;
  shape.read = walk.read.contains(array.name);
  shape.written = walk.written.contains(array.name);
  shape.global = array.storage == Array::Storage::Static;
  shape.constant = shape.global && array.isConst;
  shape.restricted = array.restricted;
  shape.alike = walk.compared.contains(array.name);
  if (array.flat) shapeFlat(array, walk, shape);
  for (std::size_t d = 0; d < array.extents.size() && !array.flat; ++d) {
    const std::int64_t reach = reachIn(array, d, walk);
    const auto extent = extentIn(array, d, walk);
    const bool ends = extent && (simplify(array.extents[d]).op() == Op::Integer || (d > 0 && !array.rows.empty()));
    if (ends && reach > *extent && !limited)
      return Refusal{"the source leaves '" + array.name + "' at these sizes", array.where};
    const bool isSpare = d == 0 && !shape.global;
    shape.extents.push_back(isSpare ? std::min(reach, extent.value_or(reach)) : extent.value_or(reach));
    shape.reach.push_back(std::min(reach, shape.extents.back()));
    if (d == 0) shape.spare = extent.value_or(reach) - shape.extents.back();
    if (d > 0) shape.spare = product(shape.spare, shape.extents.back());
  }
  std::int64_t elements = 1, row = 1;
  for (std::size_t d = 1; d < shape.extents.size(); ++d) row = product(row, shape.extents[d]);
  if (const std::int64_t rows = below(array, walk); rows > 0) {
    shape.before = product(rows, row);
    shape.extents[0] += rows;
    shape.reach[0] += rows;
  }
  for (std::int64_t extent : shape.extents) elements = product(elements, extent);
  if (elements > (std::int64_t(1) << 28))
    return Refusal{"'" + array.name + "' has no known extent or too large a one", array.where};
  const auto contents = walk.contents.find(array.name);
  if (contents != walk.contents.end() && walk.subscript.contains(array.name))
    shape.range = {sized(contents->second.least), sized(contents->second.most)};
  return shape;
}

/// What the function's body touches at these sizes.
Walk walkOf(const CheckedFunction &checked, const Sizes &sizes) {
  Walk walk;
  for (const auto &[name, value] : sizes) walk.symbols[name] = {value, value};
  const std::set<std::string> ends = rangeEnds(checked.function);
  std::int64_t largest = 1;
  for (const auto &[name, value] : sizes) largest = std::max(largest, value);
  for (const Array &array : checked.function.arrays) {
    if (!isInteger(array.type) && !isShort(array.type)) continue;
    walk.contents[array.name] = contentsOf(array, checked, sizes, walk);
    if (array.storage == Array::Storage::Local) {
      walk.contents[array.name] = {0, -1};
      walk.own.insert(array.name);
      continue;
    }
    if (isShort(array.type)) {
      Interval &values = walk.contents[array.name];
      const Interval limits = limitsOf(array.type);
      values = {std::max(values.least, limits.least), std::min(values.most, limits.most)};
    }
    const bool given = std::any_of(checked.ranges.begin(), checked.ranges.end(),
                                   [&](const IndexRange &range) { return range.array == array.name; });
    if (ends.contains(array.name) && !given) walk.contents[array.name] = {0, Wide{elementsPerRow} * largest};
    if (isDeclaredToDiffer(checked.function, array.name) && !given)
      walk.contents[array.name] = {0, Wide{elementsPerRow} * largest};
  }
  walk.dataSizes = &checked.function.dataSizes;
  for (const DataSize &data : checked.function.dataSizes) {
    walk.symbols[data.name] = bounds(data.value, walk);
    visit(data.value, [&](const Expr &e) {
      if (e.op() == Op::Read) walk.subscript[e->name] = true;
    });
  }
  walkBody(checked.function.body, walk);
  return walk;
}

} // namespace

std::int64_t Shape::count() const {
  std::int64_t product = 1;
  for (std::int64_t extent : extents) product *= extent;
  return product;
}

Expr roomAsked(const CheckedFunction &checked, const Sizes &sizes) {
  const Walk walk = walkOf(checked, sizes);
  Expr asked;
  for (const Array &array : checked.function.arrays)
    for (std::size_t d = 0; d < array.extents.size() && array.storage == Array::Storage::Local; ++d) {
      const std::int64_t reach = reachIn(array, d, walk);
      const auto extent = extentIn(array, d, walk);
      if (!extent || *extent >= reach || reach > mostAsked || array.extents[d].op() == Op::Integer) continue;
      const Expr one = Expr::make(Op::Le, {Expr::integer(reach), array.extents[d]});
      asked = asked ? Expr::make(Op::And, {asked, one}) : one;
    }
  return asked;
}

Result<std::vector<Shape>> shapes(const CheckedFunction &checked, const Sizes &sizes) {
  for (const auto &[name, limit] : checked.limits)
    if (const auto size = sizes.find(name); size != sizes.end() && size->second > limit)
      return Refusal{name + " may be at most " + std::to_string(limit), {}};
  const Walk walk = walkOf(checked, sizes);
  const std::set<std::string> ends = rangeEnds(checked.function);
  std::vector<Shape> result;
  for (const Array &array : checked.function.arrays) {
    const auto shape = shapeOf(array, walk, !checked.limits.empty());
    if (array.storage == Array::Storage::Return || array.functionStatic) continue;
    if (!shape) return shape.refusal();
    if (array.storage == Array::Storage::Local) continue;
    if (shape->range && shape->range->empty() && shape->count() > 0)
      return Refusal{"the index array '" + array.name + "' has no valid value at these sizes", array.where};
    result.push_back(*shape);
    result.back().rises =
        ends.contains(array.name) || isDeclared(checked.function, IndexFact::Kind::Monotone, array.name);
    result.back().differs = isDeclaredToDiffer(checked.function, array.name);
    result.back().owner = ownerOf(checked.function, array.name);
  }
  return result;
}

} // namespace polymend
