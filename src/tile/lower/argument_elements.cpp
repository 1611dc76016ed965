// { Statement[i] -> Array[x] } -> boxes of elements, counted row by row from the pointer on. Where all relations are
// exact, what is touched has ends of its own; else the source's own subscripts are bounded over the box of the
// iterations, in the arithmetic of intervals, which the entry does at run time.
#include "argument_elements.h"

#include "clamped.h"
#include "data_ranges.h"
#include "exact_ends.h"
#include "linear_elements.h"
#include "reached_ends.h"
#include "touched_box.h"

#include "polymend/affine.h"
#include "polymend/element_types.h"
#include "polymend/segments.h"
#include "tile/frame.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

constexpr std::size_t mostParts = 16; // of an exact range, which the entry puts together

/// An access of a statement with the subscripts of the source.
struct Touching {
  const Statement &statement;
  const Access &access;
  std::vector<Expr> subscripts;
  int read = -1;      // the number of a read
  bool exact = false; // the relation's range is what is touched
};

std::vector<Expr> subscriptsOf(const Statement &statement, std::size_t read) {
  std::vector<Expr> subscripts;
  visit(statement.value, [&](const Expr &e) {
    if (e.op() == Op::Read && e->access == static_cast<int>(read)) subscripts = e->args;
  });
  return subscripts;
}

std::vector<Touching> touchesOf(const Scop &scop, const std::string &array) {
  std::vector<Touching> touches;
  std::vector<const Statement *> all;
  for (const Statement &s : scop.statements) all.push_back(&s);
  for (const Statement &s : scop.bounds) all.push_back(&s);
  for (const Statement *one : all) {
    const Statement &s = *one;
    if (s.write.array == array) touches.push_back({s, s.write, s.target, -1, s.write.exact});
    for (std::size_t r = 0; r < s.reads.size(); ++r)
      if (s.reads[r].array == array)
        touches.push_back({s, s.reads[r], subscriptsOf(s, r), static_cast<int>(r), s.reads[r].exact});
  }
  return touches;
}

bool isStored(const Scop &scop, const std::string &array) {
  return std::any_of(scop.statements.begin(), scop.statements.end(),
                     [&](const Statement &s) { return s.write.array == array; });
}

/// The box around a set of elements; absent: it has no bounds.
std::optional<TouchedPart> boxAround(const isl::set &touched, const std::vector<Expr> &extents) {
  TouchedPart part{conditionOf(touched), {}, {}};
  std::vector<Expr> subscripts;
  for (unsigned d = 0; d < extents.size(); ++d) {
    const auto box = boxOf(touched, d, dimensionName(d));
    if (!box) return std::nullopt;
    part.dims.push_back(*box);
    subscripts.push_back(Expr::symbol(box->variable, Type::Int64));
  }
  part.element = positionOf(subscripts, extents);
  return part.element ? std::optional(part) : std::nullopt;
}

/// Does a conversion between integers keep every value?
bool keepsValues(const Expr &cast) {
  return isFloating(cast.type()) || isFloating(cast.arg(0).type()) ||
         holds(limitsOf(cast.type()), limitsOf(cast.arg(0).type()));
}

/// Is it an integer made of a float of sizes, scalar arguments and loop variables, by operations that turn nowhere? At
/// ends of the variables it has its least and greatest value, where it goes one way with each of them.
bool isOfNumbers(const Expr &cast) {
  bool plain = true;
  visit(cast, [&](const Expr &e) {
    const bool turns = e.op() == Op::Mod || e.op() == Op::FloorMod || (e.op() == Op::Cast && !keepsValues(e));
    plain = plain && !turns && e.op() != Op::Read && e.op() != Op::Call;
  });
  return plain;
}

bool comesFromReal(const Expr &e) { return e.op() == Op::Cast && isInteger(e.type()) && isFloating(e.arg(0).type()); }

/// Does some part of the expression become an integer from a float?
bool holdsReal(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || comesFromReal(node); });
  return found;
}

/// Does an array hold an integer that is not known before the program runs?
bool isComputed(const Expr &read, const Scop &scop) {
  const Array &array = scop.array(read->name);
  const bool callers = array.storage == Array::Storage::Parameter || array.storage == Array::Storage::Static;
  return !callers || array.functionStatic || isStored(scop, read->name);
}

/// Is it an integer that only data of the run tell: one that a float becomes, or an element that is computed?
bool isOpen(const Expr &e, const Scop &scop) {
  if (comesFromReal(e)) return !isOfNumbers(e);
  return e.op() == Op::Read && isInteger(e.type()) && isComputed(e, scop);
}

