// The body: sizes in 64 bits, the check that there is work for threads and that no output overlaps another argument
// (else the source's own body runs), the scratch arrays, the kernels in order, the result.
// note [little work]: a call with little work should cost what the source's would. Its entry therefore holds the
// estimate and the source's own body, nothing else: what asks for overlaps and what starts threads is a function of its
// own that is never inlined, so that their registers, stack and captured arguments cost the small call nothing.
#include "print/function.h"
#include "print/entry.h"
#include "print/kernel.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

class BodyPrinter {
public:
  BodyPrinter(const Function &f, const std::string &text, const TileProgram &p, Context &c)
      : function(f), source(text), program(p), context(c) {}
  std::string print();

private:
  void bindNames();
  void pragmas(Writer &out) const;
  void sizes(Writer &out, const std::string &rest);
  void estimate(Writer &out);
  std::vector<std::string> conditions(Writer &out);
  void fallback(Writer &out);
  void apart(Writer &out, const std::vector<std::string> &tests, const std::string &instead) const;
  void threaded(Writer &out, const std::string &kernels);
  [[nodiscard]] std::string ownBody() const;
  [[nodiscard]] std::vector<std::string> mentioned(const std::string &text) const;
  [[nodiscard]] std::string inner(const std::vector<std::string> &given, const std::string &attribute) const;
  [[nodiscard]] std::string overlapTest(const TileArray &a, const TileArray &b);
  void scratch(Writer &out, const std::string &rest);
  void declareScratch(const TileArray &a, const std::string &name, Writer &out);
  void unusedParameters(Writer &out, const std::string &rest) const;
  [[nodiscard]] std::string bytes(const TileArray &a);
  [[nodiscard]] std::string address(const TileArray &a) const { return (a.extents.empty() ? "&" : "") + a.name; }
  [[nodiscard]] const TileArray *result() const;

  const Function &function;
  const std::string &source;
  const TileProgram &program;
  Context &context;
  std::string work; // the variable that holds the estimate
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
  bindNumbers(program, source, context);
}

void BodyPrinter::pragmas(Writer &out) const {
  out.directive("#if defined(__clang__)");
  out.directive("#pragma clang fp contract(off)");
  out.directive("#endif");
}

void BodyPrinter::sizes(Writer &out, const std::string &rest) {
  for (const std::string &size : program.sizes) {
    const std::string &name = context.names.of(size);
    if (!mentions(rest, name)) continue;
    out.line(std::string("const std::int64_t ").append(name).append(" = ").append(size).append(";"));
  }
}

std::string BodyPrinter::bytes(const TileArray &a) {
  const Expr count = simplify(elementsOf(a));
  std::string size = "std::int64_t{sizeof(" + spellFor(a.type, context.table) + ")}";
  if (a.extents.empty()) return size;
  const std::string text = printExpr(count, context);
  const bool plain = text.find_first_of(" ?") == std::string::npos || count.op() == Op::Mul;
  return (plain ? text : "(" + text + ")") + " * " + size;
}

std::string BodyPrinter::overlapTest(const TileArray &a, const TileArray &b) {
  const std::string ranges = address(a) + ", " + bytes(a) + ", " + address(b) + ", " + bytes(b);
  return context.primitive("overlap") + "(" + ranges + ")";
}

/// The work that a call brings.
void BodyPrinter::estimate(Writer &out) {
  context.primitive("leastWork");
  work = context.names.fresh("work");
  out.line("const double " + work + " = " + printExpr(program.work, context) + ";");
}

/// Threads are started for each kernel.
std::string leastWorkOf(const TileProgram &program) {
  const std::size_t kernels = std::max<std::size_t>(program.kernels.size(), 1);
  return (kernels > 1 ? std::to_string(kernels) + " * " : "") + "POLYMEND_LEAST_WORK";
}

/// The source's own body, contracted or not as its user builds it.
std::string BodyPrinter::ownBody() const {
  const std::string body = source.substr(function.bodyRange.begin, function.bodyRange.end - function.bodyRange.begin);
  const std::string rest = body.substr(1), gap = rest.starts_with("\n") ? "" : "\n";
  return "{\n#if defined(__clang__)\n#pragma STDC FP_CONTRACT DEFAULT\n#endif" + gap + rest;
}

/// The parameters that a text mentions.
std::vector<std::string> BodyPrinter::mentioned(const std::string &text) const {
  std::vector<std::string> result;
  for (const Parameter &p : function.parameters)
    if (!p.name.empty() && mentions(text, p.name)) result.push_back(p.name);
  return result;
}

/// The head of a function within the body, which is given arguments under the names that they have.
std::string BodyPrinter::inner(const std::vector<std::string> &given, const std::string &attribute) const {
  std::string list;
  for (const std::string &p : given) list += (list.empty() ? "decltype(" : ", decltype(") + p + ") " + p;
  const bool returns = function.returnType != Type::Void;
  return "[](" + list + ") __attribute__((" + attribute + "))" +
         (returns ? " -> " + spellFor(function.returnType, context.table) : "") + " {";
}

