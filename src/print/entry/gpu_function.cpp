// Two entries: NAME_on takes a stream and device pointers and queues the work; the original signature copies the
// caller's arrays to the device and back around it. An output that shares memory with another argument is an error for
// the first, or found by the device, which then keeps the source's order; the second runs the source's own body.
// Both entries stand in one file, as they share their tests.
#include "gpu_function.h"
#include "device/entry.h"
#include "device/extents.h"
#include "device/marks.h"
#include "gpu_overlap.h"
#include "print/function.h"
#include "print/gpu_kernel.h"
#include "print/role_kernel.h"
#include "print/touched_text.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::Apart;
using device_room::elementsOf;
using device_room::Entry;
using device_room::isNeverMarked;
using device_room::Side;

namespace {

class DevicePrinter {
public:
  DevicePrinter(const Function &f, const std::string &text, const Spelled &as, const TileProgram &p,
                const DeviceProgram &m, Context &c)
      : function(f), source(text), spelled(as), program(p), mapped(m), context(c), reference(f, text, as, c) {}
  Result<FunctionText> print();

private:
  void bindNames();
  [[nodiscard]] std::optional<Refusal> refuse() const;
  [[nodiscard]] const TileArray *arrayOf(const std::string &name) const;
  [[nodiscard]] bool isResult(const TileArray &a) const { return program.returns && a.name == "return"; }
  [[nodiscard]] std::vector<const TileArray *> statics() const;
  [[nodiscard]] std::string type(Type t) const { return spellFor(t, context.table); }
  [[nodiscard]] std::string runtime(const std::string &name) const { return std::string(context.table.runtime) + name; }
  [[nodiscard]] std::string pointerTo(const TileArray &a) const;
  void sizes(Writer &out, const std::string &rest);
  std::vector<std::string> entryTests(const Entry &access, bool onHost, TouchedPrinter &touched);
  std::string beginning(const TileArray &a, const Entry &access);
  std::string mirror(const TileArray &a, const std::string &name, const Entry &access, TouchedPrinter &touched);
  std::string elements(const TileArray &a);
  std::string copied(const TileArray &a);
  std::string parameterList();
  [[nodiscard]] std::string unused(const std::string &text) const;
  std::string onDevice(const std::string &queued);
  std::string onHost();
  void aheadOfRoles(std::size_t first, DeviceFunction &device, Writer &queued);
  void whereItRuns(const DeviceStep &step, Writer &queued, const std::function<void()> &start);
  void printGeneral(const DeviceStep &step, DeviceFunction &device, Writer &queued);
  void printStep(const DeviceStep &step, DeviceFunction &device, Writer &queued);
  [[nodiscard]] std::string addressOf(const TileArray &a) const { return (a.extents.empty() ? "&" : "") + a.name; }

