// TileProgram -> text. Note [grammar] below is the whole language; src/tile/read.cpp reads it back to an equal program.
// A function a rule of the grammar, which heads it, hence one file.
#include "tile/conversions.h"
#include "tile/text_writer.h"
#include "tile/words.h"

#include <algorithm>

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
//   order   := 'order' NAME 'in' range [runs] let* '->' '(' [expr (',' expr)*] ')'   the range begins at 0
//   runs    := 'of' NAME 'in' range 'of' NAME 'in' range                       tiles of runs; the ranges begin at 0
//   let     := 'let' NAME '=' expr
//   role    := 'role' NAME 'groups' INT ['registers' INT] '{' node* '}'
//   dim     := NAME 'in' range ('parallel' | 'reduced' | 'serial')
//   range   := '[' expr ',' expr ')'
//   node    := assign | note | for | points | if | async | sync
//   note    := '#' text to the end of the line; \n, \r and \\ stand for what they stand for in C
//   for     := 'for' NAME 'in' range 'step' INT ['unroll' | 'shared'] '{' node* '}'
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

class Writer : public TextWriter {
public:
  std::string write(const TileProgram &program);

private:
  void block(const TileBlock &nodes);
  void node(const TileAssign &a) { line(assign(a)); }
  void node(const TileNote &n) { line(note(n)); }
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p);
  void node(const std::shared_ptr<const TileAsync> &a);
  void node(const TileSync &s) { line(std::string(wordOf(s.kind)) + " " + quote(s.name)); }
  void points(const std::string &prefix, const TilePoints &p);
  [[nodiscard]] static std::string converted(const Kernel &k);
  void role(const TileRole &r);
};

void Writer::block(const TileBlock &nodes) {
  for (const TileNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

void Writer::node(const std::shared_ptr<const TileLoop> &l) {
  const std::string unroll = l->kind == TileLoop::Kind::Unroll   ? " unroll"
                             : l->kind == TileLoop::Kind::Shared ? " shared"
                                                                 : "";
  nested("for " + quote(l->variable) + " in " + range(l->first, l->limit) + " step " + std::to_string(l->step) +
             unroll + " {",
         "}", [&] { block(l->body); });
}

void Writer::node(const std::shared_ptr<const TileBranch> &b) {
  choice(*b, [&](const TileBlock &side) { block(side); });
}

void Writer::points(const std::string &prefix, const TilePoints &p) {
  nested(prefix + "points (" + dims(p.dims) + ") {", "}", [&] {
    for (const TileAssign &a : p.body) line(assign(a));
  });
}

void Writer::node(const std::shared_ptr<const TilePoints> &p) { points("", *p); }

void Writer::node(const std::shared_ptr<const TileAsync> &a) {
  points(std::string(wordOf(a->kind)) + (a->name.empty() ? " " : " " + quote(a->name) + " "), a->points);
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
  interface(program.sizes, program.given, program.scalars, program.arrays);
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
               line(array(a));
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
