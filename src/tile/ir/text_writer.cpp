// A function a rule that the grammars of the text forms share (note [grammar] of write.cpp).
#include "tile/text_writer.h"
#include "tile/words.h"

#include <array>
#include <charconv>
#include <cmath>

namespace polymend::tile {

namespace {

bool isPlain(const std::string &name) {
  if (name.empty() || isReserved(name)) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return true;
}

std::string escape(const std::string &note) {
  std::string text;
  for (const char c : note) {
    if (c == '\n')
      text += "\\n";
    else if (c == '\r')
      text += "\\r";
    else if (c == '\\')
      text += "\\\\";
    else
      text += c;
  }
  return text;
}

/// A finite floating constant, shortest form that reads back exactly, always with a point or an exponent.
std::string digits(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string literal(const Expr &e) {
  const std::string type(wordOf(e.type()));
  const std::string sign = std::signbit(e->real) ? "-" : "";
  if (std::isnan(e->real)) return sign + "nan:" + type;
  if (std::isinf(e->real)) return sign + "inf:" + type;
  return digits(e->real) + type;
}

} // namespace

std::string quote(const std::string &name) {
  if (isPlain(name)) return name;
  std::string text = "`";
  for (const char c : name) {
    if (c == '`' || c == '\\') text += '\\';
    text += c;
  }
  return text + "`";
}

std::string TextWriter::list(const std::vector<Expr> &items) const {
  std::string text;
  for (const Expr &item : items) text += (text.empty() ? "" : ", ") + expr(item);
  return text;
}

std::string TextWriter::primary(const Expr &e, Type &implied) const {
  implied = Type::Int64;
  switch (e.op()) {
  case Op::Integer: return std::to_string(e->integer);
  case Op::Symbol: implied = scope.ofSymbol(e->name); return quote(e->name);
  case Op::Read: implied = scope.ofArray(e->name); return quote(e->name) + "[" + list(e->args) + "]";
  case Op::Call:
    implied = e->args.empty() || !e.arg(0) ? Type::Float64 : e.arg(0).type();
    return "@" + quote(e->name) + "(" + list(e->args) + ")";
  case Op::Cast: implied = e.type(); return std::string(wordOf(e.type())) + "(" + list(e->args) + ")";
  default: implied = naturalType(e.op(), e->args); return std::string(functionOf(e.op())) + "(" + list(e->args) + ")";
  }
}

std::string TextWriter::expr(const Expr &e, int strength) const {
  if (!e) return "?";
  if (e.op() == Op::Real) return literal(e);
  const Infix *infix = infixOf(e.op());
  const bool prefix = e.op() == Op::Neg || e.op() == Op::Not;
  if (!infix && !prefix) {
    Type implied = Type::Int64;
    const std::string text = primary(e, implied);
    return implied == e.type() ? text : text + ":" + std::string(wordOf(e.type()));
  }
  const int own = infix ? infix->strength : static_cast<int>(Prefix);
  std::string text;
  if (infix) {
    const int left = own == Comparison ? own + 1 : own;
    text = expr(e.arg(0), left) + " " + std::string(infix->token) + " " + expr(e.arg(1), own + 1);
  } else {
    const bool number = e.arg(0) && (e.arg(0).op() == Op::Integer || e.arg(0).op() == Op::Real);
    const std::string inner = expr(e.arg(0), Prefix);
    text = (e.op() == Op::Neg ? "-" : "!") + (number ? "(" + inner + ")" : inner);
  }
  if (naturalType(e.op(), e->args) != e.type()) return "(" + text + "):" + std::string(wordOf(e.type()));
  return own < strength ? "(" + text + ")" : text;
}

std::string TextWriter::expr(const Expr &e) const { return expr(e, Weakest); }

std::string TextWriter::range(const Expr &first, const Expr &limit) const {
  return "[" + expr(first) + ", " + expr(limit) + ")";
}

std::string TextWriter::dim(const PointDim &d) const {
  return quote(d.variable) + " in " + range(d.first, d.limit) + " " + std::string(wordOf(d.kind));
}

std::string TextWriter::dims(const std::vector<PointDim> &dims) const {
  std::string text;
  for (const PointDim &d : dims) {
    text += text.empty() ? "" : ", ";
    text += dim(d);
  }
  return text;
}

std::string TextWriter::array(const TileArray &a) const {
  std::string text = std::string(wordOf(a.space)) + " " + quote(a.name) + " : " + std::string(wordOf(a.type));
  if (!a.extents.empty()) text += "[" + list(a.extents) + "]";
  if (a.layout) text += " " + show(a.layout);
  const std::string ring = a.ring == 1 ? "" : " ring " + std::to_string(a.ring);
  const std::string used = a.used.empty() ? "" : " used [" + list(a.used) + "]";
  return text + (a.flat ? " flat" : "") + (a.written ? " written" : "") + ring + used;
}

std::string TextWriter::ref(const Ref &r) const {
  return quote(r.array) + (r.subscripts.empty() ? "" : "[" + list(r.subscripts) + "]");
}

std::string TextWriter::assign(const TileAssign &a) const {
  const std::string text = ref(a.target) + " " + std::string(wordOf(a.update)) + " " + expr(a.value);
  return a.where ? text + " where " + expr(a.where) : text;
}

std::string TextWriter::note(const TileNote &n) { return "# " + escape(n.text); }

void TextWriter::interface(const std::vector<std::string> &sizes, const Expr &given,
                           const std::vector<std::pair<std::string, Type>> &scalars,
                           const std::vector<TileArray> &arrays) {
  std::string names;
  for (const std::string &size : sizes) names += (names.empty() ? "size " : ", ") + quote(size);
  if (!names.empty()) line(names);
  if (given) line("given " + expr(given));
  for (const auto &[name, type] : scalars) {
    scope.declareScalar(name, type);
    line("scalar " + quote(name) + " : " + std::string(wordOf(type)));
  }
  for (const TileArray &a : arrays) {
    scope.declare(a);
    line(array(a));
  }
}

std::string TextWriter::lets(const std::vector<std::pair<std::string, Expr>> &names) const {
  std::string text;
  for (const auto &[name, value] : names) text += " let " + quote(name) + " = " + expr(value);
  return text;
}

std::string TextWriter::order(const TicketOrder &o) const {
  std::string runs;
  if (o.runs)
    runs = " of " + quote(o.runs->tile) + " in " + range(Expr::integer(0), o.runs->length) + " of " +
           quote(o.runs->run) + " in " + range(Expr::integer(0), o.runs->count);
  return " order " + quote(o.ticket) + " in " + range(Expr::integer(0), o.count) + runs + lets(o.lets) + " -> (" +
         list(o.at) + ")";
}

} // namespace polymend::tile
