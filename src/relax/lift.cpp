// Statements become equations: a reduction's instances become one equation over the dimensions that its chain leaves
// fixed, any other statement a map over its iterators. A read becomes a read of the value its value-based flow source
// wrote, so that storage, its reuse and the order of execution are gone. Refusal keeps the function in source order.
// One class, one file: each kind of statement reads and extends the same table of equations.
#include "lift.h"

#include "capture.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <numeric>

namespace polymend {
namespace {

/// The reduction of a statement, if it has one, and how its instances map to dimensions of the equation.
struct Shape {
  const Reduction *reduction = nullptr;
  std::vector<unsigned> order; // position in the statement's iterators of each dimension, keys first
  unsigned keys = 0;
};

Shape shapeOf(const Scop &scop, const Dependences &deps, int s) {
  Shape shape;
  shape.reduction = deps.reductionOf(s);
  const auto n = static_cast<unsigned>(scop.statements[static_cast<std::size_t>(s)].iterators.size());
  for (unsigned pass = 0; pass < 2; ++pass)
    for (unsigned d = 0; d < n; ++d)
      if ((shape.reduction && shape.reduction->reduced[d]) == (pass == 1)) shape.order.push_back(d);
  shape.keys =
      shape.reduction
          ? static_cast<unsigned>(std::count(shape.reduction->reduced.begin(), shape.reduction->reduced.end(), false))
          : n;
  return shape;
}

class Lifter {
public:
  Lifter(const Scop &source, const Dependences &dependences, bool freely)
      : scop(source), deps(dependences), reorder(freely) {}

  Result<System> run() {
    for (int s = 0; s < count(); ++s) shapes.push_back(shapeOf(scop, deps, s));
    for (int s = 0; s < count(); ++s) toEquation.push_back(permutation(s));
    if (auto refusal = orderStatements()) return *refusal;
    equationOf.assign(static_cast<std::size_t>(count()), -1);
    extension.resize(static_cast<std::size_t>(count()));
    for (int s : order)
      if (auto refusal = lower(s)) return *refusal;
    if (auto refusal = store()) return *refusal;
    return system;
  }

private:
  const Scop &scop;
  const Dependences &deps;
  bool reorder;
  std::vector<Shape> shapes;
  std::vector<isl::map> toEquation; // { S[iterators] -> E[keys, reduced] }, a permutation
  std::vector<int> order, equationOf;
  std::vector<std::optional<isl::map>> extension; // per reduction: { Init[iterators] -> E[keys] }
  System system;
  unsigned fresh = 0;

  [[nodiscard]] int count() const { return static_cast<int>(scop.statements.size()); }
  [[nodiscard]] const Statement &at(int s) const { return scop.statements[static_cast<std::size_t>(s)]; }
  [[nodiscard]] const Shape &shape(int s) const { return shapes[static_cast<std::size_t>(s)]; }
  [[nodiscard]] Refusal refuse(const std::string &reason, const SourceRange &where) const { return {reason, where}; }

  [[nodiscard]] std::string nameOf(int s) const { return at(s).write.array + "_" + at(s).id; }

  /// What people call what the statement writes.
  [[nodiscard]] std::string told(int s) const {
    const std::string &name = scop.array(at(s).write.array).told;
    return name.empty() ? "'" + at(s).write.array + "'" : name;
  }

  isl::map permutation(int s) const {
    const Shape &own = shape(s);
    isl::map result = isl::manage(isl_map_from_domain_and_range(
        at(s).domain.copy(),
        isl_set_universe(isl_space_set_from_params(isl_space_params(isl_set_get_space(at(s).domain.get()))))));
    const auto n = static_cast<unsigned>(own.order.size());
    result = isl::manage(isl_map_add_dims(result.release(), isl_dim_out, n));
    for (unsigned k = 0; k < n; ++k)
      result = isl::manage(isl_map_equate(result.release(), isl_dim_in, static_cast<int>(own.order[k]), isl_dim_out,
                                          static_cast<int>(k)));
    return setRangeTuple(result, nameOf(s));
  }