/// What no interval can be given for: the first such part of an integer expression; absent: none.
Expr unboundedPart(const Expr &e, const Scop &scop, const std::set<std::string> &known) {
  const auto inside = [&](std::size_t from) {
    for (std::size_t i = from; i < e->args.size(); ++i)
      if (const Expr part = unboundedPart(e.arg(i), scop, known)) return part;
    return Expr();
  };
  if (e.type() == Type::Bool && e.op() != Op::Read) return {};
  if (isFloating(e.type())) return e;
  if (comesFromReal(e)) return isOfNumbers(e) ? Expr() : e;
  switch (e.op()) {
  case Op::Integer: return {};
  case Op::Symbol: return known.contains(e->name) ? Expr() : e;
  case Op::Select: return inside(1);
  case Op::Read: return !isComputed(e, scop) && positionOf(e->args, scop.array(e->name).extents) ? inside(0) : e;
  case Op::Cast:
  case Op::Neg:
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::Min:
  case Op::Max:
  case Op::Abs: return inside(0);
  default: return e;
  }
}

/// Reads become reads of the flat array behind them.
Expr flattened(const Expr &e, const Scop &scop) {
  return rewrite(e, [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    return Expr::read(node->name, {positionOf(node->args, scop.array(node->name).extents)}, node.type());
  });
}

/// Is the read with this number evaluated only where data say so?
bool dependsOnData(const Expr &e, int read, bool guarded) {
  if (e.op() == Op::Read && e->access == read) return guarded;
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t i = 0; i < e->args.size(); ++i)
    if (dependsOnData(e.arg(i), read, guarded || (chooses && i > 0 && reads(e.arg(0))))) return true;
  return false;
}

/// Does the statement evaluate such a read wherever it reaches the access, whatever data say?
bool isEvaluated(const Expr &value, const Expr &read, const Touching &touching, bool guarded) {
  const Statement &s = touching.statement;
  if (!guarded && value.op() == Op::Read && equal(value, read) &&
      touching.access.relation.domain().is_subset(s.reads[static_cast<std::size_t>(value->access)].relation.domain()))
    return true;
  const bool chooses = value.op() == Op::Select || value.op() == Op::And || value.op() == Op::Or;
  for (std::size_t i = 0; i < value->args.size(); ++i)
    if (isEvaluated(value.arg(i), read, touching, guarded || (chooses && i > 0 && reads(value.arg(0))))) return true;
  return false;
}

/// Can what chooses the element of an access that data guard be read where they do not let it happen?
bool chooserIsRead(const Touching &touching, const Scop &scop) {
  bool all = true;
  for (const Expr &subscript : touching.subscripts)
    visit(subscript, [&](const Expr &e) {
      if (e.op() != Op::Read) return;
      bool inBound = false;
      for (const DataSize &data : scop.dataSizes)
        visit(data.value, [&](const Expr &read) { inBound = inBound || equal(read, e); });
      all = all && (inBound || isEvaluated(touching.statement.value, e, touching, false));
    });
  return all;
}

/// A position in which variables that count from what data say stand for the source's, where that reads less.
Expr fromOrigins(const Expr &position, const Scop &scop) {
  const auto count = [](const Expr &e) {
    std::size_t all = 0;
    visit(e, [&](const Expr &node) { all += node.op() == Op::Read ? 1 : 0; });
    return all;
  };
  Expr result = position;
  for (const auto &[variable, origin] : scop.origins) {
    const Expr moved = simplify(substitute(result, [&, name = variable, from = origin](const std::string &symbol) {
      return symbol == name ? Expr::symbol(name, Type::Int64) - from : Expr();
    }));
    if (symbols(result).contains(variable) && count(moved) < count(result)) result = moved;
  }
  return result;
}

/// What a variable of the element counts from, that of the position counting from zero; absent: it does, too.
Expr movesOrigin(const Expr &position, const Expr &element, const std::string &variable, const Scop &scop) {
  const auto origin = scop.origins.find(variable);
  if (origin == scop.origins.end()) return {};
  const Expr from = simplify(substitute(position, [&](const std::string &symbol) {
    return symbol == variable ? Expr::symbol(variable, Type::Int64) - origin->second : Expr();
  }));
  return equal(from, element) ? origin->second : Expr();
}