/// Conditions under which the source's own body runs, besides that there is little work.
std::vector<std::string> BodyPrinter::conditions(Writer &out) {
  std::vector<const TileArray *> known;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && &a != result()) known.push_back(&a);
  std::vector<std::string> tests;
  if (program.given) tests.push_back("!(" + printExpr(program.given, context) + ")");
  const Entry entry(function, program, Side::Host);
  TouchedPrinter touched(program, context, out);
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = i + 1; j < known.size(); ++j) {
      const TileArray &a = *known[i], &b = *known[j];
      const Apart apart = entry.apart(a, b);
      if (apart == Apart::Extents) tests.push_back(overlapTest(a, b));
      if (apart == Apart::Elements) tests.push_back(touched.meeting(entry, a, address(a), b, address(b)));
    }
  return tests;
}

/// `instead` where one of the tests holds.
void BodyPrinter::apart(Writer &out, const std::vector<std::string> &tests, const std::string &instead) const {
  if (tests.empty()) return;
  out.line(commentOnOrder(function, program));
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool last = i + 1 == tests.size();
    out.line(std::string(i == 0 ? "if (" : "    ").append(tests[i]).append(last ? ") {" : " ||"));
  }
  out.verbatim(instead);
  out.line("}");
}

/// What the new text rests on, and the source's own body for where it does not hold.
void BodyPrinter::fallback(Writer &out) {
  const std::vector<std::string> tests = conditions(out);
  apart(out, tests, ownBody() + "\n" + (function.returnType == Type::Void ? "    return;\n" : ""));
}

/// Little work is done by the source's own body, other work by a function beside it: note [little work].
void BodyPrinter::threaded(Writer &out, const std::string &kernels) {
  const auto callOf = [](const std::vector<std::string> &given) {
    std::string list;
    for (const std::string &p : given) list += (list.empty() ? "" : ", ") + p;
    return "(" + list + ");";
  };
  Writer rest(2);
  const std::vector<std::string> tests = conditions(rest);
  const std::string own = tests.empty() ? "" : context.names.fresh("own");
  const std::vector<std::string> owned = mentioned(ownBody());
  apart(rest, tests, "      return " + own + callOf(owned) + "\n");
  scratch(rest, kernels);
  rest.verbatim(kernels);
  Writer beside(2);
  sizes(beside, rest.text());
  beside.verbatim(rest.text());
  if (!own.empty()) {
    out.line("static constexpr auto " + own + " = " + inner(owned, "always_inline"));
    out.verbatim(ownBody().substr(2) + ";\n");
  }
  Writer guard(1);
  estimate(guard);
  sizes(out, guard.text());
  out.verbatim(guard.text());
  out.line("// Below so many operations the start of threads costs more than they save.");
  const std::string little = "if (" + work + " < " + leastWorkOf(program) + ")";
  if (own.empty()) {
    out.line(little + " {");
    out.verbatim(ownBody() + "\n" + (function.returnType == Type::Void ? "    return;\n" : ""));
    out.line("}");
  } else {
    out.line(little + " return " + own + callOf(owned));
  }
  const std::vector<std::string> given = mentioned(beside.text());
  out.line("return " + inner(given, "noinline"));
  out.verbatim(beside.text());
  out.line("}" + callOf(given));
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

std::string BodyPrinter::print() {
  bindNames();
  context.needs.headers.insert("cstdint");
  const bool estimated = context.table.runtimeOverlap && program.work && program.work.op() != Op::Real;
  Writer kernels(estimated ? 2 : 1);
  for (const Kernel &k : program.kernels) printKernel(k, kernels, context);
  if (const TileArray *value = result()) kernels.line("return " + context.names.of(value->name) + ";");
  Writer main(1);
  if (estimated) {
    threaded(main, kernels.text());
  } else {
    if (context.table.runtimeOverlap) fallback(main);
    scratch(main, kernels.text());
    main.verbatim(kernels.text());
  }
  Writer head(1);
  pragmas(head);
  if (!estimated) sizes(head, main.text());
  unusedParameters(head, head.text() + main.text());
  return "{\n" + head.text() + main.text() + "}";
}

std::size_t conjuncts(const Expr &e) {
  return !e ? 0 : e.op() == Op::And ? conjuncts(e.arg(0)) + conjuncts(e.arg(1)) : 1;
}

} // namespace

std::string commentOnOrder(const Function &function, const TileProgram &program) {
  const std::string when = "output shares memory with another argument, the order of the source decides.";
  if (!function.given.empty()) {
    const bool rows = conjuncts(program.given) > function.given.size();
    return std::string("// Where an integer may wrap around, ") + (rows ? "rows overlap, " : "") + "or an " + when;
  }
  return program.given ? "// Where rows overlap, or an " + when : "// Where an " + when;
}

std::string printBody(const Function &function, const std::string &source, const TileProgram &program,
                      const PrintOptions &options, Needs &needs) {
  Context context{options, tableOf(options.target), Names(source), {}, {}, {}, needs, {}, {}};
  std::string text = BodyPrinter(function, source, program, context).print();
  needs = std::move(context.needs);
  return text;
}

void bindNumbers(const TileProgram &program, const std::string &source, Context &context) {
  for (const auto &[name, type] : program.scalars) {
    context.names.keep(name);
    context.scalars[name] = type;
  }
  for (const std::string &size : program.sizes) {
    const bool digit = !size.empty() && size.back() >= '0' && size.back() <= '9';
    std::string wide = size + (digit ? "_64" : "64");
    while (mentions(source, wide)) wide += "_size";
    context.scalars.erase(size);
    context.names.bind(size, wide);
  }
}

} // namespace polymend::print_room
