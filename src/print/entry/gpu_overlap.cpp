#include "gpu_overlap.h"

#include "device/extents.h"
#include "device/team_body.h"
#include "device/walk.h"
#include "print/gpu_team.h"
#include "print/touched_text.h"
#include "tile/visit.h"

namespace polymend::print_room {

using device_room::Apart;
using device_room::elementsOf;
using device_room::Entry;

namespace {

/// Pairs of arguments of which the device tells.
std::vector<std::pair<const TileArray *, const TileArray *>> pairsOf(const Entry &access, const TileProgram &program) {
  std::vector<const TileArray *> arguments;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument) arguments.push_back(&a);
  std::vector<std::pair<const TileArray *, const TileArray *>> pairs;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j)
      if (access.apart(*arguments[i], *arguments[j]) == Apart::Data) pairs.emplace_back(arguments[i], arguments[j]);
  return pairs;
}

/// A kernel that sees all arguments, as they may share memory.
LaunchPlan ofArguments(const DeviceFunction &device, const std::string &name) {
  LaunchPlan plan;
  plan.mayShare = true;
  plan.name = kernelName(device.program.function + name, device);
  for (const TileArray &a : device.program.arrays)
    if (a.space == Space::Argument) plan.used.insert(a.name);
  return plan;
}

/// A kernel for each of `noted`, which all begin with words that are 0.
void printNotes(const std::vector<NotedValues> &noted, const std::string &words, DeviceFunction &device,
                Writer &queued) {
  constexpr int manyBlocks = 1024; // as many threads as the largest devices hold
  if (noted.empty()) return;
  Context &context = device.context;
  const std::string runtime(context.table.runtime);
  queued.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + words + ", 0, " +
              std::to_string(2 * noted.size()) + " * sizeof(unsigned long long), stream); error != " + runtime +
              "Success) return error;");
  for (std::size_t k = 0; k < noted.size(); ++k) {
    LaunchPlan plan = ofArguments(device, "_values");
    plan.blocks = std::to_string(manyBlocks);
    plan.extra.emplace_back("unsigned long long *" + words, words);
    Writer out(1);
    out.verbatim(noted[k].declared);
    out.line((noted[k].when.empty() ? "" : "if (" + noted[k].when + ") ") + context.primitive("noteValues") + "(" +
             noted[k].array + ", " + noted[k].elements + ", " + words + " + " + std::to_string(2 * k) + ");");
    defineAndLaunch(plan, out.text(), device, queued);
  }
}

/// The statements of a function as they stand.
class SourceOrder {
public:
  TileBlock block(const Body &body) {
    TileBlock result;
    for (const Node &node : body) result.push_back(lower(node));
    return result;
  }

private:
  std::map<std::string, Expr> moved; // variables of the descending loops around

  [[nodiscard]] Expr placed(const Expr &e) const {
    if (moved.empty() || !e) return e;
    return substitute(e, [&](const std::string &name) {
      const auto at = moved.find(name);
      return at == moved.end() ? Expr() : at->second;
    });
  }

  TileNode lower(const Node &node) {
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) return statement(**assign);
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) return nest(**loop);
    const Branch &branch = *std::get<std::shared_ptr<const Branch>>(node);
    return nodeOf(TileBranch{placed(branch.condition), block(branch.then), block(branch.otherwise)});
  }

  TileNode statement(const Assign &assign) {
    TileAssign result{{assign.target, assign.subscripts}, Update::Set, placed(assign.value), {}};
    for (Expr &subscript : result.target.subscripts) subscript = placed(subscript);
    return result;
  }

  /// A loop that runs downwards counts its iterations.
  TileNode nest(const Loop &loop) {
    const Expr first = placed(loop.first), limit = placed(loop.limit);
    if (loop.step > 0)
      return nodeOf(TileLoop{loop.variable, first, limit, loop.step, TileLoop::Kind::Serial, block(loop.body)});
    const Expr down = Expr::integer(-loop.step), count = Expr::symbol(loop.variable + "_down", Type::Int64);
    const Expr steps = Expr::make(Op::FloorDiv, Type::Int64, {first - limit + down - Expr::integer(1), down});
    moved[loop.variable] = simplify(first - down * count);
    const TileLoop result{count->name, Expr::integer(0), simplify(steps), 1, TileLoop::Kind::Serial, block(loop.body)};
    moved.erase(loop.variable);
    return nodeOf(result);
  }
};

/// What one thread holds of a local array at most; more lies in memory of the call.
constexpr std::int64_t mostElements = 1024;

TileArray arrayOf(const Array &array) {
  TileArray result;
  result.name = array.name;
  result.type = array.type;
  result.extents = array.extents;
  result.flat = array.flat;
  result.written = !array.isConst;
  return result;
}

