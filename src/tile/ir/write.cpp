// TileProgram -> text. Note [grammar] below is the whole language; src/tile/read.cpp reads it back to an equal program.
// A function a rule of the grammar, which heads it, hence one file.
#include "scope.h"
#include "tile/conversions.h"
#include "words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace polymend {

// note [grammar]
//   program := 'program' NAME ['returns' TYPE] (size | given | scalar | array)* kernel*
//   size    := 'size' NAME (',' NAME)*
//   given   := 'given' expr
//   scalar  := 'scalar' NAME ':' TYPE
//   array   := SPACE NAME ':' TYPE ['[' expr (',' expr)* ']'] [layout] ['flat'] ['written'] ['ring' INT]
//              ['used' '[' expr (',' expr)* ']']
//   SPACE   := 'array' | 'work' | 'tile' | 'row' | 'shared' | 'fragment'
//   layout  := '<' DIGIT* ('|' DIGIT*)* ['~' DIGIT+] ['+' DIGIT+] ['^' INT+] '>'
//   DIGIT   := INT 'r' INT | INT 'l' INT | INT 'w' INT | INT 'g' INT | INT 'b' INT     without space
//   kernel  := 'kernel' NAME 'grid' '(' [dim (',' dim)*] ')' [order] let* ['when' expr] ['fallback' NAME]
//              ['atom' NAME] ['conversions' INT] '{' array* node* role* '}'
//   order   := 'order' NAME 'in' range let* '->' '(' [expr (',' expr)*] ')'   the range begins at 0
//   let     := 'let' NAME '=' expr
//   role    := 'role' NAME 'groups' INT ['registers' INT] '{' node* '}'
//   dim     := NAME 'in' range ('parallel' | 'reduced' | 'serial')
//   range   := '[' expr ',' expr ')'
//   node    := assign | note | for | points | if | async | sync
//   note    := '#' text to the end of the line; \n, \r and \\ stand for what they stand for in C
//   for     := 'for' NAME 'in' range 'step' INT ['unroll'] '{' node* '}'
//   points  := 'points' '(' [dim (',' dim)*] ')' '{' assign* '}'
//   async   := ('copy' | 'contract') [NAME] points
//   sync    := ('get' | 'release' | 'await' | 'combine') NAME
//   if      := 'if' '(' expr ')' '{' node* '}' ['else' '{' node* '}']
//   assign  := ref ('=' | '+=' | '*=' | 'max=' | 'min=' | 'fmax=' | 'fmin=') expr ['where' expr]
//   ref     := NAME ['[' expr (',' expr)* ']']
//   expr    := expr INFIX expr | '-' expr | '!' expr | primary [':' TYPE] | '?'
//   INFIX   := '||' | '&&' | '==' '!=' '<' '<=' | '+' '-' | '*' '/' '%'       weakest first, comparisons do not chain
//   primary := INT | REAL TYPE | 'inf' | 'nan' | NAME | NAME '[' [expr (',' expr)*] ']' | FUNCTION '(' expr,* ')'
//            | TYPE '(' expr ')' | '@' NAME '(' expr,* ')' | '(' expr ')'
//   TYPE    := 'f32' 'f64' 'f16' 'bf16' 'i32' 'i64' 'bool' 'void'
// INT is 64 bits wide and of type i64; '-' before a number belongs to it; `0.5f32` is a REAL of its TYPE. FUNCTION
// names an operation (floordiv, min, exp, select, ...), '@' any other function, TYPE(...) converts. `NAME[]` reads a
// scalar array, `NAME` alone is a symbol; the target of an assignment has no brackets then. A ':' gives the type where
// it is not the one that C's conversions, or the declaration of the name, give. '?' is an absent expression. A NAME
// that is no identifier, or is a word of this grammar but 'order', 'let', 'when', 'fallback', 'atom', 'conversions',
// 'groups', 'registers', 'given' or 'used', stands in backquotes.
//
// A layout says for each axis of a tile, in the order of its extents, where its coordinate goes: `8l4 2r2` is 8 values
// times 2, the minor ones each 4 lanes further than the one before, the major ones 2 registers. The letters count a
// thread's registers (by elements), lanes of a warp, warps of a group, groups of 128 threads of the role, bytes of a
// slot. After '~' are the places that hold the same element, after '+' those whose sum it is until `combine`. `^ a b c`
// exchanges, in row n of 128 bytes, chunk k of 16 bytes for k xor a, b, c by the lowest bits of n. 'conversions' is how
// many regions move a matrix to one that lies differently, and how many `combine` there are: recomputed when read.

