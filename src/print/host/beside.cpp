#include "print/beside.h"

namespace polymend::print_room {

namespace {

/// A parameter as the source declares it, without its default argument.
std::string declared(const Parameter &p, const Spelled &spelled) {
  SourceRange where = p.where;
  if (p.defaultRange.begin > where.begin) where.end = p.defaultRange.begin;
  std::string text = spelled(where);
  if (p.defaultRange.begin > where.begin) text.erase(text.rfind('='));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

} // namespace

Beside besideOf(const Function &function, const Spelled &spelled, const std::string &name, const std::string &text,
                const Context &context) {
  Beside result;
  std::string mentioning = text;
  for (auto p = function.parameters.rbegin(); p != function.parameters.rend(); ++p) {
    if (p->name.empty() || !mentions(mentioning, p->name)) continue;
    const std::string declaration = declared(*p, spelled), comma = result.call.empty() ? "" : ", ";
    result.head.insert(0, declaration + comma);
    result.call.insert(0, p->name + comma);
    mentioning += " " + declaration; // a type may be said in terms of a parameter before it
  }
  const std::string type = spellFor(function.returnType, context.table);
  result.head = "static " + type + " " + name + "(" + result.head + ")";
  result.call = name + "(" + result.call + ")";
  return result;
}

std::string nameBeside(const Function &function, const std::string &source, const std::string &ending) {
  std::string name = function.name + "_" + ending;
  while (mentions(source, name)) name += "_2";
  return name;
}

Reference::Reference(const Function &f, const std::string &source, const Spelled &spelled, const Context &context)
    : function(f), name(nameBeside(f, source, "reference")), body(spelled(f.bodyRange)),
      beside(besideOf(f, spelled, name, body, context)) {}

std::string Reference::text() const {
  if (!isCalled) return "";
  return "/// " + function.name + " in the source's order.\n" + beside.head + " " + body + "\n\n";
}

} // namespace polymend::print_room