bool isHeldByThread(const TileArray &array) {
  const Expr count = array.extents.empty() ? Expr::integer(1) : simplify(elementsOf(array));
  return count && count.op() == Op::Integer && count->integer <= mostElements;
}

std::string declared(const TileArray &array, const Context &context, const std::string &name) {
  std::string text = spellFor(array.type, context.table) + " " + name;
  for (const Expr &extent : array.extents) text += "[" + std::to_string(simplify(extent)->integer) + "]";
  return text + (array.extents.empty() ? "{};" : ";");
}

/// Prints the kernel that runs the source's order.
class InOrderPrinter {
public:
  InOrderPrinter(const Function &s, DeviceFunction &d, Writer &w)
      : source(s), device(d), context(d.context), queued(w) {}
  std::optional<Refusal> print();

private:
  std::optional<Refusal> placeLocal(const TileArray &array, const SourceRange &where);
  [[nodiscard]] bool isArgument(const Array &array) const {
    return array.storage != Array::Storage::Local && !array.functionStatic;
  }

  const Function &source;
  DeviceFunction &device;
  Context &context;
  Writer &queued;
  LaunchPlan plan;
  std::vector<std::string> locals;
};

std::optional<Refusal> InOrderPrinter::placeLocal(const TileArray &array, const SourceRange &where) {
  if (!array.extents.empty() && !elementsOf(array))
    return Refusal{"the number of elements of '" + array.name + "' is unknown", where};
  const std::string name = context.names.bind(array.name, array.name);
  if (isHeldByThread(array)) {
    locals.push_back(declared(array, context, name));
    context.places[array.name].shape = Shape::Native;
    return std::nullopt;
  }
  const std::string type = spellFor(array.type, context.table), memory = context.names.fresh(name + "Memory");
  device.scratch.push_back({type, memory, plain(elementsOf(array), context)});
  plan.extra.emplace_back(type + " *" + name, memory);
  return std::nullopt;
}

std::optional<Refusal> InOrderPrinter::print() {
  std::vector<TileArray> arrays;
  for (const Array &array : source.arrays) arrays.push_back(arrayOf(array));
  const std::map<std::string, Place> before = context.places;
  context.narrow.clear();
  context.signs = {};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    placeGlobal(arrays[i], context);
    if (isArgument(source.arrays[i])) continue;
    if (const auto refusal = placeLocal(arrays[i], source.arrays[i].where)) return refusal;
  }
  const TileBlock body = SourceOrder().block(source.body);
  for (const Array &array : source.arrays)
    if (isArgument(array)) plan.used.insert(array.name);
  plan.written = device_room::writtenIn(body);
  plan.name = kernelName(source.name + "_in_order", device);
  plan.threads = 1;
  plan.blocks = "1";
  plan.mayShare = true;
  plan.extra.emplace_back("const int *" + device.meeting, device.meeting);
  DeviceTeam alone;
  alone.threads = 1;
  Writer out(1);
  out.line("if (*" + device.meeting + " == 0) return;");
  for (const std::string &local : locals) out.line(local);
  printTeamBlock(device_room::mapAlone(body, arrays, device.program, context.strict()), alone, out, context);
  queued.line("// Where arguments share memory: the order of the source.");
  defineAndLaunch(plan, out.text(), device, queued);
  context.places = before;
  return std::nullopt;
}

} // namespace

void printMeeting(const Entry &access, DeviceFunction &device, Writer &queued) {
  const auto pairs = pairsOf(access, device.program);
  if (pairs.empty()) return;
  Context &context = device.context;
  const std::string flag = context.names.fresh("meeting"), words = context.names.fresh("noted");
  std::vector<NotedValues> noted;
  Writer out(1);
  TouchedPrinter touched(device.program.arrays, context, out, words, noted);
  std::string any;
  for (const auto &[a, b] : pairs)
    any += (any.empty() ? "" : " || ") + touched.meeting({*a, context.names.of(a->name), access.touchedOf(*a)},
                                                         {*b, context.names.of(b->name), access.touchedOf(*b)});
  out.line("*" + flag + " = " + any + " ? 1 : 0;");
  device.scratch.push_back({"int", flag, "1"});
  device.scratch.push_back({"unsigned long long", words, std::to_string(2 * noted.size())});
  queued.line("// Do arguments share memory? Data tell.");
  printNotes(noted, words, device, queued);
  LaunchPlan plan = ofArguments(device, "_meeting");
  plan.blocks = "1";
  plan.threads = 1;
  plan.extra.emplace_back("const unsigned long long *" + words, words);
  plan.extra.emplace_back("int *" + flag, flag);
  defineAndLaunch(plan, out.text(), device, queued);
  device.meeting = flag;
}

std::optional<Refusal> printInOrder(const Function &source, DeviceFunction &device, Writer &queued) {
  return device.meeting.empty() ? std::nullopt : InOrderPrinter(source, device, queued).print();
}

} // namespace polymend::print_room