namespace {

using namespace tile;

bool isPlain(const std::string &name) {
  if (name.empty() || isReserved(name)) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return true;
}

std::string quote(const std::string &name) {
  if (isPlain(name)) return name;
  std::string text = "`";
  for (const char c : name) {
    if (c == '`' || c == '\\') text += '\\';
    text += c;
  }
  return text + "`";
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

class Writer {
public:
  std::string write(const TileProgram &program);

private:
  void line(const std::string &text) { out += std::string(2 * depth, ' ') + text + "\n"; }
  template <class F> void nested(const std::string &head, const std::string &tail, F inside) {
    line(head);
    ++depth;
    inside();
    --depth;
    line(tail);
  }
  std::string list(const std::vector<Expr> &items) const;
  std::string literal(const Expr &e) const;
  std::string primary(const Expr &e, Type &implied) const;
  std::string expr(const Expr &e, int strength) const;
  std::string expr(const Expr &e) const { return expr(e, Weakest); }
  std::string dims(const std::vector<PointDim> &dims) const;
  std::string range(const Expr &first, const Expr &limit) const { return "[" + expr(first) + ", " + expr(limit) + ")"; }
  void array(const TileArray &a);
  void block(const TileBlock &nodes);
  void node(const TileAssign &a);
  void node(const TileNote &n) { line("# " + escape(n.text)); }
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p);
  void node(const std::shared_ptr<const TileAsync> &a);
  void node(const TileSync &s) { line(std::string(wordOf(s.kind)) + " " + quote(s.name)); }
  void points(const std::string &prefix, const TilePoints &p);
  [[nodiscard]] std::string lets(const std::vector<std::pair<std::string, Expr>> &names) const;
  std::string order(const TicketOrder &o) const;
  [[nodiscard]] static std::string converted(const Kernel &k);
  void role(const TileRole &r);

  std::string out;
  std::size_t depth = 0;
  TypeScope scope;
};

std::string Writer::list(const std::vector<Expr> &items) const {
  std::string text;
  for (const Expr &item : items) text += (text.empty() ? "" : ", ") + expr(item);
  return text;
}

std::string Writer::literal(const Expr &e) const {
  const std::string type(wordOf(e.type()));
  const std::string sign = std::signbit(e->real) ? "-" : "";
  if (std::isnan(e->real)) return sign + "nan:" + type;
  if (std::isinf(e->real)) return sign + "inf:" + type;
  return digits(e->real) + type;
}

std::string Writer::primary(const Expr &e, Type &implied) const {
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

std::string Writer::expr(const Expr &e, int strength) const {
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

std::string Writer::dims(const std::vector<PointDim> &dims) const {
  std::string text;
  for (const PointDim &d : dims) {
    text += text.empty() ? "" : ", ";
    text += quote(d.variable) + " in " + range(d.first, d.limit) + " " + std::string(wordOf(d.kind));
  }
  return text;
}

void Writer::array(const TileArray &a) {
  std::string text = std::string(wordOf(a.space)) + " " + quote(a.name) + " : " + std::string(wordOf(a.type));
  if (!a.extents.empty()) text += "[" + list(a.extents) + "]";
  if (a.layout) text += " " + show(a.layout);
  const std::string ring = a.ring == 1 ? "" : " ring " + std::to_string(a.ring);
  const std::string used = a.used.empty() ? "" : " used [" + list(a.used) + "]";
  line(text + (a.flat ? " flat" : "") + (a.written ? " written" : "") + ring + used);
}

void Writer::block(const TileBlock &nodes) {
  for (const TileNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

void Writer::node(const TileAssign &a) {
  std::string text = quote(a.target.array);
  if (!a.target.subscripts.empty()) text += "[" + list(a.target.subscripts) + "]";
  text += " " + std::string(wordOf(a.update)) + " " + expr(a.value);
  line(a.where ? text + " where " + expr(a.where) : text);
}

void Writer::node(const std::shared_ptr<const TileLoop> &l) {
  const std::string unroll = l->kind == TileLoop::Kind::Unroll ? " unroll" : "";
  nested("for " + quote(l->variable) + " in " + range(l->first, l->limit) + " step " + std::to_string(l->step) +
             unroll + " {",
         "}", [&] { block(l->body); });
}

void Writer::node(const std::shared_ptr<const TileBranch> &b) {
  nested("if (" + expr(b->condition) + ") {", b->otherwise.empty() ? "}" : "} else {", [&] { block(b->then); });
  if (b->otherwise.empty()) return;
  ++depth;
  block(b->otherwise);
  --depth;
  line("}");
}

void Writer::points(const std::string &prefix, const TilePoints &p) {
  nested(prefix + "points (" + dims(p.dims) + ") {", "}", [&] {
    for (const TileAssign &a : p.body) node(a);
  });
}

void Writer::node(const std::shared_ptr<const TilePoints> &p) { points("", *p); }

void Writer::node(const std::shared_ptr<const TileAsync> &a) {
  points(std::string(wordOf(a->kind)) + (a->name.empty() ? " " : " " + quote(a->name) + " "), a->points);
}

std::string Writer::lets(const std::vector<std::pair<std::string, Expr>> &names) const {
  std::string text;
  for (const auto &[name, value] : names) text += " let " + quote(name) + " = " + expr(value);
  return text;
}

std::string Writer::order(const TicketOrder &o) const {
  return " order " + quote(o.ticket) + " in " + range(Expr::integer(0), o.count) + lets(o.lets) + " -> (" + list(o.at) +
         ")";
}

std::string Writer::converted(const Kernel &k) {
  const bool laidOut = std::any_of(k.tiles.begin(), k.tiles.end(), [](const TileArray &t) { return bool(t.layout); });
  return laidOut ? " conversions " + std::to_string(conversions(k).size()) : "";
}

void Writer::role(const TileRole &r) {
  const std::string registers = r.registers == 0 ? "" : " registers " + std::to_string(r.registers);
  nested("role " + quote(r.name) + " groups " + std::to_string(r.groups) + registers + " {", "}",
         [&] { block(r.body); });
}

std::string Writer::write(const TileProgram &program) {
  line("program " + quote(program.function) +
       (program.returns ? " returns " + std::string(wordOf(*program.returns)) : std::string()));
  std::string sizes;
  for (const std::string &size : program.sizes) sizes += (sizes.empty() ? "size " : ", ") + quote(size);
  if (!sizes.empty()) line(sizes);
  if (program.given) line("given " + expr(program.given));
  for (const auto &[name, type] : program.scalars) {
    scope.declareScalar(name, type);
    line("scalar " + quote(name) + " : " + std::string(wordOf(type)));
  }
  for (const TileArray &a : program.arrays) {
    scope.declare(a);
    array(a);
  }
  const TypeScope outer = scope;
  for (const Kernel &k : program.kernels) {
    scope = outer;
    nested("kernel " + quote(k.name) + " grid (" + dims(k.grid) + ")" + (k.order ? order(*k.order) : "") +
               lets(k.lets) + (k.when ? " when " + expr(k.when) : "") +
               (k.fallback.empty() ? "" : " fallback " + quote(k.fallback)) +
               (k.atom.empty() ? "" : " atom " + quote(k.atom)) + converted(k) + " {",
           "}", [&] {
             for (const TileArray &a : k.tiles) {
               scope.declare(a);
               array(a);
             }
             block(k.body);
             for (const TileRole &r : k.roles) role(r);
           });
  }
  return out;
}

} // namespace

std::string writeText(const TileProgram &program) { return Writer().write(program); }

} // namespace polymend
