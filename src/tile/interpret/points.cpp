// Runs a region. Nothing comes into scope within it but its own variables: names are resolved when it begins, each
// bound before the variable that it is of.
#include "bound.h"
#include "execute.h"

namespace polymend::tile {

namespace {

struct Side {
  std::int64_t *variable = nullptr;
  BoundExpr first, limit;
};

/// An assignment; its target as a read.
struct Step {
  Expr place;
  BoundExpr where, value, target;
  Update update = Update::Set;
  Step(const TileAssign &a, const Environment &env)
      : place(Expr::read(a.target.array, a.target.subscripts, Type::Float64)), where(a.where, env), value(a.value, env),
        target(place, env), update(a.update) {}
};

bool isInside(const Bound &read, Environment &env) {
  if (!read.array) return true;
  const std::vector<std::int64_t> &extents = read.array->used;
  for (std::size_t i = 0; i < extents.size() && i < read.count; ++i) {
    const std::int64_t s = evaluate(read.arg(i), env).integer();
    if (s < 0 || (extents[i] >= 0 && s >= extents[i])) return false;
  }
  return true;
}

class Region {
public:
  Region(const TilePoints &p, Environment &names, Outside read) : region(p), env(names), outside(read) {
    for (const PointDim &d : p.dims) {
      sides.push_back({nullptr, BoundExpr(d.first, env), BoundExpr(d.limit, env)});
      sides.back().variable = &env.integers[d.variable];
    }
    for (const TileAssign &a : p.body) steps.emplace_back(a, env);
  }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;
  ~Region() {
    for (const PointDim &d : region.dims) env.integers.erase(d.variable);
  }

  void run(std::size_t dim = 0) {
    if (dim == sides.size()) return visit();
    const Side &side = sides[dim];
    const std::int64_t begin = evaluate(side.first.root(), env).integer();
    const std::int64_t end = evaluate(side.limit.root(), env).integer();
    for (std::int64_t i = begin; i < end && !env.fault; ++i) {
      *side.variable = i;
      run(dim + 1);
    }
  }

private:
  void visit() {
    for (const Step &step : steps)
      if (!env.fault) make(step);
  }

  void make(const Step &step) {
    const Bound &where = step.where.root();
    const bool isLeftOut = outside == Outside::Zero && where && !evaluate(where, env).truth();
    if (outside == Outside::Zero && (isLeftOut || !isInside(step.value.root(), env))) {
      if (double *element = locate(step.target.root(), env)) *element = 0;
      return;
    }
    if (where && !evaluate(where, env).truth() && !(env.everywhere && readsReal(*where.source))) return;
    const Number value = evaluate(step.value.root(), env);
    if (double *element = locate(step.target.root(), env))
      put(*element, step.target.root().array->shape->type, step.update, value);
  }

  const TilePoints &region;
  Environment &env;
  Outside outside;
  std::vector<Side> sides;
  std::vector<Step> steps;
};

} // namespace

void points(const TilePoints &p, Environment &env, Outside outside) { Region(p, env, outside).run(); }

} // namespace polymend::tile
