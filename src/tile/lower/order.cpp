// Loops stay where they are. An outermost loop that carries no dependence becomes a kernel's grid, with arrays that are
// private to an iteration in the thread; a nest of such loops around one statement becomes a point region; others run
// in order. Nothing is reordered, so every dependence holds as it did; but for sums on a GPU, where that is allowed:
// the threads of a block share an outermost loop that does nothing else.
#include "order.h"

#include "polymend/numbers.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

class Orderer {
public:
  Orderer(const Function &source, const Scop &model, const Dependences &dependences, bool sharesSums,
          TileProgram &target)
      : function(source), scop(model), deps(dependences), shares(sharesSums), program(target),
        numbers(statementNumbers(source, model)) {}

  std::optional<Refusal> run() {
    number(function.body);
    TileBlock serial;
    for (const Node &node : function.body) {
      const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
      if (loop && (*loop)->step == 1 && !inside[loop->get()].empty() && isParallel(**loop) && !readsBounds(**loop)) {
        flush(serial);
        gridKernel(**loop);
      } else if (loop && shares && isSum(**loop)) {
        flush(serial);
        sumKernel(**loop);
      } else {
        serial.push_back(lower(node));
      }
    }
    flush(serial);
    if (refused) return refused;
    for (const Array &array : scop.arrays) addLocal(array);
    return std::nullopt;
  }

private:
  const Function &function;
  const Scop &scop;
  const Dependences &deps;
  const bool shares;
  TileProgram &program;
  const std::map<const Assign *, int> numbers;
  std::map<const Loop *, std::set<int>> inside;
  std::set<std::string> inKernels;
  std::optional<Refusal> refused;
  std::map<std::string, Expr> moved; // variables of the descending loops around the node being lowered