/// A box whose bounds are what arrays say.
PointDim dataBox(const PointDim &box, const Expr &origin, const Scop &scop) {
  PointDim result = box;
  const auto read = [&](const Expr &bound) {
    const Expr value = withData(bound, scop.dataSizes);
    return flattened(simplify(origin ? origin + value : value), scop);
  };
  result.first = read(box.first);
  result.limit = read(box.limit);
  return result;
}

/// The element over the box of some iterations.
Result<TouchedPart> overBox(const Touching &touching, const Expr &position, const isl::set &iterations,
                            const Scop &scop) {
  const std::vector<std::string> &iterators = touching.statement.iterators;
  const Expr element = fromOrigins(position, scop);
  std::set<std::string> used = symbols(element);
  TouchedPart part{conditionOf(withoutDataSizes(iterations, scop)), {}, {}};
  std::set<std::string> known(scop.parameters.begin(), scop.parameters.end());
  for (unsigned i = static_cast<unsigned>(iterators.size()); i-- > 0;) {
    if (!used.contains(iterators[i])) continue;
    auto box = boxOf(iterations, i, iterators[i]);
    if (!box)
      return Refusal{"'" + scop.sourceName(iterators[i]) + "' has no bounds over the sizes", touching.access.where};
    if (!scop.dataSizes.empty()) *box = dataBox(*box, movesOrigin(position, element, iterators[i], scop), scop);
    used.merge(symbols(box->first));
    used.merge(symbols(box->limit));
    part.dims.insert(part.dims.begin(), *box);
    known.insert(iterators[i]);
  }
  if (const Expr open = unboundedPart(element, scop, known))
    return Refusal{"'" + show(open) + "' has no bounds that are known at entry", touching.access.where};
  part.element = flattened(element, scop);
  return part;
}

/// The subscripts over the iterations that reach the access, or why there are no bounds. What reads data stays within
/// what the source reads: convex parts have boxes of their own. `unknown`: why there may be less between the bounds
/// than they say, where data decide on the access. `around`: there may be as iterations do not reach the bounds.
Result<std::vector<TouchedPart>> overIterations(const Touching &touching, const Scop &scop,
                                                const std::vector<Expr> &extents, TouchedElements &told) {
  const isl::set domain = touching.access.relation.domain();
  const Expr position = positionOf(touching.subscripts, extents);
  if (!position) return Refusal{"an inner extent is unknown", touching.access.where};
  const bool isOverData = dependsOnData(domain, scop);
  const std::vector<TouchedPart> corners =
      isOverData ? std::vector<TouchedPart>() : partsOfLinear(position, touching.statement.iterators, domain);
  if (!corners.empty() && corners.size() <= mostParts && corners.front().dims.empty()) return corners;
  const Expr element = collected(position, touching.statement.iterators);
  if (holdsReal(element) && (dependsOnData(touching.statement.value, touching.read, false) ||
                             !reachesEnds(element, touching.statement.iterators, domain)))
    return Refusal{"'" + show(element) + "' has no bounds that are known at entry", touching.access.where};
  const bool isOfSizes = !reads(position) && !isOverData;
  if (isOfSizes && corners.empty() && !reachesEnds(element, touching.statement.iterators, domain)) told.around = true;
  std::vector<isl::set> boxes{domain};
  if (reads(element)) {
    if (dependsOnData(touching.statement.value, touching.read, false)) {
      told.unknown = "whether '" + show(element) + "' is evaluated depends on data";
      if (!chooserIsRead(touching, scop)) return Refusal{told.unknown, touching.access.where};
    }
    boxes.clear();
    for (const isl::basic_set &part : parts(domain)) boxes.emplace_back(part);
  }
  std::vector<TouchedPart> result;
  for (const isl::set &box : boxes) {
    const Result<TouchedPart> part = overBox(touching, element, box, scop);
    if (!part) return part.refusal();
    for (const TouchedPart &one :
         reads(element) ? withExactEnds(*part, box, touching.statement.iterators) : std::vector<TouchedPart>{*part})
      result.push_back(one);
  }
  return result;
}

/// The exact range of one access; empty: it is not found.
std::vector<TouchedPart> exactPartsOf(const Touching &touching, const std::vector<Expr> &extents) {
  const Expr position = touching.exact ? positionOf(touching.subscripts, extents) : Expr();
  if (!position) return {};
  auto parts = partsOfLinear(position, touching.statement.iterators, touching.access.relation.domain());
  return parts.empty() ? exactParts(touching.access.relation.range(), extents) : parts;
}