  const Function &function;
  const std::string &source;
  const Spelled &spelled;
  const TileProgram &program;
  const DeviceProgram &mapped;
  Context &context;
  Reference reference;
  std::string entry;
  std::map<const DeviceKernel *, std::string> ahead; // what starts kernels that are defined already
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

std::optional<Refusal> DevicePrinter::refuse() const {
  const Entry host(function, program, Side::Copied), device(function, program, Side::Device);
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument ? !host.isBounded(a) : !elementsOf(a))
      return Refusal{"the number of elements of '" + a.name + "' is unknown, so that it cannot be copied to a device",
                     function.where};
  if (const std::optional<Refusal> refusal = host.refuse()) return refusal;
  return device.refuse();
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
  for (const std::string &size : program.sizes)
    if (mentions(rest, context.names.of(size)))
      out.line("const std::int64_t " + context.names.of(size) + " = " + size + ";");
}

std::string DevicePrinter::elements(const TileArray &a) {
  return a.extents.empty() ? "1" : printExpr(simplify(elementsOf(a)), context);
}

/// How many elements of [0, n) are copied: none where no loop touches any, whatever n is.
std::string DevicePrinter::copied(const TileArray &a) {
  for (const TouchedElements &touched : program.touched)
    if (touched.array == a.name && touched.plain && !touched.parts.empty()) {
      const Expr count = a.extents.empty() ? Expr::integer(1) : elementsOf(a);
      const Expr some = Expr::make(Op::Select, Type::Int64, {touched.parts.front().where, count, Expr::integer(0)});
      return printExpr(simplify(some), context);
    }
  return elements(a);
}

std::string DevicePrinter::pointerTo(const TileArray &a) const {
  return (a.written || isResult(a) ? "" : "const ") + type(a.type) + " *";
}

/// Conditions under which the text is not the source: what it rests on does not hold, or arguments share memory.
std::vector<std::string> DevicePrinter::entryTests(const Entry &access, bool onHost, TouchedPrinter &touched) {
  std::vector<const TileArray *> known;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && (!onHost || !isResult(a))) known.push_back(&a);
  const auto range = [&](const TileArray &a) {
    const std::string count = elements(a);
    const bool simple = count.find(' ') == std::string::npos;
    return (onHost ? addressOf(a) : context.names.of(a.name)) + ", " + (simple ? count : "(" + count + ")") +
           " * std::int64_t{sizeof(" + type(a.type) + ")}";
  };
  std::vector<std::string> tests;
  if (program.given) tests.push_back("!(" + printExpr(program.given, context) + ")");
  for (const TileArray *a : known)
    if (const TouchedElements *elements = access.touchedOf(*a); onHost && elements && !elements->parts.empty())
      tests.push_back("!" + touched.elements(*a, elements) + ".known");
  const auto at = [&](const TileArray &a) { return onHost ? addressOf(a) : context.names.of(a.name); };
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = i + 1; j < known.size(); ++j) {
      const TileArray &a = *known[i], &b = *known[j];
      const Apart apart = access.apart(a, b);
      if (apart == Apart::Extents)
        tests.push_back(context.primitive("overlap") + "(" + range(a) + ", " + range(b) + ")");
      if (apart == Apart::Elements)
        tests.push_back(touched.meeting({a, at(a), access.touchedOf(a)}, {b, at(b), access.touchedOf(b)}));
    }
  return tests;
}

void printTest(const std::vector<std::string> &tests, const std::string &tail, Writer &out) {
  for (std::size_t i = 0; i < tests.size(); ++i)
    out.line((i == 0 ? "if (" : "    ") + tests[i] + (i + 1 == tests.size() ? ")" + tail : " ||"));
}