  /// Is this read of a reduction's statement one of its accumulator? (a choice may read it more than once)
  static bool readsAccumulator(const Statement &statement, int read) {
    const Access &access = statement.reads[static_cast<std::size_t>(read)];
    return access.exact && access.array == statement.write.array && access.relation.is_equal(statement.write.relation);
  }

  static std::string whyNone(const Statement &statement) {
    const bool isRounded = statement.value.op() == Op::Cast && isNarrow(statement.value.type());
    return isRounded ? ": each of its steps is rounded to 16 bits" : "";
  }

  /// Topological order by value flow; a cycle through other statements is a recurrence.
  std::optional<Refusal> orderStatements() {
    std::vector<std::vector<int>> readers(static_cast<std::size_t>(count()));
    std::vector<int> waiting(static_cast<std::size_t>(count()), 0);
    for (const Sources &sources : deps.sources) {
      const Reduction *own = shape(sources.statement).reduction;
      for (const auto &[writer, map] : sources.from) {
        if (writer == sources.statement) {
          if (own && readsAccumulator(at(writer), sources.read)) continue;
          return refuse(told(writer) + " is a recurrence that is no reduction" + whyNone(at(writer)), at(writer).where);
        }
        readers[static_cast<std::size_t>(writer)].push_back(sources.statement);
        ++waiting[static_cast<std::size_t>(sources.statement)];
      }
    }
    std::vector<int> ready;
    for (int s = 0; s < count(); ++s)
      if (waiting[static_cast<std::size_t>(s)] == 0) ready.push_back(s);
    for (std::size_t next = 0; next < ready.size(); ++next)
      for (int reader : readers[static_cast<std::size_t>(ready[next])])
        if (--waiting[static_cast<std::size_t>(reader)] == 0) ready.push_back(reader);
    if (static_cast<int>(ready.size()) != count()) {
      for (int s = 0; s < count(); ++s)
        if (waiting[static_cast<std::size_t>(s)] != 0)
          return refuse(told(s) + " takes part in a recurrence over several statements", at(s).where);
    }
    order = ready;
    return std::nullopt;
  }

  /// The value an instance of `writer` leaves behind: { Writer[x] -> E[keys] }.
  [[nodiscard]] isl::map valueOf(int writer) const {
    const Shape &own = shape(writer);
    const auto n = static_cast<unsigned>(own.order.size());
    return setRangeTuple(projectOutRange(toEquation[static_cast<std::size_t>(writer)], own.keys, n - own.keys),
                         nameOf(writer));
  }

  /// What a read sees: pieces of the reader's domain, each an operand.
  struct Source {
    isl::set where;
    Operand operand;
  };

  /// Collects sources per equation, so that a chain and its initial value become one piece.
  Result<std::vector<Source>> sourcesOf(int s, int read) {
    const Statement &reader = at(s);
    const Sources &sources = deps.sourcesOf(s, read);
    const Access &access = reader.reads[static_cast<std::size_t>(read)];
    const isl::map &permute = toEquation[static_cast<std::size_t>(s)];
    std::vector<Source> result;
    if (!sources.liveIn.is_empty()) {
      if (scop.array(access.array).storage == Array::Storage::Local)
        return refuse("'" + access.array + "' may be read here before it is written", access.where);
      isl::map map = permute.reverse().apply_range(access.relation.intersect_domain(sources.liveIn));
      result.push_back({sources.liveIn.apply(permute), {-1, access.array, map, access.exact}});
    }
    if (sources.from.empty()) return result;
    std::vector<std::pair<int, isl::map>> byEquation;
    auto add = [&](int equation, const isl::map &map) {
      for (auto &[known, all] : byEquation)
        if (known == equation) {
          all = all.unite(map).coalesce();
          return;
        }
      byEquation.emplace_back(equation, map);
    };
    for (const auto &[writer, map] : sources.from)
      if (shape(writer).reduction) add(writer, map.apply_range(valueOf(writer)));
    for (const auto &[writer, map] : sources.from) {
      if (shape(writer).reduction) continue;
      isl::map rest = map;
      for (auto &[equation, all] : byEquation) {
        const auto &extended = extension[static_cast<std::size_t>(equation)];
        if (!extended || domainTuple(*extended) != at(writer).id) continue;
        const isl::map empty = map.apply_range(*extended);
        add(equation, empty);
        rest = isl::manage(isl_map_subtract_domain(rest.release(), empty.domain().release()));
      }
      if (!rest.is_empty()) add(writer, rest.apply_range(valueOf(writer)));
    }
    for (const auto &[equation, map] : byEquation) {
      const isl::map over = permute.reverse().apply_range(map).coalesce();
      if (!over.is_single_valued()) return refuse("the value read here has no single affine source", access.where);
      result.push_back({over.domain(), {equationOf[static_cast<std::size_t>(equation)], "", over, true}});
    }
    return result;
  }

