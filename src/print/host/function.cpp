// The body: sizes in 64 bits, the check that there is work for threads and that no output overlaps another argument
// (else the source's own function runs), the scratch arrays, the kernels in order, the result.
// note [little work]: a call with little work should cost what the source's would. Its entry therefore compares the
// sizes and holds two calls, nothing else (where sizes do not tell, the estimate as well): what estimates, asks for
// overlaps and starts threads is a function of its own that is never inlined, so that their registers, stack and
// captured arguments cost the small call nothing.
#include "print/function.h"

#include "device/extents.h"
#include "polymend/segments.h"
#include "print/apart_rows.h"
#include "print/index_guard.h"
#include "print/kernel.h"
#include "print/touched_text.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::touchedOf;

namespace {

class BodyPrinter {
public:
  BodyPrinter(const Function &f, const std::string &text, const Spelled &as, const DeviceProgram &p, Context &c)
      : function(f), source(text), spelled(as), program(p), context(c), reference(f, text, as, c) {}
  FunctionText print();

private:
  [[nodiscard]] std::string outlinedText() const;
  void bindNames();
  void pragmas(Writer &out);
  void sizes(Writer &out, const std::string &rest);
  void little(Writer &out);
  void estimate(Writer &out);
  std::vector<std::string> conditions(Writer &out);
  void fallback(Writer &out);
  void threaded(Writer &out, const std::string &kernels);
  std::string outlined(const std::string &kernels);
  std::string apart(const std::string &rest);
  [[nodiscard]] std::string overlapTest(const TileArray &a, const TileArray &b);
  void scratch(Writer &out, const std::string &rest);
  void declareScratch(const TileArray &a, const std::string &name, Writer &out);
  void unusedParameters(Writer &out, const std::string &rest) const;
  [[nodiscard]] std::string elements(const TileArray &a);
  [[nodiscard]] std::string address(const TileArray &a) const { return (a.extents.empty() ? "&" : "") + a.name; }
  [[nodiscard]] const TileArray *result() const;
  [[nodiscard]] const TileArray &argument(const std::string &name) const;