std::string DevicePrinter::parameterList() {
  const bool areLast = statics().empty() && !program.returns; // only the last parameters may have default arguments
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

/// Does it say no more than that there are elements, of which there are so many?
bool saysSome(const Expr &condition, const Expr &count) {
  if (condition.op() != Op::Le && condition.op() != Op::Lt) return false;
  const Expr room = condition.arg(1) - condition.arg(0);
  return equal(simplify(condition.op() == Op::Le ? room + Expr::integer(1) : room), simplify(count));
}

/// What a copy of an array begins as: nothing where all of it is written first.
std::string DevicePrinter::beginning(const TileArray &a, const Entry &access) {
  if (isResult(a)) return "&" + context.names.of(a.name);
  const Expr filled = access.touchedOf(a) ? Expr() : access.whereFilled(a);
  if (!filled) return addressOf(a);
  if (a.extents.size() == 1 && saysSome(filled, elementsOf(a))) return "nullptr";
  return printExpr(filled, context) + " ? nullptr : " + addressOf(a);
}

/// The declaration of a copy of what is touched of an array.
std::string DevicePrinter::mirror(const TileArray &a, const std::string &name, const Entry &access,
                                  TouchedPrinter &touched) {
  const TouchedElements *some = access.touchedOf(a);
  const std::string kind = context.primitive(some ? "MirrorOf" : "Mirror") + "<" + type(a.type) + "> ";
  return "const " + kind + name + "(" + beginning(a, access) + ", " + (some ? touched.elements(a, some) : copied(a)) +
         ");";
}

std::string DevicePrinter::onDevice(const std::string &queued) {
  Writer main(1);
  TouchedPrinter touched(program.arrays, context, main);
  printTest(entryTests(Entry(function, program, Side::Device), false, touched),
            " return " + runtime("ErrorInvalidValue") + ";", main);
  main.verbatim(queued);
  Writer head(1);
  sizes(head, main.text());
  return head.text() + unused(head.text() + main.text()) + main.text() + "  return " + runtime("Success") + ";\n";
}

std::string DevicePrinter::onHost() {
  Writer main(1);
  const Entry access(function, program, Side::Copied);
  TouchedPrinter touched(program.arrays, context, main);
  const std::vector<std::string> tests = entryTests(access, true, touched);
  if (!tests.empty()) {
    main.line(commentOnOrder(function, program.given));
    printTest(tests, " return " + reference.call() + ";", main);
  }
  std::map<std::string, std::string> mirrors;
  for (const TileArray &a : program.arrays) {
    if (a.space != Space::Argument) continue;
    const std::string &name = context.names.of(a.name);
    if (isResult(a)) main.line(type(a.type) + " " + name + "{};");
    if (access.isUntouched(a)) continue;
    mirrors[a.name] = context.names.fresh(name + "Mirror");
    main.line(mirror(a, mirrors[a.name], access, touched));
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
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && (access.isStored(a) || isResult(a)) && mirrors.contains(a.name))
      main.line(mirrors[a.name] + ".copyBack(" + (isResult(a) ? "&" + context.names.of(a.name) : addressOf(a)) + ");");
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
  const std::string &marks = mapped.kernels[first].fallback;
  if (marks.empty() || device.fallbacks.contains(marks)) return;
  const auto called = std::find_if(mapped.kernels.begin(), mapped.kernels.end(),
                                   [&](const DeviceKernel &k) { return k.isCalled && k.fallback == marks; });
  if (called == mapped.kernels.end()) return;
  std::vector<const DeviceRoles *> users;
  for (std::size_t at = first; mapped.kernels[at].roles; ++at) users.push_back(mapped.kernels[at].roles.get());
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
  if (const auto start = only ? ahead.find(&mapped.kernels[only->kernel]) : ahead.end(); start != ahead.end())
    return queued.verbatim(start->second);
  beginWork(step, device, queued);
  if (step.marks.empty()) {
    printHost(step.host, mapped, device, queued);
  } else {
    queued.block("if (" + device.unmarked.at(step.marks) + " != 0)", step.unmarked.empty() ? "}" : "} else {",
                 [&] { printHost(step.host, mapped, device, queued); });
    if (!step.unmarked.empty()) {
      queued.inside([&] { printHost(step.unmarked, mapped, device, queued); });
      queued.line("}");
    }
  }
  endWork(step, device);
}

/// A step: a kernel with roles, or what the host does around general ones.
void DevicePrinter::printStep(const DeviceStep &step, DeviceFunction &device, Writer &queued) {
  const auto *launch = std::get_if<DeviceLaunch>(&step.host.front());
  if (launch && mapped.kernels[launch->kernel].roles) {
    aheadOfRoles(launch->kernel, device, queued);
    return printRoleKernel(mapped.kernels[launch->kernel], step.when, device, queued);
  }
  whereItRuns(step, queued, [&] { printGeneral(step, device, queued); });
}

Result<FunctionText> DevicePrinter::print() {
  if (const std::optional<Refusal> refusal = refuse()) return *refusal;
  bindNames();
  context.needs.headers.insert("cstdint");
  DeviceFunction device{context, program, source, {}, {}, {}};
  for (const std::string &size : program.sizes) device.hostValues.push_back(context.names.of(size));
  Writer queued(1);
  for (const TileArray &a : program.arrays) {
    if (a.space == Space::Argument || isNeverMarked(program, a.name)) continue;
    device.work.push_back(&a);
    printScratch(a, context.names.of(a.name) + "Memory", "", device, queued);
  }
  printMeeting(Entry(function, program, Side::Device), device, queued);
  for (const DeviceStep &step : mapped.steps) printStep(step, device, queued);
  if (const auto refusal = printInOrder(function, device, queued))
    return Refusal{"data choose which elements its arguments share, and its own order has no text on a device: " +
                       refusal->reason,
                   refusal->where};
  Writer allocation(1);
  printAllocation(device.scratch, context, allocation);
  const std::string body = onDevice(allocation.text() + queued.text());
  Writer head;
  head.line("/// As " + function.name +
            ", on device memory and queued on a stream; the result says whether that went well.");
  head.line(runtime("Error_t") + " " + entry + "(" + parameterList() + ") {");
  const std::string host = onHost();
  return FunctionText{reference.text(), openedMembers(function) + device.definitions + head.text() + body + "}\n\n",
                      host};
}

} // namespace

Result<FunctionText> printForDevice(const Function &function, const std::string &source, const Spelled &spelled,
                                    const TileProgram &program, const DeviceProgram &mapped,
                                    const PrintOptions &options, Needs &needs) {
  Context context{options, tableOf(options.target), Names(source), {}, {}, {}, needs, {}, {}};
  Result<FunctionText> text = DevicePrinter(function, source, spelled, program, mapped, context).print();
  if (text) needs = std::move(context.needs);
  return text;
}

} // namespace polymend::print_room
