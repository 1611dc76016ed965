// Two entries: NAME_on takes a stream and device pointers and queues the work; the original signature copies the
// caller's arrays to the device and back around it. An output that shares memory with another argument is an error for
// the first, or found by the device, which then keeps the source's order; the second runs the source's own body.
// Both entries stand in one file, as they share their tests.
#include "gpu_function.h"
#include "device/extents.h"
#include "gpu_index_guard.h"
#include "gpu_overlap.h"
#include "print/apart_rows.h"
#include "print/function.h"
#include "print/gpu_kernel.h"
#include "print/index_guard.h"
#include "print/role_kernel.h"
#include "print/touched_text.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;
using device_room::touchedOf;

namespace {

class DevicePrinter {
public:
  DevicePrinter(const Function &f, const std::string &text, const Spelled &as, const DeviceProgram &p, Context &c)
      : function(f), source(text), spelled(as), program(p), queue(*p.queue), context(c), reference(f, text, as, c) {}
  /// With these other entries on device pointers, each of which is called where the condition holds.
  FunctionText print(const std::vector<std::pair<Expr, std::string>> &others);
  /// The entry on device pointers alone, for other entries of the file.
  FunctionText printVersion(const Expr &when);
  [[nodiscard]] const std::string &entryName() const { return entry; }

private:
  void bindNames();
  [[nodiscard]] const TileArray *arrayOf(const std::string &name) const;
  [[nodiscard]] bool isResult(const TileArray &a) const { return program.returns && a.name == "return"; }
  [[nodiscard]] std::vector<const TileArray *> statics() const;
  [[nodiscard]] std::string type(Type t) const { return spellFor(t, context.table); }
  [[nodiscard]] std::string runtime(const std::string &name) const { return std::string(context.table.runtime) + name; }
  [[nodiscard]] std::string pointerTo(const TileArray &a) const;
  void sizes(Writer &out, const std::string &rest);
  std::vector<std::string> texts(const std::vector<EntryTest> &tests, bool onHost, TouchedPrinter &touched);
  std::string beginning(const TileArray &a, const DeviceCopy &copy);
  std::string mirror(const DeviceCopy &copy, const std::string &name, TouchedPrinter &touched);
  std::string elements(const TileArray &a);
  std::string parameterList(bool defaults = true);
  std::string argumentList();
  [[nodiscard]] std::string unused(const std::string &text) const;
  std::string kernels(DeviceFunction &device);
  std::string onDevice(const std::string &queued);
  std::string onHost();
  [[nodiscard]] bool isMemory(const TileArray &a) const;
  void aheadOfRoles(std::size_t first, DeviceFunction &device, Writer &queued);
  void whereItRuns(const DeviceStep &step, Writer &queued, const std::function<void()> &start);
  void printGeneral(const DeviceStep &step, DeviceFunction &device, Writer &queued);
  [[nodiscard]] std::vector<RoleStep> startedBy(const DeviceStep &step) const;
  void printStep(const DeviceStep &step, DeviceFunction &device, Writer &queued);
  [[nodiscard]] std::string addressOf(const TileArray &a) const { return (a.extents.empty() ? "&" : "") + a.name; }
  /// Where the host has all of it, one element behind the other.
  [[nodiscard]] std::string hostOf(const TileArray &a) const {
    const auto flat = flatRows.find(a.name);
    return flat == flatRows.end() ? addressOf(a) : flat->second + ".data()";
  }

  const Function &function;
  const std::string &source;
  const Spelled &spelled;
  const DeviceProgram &program;
  const DeviceQueue &queue;
  Context &context;
  Reference reference;
  std::string entry;
  std::vector<std::pair<Expr, std::string>> versions; // other entries, and where they are called
  std::map<const DeviceKernel *, std::string> ahead;  // what starts kernels that are defined already
  GuardText guard;                                    // of index arrays, on the caller's memory
  std::map<std::string, std::string> flatRows;        // copies of rows that lie apart, by array
  std::string givenFault; // of the entry on device pointers: where it leaves what is wrong with them; empty: nowhere
};

const TileArray *DevicePrinter::arrayOf(const std::string &name) const {
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && a.name == name) return &a;
  return nullptr;
}

/// Arguments that are no parameters: arrays of the file.
std::vector<const TileArray *> DevicePrinter::statics() const {
  std::vector<const TileArray *> result;
  for (const TileArray &a : program.arrays) {
    const bool parameter = std::any_of(function.parameters.begin(), function.parameters.end(),
                                       [&](const Parameter &p) { return p.name == a.name; });
    if (a.space == Space::Argument && !isResult(a) && !parameter) result.push_back(&a);
  }
  return result;
}

