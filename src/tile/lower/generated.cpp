// isl writes the loops of a schedule; here each becomes a node of the tile program. Before isl writes a loop it is
// asked which instances run in it: the loop is parallel where no dependence among these, within one iteration of the
// loops around it, reaches from one of its iterations to another; on a host what an iteration sets for itself alone is
// its thread's own. That holds whatever chose the schedule. One file:
// what a loop becomes depends on those around it and within it.
#include "generated.h"

#include "ast_expr.h"
#include "carrying.h"
#include "free_bounds.h"
#include "own_copies.h"
#include "polymend/feedback.h"
#include "register_sums.h"
#include "tile/visit.h"
#include "worth.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <sstream>
#include <utility>

namespace polymend {

namespace {

using LoopKind = PointDim::Kind;

/// Assignments in a turn that are worth a thread's, and those in a loop that are worth the start of threads.
constexpr std::int64_t leastTurn = 16384, leastShared = 65536;

/// What isl asks before each loop. What is thrown there waits until isl has returned, which leaves what it holds behind
/// where something passes through it.
struct Asked {
  Carrying carrying;
  std::exception_ptr thrown = nullptr;
};

isl_id *noteKind(isl_ast_build *build, void *user) {
  auto *asked = static_cast<Asked *>(user);
  try {
    const isl::union_map times = isl::manage(isl_ast_build_get_schedule(build));
    return isl_id_alloc(isl_ast_build_get_ctx(build), asked->carrying.kindOf(times).c_str(), nullptr);
  } catch (...) {
    asked->thrown = std::current_exception();
    return nullptr;
  }
}

struct AstFree {
  void operator()(isl_ast_node *node) const { isl_ast_node_free(node); }
};
using Ast = std::unique_ptr<isl_ast_node, AstFree>;

/// A for as isl writes it.
struct Head {
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  LoopKind kind = LoopKind::Serial;
  std::vector<std::string> own = {}; // arrays of which each thread that shares its turns has one
};

class Generator {
public:
  Generator(const Scop &model, const Dependences &dependences, bool canReorder, bool host, bool hasOwn,
            TileProgram &target)
      : scop(model), deps(dependences), reorder(canReorder), isHost(host), copies(hasOwn), program(target),
        own(model, target) {}

  /// The arrays called `shared` have no copies.
  std::optional<Refusal> run(const isl::schedule &order, const std::set<std::string> &shared) {
    Asked asked{Carrying(scop, deps, copies, shared)};
    isl_ast_build *build = isl_ast_build_alloc(scop.context.get());
    build = isl_ast_build_set_iterators(build, iterators());
    build = isl_ast_build_set_before_each_for(build, noteKind, &asked);
    const Ast root(isl_ast_build_node_from_schedule(build, order.copy()));
    isl_ast_build_free(build);
    if (asked.thrown) std::rethrow_exception(asked.thrown);
    if (!root) return Refusal{"isl writes no loops for the schedule", {}};
    TileBlock serial;
    for (const Ast &node : listOf(root.get())) top(node.get(), serial);
    flush(serial);
    for (const Array &array : scop.arrays) addLocal(array);
    return refused;
  }

  [[nodiscard]] std::set<std::string> halfShared() const { return own.halfShared(); }

private:
  const Scop &scop;
  const Dependences &deps;
  bool reorder, isHost, copies;
  TileProgram &program;
  std::optional<Refusal> refused;
  Standing standing;                // loops of one iteration
  std::vector<TileArray> registers; // of the kernel that is being lowered
  OwnCopies own;

  /// Names for loops, which nothing else has.
  [[nodiscard]] isl_id_list *iterators() const {
    std::set<std::string> taken(scop.parameters.begin(), scop.parameters.end());
    for (const Array &array : scop.arrays) taken.insert(array.name);
    for (const auto &[name, type] : program.scalars) taken.insert(name);
    isl_id_list *list = isl_id_list_alloc(scop.context.get(), 0);
    constexpr int most = 40;
    for (int d = 0; d < most; ++d) {
      std::string name = "t" + std::to_string(d);
      while (taken.contains(name)) name += "_";
      list = isl_id_list_add(list, isl_id_alloc(scop.context.get(), name.c_str(), nullptr));
    }
    return list;
  }

  void refuse(const std::string &why) {
    if (!refused) refused = Refusal{why, scop.statements.front().where};
  }