  const Function &function;
  const std::string &source;
  const Spelled &spelled;
  const DeviceProgram &program;
  Context &context;
  Reference reference;
  std::string parallel; // what starts threads, as a function beside
  GuardText guard;      // of index arrays
};

const TileArray *BodyPrinter::result() const {
  for (const TileArray &a : program.arrays)
    if (program.returns && a.name == "return") return &a;
  return nullptr;
}

void BodyPrinter::bindNames() {
  for (const Parameter &p : function.parameters)
    if (!p.name.empty()) context.names.keep(p.name);
  for (const TileArray &a : program.arrays) {
    if (&a == result())
      context.names.bind(a.name, "result");
    else if (a.space == Space::Argument)
      context.names.keep(a.name);
    else
      context.names.of(a.name);
    const bool linear = a.space == Space::Argument ? a.flat : !a.extents.empty();
    context.places[a.name] = {&a, linear ? Shape::Linear : Shape::Native};
  }
  bindNumbers(program.scalars, program.sizes, source, context);
}

void BodyPrinter::pragmas(Writer &out) {
  context.primitive("apart");
  out.line("POLYMEND_ROUNDED_PRODUCTS");
}

void BodyPrinter::sizes(Writer &out, const std::string &rest) {
  printSizes(function, program.sizes, rest, out, context);
}

std::string BodyPrinter::elements(const TileArray &a) {
  return a.extents.empty() ? "1" : printExpr(simplify(device_room::elementsOf(a)), context);
}

std::string BodyPrinter::overlapTest(const TileArray &a, const TileArray &b) {
  const std::string types = "<" + spellFor(a.type, context.table) + ", " + spellFor(b.type, context.table) + ">";
  const std::string ranges = address(a) + ", " + elements(a) + ", " + address(b) + ", " + elements(b);
  return context.primitive("overlap") + types + "(" + ranges + ")";
}

/// Calls that bring little work are the source's: note [little work].
void BodyPrinter::little(Writer &out) {
  context.primitive("leastWork");
  out.line("// Below so many operations the start of threads costs more than they save.");
  if (!program.entry.little) return;
  const LittleWork &few = *program.entry.little;
  std::string all; // of numbers that are not negative all are below a power of two where their bits together are
  for (const std::string &size : few.sizes) all += (all.empty() ? "" : " | ") + context.names.of(size);
  if (few.sizes.size() > 1) all = "(" + all + ")";
  out.line("if (" + all + " < " + std::to_string(few.below) + " && " + std::to_string(few.work) +
           " < POLYMEND_LEAST_WORK) return " + reference.call() + ";");
}

void BodyPrinter::estimate(Writer &out) {
  const std::string work = context.names.fresh("work");
  out.line("const double " + work + " = " + printExpr(program.entry.work, context) + ";");
  const Expr &starts = program.entry.times;
  const bool isOnce = starts.op() == Op::Integer && starts->integer == 1;
  const std::string times = isOnce ? "" : printFactor(starts, context) + " * ";
  out.line("if (" + work + " < " + times + "POLYMEND_LEAST_WORK) return " + reference.call() + ";");
}

const TileArray &BodyPrinter::argument(const std::string &name) const {
  return *std::find_if(program.arrays.begin(), program.arrays.end(),
                       [&](const TileArray &a) { return a.name == name; });
}

/// Conditions under which the source's own body runs, besides that there is little work.
std::vector<std::string> BodyPrinter::conditions(Writer &out) {
  std::vector<std::string> tests;
  TouchedPrinter touched(program.arrays, context, out);
  touched.apart = allApartRows(function);
  for (const EntryTest &test : program.entry.tests) {
    if (test.kind == EntryTest::Kind::Given && !test.a.empty()) {
      tests.push_back(fallsTest(function, test.a, context));
      continue;
    }
    if (test.kind == EntryTest::Kind::Given) {
      if (const Expr given = tested(program.given, function)) tests.push_back("!(" + printExpr(given, context) + ")");
      continue;
    }
    if (test.kind == EntryTest::Kind::Numbers) {
      const TileArray &array = argument(test.a);
      tests.push_back(besideTest(function, {array, address(array), touchedOf(program.touched, array.name)}, touched));
      continue;
    }
    const TileArray &a = argument(test.a), &b = argument(test.b);
    const Touching one{a, address(a), touchedOf(program.touched, a.name)};
    const Touching other{b, address(b), touchedOf(program.touched, b.name)};
    const bool byExtents = test.kind == EntryTest::Kind::Extents;
    if (const auto rows = apartTest(function, one, other, byExtents, touched, context)) {
      if (!rows->empty()) tests.push_back(*rows);
      continue;
    }
    tests.push_back(byExtents ? overlapTest(a, b) : touched.meeting(one, other));
  }
  return tests;
}

/// What the new text rests on; where it does not hold, the source's order.
void BodyPrinter::fallback(Writer &out) {
  const std::vector<std::string> tests = conditions(out);
  if (tests.empty()) return;
  out.line(commentOnOrder(function, program.given));
  for (const std::string &condition : conditionsOf(tests))
    out.line("if (" + condition + ") return " + reference.call() + ";");
}

/// Prints what runs by threads as a function beside, never inlined; the call of it.
std::string BodyPrinter::apart(const std::string &rest) {
  Writer head(1);
  pragmas(head);
  sizes(head, rest);
  const std::string name = nameBeside(function, source, "parallel");
  const Beside beside = besideOf(function, spelled, name, head.text() + rest, context);
  parallel = "/// " + function.name + " by threads, in tiles.\n__attribute__((noinline)) " + beside.head + " {\n" +
             head.text() + rest + "}\n\n";
  return beside.call;
}

/// A call compares its sizes, or estimates its work; the rest is a function beside it: note [little work].
void BodyPrinter::threaded(Writer &out, const std::string &kernels) {
  Writer small(1), enough(1), rest(1);
  little(small);
  estimate(enough);
  Writer &asked = program.entry.little ? rest : small;
  asked.verbatim(enough.text());
  fallback(rest);
  scratch(rest, kernels);
  rest.verbatim(kernels);
  const std::string call = apart(rest.text());
  sizes(out, small.text());
  out.verbatim(small.text());
  out.line("return " + call + ";");
}

/// What takes parts of objects asks everything before it calls a function beside it, which knows these parts alone. For
/// the estimate it takes what that needs; note [little work].
std::string BodyPrinter::outlined(const std::string &kernels) {
  Writer rest(1);
  scratch(rest, kernels);
  rest.verbatim(kernels);
  const std::string call = apart(rest.text());
  std::string text;
  const auto take = [&](const Writer &step) {
    Writer numbers(1);
    printSizes(function, program.sizes, step.text(), numbers, context, text);
    const std::string next = numbers.text() + step.text();
    text += takenLines(function, next, context, text) + next;
  };
  Writer ahead(1), small(1), enough(1), other(1);
  if (!guard.call.empty()) ahead.line(guard.call);
  if (program.entry.work) {
    little(small);
    estimate(enough);
  }
  fallback(other);
  other.verbatim(givenBits(function, program));
  other.line("return " + call + ";");
  take(ahead);
  take(small);
  take(enough);
  take(other);
  return reference.within() + text;
}

void BodyPrinter::declareScratch(const TileArray &a, const std::string &name, Writer &out) {
  const std::string type = spellFor(a.type, context.table);
  if (a.extents.empty()) {
    out.line(type + " " + name + "{};");
    return;
  }
  const std::string owner = context.names.fresh(name + "Buffer");
  out.line(bufferLine(a, owner, "", context));
  out.line(type + " *const " + name + " = " + owner + ".row(0);");
}

void BodyPrinter::scratch(Writer &out, const std::string &rest) {
  for (const TileArray &a : program.arrays) {
    const std::string &name = context.names.of(a.name);
    if (&a != result() && (a.space == Space::Argument || !mentions(rest, name))) continue;
    declareScratch(a, name, out);
  }
}

void BodyPrinter::unusedParameters(Writer &out, const std::string &rest) const {
  for (const Parameter &p : function.parameters)
    if (!p.name.empty() && !mentions(rest, p.name))
      out.line(std::string("static_cast<void>(").append(p.name).append(");"));
}

/// The functions that values call, compiled as the source is.
std::string BodyPrinter::outlinedText() const {
  std::string text;
  for (const Outlined &one : function.outlined) text += one.text;
  return text;
}

FunctionText BodyPrinter::print() {
  bindNames();
  context.needs.headers.insert("cstdint");
  const bool isEstimated = static_cast<bool>(program.entry.work);
  guard = printIndexGuard(function, source, spelled, program, context);
  Writer kernels(1);
  for (const DeviceKernel &k : program.kernels) printKernel(k, program.kernels.size() == 1, kernels, context);
  if (const TileArray *value = result()) kernels.line("return " + context.names.of(value->name) + ";");
  if (isOutlined(function)) {
    const std::string body = "{\n" + outlined(kernels.text()) + "}";
    return {reference.text(), openedMembers(function) + guard.definitions + parallel, body, outlinedText()};
  }
  Writer main(1);
  if (!guard.call.empty()) main.line(guard.call);
  if (isEstimated) {
    threaded(main, kernels.text());
  } else {
    fallback(main);
    scratch(main, kernels.text());
    main.verbatim(kernels.text());
  }
  Writer head(1);
  if (!isEstimated) {
    pragmas(head);
    sizes(head, main.text());
  }
  unusedParameters(head, head.text() + main.text());
  return {reference.text(), guard.definitions + parallel, "{\n" + head.text() + main.text() + "}", outlinedText()};
}

std::size_t conjuncts(const Expr &e) {
  return !e ? 0 : e.op() == Op::And ? conjuncts(e.arg(0)) + conjuncts(e.arg(1)) : 1;
}

} // namespace

