// The meaning of a tile program: kernels in order, grid points in order, every access checked. Fresh tiles and work
// arrays hold NaN, so that a value read before it is written shows in the result.
#include "tile/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>

namespace polymend {

namespace {

using namespace tile;

constexpr std::int64_t largestArray = std::int64_t{1} << 31;

class Machine {
public:
  std::optional<std::string> run(const TileProgram &program, Memory &memory);

private:
  void bind(const TileProgram &program, Memory &memory);
  std::int64_t extents(const TileArray &a, Elements &elements);
  void allocate(const TileArray &a, std::list<std::vector<double>> &storage);
  void grid(const Kernel &k, std::size_t dim);
  void body(const Kernel &k);
  template <class F>
  void iterate(const std::string &name, const Expr &first, const Expr &limit, std::int64_t step, F f);
  void block(const TileBlock &nodes);
  void node(const TileNote &) {}
  void node(const TileAssign &a);
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p) { points(*p, 0); }
  void points(const TilePoints &p, std::size_t dim);

  Environment env;
};

template <class F>
void Machine::iterate(const std::string &name, const Expr &first, const Expr &limit, std::int64_t step, F f) {
  const std::int64_t begin = evaluate(first, env).integer;
  const std::int64_t end = evaluate(limit, env).integer;
  for (std::int64_t i = begin; i < end && !env.fault; i += step) {
    env.integers[name] = i;
    f();
  }
  env.integers.erase(name);
}

/// Evaluates the extents; the number of elements they span, or -1 where an extent is absent.
std::int64_t Machine::extents(const TileArray &a, Elements &elements) {
  elements.shape = &a;
  std::int64_t count = 1;
  for (const Expr &extent : a.extents) {
    const std::int64_t value = extent ? std::max<std::int64_t>(evaluate(extent, env).integer, 0) : -1;
    elements.extents.push_back(value);
    if (value > 0 && count > largestArray / value) env.fail("'" + a.name + "' is too large");
    if (!env.fault) count = value < 0 || count < 0 ? -1 : count * value;
  }
  return count;
}

void Machine::allocate(const TileArray &a, std::list<std::vector<double>> &storage) {
  Elements elements;
  const std::int64_t count = extents(a, elements);
  if (count < 0) env.fail("'" + a.name + "' has no size");
  if (env.fault) return;
  const double fresh = isFloating(a.type) ? std::numeric_limits<double>::quiet_NaN() : 0;
  storage.emplace_back(static_cast<std::size_t>(count), fresh);
  elements.values = &storage.back();
  env.arrays[a.name] = elements;
}

void Machine::node(const TileAssign &a) {
  if (a.where && !evaluate(a.where, env).truth()) return;
  const Number value = evaluate(a.value, env);
  double *target = locate(a.target.array, a.target.subscripts, env);
  if (!target) return;
  const Type type = env.arrays[a.target.array].shape->type;
  const double operand = isFloating(type) ? value.asReal() : convert(value, type).asReal();
  *target = combine(a.update, type, *target, operand);
}

void Machine::node(const std::shared_ptr<const TileLoop> &l) {
  if (l->step <= 0) return env.fail("the step of '" + l->variable + "' is not positive");
  iterate(l->variable, l->first, l->limit, l->step, [&] { block(l->body); });
}

void Machine::node(const std::shared_ptr<const TileBranch> &b) {
  block(evaluate(b->condition, env).truth() ? b->then : b->otherwise);
}

void Machine::points(const TilePoints &p, std::size_t dim) {
  if (dim < p.dims.size()) {
    const PointDim &d = p.dims[dim];
    iterate(d.variable, d.first, d.limit, 1, [&] { points(p, dim + 1); });
    return;
  }
  for (const TileAssign &a : p.body)
    if (!env.fault) node(a);
}

void Machine::block(const TileBlock &nodes) {
  for (const TileNode &n : nodes)
    if (!env.fault) std::visit([&](const auto &x) { node(x); }, n);
}

void Machine::body(const Kernel &k) {
  std::list<std::vector<double>> storage;
  for (const TileArray &a : k.tiles) allocate(a, storage);
  if (!env.fault) block(k.body);
  for (const TileArray &a : k.tiles) env.arrays.erase(a.name);
}

void Machine::grid(const Kernel &k, std::size_t dim) {
  if (dim == k.grid.size()) return body(k);
  const PointDim &d = k.grid[dim];
  iterate(d.variable, d.first, d.limit, 1, [&] { grid(k, dim + 1); });
}

void Machine::bind(const TileProgram &program, Memory &memory) {
  for (const auto &[name, value] : memory.sizes) env.integers[name] = value;
  for (const auto &[name, value] : memory.scalars) env.scalars[name] = {true, 0, value};
  for (const auto &[name, type] : program.scalars)
    if (env.scalars.contains(name)) env.scalars[name] = convert(env.scalars[name], type);
  for (const TileArray &a : program.arrays) {
    if (a.space != Space::Argument) continue;
    const auto at =
        std::find_if(memory.arrays.begin(), memory.arrays.end(), [&](const auto &m) { return m.first == a.name; });
    if (at == memory.arrays.end()) {
      if (a.name != "return") env.fail("no argument '" + a.name + "'");
      continue;
    }
    Elements elements;
    const std::int64_t count = extents(a, elements);
    elements.values = &at->second;
    if (count > static_cast<std::int64_t>(at->second.size())) env.fail("the argument '" + a.name + "' is too short");
    env.arrays[a.name] = elements;
  }
}

std::optional<std::string> Machine::run(const TileProgram &program, Memory &memory) {
  bind(program, memory);
  std::list<std::vector<double>> storage;
  for (const TileArray &a : program.arrays)
    if (!env.fault && !env.arrays.contains(a.name)) allocate(a, storage);
  for (const Kernel &k : program.kernels)
    if (!env.fault) grid(k, 0);
  if (!program.returns || env.fault) return env.fault;
  const auto at = env.arrays.find("return");
  if (at == env.arrays.end() || at->second.values->empty()) return "the program has no value to return";
  const double result = at->second.values->front();
  std::erase_if(memory.arrays, [](const auto &array) { return array.first == "return"; });
  memory.arrays.emplace_back("return", std::vector<double>{result});
  return std::nullopt;
}

} // namespace

std::optional<std::string> interpret(const TileProgram &program, Memory &memory) {
  for (std::string &fault : verify(program)) return std::move(fault);
  return Machine().run(program, memory);
}

} // namespace polymend