  static std::vector<Ast> listOf(isl_ast_node *node) {
    std::vector<Ast> all;
    if (isl_ast_node_get_type(node) != isl_ast_node_block) {
      all.emplace_back(isl_ast_node_copy(node));
      return all;
    }
    isl_ast_node_list *list = isl_ast_node_block_get_children(node);
    const int count = isl_ast_node_list_n_ast_node(list);
    for (int i = 0; i < count; ++i) all.emplace_back(isl_ast_node_list_get_ast_node(list, i));
    isl_ast_node_list_free(list);
    return all;
  }

  static bool isFor(isl_ast_node *node) { return isl_ast_node_get_type(node) == isl_ast_node_for; }
  static bool isUser(isl_ast_node *node) { return isl_ast_node_get_type(node) == isl_ast_node_user; }
  static bool isOnce(isl_ast_node *node) { return isl_ast_node_for_is_degenerate(node) == isl_bool_true; }
  static Ast bodyOf(isl_ast_node *node) { return Ast(isl_ast_node_for_get_body(node)); }

  static bool hasLoop(isl_ast_node *node) {
    bool found = false;
    isl_ast_node_foreach_descendant_top_down(
        node,
        [](isl_ast_node *inner, void *user) {
          if (isFor(inner) && !isOnce(inner)) *static_cast<bool *>(user) = true;
          return isl_bool_true;
        },
        &found);
    return found;
  }

  Expr expr(isl_ast_expr *given) {
    const auto result = fromAst(given, standing);
    isl_ast_expr_free(given);
    if (!result) refuse("isl writes a bound that has no counterpart");
    return result ? simplify(*result) : Expr::integer(0);
  }

  std::string variableOf(isl_ast_node *node) {
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_id_get_id(iterator);
    std::string name = isl_id_get_name(id);
    isl_id_free(id);
    isl_ast_expr_free(iterator);
    return name;
  }

  Head headOf(isl_ast_node *node) {
    Head head;
    head.variable = variableOf(node);
    head.first = expr(isl_ast_node_for_get_init(node));
    const Expr step = expr(isl_ast_node_for_get_inc(node));
    const Expr condition = expr(isl_ast_node_for_get_cond(node));
    const bool compares = condition.op() == Op::Lt || condition.op() == Op::Le;
    if (!compares || condition.arg(0).op() != Op::Symbol || step.op() != Op::Integer || step->integer < 1) {
      refuse("isl writes a loop that has no counterpart");
      head.limit = head.first;
      return head;
    }
    head.step = step->integer;
    head.limit = condition.op() == Op::Lt ? condition.arg(1) : simplify(condition.arg(1) + Expr::integer(1));
    isl_id *kind = isl_ast_node_get_annotation(node);
    std::istringstream words(kind ? isl_id_get_name(kind) : "serial");
    isl_id_free(kind);
    std::string name;
    words >> name;
    head.kind = name == "parallel"             ? LoopKind::Parallel
                : name == "reduced" && reorder ? LoopKind::Reduced
                                               : LoopKind::Serial;
    while (words >> name) head.own.push_back(name);
    return head;
  }

  void flush(TileBlock &serial) {
    if (serial.empty()) return;
    Kernel kernel;
    kernel.name = program.function + "_" + std::to_string(program.kernels.size());
    kernel.body = serial;
    kernel.tiles = std::exchange(registers, {});
    program.kernels.push_back(kernel);
    serial.clear();
  }

  /// A node of the outermost level: parallel loops become a grid.
  void top(isl_ast_node *node, TileBlock &serial) {
    if (isHost && isFor(node) && !isOnce(node)) {
      const Head head = headOf(node);
      if (head.kind == LoopKind::Parallel && head.step == 1) {
        flush(serial);
        return grid(node);
      }
    }
    for (TileNode &one : lower(node, false)) serial.push_back(std::move(one));
  }

  void grid(isl_ast_node *outermost) {
    Kernel kernel;
    kernel.name = program.function + "_" + std::to_string(program.kernels.size());
    Ast body(isl_ast_node_copy(outermost));
    const auto outside = own.now();
    for (;;) {
      const Head head = headOf(body.get());
      copy(head.own);
      kernel.grid.push_back({head.variable, head.first, head.limit, LoopKind::Parallel});
      body = bodyOf(body.get());
      if (!isFor(body.get()) || isOnce(body.get())) break;
      const Head next = headOf(body.get());
      if (next.kind != LoopKind::Parallel || next.step != 1 || !hasLoop(bodyOf(body.get()).get())) break;
    }
    kernel.body = lower(body.get(), true);
    own.backTo(outside);
    kernel.tiles = std::exchange(registers, {});
    program.kernels.push_back(kernel);
  }

