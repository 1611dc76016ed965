// The meaning of a tile program: kernels in order, grid points in order, every access checked. Roles run beside one
// another as their waits allow.
#include "polymend/interpret.h"
#include "polymend/verify.h"

#include "execute.h"
#include "protocol.h"

#include <algorithm>

namespace polymend {

namespace {

using namespace tile;

class Machine {
public:
  explicit Machine(std::size_t visits) : most(visits) {}
  std::optional<std::string> run(const TileProgram &program, Memory &memory);
  /// What has no value in C++ has none.
  void readAsC() { env.inC = true; }
  /// Whatever conditions on real data say, what they guard runs too: its values mean nothing then.
  void touchEverywhere() { env.everywhere = true; }
  /// What a run has failed for, where it is room in memory.
  [[nodiscard]] const std::optional<Lack> &lack() const { return env.lack; }

private:
  void bind(const TileProgram &program, Memory &memory);
  void kernel(const Kernel &k);
  void body(const Kernel &k);
  void block(const TileBlock &nodes);
  void node(const TileNote &) {}
  void node(const TileSync &) {}
  void node(const std::shared_ptr<const TileAsync> &) {}
  void node(const TileAssign &a) { assign(a, env); }
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p) { points(*p, env); }

  std::size_t most; // grid points of a kernel with roles
  Environment env;
};

void Machine::node(const std::shared_ptr<const TileLoop> &l) {
  if (l->step <= 0) return env.fail("the step of '" + l->variable + "' is not positive");
  iterate(l->variable, l->first, l->limit, l->step, env, [&] { block(l->body); });
}

void Machine::node(const std::shared_ptr<const TileBranch> &b) {
  const bool holds = evaluate(b->condition, env).truth();
  if (env.everywhere && readsReal(*b->condition)) block(holds ? b->otherwise : b->then);
  block(holds ? b->then : b->otherwise);
}

void Machine::block(const TileBlock &nodes) {
  for (const TileNode &n : nodes)
    if (!env.fault) std::visit([&](const auto &x) { node(x); }, n);
}

void Machine::body(const Kernel &k) {
  Storage storage;
  for (const TileArray &a : k.tiles) allocate(a, storage, env);
  if (!env.fault) block(k.body);
  for (const TileArray &a : k.tiles) env.arrays.erase(a.name);
}

void Machine::kernel(const Kernel &k) {
  std::vector<GridPoint> visits = gridPoints(k, env);
  if (env.fault) return;
  if (!k.roles.empty()) {
    visits.resize(std::min(visits.size(), most));
    if (const auto fault = runRoles(k, visits, env, Meaning::Values)) env.fail(*fault);
    return;
  }
  for (const GridPoint &point : visits) {
    enter(k, point, env);
    if (!env.fault) body(k);
  }
  for (const PointDim &d : k.grid) env.integers.erase(d.variable);
}

void Machine::bind(const TileProgram &program, Memory &memory) {
  for (const auto &[name, value] : memory.sizes) env.integers[name] = value;
  for (const auto &[name, value] : memory.scalars) env.scalars[name] = Number::real(value);
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
    const std::int64_t count = shape(a, elements, env);
    elements.values = &at->second;
    if (const auto origin = memory.origins.find(a.name); origin != memory.origins.end())
      elements.origin = origin->second;
    if (count > static_cast<std::int64_t>(at->second.size())) env.fail("the argument '" + a.name + "' is too short");
    env.arrays[a.name] = elements;
  }
}

std::optional<std::string> Machine::run(const TileProgram &program, Memory &memory) {
  bind(program, memory);
  Storage storage;
  for (const TileArray &a : program.arrays)
    if (!env.fault && !env.arrays.contains(a.name)) allocate(a, storage, env);
  for (const Kernel &k : program.kernels)
    if (!env.fault && (!k.when || evaluate(k.when, env).truth())) kernel(k);
  if (!program.returns || env.fault) return env.fault;
  const auto at = env.arrays.find("return");
  if (at == env.arrays.end() || at->second.values->empty()) return "the program has no value to return";
  const double result = at->second.values->front();
  std::erase_if(memory.arrays, [](const auto &array) { return array.first == "return"; });
  memory.arrays.emplace_back("return", std::vector<double>{result});
  return std::nullopt;
}

} // namespace

std::optional<std::string> interpret(const TileProgram &program, Memory &memory, std::size_t visits) {
  for (std::string &fault : verify(program)) return std::move(fault);
  return Machine(visits).run(program, memory);
}

std::optional<std::string> interpretSource(const TileProgram &program, Memory &memory) {
  Machine machine(std::numeric_limits<std::size_t>::max());
  machine.readAsC();
  return machine.run(program, memory);
}

std::optional<Lack> lackOf(const TileProgram &program, Memory memory) {
  Machine machine(std::numeric_limits<std::size_t>::max());
  machine.touchEverywhere();
  machine.run(program, memory);
  return machine.lack();
}

} // namespace polymend