/// `around`: there may be less between the bounds than they say.
Result<std::vector<TouchedPart>> partsOf(const Touching &touching, const Scop &scop, const std::vector<Expr> &extents,
                                         TouchedElements &result) {
  const isl::set range = touching.access.relation.range();
  if (touching.exact && !dependsOnData(range, scop))
    if (const auto box = boxAround(range, extents)) {
      const std::vector<TouchedPart> parts = isExact(range) ? std::vector{*box} : exactPartsOf(touching, extents);
      result.around = result.around || parts.empty();
      return parts.empty() ? std::vector{*box} : parts;
    }
  return overIterations(touching, scop, extents, result);
}

bool sameBounds(const PointDim &a, const PointDim &b) {
  return a.variable == b.variable && equal(a.first, b.first) && equal(a.limit, b.limit);
}

bool same(const TouchedPart &a, const TouchedPart &b) {
  const bool where = a.where && b.where ? equal(a.where, b.where) : !a.where && !b.where;
  return where && equal(a.element, b.element) &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(), sameBounds);
}

void add(TouchedElements &result, const TouchedPart &part) {
  const bool there = std::any_of(result.parts.begin(), result.parts.end(),
                                 [&](const TouchedPart &other) { return same(part, other); });
  if (!there) result.parts.push_back(part);
}

bool allKnown(const std::vector<Expr> &extents) {
  return std::all_of(extents.begin(), extents.end(), [](const Expr &extent) { return static_cast<bool>(extent); });
}

/// All that is touched, as one set; absent: an access is not exact, or data say how far it reaches.
std::optional<isl::set> unionOf(const std::vector<Touching> &touches, const Scop &scop) {
  std::optional<isl::set> touched;
  for (const Touching &touching : touches) {
    if (!touching.exact || dependsOnData(touching.access.relation.range(), scop)) return std::nullopt;
    const isl::set range = touching.access.relation.range();
    touched = touched ? touched->unite(range) : range;
  }
  return touched;
}

/// How far the element of one part lies beyond the other's wherever that has one; absent: it is no number.
std::optional<std::int64_t> distance(const TouchedPart &from, const TouchedPart &to) {
  TouchedPart moved = to;
  moved.element = from.element;
  const Expr apart = simplify(to.element - from.element);
  return same(from, moved) && apart.op() == Op::Integer ? std::optional(apart->integer) : std::nullopt;
}

/// Adds a part; of three that differ by numbers, the one between the others is not needed.
void addOutermost(std::vector<TouchedPart> &parts, const TouchedPart &part) {
  TouchedPart *least = nullptr, *most = nullptr;
  for (TouchedPart &other : parts)
    if (distance(part, other)) {
      if (!least || *distance(*least, other) < 0) least = &other;
      if (!most || *distance(*most, other) > 0) most = &other;
    }
  if (!least || (least == most && *distance(*least, part) != 0))
    parts.push_back(part);
  else if (*distance(*least, part) < 0)
    *least = part;
  else if (*distance(*most, part) > 0)
    *most = part;
}

/// The exact ranges of accesses, each by itself; empty: another way is needed.
std::vector<TouchedPart> partsByAccess(const std::vector<Touching> &touches, const std::vector<Expr> &extents) {
  std::vector<TouchedPart> all;
  for (const Touching &touching : touches) {
    const std::vector<TouchedPart> parts = exactPartsOf(touching, extents);
    if (parts.empty()) return {};
    for (const TouchedPart &part : parts) addOutermost(all, part);
  }
  return all.size() > mostParts ? std::vector<TouchedPart>() : all;
}

/// All elements that a container has, or that an array is declared to have, where accesses do not say which are
/// touched.
TouchedElements withinCount(TouchedElements touched, const Array &array) {
  const Expr count = array.count ? array.count : array.length;
  if (!count || (touched.unknown.empty() && !touched.around)) return touched;
  const std::string at = dimensionName(0);
  const PointDim all{at, Expr::integer(0), count, PointDim::Kind::Parallel};
  touched.parts = {{{}, {all}, Expr::symbol(at, Type::Int64)}};
  touched.unknown.clear();
  touched.around = false;
  return touched;
}

