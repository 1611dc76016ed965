#include "gpu_overlap.h"

#include "device/extents.h"
#include "device/walk.h"
#include "print/function.h"
#include "print/gpu_team.h"
#include "print/touched_text.h"

namespace polymend::print_room {

using device_room::elementsOf;
using device_room::touchedOf;

namespace {

/// A kernel that sees all arguments, as they may share memory.
LaunchPlan ofArguments(const DeviceFunction &device, const std::string &name) {
  LaunchPlan plan;
  plan.mayShare = true;
  plan.name = kernelName(device.program.function + name, device);
  for (const TileArray &a : device.program.arrays)
    if (a.space == Space::Argument) plan.used.insert(a.name);
  return plan;
}

/// A kernel for each of `noted`, which have two words, and of `rising`, which have one; words begin with 0.
void printNotes(const std::vector<NotedValues> &noted, const std::vector<std::vector<std::string>> &rising,
                const std::string &words, DeviceFunction &device, Writer &queued) {
  constexpr int manyBlocks = 1024; // as many threads as the largest devices hold
  const std::size_t count = 2 * noted.size() + rising.size();
  if (count == 0) return;
  Context &context = device.context;
  const std::string runtime(context.table.runtime);
  queued.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + words + ", 0, " +
              std::to_string(count) + " * sizeof(unsigned long long), stream); error != " + runtime +
              "Success) return error;");
  const auto launch = [&](const std::string &declared, const std::string &call, std::size_t word) {
    LaunchPlan plan = ofArguments(device, "_values");
    plan.blocks = std::to_string(manyBlocks);
    plan.extra.emplace_back("unsigned long long *" + words, words);
    Writer out(1);
    out.verbatim(declared);
    out.line(call + ", " + words + " + " + std::to_string(word) + ");");
    defineAndLaunch(plan, out.text(), device, queued);
  };
  for (std::size_t k = 0; k < noted.size(); ++k) {
    const std::string when = noted[k].when.empty() ? "" : "if (" + noted[k].when + ") ";
    launch(noted[k].declared, when + noted[k].call, 2 * k);
  }
  for (std::size_t k = 0; k < rising.size(); ++k)
    launch("", context.primitive("noteFalls") + "(" + rising[k][0] + ", " + rising[k][1] + ", " + rising[k][2],
           2 * noted.size() + k);
}

std::string declared(const TileArray &array, const Context &context, const std::string &name) {
  std::string text = spellFor(array.type, context.table) + " " + name;
  for (const Expr &extent : array.extents) text += "[" + std::to_string(simplify(extent)->integer) + "]";
  return text + (array.extents.empty() ? "{};" : ";");
}

/// Prints the kernel that runs the source's order.
class InOrderPrinter {
public:
  InOrderPrinter(const DeviceInOrder &s, DeviceFunction &d, Writer &w)
      : source(s), device(d), context(d.context), queued(w) {}
  void print();

private:
  void place(const DeviceTile &tile);

  const DeviceInOrder &source;
  DeviceFunction &device;
  Context &context;
  Writer &queued;
  LaunchPlan plan;
  std::vector<std::string> locals;
};

void InOrderPrinter::place(const DeviceTile &tile) {
  const TileArray &array = tile.array;
  placeGlobal(array, context);
  const std::string name = context.names.bind(array.name, array.name);
  if (tile.place == DeviceTile::Place::Held) {
    locals.push_back(declared(array, context, name));
    context.places[array.name].shape = Shape::Native;
    return;
  }
  const std::string type = spellFor(array.type, context.table), memory = context.names.fresh(name + "Memory");
  device.scratch.push_back({type, memory, plain(elementsOf(array), context)});
  plan.extra.emplace_back(type + " *" + name, memory);
}

void InOrderPrinter::print() {
  const std::map<std::string, Place> before = context.places;
  context.narrow.clear();
  context.signs = {};
  for (const TileArray &array : source.arrays) placeGlobal(array, context);
  for (const DeviceTile &tile : source.tiles) place(tile);
  for (const TileArray &array : source.arrays) plan.used.insert(array.name);
  plan.written = device_room::writtenIn(source.body);
  plan.name = kernelName(device.program.function + "_in_order", device);
  plan.threads = 1;
  plan.blocks = "1";
  plan.mayShare = true;
  plan.extra.emplace_back("const int *" + device.meeting, device.meeting);
  DeviceTeam alone;
  alone.threads = 1;
  const OnDevice onDevice(context);
  Writer out(1);
  out.line("if (*" + device.meeting + " == 0) return;");
  for (const std::string &local : locals) out.line(local);
  printTeamBlock(source.body, alone, out, context);
  queued.line("// Where arguments share memory: the order of the source.");
  queued.block("if (" + device.meeting + " != nullptr)", [&] { defineAndLaunch(plan, out.text(), device, queued); });
  context.places = before;
}

const TileArray &arrayOf(const std::string &name, const DeviceProgram &program) {
  return *std::find_if(program.arrays.begin(), program.arrays.end(),
                       [&](const TileArray &a) { return a.name == name; });
}

} // namespace

