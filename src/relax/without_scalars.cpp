// Forward substitution comes first, as long as there is any: it moves reads. Homes are found all at once: two that
// were in each other's way would each end with a store within the other's turn, which is no home then.
#include "without_scalars.h"

#include "each_assign.h"

#include "polymend/numbers.h"

#include <isl/schedule.h>

#include <algorithm>
#include <set>

namespace polymend {

namespace {

bool isOwnScalar(const Array &array) {
  return array.storage == Array::Storage::Local && array.extents.empty() && !array.functionStatic &&
         !isShort(array.type) && array.spelling.empty();
}

Function withoutArrays(const Function &function, const std::set<std::string> &names) {
  Function result = function;
  std::erase_if(result.arrays, [&](const Array &array) { return names.contains(array.name); });
  return result;
}

/// What takes the place of each read of a scalar.
using Places = std::map<std::string, Expr>;

Expr inPlaces(const Expr &e, const Places &places) {
  return rewrite(e, [&](const Expr &node) {
    const auto at = node.op() == Op::Read ? places.find(node->name) : places.end();
    return at == places.end() ? node : at->second;
  });
}

Assign inPlaces(Assign assign, const Places &places) {
  assign.value = inPlaces(assign.value, places);
  for (Expr &subscript : assign.subscripts) subscript = inPlaces(subscript, places);
  return assign;
}

/// The values as the source has them, by scalar.
std::map<std::string, Expr> sourceValues(const Function &function, const std::map<const Assign *, int> &numbers,
                                         const std::set<std::string> &names) {
  std::map<std::string, Expr> values;
  withEach(function.body, [&](const Assign &assign) {
    if (names.contains(assign.target) && numbers.contains(&assign)) values[assign.target] = assign.value;
    return std::optional(assign);
  });
  return values;
}

std::optional<Function> withForwarded(const Function &function, const ScalarContext &context,
                                      const std::map<const Assign *, int> &numbers) {
  std::set<std::string> names;
  for (const ScalarUse &use : context.uses()) {
    const auto value = forwarded(context, use);
    const bool isChained = value && std::any_of(names.begin(), names.end(),
                                                [&](const std::string &other) { return reads(*value, other); });
    if (value && !isChained) names.insert(use.name);
  }
  if (names.empty()) return std::nullopt;
  Places places;
  for (const auto &[name, value] : sourceValues(function, numbers, names)) {
    const Type type = context.scop.array(name).type;
    places[name] = value.type() == type ? value : Expr::cast(type, value);
  }
  for (const auto &[name, value] : places)
    for (const std::string &other : names)
      if (reads(value, other)) return std::nullopt;
  Function result = withoutArrays(function, names);
  result.body = withEach(function.body, [&](const Assign &assign) {
    return names.contains(assign.target) ? std::nullopt : std::optional(inPlaces(assign, places));
  });
  return result;
}

/// Is it a[x] = a[x]?
bool isNothing(const Assign &assign) {
  const Expr &value = assign.value;
  return value.op() == Op::Read && value->name == assign.target &&
         std::equal(value->args.begin(), value->args.end(), assign.subscripts.begin(), assign.subscripts.end(),
                    [](const Expr &a, const Expr &b) { return equal(simplify(a), simplify(b)); });
}

std::optional<Function> withHomes(const Function &function, const ScalarContext &context,
                                  const std::map<const Assign *, int> &numbers) {
  std::map<int, std::string> homes; // by the statement that stores it
  for (const ScalarUse &use : context.uses())
    if (const auto last = homeOf(context, use)) homes.emplace(*last, use.name);
  if (homes.empty()) return std::nullopt;
  std::map<std::string, const Assign *> stores;
  for (const auto &[assign, number] : numbers)
    if (const auto at = homes.find(number); at != homes.end()) stores[at->second] = assign;
  Places places;
  std::set<std::string> names;
  for (const auto &[name, store] : stores) {
    places[name] = Expr::read(store->target, store->subscripts, context.scop.array(name).type);
    names.insert(name);
  }
  Function result = withoutArrays(function, names);
  result.body = withEach(function.body, [&](const Assign &assign) -> std::optional<Assign> {
    Assign moved = inPlaces(assign, places);
    if (const auto at = stores.find(assign.target); at != stores.end()) {
      moved.target = at->second->target;
      moved.subscripts = at->second->subscripts;
    }
    return isNothing(moved) ? std::nullopt : std::optional(moved);
  });
  return result;
}

} // namespace

ScalarContext::ScalarContext(const Scop &model, const Dependences &dependences) : scop(model), deps(dependences) {
  const isl::union_map times = scop.schedule.map();
  before = isl::manage(isl_union_map_lex_lt_union_map(times.copy(), times.copy()));
}

isl::union_map ScalarContext::none() const {
  return isl::manage(isl_union_map_empty(isl_set_get_space(scop.statements.front().domain.get())));
}

isl::union_map ScalarContext::writesOf(const std::string &array) const {
  isl::union_map all = none();
  for (const Statement &one : scop.statements)
    if (one.write.array == array) all = all.unite(isl::union_map(one.write.relation));
  return all;
}

isl::union_map ScalarContext::readsOf(const std::string &array) const {
  isl::union_map all = none();
  for (const Statement &one : scop.statements)
    for (const Access &read : one.reads)
      if (read.array == array) all = all.unite(isl::union_map(read.relation));
  return all;
}

std::vector<ScalarUse> ScalarContext::uses() const {
  std::vector<ScalarUse> all;
  for (const Array &array : scop.arrays) {
    if (!isOwnScalar(array)) continue;
    ScalarUse use{array.name, {}, {}, 0};
    for (std::size_t s = 0; s < scop.statements.size(); ++s) {
      const Statement &one = scop.statements[s];
      const auto count = std::count_if(one.reads.begin(), one.reads.end(),
                                       [&](const Access &read) { return read.array == array.name; });
      use.reads += static_cast<int>(count);
      if (count > 0) use.readers.push_back(static_cast<int>(s));
      if (one.write.array == array.name) use.writers.push_back(static_cast<int>(s));
    }
    if (!use.writers.empty() && !use.readers.empty()) all.push_back(use);
  }
  return all;
}

std::optional<Function> withoutScalars(const Function &function, const Scop &scop, const Dependences &dependences) {
  if (scop.statements.empty() || scop.scattered || !scop.dataSizes.empty()) return std::nullopt;
  const ScalarContext context(scop, dependences);
  const std::map<const Assign *, int> numbers = statementNumbers(function, scop);
  if (numbers.size() != scop.statements.size()) return std::nullopt;
  if (auto forwarding = withForwarded(function, context, numbers)) return forwarding;
  return withHomes(function, context, numbers);
}

} // namespace polymend