  /// A gather from a computed array becomes a capture: the sum over all elements it may read of "this one? value : 0".
  Result<Expr> capture(int s, const Expr &node, Equation &e) {
    const Sources &sources = deps.sourcesOf(s, node->access);
    const Access &access = at(s).reads[static_cast<std::size_t>(node->access)];
    int writer = -1;
    for (const auto &[candidate, map] : sources.from)
      if (writer < 0 || shape(candidate).reduction) writer = candidate;
    const bool local = scop.array(access.array).storage == Array::Storage::Local;
    if (writer < 0 || (!local && !sources.liveIn.is_empty()))
      return refuse("an array is read through a subscript that is not affine and not all of it was computed before",
                    access.where);
    isl::map reach = sources.from.front().second;
    for (const auto &[candidate, map] : sources.from) {
      const auto &extended = extension[static_cast<std::size_t>(writer)];
      const bool initial = extended && domainTuple(*extended) == at(candidate).id;
      if (candidate != writer && !initial)
        return refuse("several statements compute what this subscript may read", access.where);
      if (candidate == writer) reach = map;
    }
    const Equation &from = system.equations[static_cast<std::size_t>(equationOf[static_cast<std::size_t>(writer)])];
    const isl::map values =
        toEquation[static_cast<std::size_t>(s)].reverse().apply_range(reach.apply_range(valueOf(writer)));
    const isl::map element = valueOf(writer).reverse().apply_range(at(writer).write.relation);
    const auto elements = toExprs(element, symbolsOf({from.dims.begin(), from.dims.begin() + from.keys}));
    if (!elements) return refuse("what this subscript may read is written by several values", access.where);
    const Equation c =
        captureOf(node, e, from, equationOf[static_cast<std::size_t>(writer)], values, *elements, fresh++, reorder);
    system.equations.push_back(c);
    const isl::map identity = setRangeTuple(isl::manage(isl_set_identity(e.domain.copy())), c.name);
    e.operands.push_back({static_cast<int>(system.equations.size()) - 1, "", identity, true});
    return Expr::read(c.name, symbolsOf(e.dims), c.type, static_cast<int>(e.operands.size()) - 1);
  }

  /// Builds the equation of one statement, unless it only initialises reductions.
  std::optional<Refusal> lower(int s) {
    const Statement &statement = at(s);
    const Shape &own = shape(s);
    Equation e;
    e.name = nameOf(s);
    e.array = statement.write.array;
    e.type = scop.array(e.array).type;
    e.keys = own.keys;
    e.statement = s;
    e.domain = setTuple(statement.domain.apply(toEquation[static_cast<std::size_t>(s)]), e.name);
    std::vector<Expr> names(own.order.size());
    for (unsigned k = 0; k < own.order.size(); ++k) {
      e.dims.push_back(statement.iterators[own.order[k]] + "_" + std::to_string(fresh++));
      names[own.order[k]] = Expr::symbol(e.dims.back(), Type::Int64);
    }
    const unsigned n = static_cast<unsigned>(e.dims.size());
    e.keyDomain = setTuple(projectOut(e.domain, e.keys, n - e.keys), e.name);
    const auto rename = [&](const std::string &name) {
      for (unsigned d = 0; d < statement.iterators.size(); ++d)
        if (statement.iterators[d] == name) return names[d];
      return Expr();
    };
    std::optional<Refusal> failed;
    const Expr source = own.reduction ? own.reduction->element : statement.value;
    e.value = rewrite(substitute(source, rename), [&](const Expr &node) {
      if (node.op() != Op::Read || failed) return node;
      auto read = readOf(s, node, e);
      if (read) return *read;
      failed = read.refusal();
      return node;
    });
    if (failed) return failed;
    if (own.reduction)
      if (auto refusal = initialise(s, e)) return refusal;
    equationOf[static_cast<std::size_t>(s)] = static_cast<int>(system.equations.size());
    system.equations.push_back(e);
    return std::nullopt;
  }