  /// `isShared`: threads share a loop around the node.
  TileBlock lower(isl_ast_node *node, bool isShared) {
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_block: {
      TileBlock all;
      for (const Ast &one : listOf(node))
        for (TileNode &inner : lower(one.get(), isShared)) all.push_back(std::move(inner));
      return all;
    }
    case isl_ast_node_for: return loop(node, isShared);
    case isl_ast_node_if: return branch(node, isShared);
    case isl_ast_node_mark: return lower(Ast(isl_ast_node_mark_get_node(node)).get(), isShared);
    case isl_ast_node_user: return {statement(node)};
    default: break;
    }
    refuse("isl writes a node that has no counterpart");
    return {};
  }

  TileBlock branch(isl_ast_node *node, bool isShared) {
    TileBranch result;
    result.condition = expr(isl_ast_node_if_get_cond(node));
    result.then = lower(Ast(isl_ast_node_if_get_then(node)).get(), isShared);
    if (isl_ast_node_if_has_else(node) == isl_bool_true)
      result.otherwise = lower(Ast(isl_ast_node_if_get_else(node)).get(), isShared);
    return {nodeOf(result)};
  }

  TileBlock once(isl_ast_node *node, bool isShared) {
    const std::string variable = variableOf(node);
    standing[variable] = expr(isl_ast_node_for_get_init(node));
    TileBlock result = lower(bodyOf(node).get(), isShared);
    standing.erase(variable);
    return result;
  }

  TileBlock loop(isl_ast_node *node, bool isShared) {
    if (isOnce(node)) return once(node, isShared);
    const Head head = headOf(node);
    if (!isHost && head.kind != LoopKind::Serial) return regions(node, {}, {});
    const bool shares = !isShared && head.kind == LoopKind::Parallel;
    if (auto points = shares ? std::nullopt : asPoints(node); points && (isShared || !hasParallel(*points)))
      return isHost ? held(*points, statementWithin(node)) : TileBlock{*points};
    TileLoop result;
    result.variable = head.variable;
    result.first = head.first;
    result.limit = head.limit;
    result.step = head.step;
    result.kind = shares ? TileLoop::Kind::Shared : TileLoop::Kind::Serial;
    const auto outside = own.now();
    if (shares) copy(head.own);
    result.body = lower(bodyOf(node).get(), isShared || shares);
    own.backTo(outside);
    return shares ? ifWorth(result, node) : TileBlock{nodeOf(result)};
  }

  /// From here on each thread has arrays of these for itself.
  void copy(const std::vector<std::string> &arrays) {
    for (const TileArray &mine : own.forThread(arrays)) addRegister(mine);
  }

  void addRegister(const TileArray &array) {
    if (std::none_of(registers.begin(), registers.end(), [&](const TileArray &one) { return one.name == array.name; }))
      registers.push_back(array);
  }

  /// The shared loop, where there is enough for threads to do; else the same in one.
  TileBlock ifWorth(const TileLoop &shared, isl_ast_node *node) {
    const Expr each = workWithin(shared);
    if (depthOf(shared.body) > 2 || (each.op() == Op::Integer && each->integer >= leastTurn)) return {nodeOf(shared)};
    TileLoop alone = shared;
    alone.kind = TileLoop::Kind::Serial;
    const auto points = asPoints(node);
    const Expr all = simplify(tripsOf(shared) * each);
    const TileNode serial = points ? *points : nodeOf(alone);
    if (all.op() == Op::Integer) return {all->integer >= leastShared ? nodeOf(shared) : serial};
    const Expr isEnough = Expr::make(Op::Le, Type::Bool, {Expr::integer(leastShared), all});
    return {nodeOf(TileBranch{isEnough, {nodeOf(shared)}, {serial}})};
  }

  static bool hasParallel(const TileNode &points) {
    const std::vector<PointDim> &dims = as<TilePoints>(points)->dims;
    return std::any_of(dims.begin(), dims.end(), [](const PointDim &dim) { return dim.kind == LoopKind::Parallel; });
  }

  /// Does each point along a parallel dimension write an element of its own? Tiles of them do, and are no points.
  static bool writesItsOwn(const TilePoints &points) {
    std::set<std::string> used;
    for (const Expr &subscript : points.body.front().target.subscripts) used.merge(symbols(subscript));
    return std::all_of(points.dims.begin(), points.dims.end(), [&](const PointDim &dim) {
      return dim.kind != LoopKind::Parallel || used.contains(dim.variable);
    });
  }