TouchedElements touchedBy(const Function &function, const Scop &scop, const Array &array, const TileArray &argument) {
  TouchedElements result;
  result.array = array.name;
  result.stored = isStored(scop, array.name);
  std::vector<Touching> touches = touchesOf(scop, array.name);
  const bool isSegmented = !indexOf(function, array.name).empty();
  for (Touching &touching : touches) {
    touching.exact = touching.exact && !isSegmented;
    touching.subscripts = inSource(array.name, touching.subscripts, function, scop);
    if (touching.exact || touching.read < 0) continue;
    if (const auto within = clamped(touching.subscripts, touching.statement.value, touching.read,
                                    [&](const Expr &e) { return isOpen(e, scop); })) {
      touching.subscripts = *within;
      result.around = true;
    }
  }
  const std::vector<Expr> &extents = isSegmented ? argument.extents : array.extents;
  const bool sized = allKnown(argument.extents);
  const auto all = unionOf(touches, scop);
  result.plain = !touches.empty() && sized && (!all || isWhole(*all, extents.size(), extentsTold(extents, argument)));
  const auto assumed = all ? std::optional(all->intersect_params(scop.assumptions)) : std::nullopt;
  if (result.plain && assumed && reachesBeyondNone(*assumed, extents)) result.plain = false;
  if (const Expr where = result.plain && all ? whereTouched(*all, argument) : Expr()) result.parts = {{where, {}, {}}};
  if (result.plain && all && !result.stored) result.first = whereFirst(*all, extents);
  if (result.plain) {
    result.around = false;
    return result;
  }
  const bool exact = !all || isExact(*all);
  if (!exact) {
    result.parts = exactParts(*all, extents);
    if (result.parts.empty()) result.parts = partsByAccess(touches, extents);
  }
  if (!result.parts.empty()) return result;
  result.around = result.around || !exact;
  if (const auto box = all ? boxAround(*all, extents) : std::nullopt) {
    result.parts = {*box};
    return result;
  }
  for (const Touching &touching : touches) {
    const Result<std::vector<TouchedPart>> parts = partsOf(touching, scop, extents, result);
    if (!parts) {
      result.unknown = parts.refusal().reason;
      result.parts.clear();
      return result;
    }
    for (const TouchedPart &part : *parts) add(result, part);
  }
  return result;
}

/// Has the array the elements of a container, which say how many there are once somebody asks?
bool isOfContainer(const Function &function, const Array &array) {
  return std::ranges::any_of(function.parameters, [&](const Parameter &parameter) {
    return parameter.name == array.name && !parameter.taken.empty();
  });
}

/// The accesses for the sizes that shapes of arrays rest on, which are tested at entry.
Scop whereAssumed(Scop scop) {
  const auto restrict = [&](Statement &s) {
    s.write.relation = s.write.relation.intersect_params(scop.assumptions).coalesce();
    for (Access &read : s.reads) read.relation = read.relation.intersect_params(scop.assumptions).coalesce();
  };
  for (Statement &s : scop.statements) restrict(s);
  for (Statement &s : scop.bounds) restrict(s);
  return scop;
}

} // namespace

TouchedElements elementsTouched(const Function &function, const Scop &scop, const Array &array,
                                const TileArray &argument) {
  constexpr unsigned long soon = 300000; // operations: it took half a minute of a function of scripts/fuzz
  TouchedElements result;
  std::string gaveUp;
  const auto isKnown = [](const TouchedElements &touched) { return touched.unknown.empty() && !touched.around; };
  const bool isDone = capped(scop.context, [&] { result = touchedBy(function, scop, array, argument); }, gaveUp, soon);
  if (isDone) result = withinCount(result, array);
  const bool isAssumed = isl_set_plain_is_universe(scop.assumptions.get()) != isl_bool_true;
  if (isAssumed && !isOfContainer(function, array) && (!isDone || !isKnown(result))) {
    TouchedElements sure;
    std::string why;
    const auto look = [&] { sure = touchedBy(function, whereAssumed(scop), array, argument); };
    if (capped(scop.context, look, why, soon) && isKnown(sure)) return sure;
  }
  if (isDone) return result;
  result = TouchedElements();
  result.array = array.name;
  result.stored = isStored(scop, array.name);
  result.plain = false;
  result.unknown = gaveUp;
  return result;
}

bool reachesBelow(const Scop &scop, const Array &array) {
  if (array.extents.empty()) return false;
  for (const Touching &touching : touchesOf(scop, array.name)) {
    const isl::set range = touching.access.relation.range();
    const isl::set below = isl::manage(isl_set_upper_bound_si(range.copy(), isl_dim_set, 0, -1));
    if (touching.exact && !below.is_empty()) return true;
  }
  return false;
}

} // namespace polymend
