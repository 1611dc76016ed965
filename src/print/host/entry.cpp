#include "print/entry.h"
#include "print/kernel.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

bool reads(const TouchedElements &touched) {
  return std::any_of(touched.parts.begin(), touched.parts.end(), [](const TouchedPart &part) {
    bool found = false;
    visit(part.element, [&](const Expr &e) { found = found || e.op() == Op::Read; });
    return found;
  });
}

} // namespace

const Array *Entry::declarationOf(const TileArray &array) const {
  const auto at = std::find_if(function.arrays.begin(), function.arrays.end(),
                               [&](const Array &a) { return a.name == array.name; });
  return at == function.arrays.end() ? nullptr : &*at;
}

const TouchedElements *Entry::touchedOf(const TileArray &array) const {
  for (const TouchedElements &touched : program.touched)
    if (touched.array == array.name && !touched.plain) return &touched;
  return nullptr;
}

/// Whether they can be computed where the data that choose them are.
bool Entry::hasBounds(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  return touched ? touched->unknown.empty() : static_cast<bool>(elementsOf(array));
}

bool Entry::isBounded(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  return hasBounds(array) && (side != Side::Device || !touched || !reads(*touched));
}

bool Entry::isStored(const TileArray &array) const {
  for (const TouchedElements &touched : program.touched)
    if (touched.array == array.name) return touched.stored;
  return array.written;
}

bool Entry::isUntouched(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  return touched && touched->parts.empty() && touched->unknown.empty();
}

/// The source says so of a parameter; a result's place is none of its.
bool Entry::isRestricted(const TileArray &a, const TileArray &b) const {
  if (isResult(a) || isResult(b)) return false;
  const Array *first = declarationOf(a), *second = declarationOf(b);
  return (first && first->restricted) || (second && second->restricted);
}

bool Entry::haveForeignTypes(const TileArray &a, const TileArray &b) const {
  const Array *first = declarationOf(a), *second = declarationOf(b);
  return first && second && a.type != b.type && !first->aliasesAny && !second->aliasesAny;
}

/// Two arrays of the file are never one.
bool Entry::areObjects(const TileArray &a, const TileArray &b) const {
  const Array *first = declarationOf(a), *second = declarationOf(b);
  return first && second && first->storage == Array::Storage::Static && second->storage == Array::Storage::Static;
}

/// Copies of two outputs that go back must not lie in each other, even where no element is of both.
Apart Entry::apart(const TileArray &a, const TileArray &b) const {
  const bool bothGoBack = side == Side::Copied && isStored(a) && isStored(b);
  if (!(a.written || b.written || isResult(a) || isResult(b))) return Apart::Surely;
  if (!bothGoBack && isRestricted(a, b)) return Apart::Surely;
  const TouchedElements *first = touchedOf(a), *second = touchedOf(b);
  if (isUntouched(a) || isUntouched(b)) return Apart::Surely;
  if (!first && !second && isBounded(a) && isBounded(b)) return Apart::Extents;
  if (!isStored(a) && !isStored(b)) return Apart::Surely;
  const bool data = (first && reads(*first)) || (second && reads(*second));
  const bool bounded = isBounded(a) && isBounded(b);
  if (bounded && !data) return Apart::Elements;
  if ((!bothGoBack && haveForeignTypes(a, b)) || areObjects(a, b)) return Apart::Surely;
  if (bounded) return Apart::Elements;
  return side == Side::Device && hasBounds(a) && hasBounds(b) ? Apart::Data : Apart::Never;
}

std::string Entry::whyUnbounded(const TileArray &array) const {
  const TouchedElements *touched = touchedOf(array);
  if (touched && !touched->unknown.empty()) return touched->unknown;
  return "the number of its elements is unknown";
}

std::optional<Refusal> Entry::refuse() const {
  std::vector<const TileArray *> arguments;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && (side == Side::Device || !isResult(a))) arguments.push_back(&a);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const TileArray &a = *arguments[i], &b = *arguments[j];
      if (apart(a, b) != Apart::Never) continue;
      const TileArray &open = hasBounds(a) ? b : a, &other = hasBounds(a) ? a : b;
      const Array *declaration = declarationOf(open);
      return Refusal{"it cannot be told at entry whether '" + open.name + "' shares memory with '" + other.name +
                         "': " + whyUnbounded(open) + "; declare '" + open.name + "' __restrict if it does not",
                     declaration ? declaration->where : function.where};
    }
  return std::nullopt;
}