  /// The points of a nest around one statement, the elements that they update in registers where turns of the innermost
  /// loop update the same.
  TileBlock held(const TileNode &node, int number) {
    constexpr int rowsAtOnce = 8;
    const TilePoints &points = *as<TilePoints>(node);
    const Statement &model = scop.statements[static_cast<std::size_t>(number)];
    if (own.isOwn(model.write.array)) return {node};
    const auto scalarOf = [&](const std::string &suffix) {
      TileArray scalar;
      scalar.name = own.freshName(model.write.array + "_so_far" + suffix);
      scalar.type = scop.array(model.write.array).type;
      scalar.written = true;
      scalar.space = Space::Thread;
      return scalar;
    };
    std::vector<TileArray> scalars{scalarOf("")};
    std::optional<TileBlock> result = inRegister(points, model, scalars.front());
    if (!result && points.dims.size() > 1) {
      for (int k = 1; k < rowsAtOnce; ++k) scalars.push_back(scalarOf("_" + std::to_string(k)));
      result =
          inRegisters(points, model, scalars, own.freshName(points.dims[points.dims.size() - 2].variable + "_block"));
    }
    if (!result) return {node};
    for (const TileArray &scalar : scalars) addRegister(scalar);
    return *result;
  }

  /// The number of the statement that a perfect nest is around.
  [[nodiscard]] int statementWithin(isl_ast_node *outermost) const {
    Ast node(isl_ast_node_copy(outermost));
    while (isFor(node.get())) node = bodyOf(node.get());
    return numberOf(node.get());
  }

  /// A perfect nest around one statement.
  std::optional<TileNode> asPoints(isl_ast_node *outermost) {
    TilePoints points;
    Ast node(isl_ast_node_copy(outermost));
    const Standing outside = standing;
    for (; isFor(node.get()); node = bodyOf(node.get())) {
      if (isOnce(node.get())) {
        const std::string variable = variableOf(node.get());
        standing[variable] = expr(isl_ast_node_for_get_init(node.get()));
        continue;
      }
      const Head head = headOf(node.get());
      if (head.step != 1) break;
      points.dims.push_back({head.variable, head.first, head.limit, head.kind});
    }
    std::optional<TileNode> result;
    if (isUser(node.get())) {
      points.body = {std::get<TileAssign>(statement(node.get()))};
      if (keepsOrder(node.get()))
        for (PointDim &dim : points.dims)
          if (dim.kind == LoopKind::Reduced) dim.kind = LoopKind::Serial;
      if (writesItsOwn(points)) result = nodeOf(points);
    }
    standing = outside;
    return result;
  }

  /// Parallel loops around those that a sum alone carries: each element has its own terms, in their order.
  template <class F> static void outermost(std::vector<PointDim> &dims, const F &isParallel) {
    const bool isSum =
        std::none_of(dims.begin(), dims.end(), [](const PointDim &d) { return d.kind == LoopKind::Serial; });
    const bool isFree = std::all_of(dims.begin(), dims.end(), [&](const PointDim &d) {
      std::set<std::string> used = symbols(d.first);
      used.merge(symbols(d.limit));
      return !isParallel(d) || std::all_of(dims.begin(), dims.end(), [&](const PointDim &other) {
        return isParallel(other) || !used.contains(other.variable);
      });
    });
    if (!isSum || !isFree) return;
    std::vector<PointDim> ordered;
    std::copy_if(dims.begin(), dims.end(), std::back_inserter(ordered), isParallel);
    std::copy_if(dims.begin(), dims.end(), std::back_inserter(ordered),
                 [&](const PointDim &d) { return !isParallel(d); });
    dims = ordered;
  }

  /// Several statements that run one after another at each point of a nest.
  TilePoints turnsOf(const std::vector<Ast> &nodes, const std::vector<PointDim> &dims, const Expr &where) {
    TilePoints points{dims, {}};
    for (const Ast &node : nodes) {
      if (!isUser(node.get())) {
        refuse("a point of a launch runs several statements");
        break;
      }
      points.body.push_back(std::get<TileAssign>(statement(node.get())));
      points.body.back().where = where;
    }
    for (PointDim &dim : points.dims)
      if (dim.kind == LoopKind::Reduced) dim.kind = LoopKind::Serial;
    return points;
  }