std::string commentOnOrder(const Function &function, const Expr &given) {
  std::string when;
  const bool wraps = !function.given.empty();
  if (wraps) when = "an integer may wrap around, ";
  if (wraps ? conjuncts(given) > function.given.size() || function.given.size() == function.derived.size()
            : static_cast<bool>(given))
    when += "rows overlap, ";
  const bool haveLengths = std::ranges::any_of(
      function.parameters, [](const Parameter &p) { return p.taken.find("::rowsHave(") != std::string::npos; });
  if (haveLengths) when += "rows differ in length, ";
  if (const auto rising = risingOf(function); rising && !rising->empty()) when += "ends of ranges fall, ";
  return "// Where " + when + (when.empty() ? "" : "or ") +
         "an output shares memory with another argument, the order of the source decides.";
}

FunctionText printFunction(const Function &function, const std::string &source, const Spelled &spelled,
                           const DeviceProgram &program, const PrintOptions &options, Needs &needs) {
  Context context{options, tableOf(options.target), Names(source), {}, {}, {}, needs, {}, {}};
  FunctionText text = BodyPrinter(function, source, spelled, program, context).print();
  needs = std::move(context.needs);
  return text;
}

void printSizes(const Function &function, const std::vector<std::string> &sizes, const std::string &rest, Writer &out,
                Context &context, const std::string &before) {
  std::map<std::string, std::string> meanings;
  std::string all = rest;
  for (std::size_t k = function.derived.size(); k-- > 0;) {
    const auto &[name, meaning] = function.derived[k];
    if (!mentions(all, context.names.of(name))) continue;
    all += "\n" + (meanings[name] = printExpr(meaning, context));
  }
  std::string list;
  for (const std::string &size : sizes) {
    const std::string &name = context.names.of(size);
    const auto derived = meanings.find(size);
    if (mentions(all, name) && !mentions(before, name))
      list += (list.empty() ? "" : ", ") + name + " = " + (derived != meanings.end() ? derived->second : size);
  }
  if (!list.empty()) out.line("const std::int64_t " + list + ";");
}

