#include "tracer.h"

#include <algorithm>
#include <cmath>

namespace polymend::device_room {

using namespace tile;

Tracer::Tracer(const DeviceProgram &p, const Memory &memory, std::size_t limit) : program(p), most(limit) {
  for (const auto &[name, value] : memory.sizes) env.integers[name] = value;
  for (const TileArray &a : program.arrays) {
    for (const Expr &extent : a.extents) extents[a.name].push_back(extent ? integer(extent) : 0);
    if (a.extents.empty()) extents[a.name] = {};
  }
  for (const auto &[name, content] : memory.arrays)
    for (const TileArray &a : program.arrays) {
      if (a.name != name || a.written || !isInteger(a.type)) continue;
      Elements elements;
      elements.shape = &a;
      elements.extents = elements.used = extents[name];
      elements.values = &(values[name] = content);
      env.arrays[name] = elements;
    }
}

void Tracer::declare(const TileArray &tile) {
  std::vector<std::int64_t> shape;
  for (const Expr &extent : tile.extents) shape.push_back(integer(extent));
  extents[tile.name] = shape;
}

bool Tracer::isKnown(const Expr &e) const {
  bool known = true;
  visit(e, [&](const Expr &part) {
    if (part.op() == Op::Read) known = known && env.arrays.contains(part->name);
    if (part.op() == Op::Symbol) known = known && env.integers.contains(part->name);
    if (part.op() == Op::Call || isFloating(part.type())) known = false;
  });
  return known;
}

namespace {

/// A sum of bounds at these sizes: factors times sizes.
double boundAt(const Expr &e, Environment &env) {
  if (e.op() == Op::Add) return boundAt(e.arg(0), env) + boundAt(e.arg(1), env);
  double product = 1;
  for (const Expr &factor : e->args)
    product *= factor.op() == Op::Real ? factor->real : std::fabs(static_cast<double>(evaluate(factor, env).integer()));
  return product;
}

} // namespace

void Tracer::within(const DeviceKernel &kernel) {
  reach = kernel.reach ? std::optional(boundAt(kernel.reach, env) - reachSlack) : std::nullopt;
  wide = kernel.wide;
}

void Tracer::compare(const Expr &e, std::int64_t value) {
  if (!reach || std::fabs(static_cast<double>(value)) <= *reach || reads(e)) return;
  if (std::ranges::none_of(symbols(e), [&](const std::string &name) { return wide.contains(name); }))
    found.insert(place + ": '" + show(e) + "' is " + std::to_string(value) + ", beyond what its integers reach");
}

void Tracer::touch(const std::string &array, const std::vector<Expr> &subscripts, bool writes) {
  const auto shape = extents.find(array);
  if (shape == extents.end() || isOver()) return;
  std::int64_t element = 0;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    if (!isKnown(subscripts[d])) return;
    const bool isOuter = d == 0 || subscripts.size() != shape->second.size();
    const std::int64_t at = integer(subscripts[d]);
    compare(subscripts[d], at);
    if (!isOuter && (at < 0 || at >= shape->second[d])) return; // beyond its row: the source has no such element
    element = (isOuter ? element : element * shape->second[d]) + at;
    if (d + 1 == subscripts.size() && std::ranges::none_of(subscripts, [](const Expr &s) { return reads(s); }))
      compare(subscripts[d], element);
  }
  ++steps;
  access(array, element, writes);
}

void Tracer::reading(const Expr &e) {
  if (!e) return;
  if (e.op() == Op::Read) touch(e->name, e->args, false);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  if (!chooses || !isKnown(e.arg(0))) {
    for (const Expr &arg : e->args) reading(arg);
    return;
  }
  const bool isTrue = holds(e.arg(0));
  reading(e.arg(0));
  if (e.op() == Op::Select)
    reading(e.arg(isTrue ? 1 : 2));
  else if (isTrue == (e.op() == Op::And))
    reading(e.arg(1));
}

void Tracer::assign(const TileAssign &a) {
  reading(a.where);
  if (a.where && isKnown(a.where) && !holds(a.where)) return;
  reading(a.value);
  if (a.update != Update::Set) touch(a.target.array, a.target.subscripts, false);
  touch(a.target.array, a.target.subscripts, true);
}

} // namespace polymend::device_room
