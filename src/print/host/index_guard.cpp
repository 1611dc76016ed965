// A function beside the entry: a loop nest a check, threads share the outermost loop, the first fault is the result.
#include "print/index_guard.h"

#include "print/function.h"
#include "print/region.h"

namespace polymend::print_room {

namespace {

std::string words(std::size_t number, const std::string &position, const std::string &value, const std::string &rest) {
  return std::to_string(number) + ", " + position + ", " + value + ", " + rest;
}

/// The position of an element of an index array, from its first element on.
std::string positionText(const Expr &element, Context &context) {
  const auto at = context.places.find(element->name);
  Expr position = element.arg(0);
  for (std::size_t d = 1; d < element->args.size(); ++d)
    position = position * at->second.array->extents[d] + element.arg(d);
  return plain(position, context);
}

/// Declares an integer of 64 bits.
std::string declare(const std::string &wish, const Expr &value, Writer &out, Context &context) {
  std::string name = context.names.fresh(wish);
  out.line("const std::int64_t " + name + " = " + printExpr(simplify(value), context) + ";");
  return name;
}

void within(const IndexCheck &check, std::size_t number, const TellFault &tell, Writer &out, Context &context) {
  const std::string reached = declare("reached", check.value, out, context);
  const std::string position = positionText(check.element, context), value = printExpr(check.element, context);
  const auto ask = [&](const Expr &bound, const std::string &broken, const std::string &side) {
    if (!bound) return;
    const bool isNumber = bound.op() == Op::Integer;
    const std::string text = isNumber ? std::to_string(bound->integer) : declare("bound", bound, out, context);
    out.block("if (" + reached + broken + text + ")",
              [&] { tell(words(number, position, value, reached + ", " + text + ", " + side), out); });
  };
  ask(check.least, " < ", "-1");
  ask(check.limit, " >= ", "1");
}

/// What `inside` prints, where the check is asked.
void whereAsked(const IndexCheck &check, Writer &out, Context &context, const std::function<void()> &inside) {
  if (check.where)
    out.block("if (" + printExpr(check.where, context) + ")", inside);
  else
    inside();
}

/// The loops of a check from number `first` on.
void nest(const IndexCheck &check, std::size_t first, Writer &out, Context &context,
          const std::function<void()> &inside) {
  if (first == check.dims.size()) return whereAsked(check, out, context, inside);
  const PointDim &dim = check.dims[first];
  out.block(loopHead(dim.variable, dim.first, dim.limit, 1, context),
            [&] { nest(check, first + 1, out, context, inside); });
}

/// Elements that lead to the same: all are collected, and sorted.
void distinct(const IndexCheck &check, std::size_t number, Writer &out, Context &context) {
  const std::string all = context.names.fresh("elements");
  context.needs.headers.insert("vector");
  const std::string twin = context.primitive("twinOf");
  out.line("std::vector<polymend_rt::IndexFault> " + all + ";");
  nest(check, 0, out, context, [&] {
    const std::string value = printExpr(check.element, context);
    out.line(all + ".push_back({" +
             words(number, positionText(check.element, context), value, printExpr(check.value, context) + ", 0, 0") +
             "});");
  });
  out.line("if (const polymend_rt::IndexFault found = " + twin + "(" + all + "); found.check != 0) return found;");
}

void oneCheck(const IndexCheck &check, std::size_t number, Writer &out, Context &context) {
  out.line("// Check " + std::to_string(number) + ".");
  if (check.kind == IndexCheck::Kind::Distinct) return out.block("", [&] { distinct(check, number, out, context); });
  const TellFault tell = [](const std::string &fault, Writer &inside) { inside.line("return {" + fault + "};"); };
  std::string first = "0", limit = "1", variable = context.names.fresh("once");
  if (!check.dims.empty()) {
    first = plain(check.dims.front().first, context);
    limit = plain(check.dims.front().limit, context);
    variable = context.names.bind(check.dims.front().variable, check.dims.front().variable);
  }
  const std::string name = context.names.fresh("check" + std::to_string(number));
  const std::string head = "const auto " + name + " = [&](" + (check.dims.empty() ? "[[maybe_unused]] " : "") +
                           "std::int64_t " + variable + ") -> polymend_rt::IndexFault";
  out.block(head, "};", [&] {
    nest(check, check.dims.empty() ? 0 : 1, out, context, [&] { within(check, number, tell, out, context); });
    out.line("return {};");
  });
  out.line("if (const polymend_rt::IndexFault found = " + context.primitive("firstFault") + "(" + first + ", " + limit +
           ", " + name + "); found.check != 0) return found;");
}

/// The name of the table of checks, which the definitions hold.
std::string checkTable(const Function &function, const std::string &source) {
  return nameBeside(function, source, "index_checks");
}

/// "column" of column_data, which a container is taken as.
std::string shownName(const Function &function, const std::string &array) {
  for (const Parameter &p : function.parameters)
    if (p.name == array && p.taken.ends_with(".data()")) return p.taken.substr(0, p.taken.size() - 7);
  return array;
}

/// As C++ has a text.
std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

/// Arrays as a function on the caller's memory has them.
std::map<std::string, Place> placesOnHost(const DeviceProgram &program) {
  std::map<std::string, Place> places;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument)
      places[a.name] = {&a, a.flat || a.extents.size() == 1 ? Shape::Linear : Shape::Native};
  return places;
}

} // namespace

