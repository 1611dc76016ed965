// Flow edges are the value-based sources turned around. Anti and output edges are all ordered pairs that touch one
// element, without kills: a chain of writes that hides an edge may later be relaxed, and then the edge is needed. Each
// is split by the loop that carries it. An array none of whose values crosses an iteration of the outer k loops can be
// made private to them: the anti and output edges that those loops carry then vanish. So can one that is declared
// inside.
#include "edges.h"

#include "order.h"
#include "reduction.h"

#include <isl/map.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

namespace polymend {

namespace {

using Kind = Dependence::Kind;

/// An edge before it is split by loop.
struct Whole {
  isl::map relation;
  bool exact = true;
  std::vector<Expr> from, to; // elements of index arrays that choose what an end touches; empty: nothing does
};

using Key = std::tuple<int, int, Kind, std::string, bool>;

struct Carried {
  Dependence edge;
  std::size_t depth = 0;
};

class Collection {
public:
  void add(const Key &key, const isl::map &relation, bool exact, const std::vector<Expr> &first = {},
           const std::vector<Expr> &second = {}) {
    const auto [at, fresh] = wholes.try_emplace(key, Whole{relation, exact, {}, {}});
    at->second.from.insert(at->second.from.end(), first.begin(), first.end());
    at->second.to.insert(at->second.to.end(), second.begin(), second.end());
    if (fresh) return;
    at->second.relation = at->second.relation.unite(relation);
    at->second.exact = at->second.exact && exact;
  }
  std::map<Key, Whole> wholes;
};

const Reduction *of(const std::vector<Reduction> &reductions, int statement) {
  const auto at = std::find_if(reductions.begin(), reductions.end(),
                               [&](const Reduction &reduction) { return reduction.statement == statement; });
  return at == reductions.end() ? nullptr : &*at;
}

bool readsAccumulator(const Scop &scop, const std::vector<Reduction> &reductions, int statement, std::size_t read) {
  if (!of(reductions, statement)) return false;
  const Statement &update = scop.statements[static_cast<std::size_t>(statement)];
  return update.reads[read].array == update.write.array && update.reads[read].relation.is_equal(update.write.relation);
}

/// Elements of index arrays in subscripts, the outermost of each.
std::vector<Expr> choosing(const std::vector<Expr> &subscripts, bool exact) {
  std::vector<Expr> found;
  const std::function<void(const Expr &)> look = [&](const Expr &e) {
    if (e.op() == Op::Read) return found.push_back(e);
    for (const Expr &argument : e->args) look(argument);
  };
  if (!exact)
    for (const Expr &subscript : subscripts) look(subscript);
  return found;
}

std::vector<Expr> choosingWrite(const Statement &statement) {
  return choosing(statement.target, statement.write.exact);
}

std::vector<Expr> choosingRead(const Statement &statement, std::size_t read) {
  std::vector<Expr> subscripts;
  visit(statement.value, [&](const Expr &e) {
    if (e.op() == Op::Read && e->access == static_cast<int>(read)) subscripts = e->args;
  });
  return choosing(subscripts, statement.reads[read].exact);
}

/// Where data choose what is written, every write before a read may be what it sees.
void addPossibleFlow(const Scop &scop, Collection &all) {
  for (std::size_t from = 0; from < scop.statements.size(); ++from)
    for (std::size_t to = 0; to < scop.statements.size(); ++to) {
      const Statement &writer = scop.statements[from], &reader = scop.statements[to];
      for (std::size_t k = 0; k < reader.reads.size(); ++k)
        if (reader.reads[k].array == writer.write.array)
          all.add({static_cast<int>(from), static_cast<int>(to), Kind::Flow, writer.write.array, false},
                  writer.write.relation.apply_range(reader.reads[k].relation.reverse()),
                  writer.write.exact && reader.reads[k].exact, choosingWrite(writer), choosingRead(reader, k));
    }
}

void addFlow(const Scop &scop, const Flow &flow, const std::vector<Reduction> &reductions, Collection &all) {
  for (const Sources &sources : flow.sources) {
    const auto read = static_cast<std::size_t>(sources.read);
    const Access &access = scop.statements[static_cast<std::size_t>(sources.statement)].reads[read];
    for (const auto &[writer, reads] : sources.from) {
      const bool self = writer == sources.statement && readsAccumulator(scop, reductions, sources.statement, read);
      all.add({writer, sources.statement, Kind::Flow, access.array, self}, reads.reverse(), access.exact, {},
              choosingRead(scop.statements[static_cast<std::size_t>(sources.statement)], read));
    }
  }
}

void addMemory(const Scop &scop, const std::vector<Reduction> &reductions, Collection &all) {
  const int count = static_cast<int>(scop.statements.size());
  for (int to = 0; to < count; ++to) {
    const Access &write = scop.statements[static_cast<std::size_t>(to)].write;
    const isl::map writers = write.relation.reverse();
    for (int from = 0; from < count; ++from) {
      const Statement &source = scop.statements[static_cast<std::size_t>(from)];
      if (source.write.array == write.array)
        all.add({from, to, Kind::Output, write.array, from == to && of(reductions, to)},
                source.write.relation.apply_range(writers), source.write.exact && write.exact, choosingWrite(source),
                choosingWrite(scop.statements[static_cast<std::size_t>(to)]));
      for (std::size_t k = 0; k < source.reads.size(); ++k)
        if (source.reads[k].array == write.array)
          all.add({from, to, Kind::Anti, write.array, from == to && readsAccumulator(scop, reductions, from, k)},
                  source.reads[k].relation.apply_range(writers), source.reads[k].exact && write.exact,
                  choosingRead(source, k), choosingWrite(scop.statements[static_cast<std::size_t>(to)]));
    }
  }
}

/// The rows that a place within them reads the begin of: of row[i] + k this is "row".
std::string rowsIn(const Expr &element) {
  std::string name;
  for (const Expr &subscript : element->args)
    visit(subscript, [&](const Expr &e) {
      if (e.op() == Op::Read) name = e->name;
    });
  return name;
}

/// What a person could declare of the index arrays that would leave nothing of an edge.
std::string disproofOf(const Whole &whole, Kind kind, const std::string &loop) {
  if (whole.from.size() == 1 && whole.to.size() == 1 && whole.from[0]->name == whole.to[0]->name)
    return loop.empty() ? "" : "injective(" + whole.from[0]->name + ")";
  const bool isReadAlone = kind == Kind::Anti && whole.from.size() == 1 && whole.to.empty();
  const std::string rows = isReadAlone ? rowsIn(whole.from[0]) : "";
  return rows.empty() ? "" : "lower(" + whole.from[0]->name + ", " + rows + ")";
}

/// Which index arrays say whether the edge holds, and what would disprove it; empty: none does.
std::string saidAtRunTime(const Whole &whole, Kind kind, const std::string &loop) {
  std::set<std::string> arrays;
  for (const std::vector<Expr> *end : {&whole.from, &whole.to})
    for (const Expr &element : *end) arrays.insert(element->name);
  if (arrays.empty()) return "";
  std::string text;
  for (const std::string &array : arrays) text += (text.empty() ? "'" : ", '") + array + "'";
  text += arrays.size() == 1 ? " says at run time whether it holds" : " say at run time whether it holds";
  const std::string disproof = disproofOf(whole, kind, loop);
  return disproof.empty() ? text : text + "; " + disproof + " would disprove it";
}

/// The parts of one dependence that the loops carry, and the part that none does.
std::vector<Carried> split(const Scop &scop, const std::vector<Reduction> &reductions, Order &order, const Key &key,
                           const Whole &whole) {
  const auto &[from, to, kind, array, self] = key;
  std::vector<Carried> parts;
  for (const Level &level : order.levels(from, to)) {
    const isl::map part = coalesced(whole.relation.intersect(level.earlier));
    if (part.is_empty()) continue;
    Dependence edge{kind,
                    from,
                    to,
                    array,
                    part,
                    level.loop,
                    order.distance(from, to, part, level.depth),
                    false,
                    false,
                    whole.exact,
                    saidAtRunTime(whole, kind, level.loop),
                    level.variable};
    edge.reduction = self && part.is_subset(sameChain(scop, *of(reductions, from)));
    parts.push_back({std::move(edge), level.depth});
  }
  return parts;
}

bool entersLive(const Scop &scop, const Flow &flow, const std::string &array) {
  return std::any_of(flow.sources.begin(), flow.sources.end(), [&](const Sources &sources) {
    const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
    const Access &read = reader.reads[static_cast<std::size_t>(sources.read)];
    return read.array == array && !sources.liveIn.intersect(read.reached.domain()).is_empty();
  });
}

/// Does a value go from one turn to another through an element that the array has?
bool staysWithin(const Scop &scop, const Dependence &edge) {
  const Statement &from = scop.statements[static_cast<std::size_t>(edge.from)];
  const Statement &to = scop.statements[static_cast<std::size_t>(edge.to)];
  const isl::map written = edge.relation.intersect_domain(from.write.reached.domain());
  return std::ranges::any_of(to.reads, [&](const Access &read) {
    return read.array == edge.array && !written.intersect_range(read.reached.domain()).is_empty();
  });
}

/// The number of outer loops around every use of `array` whose iterations exchange no value through it.
std::size_t privateDepth(const Scop &scop, const std::vector<Carried> &all, const Order &order,
                         const std::vector<int> &users, const std::string &array) {
  std::size_t depth = std::numeric_limits<std::size_t>::max();
  for (const int user : users) depth = std::min(depth, order.commonLoops(users.front(), user));
  for (const Carried &one : all)
    if (one.edge.kind == Kind::Flow && one.edge.array == array && one.depth < depth && staysWithin(scop, one.edge))
      depth = one.depth;
  return depth;
}

std::vector<int> usersOf(const Scop &scop, const std::string &array) {
  std::vector<int> users;
  for (std::size_t s = 0; s < scop.statements.size(); ++s) {
    const Statement &statement = scop.statements[s];
    const bool reads = std::any_of(statement.reads.begin(), statement.reads.end(),
                                   [&](const Access &access) { return access.array == array; });
    if (reads || statement.write.array == array) users.push_back(static_cast<int>(s));
  }
  return users;
}

/// Loops that `array` is private to: those around its declaration, and those that no value crosses.
std::size_t privateTo(const Scop &scop, const Flow &flow, const Order &order, const std::vector<Carried> &all,
                      const Array &array) {
  const bool local = array.storage == Array::Storage::Local || array.functionStatic;
  const std::vector<int> users = usersOf(scop, array.name);
  if (!local || users.empty()) return 0;
  const auto scope = scop.scopeDepth.find(array.name);
  const std::size_t declared = scope == scop.scopeDepth.end() ? 0 : scope->second;
  if (entersLive(scop, flow, array.name)) return declared;
  return std::max(declared, privateDepth(scop, all, order, users, array.name));
}

void privatise(const Scop &scop, const Flow &flow, const Order &order, std::vector<Carried> &all) {
  for (const Array &array : scop.arrays) {
    const std::size_t depth = privateTo(scop, flow, order, all, array);
    for (Carried &one : all)
      if (one.edge.array == array.name && !one.edge.loop.empty() && one.depth < depth)
        one.edge.privatised = one.edge.kind != Kind::Flow || !staysWithin(scop, one.edge);
  }
}

} // namespace

std::vector<Dependence> edges(const Scop &scop, const Flow &flow, const std::vector<Reduction> &reductions) {
  Collection collection;
  if (scop.scattered)
    addPossibleFlow(scop, collection);
  else
    addFlow(scop, flow, reductions, collection);
  addMemory(scop, reductions, collection);
  Order order(scop);
  std::vector<Carried> carried;
  for (const auto &[key, whole] : collection.wholes) {
    std::vector<Carried> parts = split(scop, reductions, order, key, whole);
    std::move(parts.begin(), parts.end(), std::back_inserter(carried));
  }
  privatise(scop, flow, order, carried);
  std::vector<Dependence> result;
  result.reserve(carried.size());
  for (Carried &one : carried) result.push_back(std::move(one.edge));
  return result;
}

} // namespace polymend