  /// The Read (or Select over Reads) that stands for one read of the source.
  Result<Expr> readOf(int s, const Expr &node, Equation &e) {
    const Access &access = at(s).reads[static_cast<std::size_t>(node->access)];
    if (!access.exact && !deps.sourcesOf(s, node->access).from.empty()) return capture(s, node, e);
    auto sources = sourcesOf(s, node->access);
    if (!sources) return sources.refusal();
    Expr all;
    for (std::size_t k = sources->size(); k-- > 0;) {
      const Source &source = (*sources)[k];
      std::vector<Expr> subscripts = node->args;
      std::string name = source.operand.array;
      if (source.operand.equation >= 0) {
        auto values = toExprs(source.operand.map, symbolsOf(e.dims));
        if (!values) return refuse("the value read here has no single affine source", node->where);
        subscripts = *values;
        name = system.equations[static_cast<std::size_t>(source.operand.equation)].name;
      }
      e.operands.push_back(source.operand);
      ExprNode read = *node;
      read.name = name;
      read.args = subscripts;
      read.access = static_cast<int>(e.operands.size()) - 1;
      const Expr one{read};
      all = all ? Expr::make(Op::Select, node.type(),
                             {toCondition(source.where.gist(e.domain), symbolsOf(e.dims)), one, all})
                : one;
    }
    if (!all) return refuse("a value is read that was never written", node->where);
    return all;
  }

  /// Finds what the accumulator holds before the first element, and for which keys it is defined.
  std::optional<Refusal> initialise(int s, Equation &e) {
    const Reduction &reduction = *shape(s).reduction;
    e.monoid = reduction.monoid;
    e.comparison = reduction.comparison;
    const Sources &sources = deps.sourcesOf(s, reduction.selfRead);
    const isl::map toKeys = valueOf(s);
    const isl::set firstLive = sources.liveIn.intersect(reduction.first);
    std::vector<std::pair<int, isl::map>> initials;
    for (const auto &[writer, map] : sources.from)
      if (writer != s) initials.emplace_back(writer, map);
    const Access &access = at(s).reads[static_cast<std::size_t>(reduction.selfRead)];
    if (!firstLive.is_empty() && initials.empty()) {
      const isl::map map = toKeys.reverse().intersect_range(reduction.first).apply_range(access.relation);
      if (!map.is_single_valued()) return refuse("the accumulator starts from several elements", access.where);
      e.operands.push_back({-1, access.array, map, access.exact});
      auto subscripts = toExprs(map, symbolsOf({e.dims.begin(), e.dims.begin() + e.keys}));
      e.initial = Expr::read(access.array, *subscripts, e.type, static_cast<int>(e.operands.size()) - 1);
      return std::nullopt;
    }
    if (!firstLive.is_empty() || initials.size() != 1)
      return refuse("the accumulator starts from more than one value", access.where);
    return initialFrom(s, initials[0].first, initials[0].second, e);
  }