  /// The dimension of a region for a loop within those of `dims`; one that steps counts its turns. Where a remainder of
  /// these dimensions says where a parallel loop begins or ends (every other cell, as in a chequerboard), it runs from
  /// the first to the last of all of them, and `where` says which points there are: a box, which threads share.
  PointDim dimOf(const Head &head, const std::vector<PointDim> &dims, Expr &where) {
    std::set<std::string> around;
    for (const PointDim &dim : dims) around.insert(dim.variable);
    const bool isApart = head.step != 1;
    const Expr own = Expr::symbol(head.variable, Type::Int64), step = Expr::integer(head.step);
    const auto least = leastOver(around, head.first), most = mostOver(around, head.limit);
    const bool isBox = head.kind == LoopKind::Parallel && least && most;
    const Expr &first = isBox ? *least : head.first, &limit = isBox ? *most : head.limit;
    PointDim dim{head.variable, first, limit, head.kind};
    if (isApart) {
      dim.first = Expr::integer(0);
      dim.limit = simplify(Expr::make(Op::FloorDiv, Type::Int64, {limit - first + step - Expr::integer(1), step}));
      standing[head.variable] = simplify(head.first + step * own);
    }
    const auto require = [&](const Expr &condition) {
      where = where ? Expr::make(Op::And, Type::Bool, {where, condition}) : condition;
    };
    const Expr at = isApart ? standing[head.variable] : own;
    if (isBox && !isApart && !equal(first, head.first)) require(Expr::make(Op::Le, Type::Bool, {head.first, at}));
    if (isBox && (!equal(limit, head.limit) || (isApart && !equal(first, head.first))))
      require(simplify(Expr::make(Op::Lt, Type::Bool, {at, head.limit})));
    return dim;
  }

  /// The nest as regions, one for each statement, in order: points along parallel loops are independent, so that each
  /// does what it did. What several statements do in turn along another loop is no region.
  TileBlock regions(isl_ast_node *node, std::vector<PointDim> dims, Expr where) {
    const auto isParallel = [](const PointDim &dim) { return dim.kind == LoopKind::Parallel; };
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for: {
      const std::string variable = variableOf(node);
      const auto outside = own.now();
      if (isOnce(node)) {
        standing[variable] = expr(isl_ast_node_for_get_init(node));
      } else {
        const Head head = headOf(node);
        dims.push_back(dimOf(head, dims, where));
        if (!own.forPoints(head.own, dims.back()))
          refuse("how many values turns of a loop have for themselves changes");
      }
      TileBlock result = regions(bodyOf(node).get(), dims, where);
      standing.erase(variable);
      own.backTo(outside);
      return result;
    }
    case isl_ast_node_block: {
      if (!std::all_of(dims.begin(), dims.end(), isParallel)) return {nodeOf(turnsOf(listOf(node), dims, where))};
      TileBlock all;
      for (const Ast &one : listOf(node))
        for (TileNode &inner : regions(one.get(), dims, where)) all.push_back(std::move(inner));
      return all;
    }
    case isl_ast_node_if: {
      const Expr condition = expr(isl_ast_node_if_get_cond(node));
      const auto both = [&](const Expr &next) { return where ? Expr::make(Op::And, Type::Bool, {where, next}) : next; };
      TileBlock all = regions(Ast(isl_ast_node_if_get_then(node)).get(), dims, both(condition));
      if (isl_ast_node_if_has_else(node) != isl_bool_true) return all;
      if (!std::all_of(dims.begin(), dims.end(), isParallel)) refuse("a point of a launch runs several statements");
      const Expr other = both(Expr::make(Op::Not, Type::Bool, {condition}));
      for (TileNode &inner : regions(Ast(isl_ast_node_if_get_else(node)).get(), dims, other))
        all.push_back(std::move(inner));
      return all;
    }
    case isl_ast_node_mark: return regions(Ast(isl_ast_node_mark_get_node(node)).get(), dims, where);
    case isl_ast_node_user: break;
    default: refuse("isl writes a node that has no counterpart"); return {};
    }
    TilePoints points;
    points.dims = dims;
    points.body = {std::get<TileAssign>(statement(node))};
    points.body.front().where = where;
    outermost(points.dims, isParallel);
    if (keepsOrder(node))
      for (PointDim &dim : points.dims)
        if (dim.kind == LoopKind::Reduced) dim.kind = LoopKind::Serial;
    if (!writesItsOwn(points)) refuse("several points of a launch write one element");
    return {nodeOf(points)};
  }