void DevicePrinter::bindNames() {
  context.names.keep("stream");
  context.names.bind("memory of a block", "memory");
  for (const Parameter &p : function.parameters)
    if (!p.name.empty()) context.names.keep(p.name);
  for (const TileArray &a : program.arrays) {
    if (isResult(a))
      context.names.bind(a.name, "result");
    else if (a.space == Space::Argument)
      context.names.keep(a.name);
    else
      context.names.of(a.name);
    placeGlobal(a, context);
  }
  bindNumbers(program.scalars, program.sizes, source, context);
  entry = function.name + "_on";
  while (mentions(source, entry)) entry += "_device";
}

void DevicePrinter::sizes(Writer &out, const std::string &rest) {
  printSizes(function, program.sizes, rest, out, context);
}

std::string DevicePrinter::elements(const TileArray &a) {
  return a.extents.empty() ? "1" : printExpr(simplify(elementsOf(a)), context);
}

std::string DevicePrinter::pointerTo(const TileArray &a) const {
  return (a.written || isResult(a) ? "" : "const ") + type(a.type) + " *";
}

/// Conditions under which the text is not the source: what it rests on does not hold, or arguments share memory.
std::vector<std::string> DevicePrinter::texts(const std::vector<EntryTest> &tests, bool onHost,
                                              TouchedPrinter &touched) {
  using Kind = EntryTest::Kind;
  const auto at = [&](const TileArray &a) { return onHost ? addressOf(a) : context.names.of(a.name); };
  const auto range = [&](const TileArray &a) { return at(a) + ", " + elements(a); };
  const auto touching = [&](const TileArray &a) { return Touching{a, at(a), touchedOf(program.touched, a.name)}; };
  std::vector<std::string> result;
  for (const EntryTest &test : tests) {
    if (test.kind == Kind::Given && !test.a.empty()) {
      result.push_back(fallsTest(function, test.a, context));
      continue;
    }
    if (test.kind == Kind::Given) {
      if (const Expr given = tested(program.given, function)) result.push_back("!(" + printExpr(given, context) + ")");
      continue;
    }
    const TileArray &a = *arrayOf(test.a);
    if (const TileArray *b = onHost && !test.b.empty() ? arrayOf(test.b) : nullptr)
      if (const auto rows =
              apartTest(function, touching(a), touching(*b), test.kind == Kind::Extents, touched, context)) {
        if (!rows->empty()) result.push_back(*rows);
        continue;
      }
    if (test.kind == Kind::Numbers) result.push_back(besideTest(function, touching(a), touched));
    if (test.kind == Kind::Unknown)
      result.push_back("!" + touched.elements(a, touchedOf(program.touched, a.name)) + ".known");
    if (test.kind == Kind::Extents)
      result.push_back(context.primitive("overlap") + "<" + type(a.type) + ", " + type(arrayOf(test.b)->type) + ">(" +
                       range(a) + ", " + range(*arrayOf(test.b)) + ")");
    if (test.kind == Kind::Elements) result.push_back(touched.meeting(touching(a), touching(*arrayOf(test.b))));
    if (test.kind == Kind::Together)
      result.push_back(context.primitive("allocatedTogether") + "(" + at(a) + ", " + at(*arrayOf(test.b)) + ")");
  }
  return result;
}

void printTest(const std::vector<std::string> &tests, const std::string &tail, Writer &out) {
  for (const std::string &condition : conditionsOf(tests)) out.line("if (" + condition + ")" + tail);
}

std::string DevicePrinter::parameterList(bool defaults) {
  const bool areLast =
      defaults && statics().empty() && !program.returns; // only the last parameters may have default arguments
  std::string list = runtime("Stream_t") + " stream";
  for (const Parameter &p : function.parameters) {
    const TileArray *array = arrayOf(p.name);
    const std::string name = p.name.empty() ? "" : " " + p.name;
    if (array)
      list += ", " + pointerTo(*array) + p.name;
    else if (p.isArray)
      list += ", const " + type(p.type) + " *";
    else
      list += ", " + type(p.type) + name;
    if (areLast && p.defaultRange.end > p.defaultRange.begin) list += " = " + spelled(p.defaultRange);
  }
  for (const TileArray *a : statics()) list += ", " + pointerTo(*a) + a->name;
  for (const TileArray &a : program.arrays)
    if (isResult(a)) list += ", " + pointerTo(a) + context.names.of(a.name);
  if (!givenFault.empty()) list += ", long long *" + givenFault + " = nullptr";
  return list;
}

