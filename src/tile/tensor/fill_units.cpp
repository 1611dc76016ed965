// Rows of matrices need not fill units: 40 columns are a part of 48. Copies find zeros where an array ends, so that
// sums over what is added take nothing in; an element of a result that is added is of no row's and is not stored; what
// is folded along a row leaves added elements out. Rows that are a part of wider ones stay as they are: the next
// elements of these are no zeros.
#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

constexpr std::int64_t unit = 16, bytesAtOnce = 16;

std::int64_t filled(std::int64_t columns) { return (columns + unit - 1) / unit * unit; }

class UnitFiller {
public:
  UnitFiller(RectangularKernel &rectangular, const PassContext &c) : kernel(rectangular), context(c) {}
  /// The kernel with all rows filled; absent: one cannot be.
  std::optional<RectangularKernel> run();

private:
  [[nodiscard]] std::vector<TileBlock *> blocks();
  [[nodiscard]] const TileArray *tile(const std::string &name) const;
  [[nodiscard]] std::int64_t shortSize(const PointDim &d) const;
  [[nodiscard]] bool isSubscript(const Ref &ref, const std::string &variable) const;
  [[nodiscard]] bool isRead(const Expr &value, const std::string &variable, bool ofTiles) const;
  [[nodiscard]] bool isZeroBeyond(const Expr &factor, const std::string &variable) const;
  [[nodiscard]] bool isCopy(const TileAssign &a, const std::string &variable, std::int64_t size) const;
  void noteCopies();
  bool widen(TilePoints &points);
  bool widen(TileAssign &a, const TilePoints &points, const PointDim &d, std::int64_t size);

  RectangularKernel &kernel;
  const PassContext &context;
  std::map<std::string, bool> copied; // tiles that copies alone assign
  std::map<std::pair<std::string, std::size_t>, std::int64_t> widened;
};

std::vector<TileBlock *> UnitFiller::blocks() {
  std::vector<TileBlock *> all{&kernel.before, &kernel.after};
  if (kernel.loop) all.insert(all.end(), {&kernel.loop->full, &kernel.loop->masked});
  return all;
}

const TileArray *UnitFiller::tile(const std::string &name) const {
  const auto at =
      std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == kernel.tiles.end() ? nullptr : &*at;
}

/// The dimension's size where it is too short for units, but holds whole chunks of a copy; else 0.
std::int64_t UnitFiller::shortSize(const PointDim &d) const {
  const bool constant = d.first.op() == Op::Integer && d.first->integer == 0 && d.limit.op() == Op::Integer;
  const std::int64_t size = constant ? d.limit->integer : 0;
  const bool chunks = size * context.units.elementBytes % bytesAtOnce == 0;
  return size > 0 && size % unit != 0 && chunks ? size : 0;
}

bool UnitFiller::isSubscript(const Ref &ref, const std::string &variable) const {
  return std::any_of(ref.subscripts.begin(), ref.subscripts.end(),
                     [&](const Expr &s) { return s.op() == Op::Symbol && s->name == variable; });
}

/// Does the value read a tile, or an array of the program, at the variable?
bool UnitFiller::isRead(const Expr &value, const std::string &variable, bool ofTiles) const {
  bool found = false;
  if (!value) return found;
  visit(value, [&](const Expr &e) {
    if (e.op() == Op::Read && (tile(e->name) != nullptr) == ofTiles && symbols(e).contains(variable)) found = true;
  });
  return found;
}

/// Is the factor zero at added points of the variable?
bool UnitFiller::isZeroBeyond(const Expr &factor, const std::string &variable) const {
  if (factor.op() == Op::Cast || factor.op() == Op::Real)
    return !factor->args.empty() && isZeroBeyond(factor.arg(0), variable);
  const auto at = factor.op() == Op::Read ? copied.find(factor->name) : copied.end();
  return at != copied.end() && at->second && symbols(factor).contains(variable);
}

