// Loops and branches -> domains and a schedule tree. A loop adds one dimension and one band of one member: its
// variable, or the negated variable where it counts down; a body becomes a sequence. Domains keep the source's
// variables, a step other than one becomes a congruence.
#include "walk.h"

#include <isl/schedule.h>
#include <isl/space.h>
#include <isl/union_map.h>

namespace polymend {

namespace {

using Order = std::optional<isl::schedule>;

Order sequence(const Order &a, const Order &b) {
  if (!a || !b) return a ? a : b;
  return isl::manage(isl_schedule_sequence(a->copy(), b->copy()));
}

/// The domain of `frame` with one more, yet unbounded, innermost dimension.
Frame within(const Frame &frame, const std::string &variable) {
  const auto position = static_cast<unsigned>(frame.iterators.size());
  isl_set *set = isl_set_add_dims(frame.domain.copy(), isl_dim_set, 1);
  set = isl_set_set_dim_name(set, isl_dim_set, position, variable.c_str());
  Frame inner{frame.iterators, isl::manage(set)};
  inner.iterators.push_back(variable);
  return inner;
}

Result<isl::set> iterations(const Loop &loop, const Frame &frame) {
  const Expr variable = Expr::symbol(loop.variable, Type::Int64);
  const bool up = loop.step > 0;
  const auto from = up ? less(loop.first, variable, false, frame) : less(variable, loop.first, false, frame);
  if (!from) return from.refusal();
  const auto to = up ? less(variable, loop.limit, true, frame) : less(loop.limit, variable, true, frame);
  if (!to) return to.refusal();
  const auto stride = onStride(variable, loop.first, loop.step, frame);
  if (!stride) return stride.refusal();
  return frame.domain.intersect(*from).intersect(*to).intersect(*stride).coalesce();
}

Refusal placed(const Refusal &refusal, const std::string &what, const SourceRange &where) {
  return {what + ": " + refusal.reason, refusal.where.valid() ? refusal.where : where};
}

isl::schedule band(const isl::schedule &body, unsigned dimension, bool up) {
  isl_union_map *rows = isl_union_map_empty(isl_space_params(isl_union_set_get_space(body.domain().get())));
  body.domain().foreach_set([&](const isl::set &domain) {
    isl_space *space = isl_set_get_space(domain.get());
    isl_aff *row = isl_aff_var_on_domain(isl_local_space_from_space(space), isl_dim_set, dimension);
    rows = isl_union_map_add_map(rows, isl_map_from_aff(up ? row : isl_aff_neg(row)));
  });
  return isl::manage(isl_schedule_insert_partial_schedule(body.copy(), isl_multi_union_pw_aff_from_union_map(rows)));
}

bool contains(const SourceRange &outer, const SourceRange &inner) {
  return outer.valid() && inner.valid() && outer.begin < inner.begin && inner.end <= outer.end;
}

/// Is the array declared in the range, or in a helper that is called there?
bool isDeclaredIn(const SourceRange &range, const Array &array) {
  return contains(range, array.where) ||
         std::ranges::any_of(array.calls, [&](const SourceRange &call) { return contains(range, call); });
}

class Walker {
public:
  explicit Walker(const Function &source) : arrays(source.arrays), dataSizes(source.dataSizes) {}

  Result<Order> body(const Body &nodes, const Frame &frame) {
    Order all;
    for (const Node &node : nodes) {
      Result<Order> one = std::visit([&](const auto &inner) { return visit(inner, frame); }, node);
      if (!one) return one.refusal();
      all = sequence(all, *one);
    }
    return all;
  }

  Walk walked;

private:
  Result<Order> visit(const std::shared_ptr<const Loop> &loop, const Frame &frame) {
    if (loop->step == 0) return Refusal{"the loop's step is zero", loop->where};
    Frame inner = within(frame, loop->variable);
    Result<isl::set> domain = iterations(*loop, inner);
    if (!domain) return placed(domain.refusal(), "a loop bound", loop->where);
    inner.domain = *domain;
    if (loop->origin) walked.origins[loop->variable] = loop->origin;
    noteBounds(*loop, frame);
    if (loop->sourceName != loop->variable && !loop->sourceName.empty())
      walked.sourceNames[loop->variable] = loop->sourceName;
    for (const Array &array : arrays)
      if (array.storage == Array::Storage::Local && isDeclaredIn(loop->where, array))
        walked.scopeDepth[array.name] = inner.iterators.size();
    Result<Order> order = body(loop->body, inner);
    if (!order || !*order) return order;
    return Order(band(**order, static_cast<unsigned>(frame.iterators.size()), loop->step > 0));
  }

  Result<Order> visit(const std::shared_ptr<const Branch> &branch, const Frame &frame) {
    const Result<isl::set> condition = holds(branch->condition, frame);
    if (!condition) return placed(condition.refusal(), "a condition", branch->where);
    const isl::set yes = frame.domain.intersect(*condition), no = frame.domain.subtract(*condition);
    const Result<Order> then = body(branch->then, {frame.iterators, yes.coalesce()});
    if (!then) return then.refusal();
    const Result<Order> otherwise = body(branch->otherwise, {frame.iterators, no.coalesce()});
    if (!otherwise) return otherwise.refusal();
    return sequence(*then, *otherwise);
  }

  Result<Order> visit(const std::shared_ptr<const Assign> &assign, const Frame &frame) {
    if (frame.domain.is_empty()) return Order();
    const std::string id = "S" + std::to_string(walked.drafts.size());
    walked.drafts.push_back({id, frame, assign});
    return Order(isl::schedule::from_domain(isl::union_set(setTuple(frame.domain, id))));
  }

  void noteBounds(const Loop &loop, const Frame &frame) {
    std::set<std::string> used = symbols(loop.first);
    used.merge(symbols(loop.limit));
    for (const DataSize &data : dataSizes)
      if (used.contains(data.name)) walked.bounds.emplace_back(frame, &data);
  }

  const std::vector<Array> &arrays;
  const std::vector<DataSize> &dataSizes;
};

isl::set startingPoint(const Function &function, const IslContext &context) {
  const std::vector<std::string> names = parametersOf(function);
  isl_space *space = isl_space_set_alloc(context.get(), static_cast<unsigned>(names.size()), 0);
  for (unsigned i = 0; i < names.size(); ++i) space = isl_space_set_dim_name(space, isl_dim_param, i, names[i].c_str());
  return isl::manage(isl_set_universe(space));
}

} // namespace

std::vector<std::string> parametersOf(const Function &function) {
  std::vector<std::string> names = function.sizes;
  for (const DataSize &data : function.dataSizes) names.push_back(data.name);
  return names;
}

Result<Walk> walk(const Function &function, const IslContext &context) {
  Walker walker(function);
  Result<Order> order = walker.body(function.body, {{}, startingPoint(function, context)});
  if (!order) return order.refusal();
  walker.walked.schedule = *order;
  return std::move(walker.walked);
}

} // namespace polymend
