#include "in_order.h"

#include "polymend/data_sizes.h"

#include "device/extents.h"
#include "device/team_body.h"
#include "tile/visit.h"

namespace polymend::device_room {

namespace {

/// The statements of a function as they stand.
class SourceOrder {
public:
  explicit SourceOrder(const std::vector<DataSize> &read) : dataSizes(read) {}
  TileBlock block(const Body &body) {
    TileBlock result;
    for (const Node &node : body) result.push_back(lower(node));
    return result;
  }

private:
  const std::vector<DataSize> &dataSizes;
  std::map<std::string, Expr> moved; // variables of the descending loops around

  [[nodiscard]] Expr placed(const Expr &e) const {
    if (!e || (moved.empty() && dataSizes.empty())) return e;
    return substitute(withData(e, dataSizes), [&](const std::string &name) {
      const auto at = moved.find(name);
      return at == moved.end() ? Expr() : at->second;
    });
  }

  TileNode lower(const Node &node) {
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) return statement(**assign);
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) return nest(**loop);
    const Branch &branch = *std::get<std::shared_ptr<const Branch>>(node);
    return nodeOf(TileBranch{placed(branch.condition), block(branch.then), block(branch.otherwise)});
  }

  TileNode statement(const Assign &assign) {
    TileAssign result{{assign.target, assign.subscripts}, Update::Set, placed(assign.value), {}};
    for (Expr &subscript : result.target.subscripts) subscript = placed(subscript);
    return result;
  }

  /// A loop that runs downwards counts its iterations.
  TileNode nest(const Loop &loop) {
    const Expr first = placed(loop.first), limit = placed(loop.limit);
    if (loop.step > 0)
      return nodeOf(TileLoop{loop.variable, first, limit, loop.step, TileLoop::Kind::Serial, block(loop.body)});
    const Expr down = Expr::integer(-loop.step), count = Expr::symbol(loop.variable + "_down", Type::Int64);
    const Expr steps = Expr::make(Op::FloorDiv, Type::Int64, {first - limit + down - Expr::integer(1), down});
    moved[loop.variable] = simplify(first - down * count);
    const TileLoop result{count->name, Expr::integer(0), simplify(steps), 1, TileLoop::Kind::Serial, block(loop.body)};
    moved.erase(loop.variable);
    return nodeOf(result);
  }
};

/// What one thread holds of a local array at most; more lies in memory of the call.
constexpr std::int64_t mostElements = 1024;

TileArray arrayOf(const Array &array) {
  TileArray result;
  result.name = array.name;
  result.type = array.type;
  result.extents = array.extents;
  result.flat = array.flat;
  result.written = !array.isConst;
  return result;
}

bool isHeldByThread(const TileArray &array) {
  const Expr count = array.extents.empty() ? Expr::integer(1) : simplify(elementsOf(array));
  return count && count.op() == Op::Integer && count->integer <= mostElements;
}

bool isArgument(const Array &array) { return array.storage != Array::Storage::Local && !array.functionStatic; }

/// A local array of the function, where it lies.
DeviceTile tileOf(const Array &array) {
  DeviceTile tile;
  tile.array = arrayOf(array);
  tile.array.space = Space::Thread;
  tile.place = isHeldByThread(tile.array) ? DeviceTile::Place::Held : DeviceTile::Place::Slice;
  return tile;
}

} // namespace

Result<DeviceInOrder> mapInOrder(const Function &source, const TileProgram &program, bool strict) {
  DeviceInOrder result;
  std::vector<TileArray> all;
  for (const Array &array : source.arrays) {
    all.push_back(arrayOf(array));
    if (isArgument(array)) {
      all.back().space = Space::Argument;
      result.arrays.push_back(all.back());
      continue;
    }
    if (!array.extents.empty() && !elementsOf(all.back()))
      return Refusal{"the number of elements of '" + array.name + "' is unknown", array.where};
    result.tiles.push_back(tileOf(array));
  }
  result.body = mapAlone(SourceOrder(source.dataSizes).block(source.body), all, program, strict);
  return result;
}

} // namespace polymend::device_room
