#include "print/beside.h"

#include "polymend/device.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

/// A parameter as the source declares it, without its default argument.
std::string declared(SourceRange where, const SourceRange &byDefault, const Spelled &spelled) {
  if (byDefault.begin > where.begin) where.end = byDefault.begin;
  std::string text = spelled(where);
  if (byDefault.begin > where.begin) text.erase(text.rfind('='));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

const Array *arrayOf(const Function &function, const std::string &name) {
  for (const Array &array : function.arrays)
    if (array.name == name) return &array;
  return nullptr;
}

/// A parameter by its type alone: "const float *x", "float (&w)[16]", "std::int64_t n".
std::string typed(const Parameter &p, const Function &function, const Context &context) {
  const Array *array = p.isArray ? arrayOf(function, p.name) : nullptr;
  const std::string type = array && !array->spelling.empty() ? array->spelling : spellFor(p.type, context.table);
  if (!array) return type + " " + p.name;
  const std::string element = (array->isConst ? "const " : "") + type + " ";
  if (!array->rows.empty() && !array->flat) {
    std::string row = array->rows;
    const std::string own = spell(p.type);
    if (const std::size_t at = row.find(own); at != std::string::npos && isNarrow(p.type))
      row.replace(at, own.size(), spellFor(p.type, context.table));
    return (array->isConst ? "const " : "") + row + " *" + p.name;
  }
  if (array->flat) return element + "*" + p.name;
  std::string extents;
  for (const Expr &extent : array->extents)
    if (extent) extents += "[" + std::to_string(simplify(extent)->integer) + "]";
  if (extents.empty()) return element + (p.isReference ? "&" : "*") + p.name;
  return element + (p.isReference ? "(&" : "(*") + p.name + ")" + extents;
}

/// A parameter of a function that stands beside.
std::string declared(const Parameter &p, const Function &function, const Spelled &spelled, const Context &context) {
  if (!p.taken.empty() || function.isNested) return typed(p, function, context);
  return declared(p.where, p.defaultRange, spelled);
}

} // namespace

bool isOutlined(const Function &function) {
  return function.isNested || std::any_of(function.parameters.begin(), function.parameters.end(),
                                          [](const Parameter &p) { return !p.taken.empty(); });
}

std::string openedMembers(const Function &function) {
  if (function.opened.empty()) return "";
  const std::string opener = function.name + "_opened";
  std::string text = "// Private members that " + function.name + " takes: an explicit instantiation may name them.\n" +
                     "template <class Name, auto Member> struct " + opener +
                     " {\n  friend constexpr auto memberOf(Name) { return Member; }\n};\n";
  for (const auto &[tag, member] : function.opened)
    text += "struct " + tag + " {\n  friend constexpr auto memberOf(" + tag + ");\n};\ntemplate struct " + opener +
            "<" + tag + ", &" + member.owner + "::" + member.name + ">;\n";
  return text + "\n";
}

std::string bitsHeldBy(const Parameter &p) {
  constexpr std::string_view held = "polymend_rt::BitBytes(";
  return p.taken.starts_with(held) ? p.taken.substr(held.size(), p.taken.size() - held.size() - 1) : std::string();
}

std::string heldBits(const Parameter &p) { return p.name + "Held"; }

std::string givenBits(const Function &function, const DeviceProgram &program) {
  std::string lines;
  for (const Parameter &p : function.parameters)
    for (const TileArray &a : program.arrays)
      if (a.name == p.name && a.written && !bitsHeldBy(p).empty()) lines += "  " + heldBits(p) + ".give();\n";
  return lines;
}