  std::optional<Refusal> initialFrom(int s, int writer, const isl::map &map, Equation &e) {
    const isl::map keysToWriter = valueOf(s).reverse().apply_range(map).coalesce();
    const Access &access = at(s).reads[static_cast<std::size_t>(shape(s).reduction->selfRead)];
    if (!keysToWriter.is_single_valued()) return refuse("the accumulator starts from several values", access.where);
    isl::map extended =
        isl::map(isl::manage(isl_map_affine_hull(keysToWriter.copy()))).intersect_range(at(writer).domain);
    const bool faithful = extended.is_single_valued() && extended.is_injective() &&
                          extended.intersect_domain(keysToWriter.domain()).is_equal(keysToWriter);
    if (!faithful || shape(writer).reduction) extended = keysToWriter;
    e.keyDomain = setTuple(e.keyDomain.unite(extended.domain()).coalesce(), e.name);
    if (!shape(writer).reduction) extension[static_cast<std::size_t>(s)] = extended.reverse();
    const isl::map composed = extended.apply_range(valueOf(writer));
    auto subscripts = toExprs(composed, symbolsOf({e.dims.begin(), e.dims.begin() + e.keys}));
    if (!subscripts) return refuse("the accumulator starts from several values", access.where);
    e.operands.push_back({equationOf[static_cast<std::size_t>(writer)], "", composed, true});
    e.initial = Expr::read(nameOf(writer), *subscripts, e.type, static_cast<int>(e.operands.size()) - 1);
    return std::nullopt;
  }

  /// Every element that outlives the function is stored by a map equation: the one that computes it, or one of its own
  /// behind a reduction (whose chains may be empty: then their initial value is stored).
  std::optional<Refusal> store() {
    for (const auto &[array, writers] : deps.liveOut) {
      std::vector<std::pair<int, isl::map>> pieces;
      std::optional<Refusal> failed;
      writers.foreach_map([&](const isl::map &map) {
        int s = 0;
        while (s < count() && at(s).id != rangeTuple(map)) ++s;
        if (s < count()) pieces.emplace_back(s, map);
        if (s == count()) failed = refuse("'" + array + "' is written in a way that has no model", SourceRange{});
      });
      if (failed) return failed;
      std::vector<std::pair<int, isl::map>> values;
      auto add = [&](int s, const isl::map &map) {
        for (auto &[known, all] : values)
          if (known == s) {
            all = all.unite(map).coalesce();
            return;
          }
        values.emplace_back(s, map);
      };
      for (const auto &[s, map] : pieces)
        if (shape(s).reduction) add(s, map.apply_range(valueOf(s)));
      for (const auto &[s, map] : pieces) {
        if (shape(s).reduction) continue;
        isl::map rest = map;
        for (int u = 0; u < count(); ++u) {
          const auto &extended = extension[static_cast<std::size_t>(u)];
          if (!extended || domainTuple(*extended) != at(s).id) continue;
          const isl::map empty = rest.apply_range(*extended);
          const bool used = std::any_of(values.begin(), values.end(), [&](const auto &v) { return v.first == u; });
          if (!used && array != at(u).write.array) continue;
          add(u, empty);
          rest = isl::manage(isl_map_subtract_domain(rest.release(), empty.domain().release()));
        }
        if (!rest.is_empty()) add(s, rest.apply_range(valueOf(s)));
      }
      for (const auto &[s, map] : values) storeFrom(s, array, map);
    }
    return std::nullopt;
  }

  void storeFrom(int s, const std::string &array, const isl::map &values) {
    const isl::map map = values.reverse().coalesce();
    const int source = equationOf[static_cast<std::size_t>(s)];
    Equation &from = system.equations[static_cast<std::size_t>(source)];
    if (!from.monoid) {
      from.stores.push_back({array, map});
      return;
    }
    Equation e;
    e.name = from.name + "_out";
    e.array = array;
    e.type = from.type;
    e.keys = from.keys;
    e.statement = s;
    for (unsigned k = 0; k < from.keys; ++k) e.dims.push_back(from.dims[k] + "o");
    const isl::map rename = setRangeTuple(isl::manage(isl_set_identity(map.domain().release())), e.name);
    e.domain = rename.range();
    e.keyDomain = e.domain;
    e.operands.push_back({source, "", rename.reverse(), true});
    e.value = Expr::read(from.name, symbolsOf(e.dims), e.type, 0);
    e.stores.push_back({array, map.apply_domain(rename)});
    system.equations.push_back(e);
  }
};

} // namespace

Result<System> lift(const Scop &scop, const Dependences &dependences, bool reorder) {
  return Lifter(scop, dependences, reorder).run();
}

} // namespace polymend