/// The arguments of an entry for another of the same parameters.
std::string DevicePrinter::argumentList() {
  std::string list = "stream";
  for (const Parameter &p : function.parameters) list += ", " + p.name;
  for (const TileArray *a : statics()) list += ", " + a->name;
  for (const TileArray &a : program.arrays)
    if (isResult(a)) list += ", " + context.names.of(a.name);
  return list;
}

/// Mentions of parameters that the text of the entry on device pointers does not need.
std::string DevicePrinter::unused(const std::string &text) const {
  std::string lines;
  for (const Parameter &p : function.parameters)
    if (!p.name.empty() && (arrayOf(p.name) || !p.isArray) && !mentions(text, p.name))
      lines += "  static_cast<void>(" + p.name + ");\n";
  return lines;
}

/// 0 <= x - 1 as 0 < x.
Expr positive(const Expr &e) {
  return rewrite(e, [](const Expr &part) {
    const bool asks = part.op() == Op::Le && constant(part.arg(0)) == 0 && part.arg(0).op() == Op::Integer &&
                      part.arg(1).op() == Op::Sub && constant(part.arg(1).arg(1)) == 1;
    return asks ? Expr::make(Op::Lt, Type::Bool, {part.arg(0), part.arg(1).arg(0)}) : part;
  });
}

/// What a copy of an array begins as: nothing where all of it is written first.
std::string DevicePrinter::beginning(const TileArray &a, const DeviceCopy &copy) {
  if (isResult(a)) return "&" + context.names.of(a.name);
  if (!copy.filled) return hostOf(a);
  if (copy.filled.op() == Op::Integer) return "nullptr";
  return printExpr(positive(copy.filled), context) + " ? nullptr : " + hostOf(a);
}

/// The declaration of a copy of what is touched of an array.
std::string DevicePrinter::mirror(const DeviceCopy &copy, const std::string &name, TouchedPrinter &touched) {
  const TileArray &a = *arrayOf(copy.array);
  const std::string kind = context.primitive(copy.count ? "Mirror" : "MirrorOf") + "<" + type(a.type) + "> ";
  return "const " + kind + name + "(" + beginning(a, copy) + ", " +
         (copy.count ? printExpr(copy.count, context) : touched.elements(a, touchedOf(program.touched, a.name))) + ");";
}

std::string DevicePrinter::onDevice(const std::string &queued) {
  Writer main(1);
  for (const auto &[when, other] : versions)
    main.line("if (" + plain(when, context) + ") return " + other + "(" + argumentList() + ");");
  TouchedPrinter touched(program.arrays, context, main);
  printTest(texts(queue.tests, false, touched), " return " + runtime("ErrorInvalidValue") + ";", main);
  if (queue.runs) main.line("if (!(" + plain(queue.runs, context) + ")) return " + runtime("Success") + ";");
  main.verbatim(queued);
  Writer head(1);
  sizes(head, main.text());
  return head.text() + unused(head.text() + main.text()) + main.text() + "  return " + runtime("Success") + ";\n";
}