  /// The number of the statement that a call is of.
  [[nodiscard]] int numberOf(isl_ast_node *node) const {
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    isl_ast_expr *callee = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(callee);
    const std::string name = isl_id_get_name(id);
    isl_id_free(id);
    isl_ast_expr_free(callee);
    isl_ast_expr_free(call);
    const auto found = std::find_if(scop.statements.begin(), scop.statements.end(),
                                    [&](const Statement &one) { return one.id == name; });
    return static_cast<int>(found - scop.statements.begin());
  }

  /// May the terms be taken in any order that the statement of a call adds up?
  [[nodiscard]] bool isFree(int number) const { return reorder && !feedsBack(scop, deps, number); }

  [[nodiscard]] bool keepsOrder(isl_ast_node *node) const {
    const int number = numberOf(node);
    const Reduction *sum = deps.reductionOf(number);
    return !isFree(number) || !sum || sum->monoid != Monoid::Sum;
  }

  /// The statement of a call; a sum whose order is free is an update by its element, on a GPU every sum, which a thread
  /// keeps in a register.
  TileNode statement(isl_ast_node *node) {
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    std::vector<Expr> at;
    const int count = isl_ast_expr_op_get_n_arg(call);
    for (int i = 1; i < count; ++i) at.push_back(expr(isl_ast_expr_op_get_arg(call, i)));
    isl_ast_expr_free(call);
    return assignment(numberOf(node), at);
  }

  TileAssign assignment(int number, const std::vector<Expr> &at) {
    const Statement &model = scop.statements[static_cast<std::size_t>(number)];
    const auto subscripts = toExprs(model.write.relation, at);
    if (!subscripts && !refused) refused = Refusal{"the element written here has no single place", model.where};
    const Reduction *reduction = !isHost || isFree(number) ? deps.reductionOf(number) : nullptr;
    const bool isSum = reduction && reduction->monoid == Monoid::Sum;
    const Expr value = placed(isSum ? signedFactor(reduction->element) : model.value, model, at);
    TileAssign result{own.standingFor(model.write.array), isSum ? Update::Sum : Update::Set, value, {}};
    if (subscripts)
      for (const Expr &subscript : *subscripts) result.target.subscripts.push_back(simplify(subscript));
    return result;
  }

  /// -(x * y) as (-x) * y, which is the same number: a product of two factors.
  static Expr signedFactor(const Expr &e) {
    if (e.op() != Op::Neg || e.arg(0).op() != Op::Mul) return e;
    const Expr &product = e.arg(0);
    return Expr::make(Op::Mul, product.type(),
                      {Expr::make(Op::Neg, product.arg(0).type(), {product.arg(0)}), product.arg(1)});
  }

  Expr placed(const Expr &value, const Statement &model, const std::vector<Expr> &at) {
    const Expr free = rewrite(value, [this](const Expr &node) {
      if (node.op() != Op::Read) return node;
      ExprNode read = *node;
      read.access = -1;
      Ref place = own.standingFor(read.name);
      read.name = place.array;
      for (const Expr &subscript : read.args) place.subscripts.push_back(simplify(subscript));
      read.args = std::move(place.subscripts);
      return Expr{read};
    });
    return substitute(free, [&](const std::string &name) {
      for (std::size_t d = 0; d < model.iterators.size(); ++d)
        if (model.iterators[d] == name) return at[d];
      return Expr();
    });
  }

  void addLocal(const Array &array) {
    if (array.storage != Array::Storage::Local && !array.functionStatic) return;
    if (own.isCopied(array.name)) return;
    TileArray tile;
    tile.name = array.name;
    tile.type = array.type;
    tile.extents = array.extents;
    tile.written = true;
    tile.space = Space::Work;
    program.arrays.push_back(tile);
  }
};

} // namespace

std::optional<Refusal> lowerMoved(const Scop &scop, const Dependences &dependences, const isl::schedule &order,
                                  bool reorder, bool isHost, bool copies, TileProgram &program) {
  const TileProgram start = program;
  for (std::set<std::string> shared;;) {
    program = start;
    Generator generator(scop, dependences, reorder, isHost, copies, program);
    auto refusal = generator.run(order, shared);
    const std::set<std::string> more = generator.halfShared();
    if (refusal || more.empty()) return refusal;
    shared.insert(more.begin(), more.end());
  }
}

} // namespace polymend