std::string TouchedPrinter::elements(const TileArray &array, const TouchedElements *touched) {
  const std::string type = context.primitive("Interval");
  if (!touched) {
    const std::string count = array.extents.empty() ? "1" : printExpr(simplify(elementsOf(array)), context);
    return type + "::upTo(" + count + ")";
  }
  if (touched->parts.empty()) return type + "()";
  std::string &name = declared[array.name];
  if (!name.empty()) return name;
  std::vector<std::pair<std::string, std::string>> parts;
  for (const TouchedPart &part : touched->parts) {
    const std::string where = part.where ? printExpr(part.where, context) : "";
    const std::string text = bounds(part.element, part.dims, where);
    if (std::find(parts.begin(), parts.end(), std::pair(where, text)) == parts.end()) parts.emplace_back(where, text);
  }
  name = context.names.fresh(array.name + "Elements");
  out.line(type + " " + name + ";");
  for (const auto &[where, text] : parts)
    out.line((where.empty() ? "" : "if (" + where + ") ") + name + " = " + name + ".with(" + text + ");");
  return name;
}

std::string TouchedPrinter::meeting(const Entry &entry, const TileArray &a, const std::string &atA, const TileArray &b,
                                    const std::string &atB) {
  const auto range = [&](const TileArray &array, const std::string &at) {
    const std::string size = "std::int64_t{sizeof(" + spellFor(array.type, context.table) + ")}";
    return at + ", " + size + ", " + elements(array, entry.touchedOf(array));
  };
  const std::string first = range(a, atA), second = range(b, atB);
  return context.primitive("meets") + "(" + first + ", " + second + ")";
}

std::string TouchedPrinter::call(const std::string &method, const Expr &e, const Dims &dims, const std::string &where) {
  return bounds(e.arg(0), dims, where) + "." + method + "(" + bounds(e.arg(1), dims, where);
}

std::string TouchedPrinter::bounds(const Expr &e, const Dims &dims, const std::string &where) {
  const std::string type = context.primitive("Interval");
  if (e.type() == Type::Bool && e.op() != Op::Read) return type + "::from(0, 1)";
  switch (e.op()) {
  case Op::Integer: return type + "(" + printExpr(e, context) + ")";
  case Op::Symbol: {
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const PointDim &d) { return d.variable == e->name; });
    if (dim == dims.end()) return type + "(" + context.names.of(e->name) + ")";
    return type + "::between(" + bounds(dim->first, {}, where) + ", " + bounds(dim->limit, {}, where) + ")";
  }
  case Op::Read: return valuesOf(e, dims, where);
  case Op::Neg: return bounds(e.arg(0), dims, where) + ".negated()";
  case Op::Add: return call("plus", e, dims, where) + ")";
  case Op::Sub: return call("minus", e, dims, where) + ")";
  case Op::Mul: return call("times", e, dims, where) + ")";
  case Op::Div: return call("over", e, dims, where) + ", false)";
  case Op::FloorDiv: return call("over", e, dims, where) + ", true)";
  case Op::Mod: return call("rest", e, dims, where) + ", false)";
  case Op::FloorMod: return call("rest", e, dims, where) + ", true)";
  case Op::Min: return call("lower", e, dims, where) + ")";
  case Op::Max: return call("higher", e, dims, where) + ")";
  case Op::Abs: {
    const std::string value = bounds(e.arg(0), dims, where);
    return value + ".with(" + value + ".negated())";
  }
  case Op::Select: return bounds(e.arg(1), dims, where) + ".with(" + bounds(e.arg(2), dims, where) + ")";
  case Op::Cast: {
    const bool narrows = e.type() == Type::Int32 && e.arg(0).type() == Type::Int64;
    return bounds(e.arg(0), dims, where) + (narrows ? ".narrow()" : "");
  }
  default: return type + "::unknown()";
  }
}

std::string TouchedPrinter::valuesOf(const Expr &read, const Dims &dims, const std::string &where) {
  const std::string elements = bounds(read.arg(0), dims, where);
  std::string &name = values[where + "\n" + read->name + "\n" + elements];
  if (!name.empty()) return name;
  const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                  [&](const TileArray &a) { return a.name == read->name; });
  std::string first = context.names.of(read->name);
  if (!noted && array != program.arrays.end() && !array->flat && array->extents.size() != 1) {
    first = "&" + first;
    for (std::size_t d = 0; d < array->extents.size(); ++d) first += "[0]";
  }
  name = context.names.fresh(read->name + "Values");
  const std::string type = context.primitive("Interval");
  std::string when = looked;
  if (!where.empty()) when += (when.empty() ? "" : " && (") + where + (when.empty() ? "" : ")");
  std::string call = context.primitive(noted ? "valuesNoted" : "valuesIn") + "(";
  if (noted) {
    call += notes + " + " + std::to_string(2 * noted->size()) + ", " + elements + ")";
    noted->push_back({out.text(), when, first, elements});
  } else {
    call += first + ", " + elements + ")";
  }
  if (when.empty()) {
    out.line("const " + type + " " + name + " = " + call + ";");
  } else {
    out.line(type + " " + name + ";");
    out.line("if (" + when + ") " + name + " = " + call + ";");
  }
  return name;
}

} // namespace polymend::print_room