std::vector<std::string> boundsOfRising(const Function &function, const std::string &index, Context &context) {
  const std::vector<Rising> rising = *risingOf(function);
  const auto at = std::find_if(rising.begin(), rising.end(), [&](const Rising &one) { return one.index == index; });
  return {printExpr(at->first, context), printExpr(at->limit, context)};
}

std::string fallsTest(const Function &function, const std::string &index, Context &context) {
  const std::vector<std::string> bounds = boundsOfRising(function, index, context);
  return context.primitive("falls") + "(" + context.names.of(index) + ", " + bounds[0] + ", " + bounds[1] + ")";
}

Expr tested(const Expr &given, const Function &function) {
  if (!given) return given;
  if (given.op() == Op::And) {
    const Expr a = tested(given.arg(0), function), b = tested(given.arg(1), function);
    return a && b ? Expr::make(Op::And, {a, b}) : a ? a : b;
  }
  const auto isDefinition = [&](const auto &derived) {
    return given.op() == Op::Eq && given.arg(0).op() == Op::Symbol && given.arg(0)->name == derived.first;
  };
  return std::any_of(function.derived.begin(), function.derived.end(), isDefinition) ? Expr() : given;
}

/// A scalar argument of 64 bits may be one of 32 without a sign in the source.
void bindNumbers(const std::vector<std::pair<std::string, Type>> &scalars, const std::vector<std::string> &sizes,
                 const std::string &source, Context &context) {
  for (const auto &[name, type] : scalars) {
    context.names.keep(name);
    context.scalars[name] = type == Type::Int64 ? Type::UInt32 : type;
  }
  for (const std::string &size : sizes) {
    const bool digit = !size.empty() && size.back() >= '0' && size.back() <= '9';
    std::string wide = size + (digit ? "_64" : "64");
    while (mentions(source, wide)) wide += "_size";
    context.scalars.erase(size);
    context.names.bind(size, wide);
  }
}

} // namespace polymend::print_room