std::string DevicePrinter::onHost() {
  Writer main(1);
  if (!guard.call.empty()) main.line(guard.call);
  TouchedPrinter touched(program.arrays, context, main);
  touched.apart = allApartRows(function);
  const std::vector<std::string> tests = texts(program.entry.tests, true, touched);
  if (!tests.empty()) {
    main.line(commentOnOrder(function, program.given));
    printTest(tests, " return " + reference.call() + ";", main);
  }
  std::map<std::string, std::string> mirrors;
  for (const DeviceCopy &copy : queue.copies) {
    const TileArray &a = *arrayOf(copy.array);
    if (const Parameter *rows = apartRows(function, a.name)) {
      flatRows[a.name] = context.names.fresh(context.names.of(a.name) + "Flat");
      main.line("const " + context.primitive("FlatRows") + "<" + type(a.type) + "> " + flatRows[a.name] + "(" + a.name +
                ", " + rowCountOf(*rows) + ");");
    }
    if (isResult(a)) main.line(type(a.type) + " " + context.names.of(a.name) + "{};");
    mirrors[copy.array] = context.names.fresh(context.names.of(copy.array) + "Mirror");
    main.line(mirror(copy, mirrors[copy.array], touched));
  }
  const auto dataOf = [&](const std::string &array) {
    return mirrors.contains(array) ? mirrors[array] + ".data" : "nullptr";
  };
  std::string arguments = "nullptr";
  for (const Parameter &p : function.parameters)
    arguments += ", " + (arrayOf(p.name) ? dataOf(p.name) : p.isArray ? "nullptr" : p.name.empty() ? "{}" : p.name);
  for (const TileArray *a : statics()) arguments += ", " + dataOf(a->name);
  for (const TileArray &a : program.arrays)
    if (isResult(a)) arguments += ", " + mirrors[a.name] + ".data";
  const std::string what = ", \"" + function.name + "\");";
  main.line(context.primitive("expect") + "(" + entry + "(" + arguments + ")" + what);
  main.line("polymend_rt::expect(" + runtime("StreamSynchronize") + "(nullptr)" + what);
  for (const DeviceCopy &copy : queue.copies) {
    const TileArray &a = *arrayOf(copy.array);
    if (copy.back)
      main.line(mirrors[a.name] + ".copyBack(" + (isResult(a) ? "&" + context.names.of(a.name) : hostOf(a)) + ");");
    if (const Parameter *rows = copy.back ? apartRows(function, a.name) : nullptr)
      main.line(flatRows.at(a.name) + ".give(" + a.name + ", " + rowCountOf(*rows) + ");");
  }
  main.verbatim(givenBits(function, program));
  for (const TileArray &a : program.arrays)
    if (isResult(a)) main.line("return " + context.names.of(a.name) + ";");
  Writer head(1);
  sizes(head, main.text());
  const std::string text = head.text() + main.text();
  if (isOutlined(function)) return "{\n" + reference.within() + takenLines(function, text, context) + text + "}";
  return "{\n" + head.text() + unused(text) + main.text() + "}";
}

/// Kernel number `first` has roles. The general kernel that computes its marked rows again is defined before it, where
/// it is called by kernels with roles.
void DevicePrinter::aheadOfRoles(std::size_t first, DeviceFunction &device, Writer &queued) {
  const std::string &marks = program.kernels[first].fallback;
  if (marks.empty() || device.fallbacks.contains(marks)) return;
  const auto called = std::find_if(program.kernels.begin(), program.kernels.end(),
                                   [&](const DeviceKernel &k) { return k.isCalled && k.fallback == marks; });
  if (called == program.kernels.end()) return;
  std::vector<const DeviceRoles *> users;
  for (std::size_t at = first; program.kernels[at].roles; ++at) users.push_back(program.kernels[at].roles.get());
  Writer later(queued.level());
  printForRoles(*called, users, device, later);
  ahead[&*called] = later.text();
  queued.line("bool " + device.fallbacks.at(marks).alone + " = true; // is the general kernel to compute everything?");
}

/// What `start` prints, under the step's condition.
void DevicePrinter::whereItRuns(const DeviceStep &step, Writer &queued, const std::function<void()> &start) {
  if (step.when)
    queued.block("if (" + plain(step.when, context) + ")", [&] { start(); });
  else
    start();
}

/// The host's part of a kernel without roles.
void DevicePrinter::printGeneral(const DeviceStep &step, DeviceFunction &device, Writer &queued) {
  const auto *only = std::get_if<DeviceLaunch>(&step.host.front());
  if (const auto start = only ? ahead.find(&program.kernels[only->kernel]) : ahead.end(); start != ahead.end())
    return queued.verbatim(start->second);
  beginWork(step, device, queued);
  if (step.marks.empty()) {
    printHost(step.host, program, device, queued);
  } else {
    queued.block("if (" + device.unmarked.at(step.marks) + " != 0)", step.unmarked.empty() ? "}" : "} else {",
                 [&] { printHost(step.host, program, device, queued); });
    if (!step.unmarked.empty()) {
      queued.inside([&] { printHost(step.unmarked, program, device, queued); });
      queued.line("}");
    }
  }
  endWork(step, device);
}

/// The kernels that the launch of this step's kernel with roles is of.
std::vector<RoleStep> DevicePrinter::startedBy(const DeviceStep &step) const {
  const auto kernelOf = [&](const DeviceStep &s) -> const DeviceKernel * {
    const auto *launch = s.host.empty() ? nullptr : std::get_if<DeviceLaunch>(&s.host.front());
    return launch ? &program.kernels[launch->kernel] : nullptr;
  };
  const DeviceKernel *const first = kernelOf(step);
  std::vector<RoleStep> steps{{first, step.when}};
  for (const DeviceStep &other : program.steps)
    if (const DeviceKernel *k = kernelOf(other); k && k->launch == first->name) steps.push_back({k, other.when});
  return steps;
}