void printMeeting(const Function &function, const DeviceQueue &queue, DeviceFunction &device, Writer &queued) {
  if (queue.asked.empty()) return;
  Context &context = device.context;
  const OnDevice onDevice(context);
  const std::string flag = context.names.fresh("meeting"), memory = context.names.fresh(flag + "Memory"),
                    words = context.names.fresh("noted");
  std::vector<NotedValues> noted;
  Writer out(1);
  TouchedPrinter touched(device.program.arrays, context, out, words, noted);
  std::vector<std::string> tests;
  const auto touching = [&](const std::string &name) {
    return Touching{arrayOf(name, device.program), context.names.of(name), touchedOf(device.program.touched, name)};
  };
  for (const EntryTest &test : queue.asked)
    if (test.kind == EntryTest::Kind::Elements) tests.push_back(touched.meeting(touching(test.a), touching(test.b)));
  std::vector<std::vector<std::string>> rising; // an index array, and between which elements
  for (const EntryTest &test : queue.asked)
    if (test.kind == EntryTest::Kind::Given) {
      rising.push_back(boundsOfRising(function, test.a, context));
      rising.back().insert(rising.back().begin(), context.names.of(test.a));
    }
  for (std::size_t k = 0; k < rising.size(); ++k)
    tests.push_back(words + "[" + std::to_string(2 * noted.size() + k) + "] != 0");
  const std::vector<std::string> conditions = conditionsOf(tests);
  out.line("*" + flag + " = " + conditions.front() + " ? 1 : 0;");
  for (std::size_t k = 1; k < conditions.size(); ++k) out.line("if (" + conditions[k] + ") *" + flag + " = 1;");
  device.scratch.push_back({"int", memory, "1"});
  device.scratch.push_back({"unsigned long long", words, std::to_string(2 * noted.size() + rising.size())});
  queued.line(rising.empty() ? "// Do arguments share memory? Data tell, where it was allocated together."
                             : "// Do arguments share memory, or index arrays fall? Data tell.");
  std::string together;
  for (const EntryTest &test : queue.asked)
    if (rising.empty())
      together += (together.empty() ? "" : " || ") + context.primitive("allocatedTogether") + "(" +
                  context.names.of(test.a) + ", " + context.names.of(test.b) + ")";
  queued.line("const int *const " + flag + " = " + (rising.empty() ? together + " ? " : "") + memory +
              (rising.empty() ? " : nullptr;" : ";"));
  queued.block(rising.empty() ? "if (" + flag + " != nullptr)" : "", [&] {
    printNotes(noted, rising, words, device, queued);
    LaunchPlan plan = ofArguments(device, "_meeting");
    plan.blocks = "1";
    plan.threads = 1;
    plan.extra.emplace_back("const unsigned long long *" + words, words);
    plan.extra.emplace_back("int *" + flag, memory);
    defineAndLaunch(plan, out.text(), device, queued);
  });
  device.meeting = flag;
}

void printInOrder(const DeviceInOrder &source, DeviceFunction &device, Writer &queued) {
  InOrderPrinter(source, device, queued).print();
}

} // namespace polymend::print_room
