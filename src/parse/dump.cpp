// A Nest as text, for people and for tests: one line a fact, loops and statements indented.
#include "polymend/parse.h"

#include <sstream>

namespace polymend {

namespace {

std::string indent(int depth) { return std::string(static_cast<std::size_t>(depth) * 2, ' '); }

std::string target(const Assign &assign) {
  std::string text = assign.target;
  for (const Expr &s : assign.subscripts) text += "[" + show(s) + "]";
  return text;
}

void print(const Body &body, int depth, std::ostream &out) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      const Loop &l = **loop;
      out << indent(depth) << "for " << l.variable << " = " << show(l.first) << " to " << show(l.limit);
      if (l.step != 1) out << " step " << l.step;
      out << "\n";
      print(l.body, depth + 1, out);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      out << indent(depth) << "if " << show((*branch)->condition) << "\n";
      print((*branch)->then, depth + 1, out);
      if (!(*branch)->otherwise.empty()) out << indent(depth) << "else\n";
      print((*branch)->otherwise, depth + 1, out);
    } else {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      out << indent(depth) << target(assign) << " = " << show(assign.value) << "\n";
    }
  }
}

std::string storage(const Array &array) {
  switch (array.storage) {
  case Array::Storage::Parameter: return "parameter";
  case Array::Storage::Local: return "local";
  case Array::Storage::Static: return array.functionStatic ? "function static" : "static";
  case Array::Storage::Return: return "return";
  }
  return "";
}

void print(const Array &array, std::ostream &out) {
  out << "  array " << (array.isConst ? "const " : "") << spell(array.type) << " " << array.name;
  for (const Expr &extent : array.extents) out << "[" << (extent ? show(extent) : "") << "]";
  out << ": " << storage(array) << (array.flat ? ", flat" : "") << "\n";
}

void print(const char *title, const std::vector<std::string> &names, std::ostream &out) {
  if (names.empty()) return;
  out << "  " << title;
  for (const std::string &name : names) out << " " << name;
  out << "\n";
}

} // namespace

std::string dump(const Nest &nest) {
  std::ostringstream out;
  for (const Function &function : nest.functions) {
    out << "function " << function.name << " -> " << spell(function.returnType) << "\n";
    for (const Array &array : function.arrays) print(array, out);
    print("sizes", function.sizes, out);
    print("scalars", function.scalars, out);
    for (const DataSize &data : function.dataSizes) out << "  data " << data.name << " = " << show(data.value) << "\n";
    for (const Expr &condition : function.given) out << "  given " << show(condition) << "\n";
    for (const NumberBeside &one : function.beside) out << "  beside " << one.array << ": " << one.number << "\n";
    for (const Outlined &part : function.outlined)
      out << "  calls " << part.name << ": line " << part.why.where.line << ": " << part.why.reason << "\n";
    print(function.body, 1, out);
  }
  for (const LeftAlone &left : nest.left)
    out << "left " << left.name << ": line " << left.refusal.where.line << ": " << left.refusal.reason << "\n";
  return out.str();
}

} // namespace polymend