/// A copy whose array ends along the variable where the loop does.
bool UnitFiller::isCopy(const TileAssign &a, const std::string &variable, std::int64_t size) const {
  if (!tile(a.target.array) || a.update != Update::Set || a.value.op() != Op::Read || tile(a.value->name)) return false;
  const auto array = std::find_if(context.arrays.begin(), context.arrays.end(),
                                  [&](const TileArray &t) { return t.name == a.value->name; });
  if (array == context.arrays.end()) return false;
  for (std::size_t d = 0; d < a.value->args.size(); ++d) {
    const Expr &at = a.value.arg(d);
    if (!symbols(at).contains(variable)) continue;
    const Expr end = array->extents[d] ? simplify(usedExtent(*array, d)) : Expr();
    return at.op() == Op::Symbol && end && end.op() == Op::Integer && end->integer == size;
  }
  return false;
}

void UnitFiller::noteCopies() {
  for (TileBlock *block : blocks())
    eachAssign(*block, [&](const TileAssign &a) {
      if (!tile(a.target.array)) return;
      const bool copy = a.update == Update::Set && a.value.op() == Op::Read && !tile(a.value->name);
      const auto [at, isNew] = copied.try_emplace(a.target.array, copy);
      at->second = at->second && copy;
    });
}

/// The assignment over a dimension of which the last points are added; false: it would mean something else.
bool UnitFiller::widen(TileAssign &a, const TilePoints &points, const PointDim &d, std::int64_t size) {
  const std::string &variable = d.variable;
  const Expr isOwn = Expr::make(Op::Lt, {Expr::symbol(variable, Type::Int64), Expr::integer(size)});
  if (isCopy(a, variable, size)) return true;
  const bool ofArray = isRead(a.value, variable, false) || isRead(a.where, variable, false);
  if (ofArray) return false;
  if (!isSubscript(a.target, variable)) { // a fold along the dimension
    if (const auto product = contractionOf(points, kernel.tiles))
      return product->k == variable && isZeroBeyond(a.value.arg(0), variable) && isZeroBeyond(a.value.arg(1), variable);
    if (a.update == Update::Set || a.where) return false;
    const Type type = a.value.type();
    a.value = Expr::make(Op::Select, type, {isOwn, a.value, neutral(operationOf(a.update), type)});
    return true;
  }
  if (!tile(a.target.array)) a.where = a.where ? Expr::make(Op::And, {a.where, isOwn}) : isOwn;
  return true;
}

bool UnitFiller::widen(TilePoints &points) {
  for (PointDim &d : points.dims) {
    const std::int64_t size = shortSize(d);
    if (size == 0) continue;
    const TilePoints before = points;
    for (TileAssign &a : points.body) {
      if (!widen(a, before, d, size)) return false;
      const auto note = [&](const std::string &name, const std::vector<Expr> &subscripts) {
        for (std::size_t k = 0; tile(name) && k < subscripts.size(); ++k)
          if (symbols(subscripts[k]).contains(d.variable))
            widened[{name, k}] = subscripts[k].op() == Op::Symbol ? size : 0;
      };
      note(a.target.array, a.target.subscripts);
      visit(a.value, [&](const Expr &e) {
        if (e.op() == Op::Read) note(e->name, e->args);
      });
    }
    d.limit = Expr::integer(filled(size));
  }
  return true;
}

std::optional<RectangularKernel> UnitFiller::run() {
  noteCopies();
  for (TileBlock *block : blocks())
    for (TileNode &node : *block) {
      const TilePoints *points = as<TilePoints>(node);
      if (!points) continue;
      TilePoints wide = *points;
      if (!widen(wide)) return std::nullopt;
      node = nodeOf(std::move(wide));
    }
  for (const auto &[place, size] : widened) {
    const auto at = std::find_if(kernel.tiles.begin(), kernel.tiles.end(),
                                 [&](const TileArray &t) { return t.name == place.first; });
    Expr &extent = at->extents[place.second];
    if (size == 0 || extent.op() != Op::Integer || extent->integer != size) return std::nullopt;
    extent = Expr::integer(filled(size));
  }
  return std::move(kernel);
}

} // namespace

Result<RectangularKernel> fillUnits(RectangularKernel kernel, const PassContext &context) {
  RectangularKernel wide = kernel;
  if (auto made = UnitFiller(wide, context).run()) kernel = *std::move(made);
  return kernel;
}

} // namespace polymend