/// A step: a kernel with roles, or what the host does around general ones.
void DevicePrinter::printStep(const DeviceStep &step, DeviceFunction &device, Writer &queued) {
  const auto *launch = std::get_if<DeviceLaunch>(&step.host.front());
  if (launch && program.kernels[launch->kernel].roles) {
    if (!program.kernels[launch->kernel].launch.empty()) return; // started with another
    aheadOfRoles(launch->kernel, device, queued);
    return printRoleKernels(startedBy(step), device, queued);
  }
  whereItRuns(step, queued, [&] { printGeneral(step, device, queued); });
}

/// Is it memory? One variable of the host stands for marks that are never set.
bool DevicePrinter::isMemory(const TileArray &a) const {
  return a.space != Space::Argument &&
         std::none_of(program.kernels.begin(), program.kernels.end(), [&](const DeviceKernel &k) {
           return k.roles && k.roles->marks == DeviceMarks::Never && k.fallback == a.name;
         });
}

/// The body of the entry on device pointers; kernels are defined on the way.
std::string DevicePrinter::kernels(DeviceFunction &device) {
  for (const std::string &size : program.sizes) device.hostValues.push_back(context.names.of(size));
  Writer queued(1);
  if (!program.checks.empty()) givenFault = context.names.fresh("indexFault");
  if (!program.checks.empty()) printDeviceGuard(function, givenFault, device, queued);
  for (const TileArray &a : program.arrays) {
    if (!isMemory(a)) continue;
    device.work.push_back(&a);
    printScratch(a, context.names.of(a.name) + "Memory", "", device, queued);
  }
  printMeeting(function, queue, device, queued);
  for (const DeviceStep &step : program.steps) printStep(step, device, queued);
  if (queue.inOrder) printInOrder(*queue.inOrder, device, queued);
  Writer allocation(1);
  printAllocation(device.scratch, context, allocation);
  return onDevice(allocation.text() + queued.text());
}

FunctionText DevicePrinter::print(const std::vector<std::pair<Expr, std::string>> &others) {
  bindNames();
  versions = others;
  context.needs.headers.insert("cstdint");
  guard = printIndexGuard(function, source, spelled, program, context);
  DeviceFunction device{context, program, source, {}, {}, {}};
  const std::string body = kernels(device);
  Writer head;
  head.line("/// As " + function.name +
            ", on device memory and queued on a stream; the result says whether that went well.");
  if (!program.checks.empty()) {
    head.line(
        "/// What is wrong with index arrays goes to six words of memory that the device can write; the first is 0 "
        "where nothing is.");
    head.line("/// Where something is, nothing else is written; " + function.name +
              "_index_message tells it in words.");
  }
  head.line(runtime("Error_t") + " " + entry + "(" + parameterList() + ") {");
  const std::string host = program.entry.source.empty() ? onHost() : spelled(function.bodyRange);
  if (!program.checks.empty()) guard.definitions += printIndexMessage(function, source, context);
  return FunctionText{reference.text(),
                      openedMembers(function) + guard.definitions + device.definitions + head.text() + body + "}\n\n",
                      host};
}

FunctionText DevicePrinter::printVersion(const Expr &when) {
  bindNames();
  DeviceFunction device{context, program, source, {}, {}, {}};
  const std::string base = entry;
  std::string suffix;
  for (const char c : show(when)) suffix += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : "";
  entry = functionName(base + "_" + suffix, device);
  const std::string body = kernels(device);
  Writer head;
  head.line("/// As " + base + ", where " + show(when) + ".");
  head.line("static " + runtime("Error_t") + " " + entry + "(" + parameterList(false) + ") {");
  return FunctionText{{}, device.definitions + head.text() + body + "}\n\n", ""};
}

} // namespace

FunctionText printForDevice(const Function &function, const std::string &source, const Spelled &spelled,
                            const DeviceProgram &program, const PrintOptions &options, Needs &needs) {
  std::vector<std::pair<Expr, std::string>> others;
  std::string before;
  for (const DeviceVersion &version : program.versions) {
    Context context{options, tableOf(options.target), Names(source), {}, {}, {}, needs, {}, {}};
    DevicePrinter printer(function, source, spelled, *version.program, context);
    before += printer.printVersion(version.when).before;
    others.emplace_back(version.when, printer.entryName());
    needs = std::move(context.needs);
  }
  Context context{options, tableOf(options.target), Names(source), {}, {}, {}, needs, {}, {}};
  FunctionText text = DevicePrinter(function, source, spelled, program, context).print(others);
  text.before = before + text.before;
  needs = std::move(context.needs);
  return text;
}

} // namespace polymend::print_room
