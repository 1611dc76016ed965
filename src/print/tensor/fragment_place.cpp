// The expressions of a region at a thread's rows and registers.
#include "role_fragment.h"

namespace polymend::print_room {

std::string FragmentPrinter::symbolFor(const std::string &text, Type type) {
  context.names.alias(text);
  if (isFloating(type)) context.scalars[text] = computeType(type);
  return text;
}

/// Element `x` of words that hold pairs of 16-bit numbers.
std::string FragmentPrinter::wide(Type type, const std::string &words, const std::string &x) {
  const std::string widen = context.primitive(type == Type::BFloat16 ? "widenBrain" : "widenHalf");
  return widen + "(" + words + "[" + x + " / 2], " + x + " % 2)";
}

/// What a thread holds of an array, or the array itself.
Expr FragmentPrinter::placedRead(const Expr &read, At at) {
  if (const auto words = loaded.find(read->name); words != loaded.end()) {
    const Type held = slots.at(read->name).type;
    const std::string text = isNarrow(held) ? wide(held, words->second, "$e") : words->second + "[$e]";
    return Expr::symbol(symbolFor(text, computeType(held)), computeType(held));
  }
  const TileArray *tile = fragment(read->name);
  if (!tile) return read;
  const std::string &name = context.names.of(read->name);
  if (tile->extents.size() == 1) {
    const std::string text = name + "[" + (at == At::Row ? "$r" : rowOfElement()) + "]";
    return Expr::symbol(symbolFor(text, tile->type), read.type());
  }
  const bool narrow = isNarrow(tile->type);
  const std::string text = symbolFor(narrow ? wide(tile->type, name, "$e") : name + "[$e]", tile->type);
  return Expr::symbol(text, narrow ? Type::Float32 : read.type());
}

Expr FragmentPrinter::placed(const Expr &e, const DeviceRegisters &part, At at) {
  const std::string &rowText = at == At::Row ? rowOf : rowOfRegister;
  const Expr moved = substitute(e, [&](const std::string &name) -> Expr {
    if (name == part.row.variable) {
      context.narrow.insert(rowText);
      return Expr::symbol(symbolFor(rowText, Type::Int64), Type::Int64);
    }
    if (name == columnOfThread) return Expr::symbol(column, Type::Int64);
    if (name == columnOfRegister) return Expr::symbol(cx, Type::Int64);
    if (part.column && name == part.column->variable)
      return Expr::symbol(column, Type::Int64) + Expr::symbol(cx, Type::Int64);
    const auto own = named.find(name);
    if (own == named.end()) return {};
    const std::string text =
        own->second.perRow ? own->second.text + "[" + (at == At::Row ? "$r" : rowOfElement()) + "]" : own->second.text;
    if (isInteger(own->second.type) && !own->second.wide) context.narrow.insert(text);
    const Type type = own->second.type == Type::Bool && at == At::Register ? Type::Int64 : own->second.type;
    return Expr::symbol(symbolFor(text, type), type);
  });
  return rewrite(moved, [&](const Expr &node) { return node.op() == Op::Read ? placedRead(node, at) : node; });
}

/// How many elements a thread has of what the region is over.
std::int64_t FragmentPrinter::elementsOf(const DeviceRegisters &part) const {
  const bool reduces = part.form == DeviceRegisters::Form::Reduced;
  return reduces ? constant(part.column->limit) / 2 : elements(part.what.target.array);
}

bool FragmentPrinter::readsWide(const Expr &e) const {
  bool found = false;
  visit(e, [&](const Expr &node) {
    found = found || (node.op() == Op::Read && node.type() == Type::Int64 && context.typeOf(node->name) == Type::Int64);
  });
  return found;
}

void FragmentPrinter::before(const DeviceRegisters &part, Writer &out) {
  named.clear();
  for (const DeviceRowValue &v : part.before) {
    const Type valueType = v.value.type();
    const bool isWide = isInteger(valueType) && readsWide(v.value), isInt = isInteger(valueType) && !isWide;
    const std::string name = context.names.fresh(v.name);
    const std::string type = valueType == Type::Bool ? "bool"
                             : isInt                 ? "int"
                             : isWide                ? "std::int64_t"
                                                     : spell(computeType(valueType));
    const bool isOfColumn = symbols(v.value).contains(columnOfRegister);
    const std::string text = textOf(v.value, part, isOfColumn ? At::Register : At::Row);
    const std::string value = isInt ? "static_cast<int>(" + text + ")" : text;
    if (isOfColumn) {
      const std::string count = std::to_string(elementsOf(part));
      out.line(type + " " + name + "[" + count + "];");
      out.pragma("unroll");
      out.line("for (int $e = 0; $e < " + count + "; ++$e) " + name +
               "[$e] = " + (warpsN == 1 ? rowOfElement() + " == 1 ? " + name + "[$e - 2] : " : "") + value + ";");
      named[v.name] = {name + "[$e]", valueType, false, isWide};
      continue;
    }
    named[v.name] = {name, valueType, !v.once, isWide};
    if (v.once) {
      out.line("const " + type + " " + name + " = " + value + ";");
      continue;
    }
    out.line(type + " " + name + "[" + rows() + "];");
    out.pragma("unroll");
    out.line("for (int $r = 0; $r < " + rows() + "; ++$r) " + name + "[$r] = " + value + ";");
  }
}

} // namespace polymend::print_room