void printCheckAtPoint(const IndexCheck &check, std::size_t number, const TellFault &tell, Writer &out,
                       Context &context) {
  nest(check, check.dims.empty() ? 0 : 1, out, context, [&] { within(check, number, tell, out, context); });
}

std::string printIndexMessage(const Function &function, const std::string &source, Context &context) {
  const std::string name = nameBeside(function, source, "index_message"), table = checkTable(function, source);
  context.needs.headers.insert("string");
  return "/// What is wrong with the index arrays of " + function.name +
         ", by the six words that the entry on device memory left.\nstd::string " + name +
         "(const long long (&fault)[6]) {\n  if (fault[0] == 0) return \"\";\n  return "
         "polymend_rt::indexMessage({fault[0], fault[1], fault[2], fault[3], fault[4], fault[5]}, \"" +
         function.name + "\", " + table + ");\n}\n\n";
}

GuardText printIndexGuard(const Function &function, const std::string &source, const Spelled &spelled,
                          const DeviceProgram &program, Context &context) {
  if (program.checks.empty()) return {};
  const std::map<std::string, Place> before = context.places;
  context.places = placesOnHost(program);
  Writer body(1);
  for (std::size_t k = 0; k < program.checks.size(); ++k) oneCheck(program.checks[k], k + 1, body, context);
  body.line("return {};");
  Writer head(1);
  printSizes(function, program.sizes, body.text(), head, context);
  context.places = before;
  const std::string name = nameBeside(function, source, "index_fault"), table = checkTable(function, source);
  const Beside beside = besideOf(function, spelled, name, head.text() + body.text(), context);
  std::string checks;
  for (const IndexCheck &check : program.checks)
    checks += (checks.empty() ? "" : ",") + ("\n    {" + quoted(shownName(function, check.element->name))) + ", " +
              quoted(check.why) + "}";
  GuardText text;
  context.primitive("indexFault");
  text.definitions = "/// What is asked of the index arrays of " + function.name +
                     ".\nconstexpr polymend_rt::IndexCheck " + table + "[] = {" + checks +
                     "};\n\n/// The first of their elements that " + function.name +
                     " cannot stand, if there is one.\nstatic polymend_rt::IndexFault " +
                     beside.head.substr(beside.head.find(name + "(")) + " {\n" + head.text() + body.text() + "}\n\n";
  text.call = "if (const polymend_rt::IndexFault fault = " + beside.call +
              "; fault.check != 0) polymend_rt::refuseIndex(fault, " +
              quoted(function.called.empty() ? function.name : function.called) + ", " + table + ");";
  return text;
}

} // namespace polymend::print_room