  std::set<int> number(const Body &body) {
    std::set<int> all;
    for (const Node &node : body) {
      std::set<int> some;
      if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) {
        const auto at = numbers.find(assign->get());
        if (at == numbers.end()) continue;
        some = {at->second};
      } else if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        some = inside[loop->get()] = number((*loop)->body);
      } else {
        const auto &branch = *std::get<std::shared_ptr<const Branch>>(node);
        some = number(branch.then);
        const std::set<int> more = number(branch.otherwise);
        some.insert(more.begin(), more.end());
      }
      all.insert(some.begin(), some.end());
    }
    return all;
  }

  bool isParallel(const Loop &loop) {
    const std::set<int> &own = inside[&loop];
    return std::none_of(deps.edges.begin(), deps.edges.end(), [&](const Dependence &edge) {
      return edge.variable == loop.variable && !edge.privatised && own.count(edge.from) && own.count(edge.to);
    });
  }

  /// A grid has bounds that are known before it starts.
  [[nodiscard]] bool readsBounds(const Loop &loop) const {
    return reads(withData(loop.first, scop.dataSizes)) || reads(withData(loop.limit, scop.dataSizes));
  }

  /// Is the local array used in this loop alone, with no value crossing its iterations?
  bool isPrivate(const Array &array, const Loop &loop) {
    if (array.storage != Array::Storage::Local && !array.functionStatic) return false;
    const std::set<int> &own = inside[&loop];
    for (std::size_t s = 0; s < scop.statements.size(); ++s) {
      bool uses = scop.statements[s].write.array == array.name;
      for (const Access &access : scop.statements[s].reads) uses = uses || access.array == array.name;
      if (uses && !own.count(static_cast<int>(s))) return false;
    }
    return true;
  }

  TileArray local(const Array &array, bool priv) {
    TileArray tile;
    tile.name = array.name;
    tile.type = array.type;
    tile.extents = array.extents;
    tile.written = true;
    std::int64_t elements = 1;
    for (const Expr &extent : array.extents) elements *= extent.op() == Op::Integer ? extent->integer : 1 << 20;
    tile.space = !priv ? Space::Work : elements <= 16384 ? Space::Thread : Space::Row;
    return tile;
  }

  void addLocal(const Array &array) {
    if (array.storage != Array::Storage::Local && !array.functionStatic) return;
    if (!inKernels.count(array.name)) program.arrays.push_back(local(array, false));
  }

  void gridKernel(const Loop &outer) {
    Kernel kernel;
    kernel.name = function.name + "_" + std::to_string(program.kernels.size());
    const Loop *loop = &outer;
    const Body *body = nullptr;
    for (;;) {
      kernel.grid.push_back({loop->variable, loop->first, loop->limit, PointDim::Kind::Parallel});
      body = &loop->body;
      const auto *next = body->size() == 1 ? std::get_if<std::shared_ptr<const Loop>>(&body->front()) : nullptr;
      if (!next || (*next)->step != 1 || !isParallel(**next) || !hasLoop((*next)->body) || readsBounds(**next)) break;
      loop = next->get();
    }
    for (const Array &array : scop.arrays)
      if (isPrivate(array, outer)) {
        kernel.tiles.push_back(local(array, true));
        inKernels.insert(array.name);
      }
    for (const Node &node : *body) kernel.body.push_back(lower(node));
    program.kernels.push_back(kernel);
  }

  /// The sum that the node is, into a number that nothing else in the loop names; null: it is none.
  const Reduction *sumIn(const Node &node, const Loop &loop) {
    const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node);
    const auto number = assign ? numbers.find(assign->get()) : numbers.end();
    if (number == numbers.end() || !(*assign)->subscripts.empty()) return nullptr;
    const std::set<int> &own = inside[&loop];
    const bool isAlone = std::ranges::all_of(own, [&](int s) {
      const Statement &one = scop.statements[static_cast<std::size_t>(s)];
      if (s == number->second) return true;
      return one.write.array != (*assign)->target &&
             std::ranges::none_of(one.reads, [&](const Access &a) { return a.array == (*assign)->target; });
    });
    const Reduction *reduction = deps.reductionOf(number->second);
    const bool isSum = isAlone && reduction && reduction->monoid == Monoid::Sum;
    return isSum && !reads(reduction->element, (*assign)->target) ? reduction : nullptr;
  }

  /// Does the loop nothing but add to numbers?
  bool isSum(const Loop &loop) {
    return loop.step == 1 && !inside[&loop].empty() && !readsBounds(loop) &&
           std::ranges::all_of(loop.body, [&](const Node &node) { return sumIn(node, loop) != nullptr; });
  }

  /// A block for the sums of a loop, each in a number of its own until the end.
  void sumKernel(const Loop &loop) {
    Kernel kernel;
    kernel.name = function.name + "_" + std::to_string(program.kernels.size());
    kernel.grid.push_back({"once", Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel});
    TilePoints points{{{loop.variable, loop.first, loop.limit, PointDim::Kind::Reduced}}, {}};
    TileBlock before, behind;
    for (const Node &node : loop.body) {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      TileArray total = local(scop.array(assign.target), true);
      total.name = assign.target + "_total";
      const Ref own{total.name, {}}, whole{assign.target, {}};
      before.push_back(TileAssign{own, Update::Set, Expr::read(assign.target, {}, total.type), {}});
      const Reduction &reduction = *sumIn(node, loop);
      points.body.push_back({own, Update::Sum, unnumbered(placed(reduction.element)), {}});
      behind.push_back(TileAssign{whole, Update::Set, Expr::read(total.name, {}, total.type), {}});
      kernel.tiles.push_back(std::move(total));
    }
    kernel.body = std::move(before);
    kernel.body.push_back(nodeOf(points));
    kernel.body.insert(kernel.body.end(), behind.begin(), behind.end());
    program.kernels.push_back(std::move(kernel));
  }

  static bool hasLoop(const Body &body) {
    return std::any_of(body.begin(), body.end(),
                       [](const Node &node) { return !std::holds_alternative<std::shared_ptr<const Assign>>(node); });
  }

  void flush(TileBlock &serial) {
    if (serial.empty()) return;
    Kernel kernel;
    kernel.name = function.name + "_" + std::to_string(program.kernels.size());
    kernel.body = serial;
    program.kernels.push_back(kernel);
    serial.clear();
  }

  TileNode lower(const Node &node) {
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node))
      return numbers.count(assign->get()) ? statement(**assign) : TileNode{TileNote{"a statement that never runs"}};
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      TileBranch result{placed((*branch)->condition), {}, {}};
      for (const Node &inner : (*branch)->then) result.then.push_back(lower(inner));
      for (const Node &inner : (*branch)->otherwise) result.otherwise.push_back(lower(inner));
      return nodeOf(result);
    }
    const Loop &loop = *std::get<std::shared_ptr<const Loop>>(node);
    return inside[&loop].empty() ? TileNode{TileNote{"a loop in which nothing runs"}} : lowerLoop(loop);
  }

  TileNode lowerLoop(const Loop &loop) {
    if (auto points = asPoints(loop)) return *points;
    if (loop.step < 0) return lowerDescending(loop);
    TileLoop result;
    result.variable = loop.variable;
    result.step = loop.step;
    result.first = placed(loop.first);
    result.limit = placed(loop.limit);
    for (const Node &inner : loop.body) result.body.push_back(lower(inner));
    return nodeOf(result);
  }

  /// A loop that runs downwards counts its iterations: x = first - count * step.
  TileNode lowerDescending(const Loop &loop) {
    const std::int64_t down = -loop.step;
    TileLoop result;
    result.variable = loop.variable + "_down";
    const Expr first = placed(loop.first);
    result.first = Expr::integer(0);
    const Expr rounded = simplify(first - placed(loop.limit) + Expr::integer(down - 1));
    result.limit =
        down == 1 ? rounded : simplify(Expr::make(Op::FloorDiv, Type::Int64, {rounded, Expr::integer(down)}));
    moved[loop.variable] = simplify(first - Expr::integer(down) * Expr::symbol(result.variable, Type::Int64));
    for (const Node &inner : loop.body) result.body.push_back(lower(inner));
    moved.erase(loop.variable);
    return nodeOf(result);
  }

  /// An expression of the source where the variables of descending loops are what their counts make them.
  [[nodiscard]] Expr placed(const Expr &e) const {
    if (!e || (moved.empty() && scop.dataSizes.empty())) return e;
    return substitute(withData(e, scop.dataSizes), [&](const std::string &name) {
      const auto at = moved.find(name);
      return at == moved.end() ? Expr() : at->second;
    });
  }

  /// A perfect nest of parallel loops around statements that do not feed each other.
  std::optional<TileNode> asPoints(const Loop &outer) {
    TilePoints points;
    const Loop *loop = &outer;
    for (;;) {
      if (loop->step != 1 || !isParallel(*loop)) return std::nullopt;
      points.dims.push_back({loop->variable, placed(loop->first), placed(loop->limit), PointDim::Kind::Parallel});
      const auto *next =
          loop->body.size() == 1 ? std::get_if<std::shared_ptr<const Loop>>(&loop->body.front()) : nullptr;
      if (!next) break;
      loop = next->get();
    }
    for (const Node &node : loop->body) {
      const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node);
      if (!assign || !numbers.count(assign->get())) return std::nullopt;
      const TileNode one = statement(**assign);
      points.body.push_back(std::get<TileAssign>(one));
      if (!writesItsOwn(points.body.back(), points.dims)) return std::nullopt;
    }
    return nodeOf(points);
  }

  /// Does each point write an element of its own? A private scalar is shared by the points of a region.
  static bool writesItsOwn(const TileAssign &assign, const std::vector<PointDim> &dims) {
    std::set<std::string> used;
    for (const Expr &subscript : assign.target.subscripts) used.merge(symbols(subscript));
    return std::all_of(dims.begin(), dims.end(), [&](const PointDim &dim) { return used.count(dim.variable) > 0; });
  }

  /// The value with reads that belong to no statement.
  static Expr unnumbered(const Expr &value) {
    return rewrite(value, [](const Expr &node) {
      if (node.op() != Op::Read) return node;
      ExprNode read = *node;
      read.access = -1;
      return Expr{read};
    });
  }

  TileNode statement(const Assign &assign) {
    const Statement &model = scop.statements[static_cast<std::size_t>(numbers.at(&assign))];
    const auto subscripts = toExprs(model.write.relation, symbolsOf(model.iterators));
    if (!subscripts && !refused) refused = Refusal{"the element written here has no single place", assign.where};
    const Expr value = unnumbered(placed(model.value));
    std::vector<Expr> target = subscripts ? *subscripts : assign.subscripts;
    for (Expr &subscript : target) subscript = simplify(placed(subscript));
    return TileAssign{{assign.target, target}, Update::Set, value, {}};
  }
};

} // namespace

std::optional<Refusal> lowerInOrder(const Function &function, const Scop &scop, const Dependences &dependences,
                                    bool sharesSums, TileProgram &program) {
  return Orderer(function, scop, dependences, sharesSums, program).run();
}

} // namespace polymend