std::string takenLines(const Function &function, const std::string &text, Context &context, const std::string &before) {
  std::string lines;
  for (const Parameter &p : function.parameters) {
    if (p.taken.empty() || !mentions(text, p.name) || mentions(before, p.name)) continue;
    std::string declaration = typed(p, function, context);
    if (const std::string bits = bitsHeldBy(p); !bits.empty()) {
      context.primitive("BitBytes");
      lines += "  polymend_rt::BitBytes " + heldBits(p) + "(" + bits + ");\n  bool *const " + p.name + " = " +
               heldBits(p) + ".data();\n";
      continue;
    }
    if (!p.isArray) declaration.insert(0, "const ");
    if (p.isArray && !p.isReference) declaration.insert(declaration.rfind(p.name), "const ");
    lines += "  " + declaration + " = " + p.taken + ";\n";
    for (const char *primitive : {"rowLength", "rowsHave"})
      if (p.taken.find(std::string("polymend_rt::") + primitive) != std::string::npos) context.primitive(primitive);
  }
  return lines;
}

namespace {

/// A function beside that has those of `all` that it needs, or that others of these are declared in terms of, each as
/// `declarationOf` declares it.
template <class All, class Needs, class F>
Beside taking(const All &all, Needs isNeeded, F declarationOf, const Function &function, const std::string &name,
              const Context &context) {
  Beside result;
  std::string mentioning;
  for (auto p = all.rbegin(); p != all.rend(); ++p) {
    if (p->name.empty() || (!isNeeded(*p) && !mentions(mentioning, p->name))) continue;
    const std::string declaration = declarationOf(*p), comma = result.call.empty() ? "" : ", ";
    result.head.insert(0, declaration + comma);
    result.call.insert(0, p->name + comma);
    mentioning += " " + declaration; // a type may be said in terms of a parameter before it
  }
  const std::string type = spellFor(function.returnType, context.table);
  result.head = "static " + type + " " + name + "(" + result.head + ")";
  result.call = name + "(" + result.call + ")";
  return result;
}

} // namespace

Beside besideOf(const Function &function, const Spelled &spelled, const std::string &name, const std::string &text,
                const Context &context) {
  const auto declaration = [&](const Parameter &p) { return declared(p, function, spelled, context); };
  const auto isNeeded = [&](const Parameter &p) { return mentions(text, p.name); };
  return taking(function.parameters, isNeeded, declaration, function, name, context);
}

std::string nameBeside(const Function &function, const std::string &source, const std::string &ending) {
  std::string name = function.name + "_" + ending;
  while (mentions(source, name)) name += "_2";
  return name;
}

namespace {

/// What the source's function takes; where nobody said so, its parameters.
std::vector<Argument> argumentsOf(const Function &function) {
  std::vector<Argument> arguments = function.arguments;
  if (arguments.empty())
    for (const Parameter &p : function.parameters)
      arguments.push_back({p.name, p.where, p.defaultRange, "", false, false, false});
  return arguments;
}

/// The source's own function: it takes what the source's takes.
Beside ofArguments(const Function &function, const Spelled &spelled, const std::string &name, const std::string &text,
                   const Context &context) {
  if (function.isNested) return {"", name + "()"};
  const auto declaration = [&](const Argument &a) { return declared(a.where, a.defaultRange, spelled); };
  const auto isNeeded = [&](const Argument &a) { return a.isNamed || mentions(text, a.name); };
  return taking(argumentsOf(function), isNeeded, declaration, function, name, context);
}

} // namespace

Reference::Reference(const Function &f, const std::string &source, const Spelled &spelled, const Context &context)
    : function(f), name(nameBeside(f, source, "reference")),
      body(f.isRegion ? "{\n" + spelled(f.bodyRange) + "\n}" : spelled(f.bodyRange)),
      beside(ofArguments(f, spelled, name, body, context)), type(spellFor(f.returnType, context.table)) {}

ReferenceText Reference::text() const {
  if (!isCalled || function.isNested) return {};
  // Never inlined: within the entry the same text may be compiled otherwise than the source's, and run slower.
  return {"/// " + function.name + " in the source's order.\n__attribute__((noinline)) " + beside.head + " ", body};
}

std::string Reference::within() const {
  if (!isCalled || !function.isNested) return "";
  return "  // In the source's order.\n  const auto " + name + " = [&]() -> " + type + " " + body + ";\n";
}

} // namespace polymend::print_room
