// DeviceProgram -> text. Note [grammar] below is what the language has beyond that of tile programs
// (src/tile/ir/write.cpp); read.cpp reads it back to an equal program. A function a rule of the grammar.
#include "words.h"

#include "tile/text_writer.h"
#include "tile/words.h"

namespace polymend {

// note [grammar]
//   program   := 'device' NAME ['returns' TYPE] (size | given | scalar | array)* entry kernel*
//   entry     := 'entry' ['estimate' expr 'times' INT] '{' test* '}'
//   test      := 'given' | ('extents' | 'elements') NAME NAME
//   kernel    := 'kernel' NAME 'grid' '(' [dim (',' dim)*] ')' sharing '{' tile* node* '}'
//   sharing   := 'alone' | ('static' | 'guided' | 'dynamic') ('collapsed' | 'outermost' | 'listed') ['turn' expr]
//   tile      := array 'on' ('stack' | 'heap' | 'point' | 'assignment')
//   node      := note | let | assign | for | if | fold | multiply | transpose
//   let       := 'let' NAME '=' expr
//   assign    := ['new'] ['fused'] (the assignment of a tile program)    'new': it declares its target's tile
//   for       := 'for' NAME 'in' range 'step' INT ['unroll' | 'vector'] '{' node* '}'
//   if        := 'if' '(' expr ')' '{' node* '}' ['else' '{' node* '}']
//   fold      := 'fold' TYPE '(' dim ')' '{' assign '}'
//   multiply  := 'multiply' TYPE ('columns' | 'sums' | 'single') '(' dim ',' dim ',' dim ')'
//                '{' ref '+=' expr 'by' expr '}'              row, column, sum; the row's factor by the column's
//   transpose := 'transpose' '(' dim ',' dim ')' '{' ref '=' expr '}'
// size, given, scalar, array, note, dim, range, ref and expr are those of tile programs. A test says when the source's
// own function runs, and so does less work than `times` times what threads are worth. TYPE after 'fold' is the one that
// parts are kept in, after 'multiply' that of the product.

namespace {

using namespace tile;
using namespace device_room;

class Writer : public TextWriter {
public:
  std::string write(const DeviceProgram &program);

private:
  void entry(const DeviceEntry &e);
  void kernel(const DeviceKernel &k);
  [[nodiscard]] std::string sharing(const DeviceSharing &s) const;
  void block(const DeviceBlock &nodes);
  void node(const TileNote &n) { line(note(n)); }
  void node(const DeviceLet &l);
  void node(const DeviceAssign &a) {
    line(std::string(a.declares ? "new " : "") + (a.fused ? "fused " : "") + assign(a.what));
  }
  void node(const DeviceFold &f);
  void node(const DeviceMultiply &m);
  void node(const DeviceTranspose &t);
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
};

void Writer::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

void Writer::node(const DeviceLet &l) {
  line("let " + quote(l.name) + " = " + expr(l.value));
  scope.declareScalar(l.name, l.value.type());
}

void Writer::node(const DeviceFold &f) {
  nested("fold " + std::string(tile::wordOf(f.carrier)) + " (" + dim(f.along) + ") {", "}",
         [&] { line(assign(f.what)); });
}

void Writer::node(const DeviceMultiply &m) {
  const std::string how = std::string(tile::wordOf(m.type)) + " " + std::string(device_room::wordOf(walks, m.walk));
  nested("multiply " + how + " (" + dims({m.row, m.column, m.sum}) + ") {", "}",
         [&] { line(ref(m.target) + " += " + expr(m.rowFactor) + " by " + expr(m.columnFactor)); });
}

void Writer::node(const DeviceTranspose &t) {
  nested("transpose (" + dims({t.row, t.column}) + ") {", "}", [&] { line(ref(t.target) + " = " + expr(t.source)); });
}

void Writer::node(const std::shared_ptr<const DeviceLoop> &l) {
  const std::string kind(device_room::wordOf(loopKinds, l->kind));
  nested("for " + quote(l->variable) + " in " + range(l->first, l->limit) + " step " + std::to_string(l->step) +
             (kind.empty() ? "" : " " + kind) + " {",
         "}", [&] { block(l->body); });
}

void Writer::node(const std::shared_ptr<const DeviceBranch> &b) {
  choice(*b, [&](const DeviceBlock &side) { block(side); });
}

void Writer::entry(const DeviceEntry &e) {
  const std::string least = e.work ? " estimate " + expr(e.work) + " times " + std::to_string(e.times) : "";
  if (e.tests.empty()) return line("entry" + least + " {}");
  nested("entry" + least + " {", "}", [&] {
    for (const EntryTest &t : e.tests) {
      const std::string word(device_room::wordOf(tests, t.kind));
      line(t.kind == EntryTest::Kind::Given ? word : word + " " + quote(t.a) + " " + quote(t.b));
    }
  });
}

std::string Writer::sharing(const DeviceSharing &s) const {
  std::string order(device_room::wordOf(orders, s.order));
  if (s.order == DeviceSharing::Order::Alone) return order;
  return order + " " + std::string(device_room::wordOf(forms, s.form)) + (s.turn ? " turn " + expr(s.turn) : "");
}

void Writer::kernel(const DeviceKernel &k) {
  nested("kernel " + quote(k.name) + " grid (" + dims(k.grid) + ") " + sharing(k.sharing) + " {", "}", [&] {
    for (const DeviceTile &t : k.tiles) {
      scope.declare(t.array);
      line(array(t.array) + " on " + std::string(device_room::wordOf(places, t.place)));
    }
    block(k.body);
  });
}

std::string Writer::write(const DeviceProgram &program) {
  line("device " + quote(program.function) +
       (program.returns ? " returns " + std::string(tile::wordOf(*program.returns)) : std::string()));
  interface(program.sizes, program.given, program.scalars, program.arrays);
  entry(program.entry);
  const TypeScope outer = scope;
  for (const DeviceKernel &k : program.kernels) {
    scope = outer;
    kernel(k);
  }
  return out;
}

} // namespace

std::string writeText(const DeviceProgram &program) { return Writer().write(program); }

} // namespace polymend
