// DeviceProgram -> text. Note [grammar] below is what the language has beyond that of tile programs
// (src/tile/ir/write.cpp); read.cpp reads it back to an equal program. A function a rule of the grammar.
#include "writer.h"

namespace polymend {

// note [grammar]
//   program   := 'device' NAME ['returns' TYPE] (size | given | scalar | array)* [entry] [queue] step* kernel*
//   entry     := 'entry' ['declared' names] ['estimate' expr 'times' expr]
//                ['little' names 'below' INTEGER 'of' INTEGER] ['source' NAME] '{' test* '}'   NAME: why nothing else
//   test      := 'given' | ('falls' | 'unknown' | 'numbers') NAME | ('extents' | 'elements' | 'together') NAME NAME
//   queue     := 'queue' '{' test* ['runs' expr] ['asked' '{' test* '}'] copy* '}'
//                ['inorder' '{' array* tile* node* '}']
//   copy      := 'copy' NAME ['of' expr] ['filled' expr] ['back']
//   kernel    := 'kernel' NAME 'grid' dims ((sharing | team) [reach] '{' tile* node* '}' [arrival]
//                                           | units '{' channel* array* 'copies' block 'computes' block '}')
//   reach     := 'reach' expr ['wide' names]
//   sharing   := ('alone' | ('static' | 'guided' | 'dynamic') ('collapsed' | 'outermost' | 'listed') ['turn' expr])
//                ['copied' names]
//   team      := ('thread' | 'block' | 'group' | 'launch') 'of' INT 'box' '(' range* ')' 'bytes' INT ['fours' INT]
//                ['keeps' names] ['window'] ['length' expr] ['row' expr ['neighbours'] [segments]] ['terms' expr]
//                ['spread'] ['backwards'] ['residents' INT] ['beside' ['apart']] ['fallback' NAME] ['called' ['whole']]
//   segments  := 'begin' expr 'element' expr ['staged']               of rows that follow one another, over an element
//   units     := 'units' NAME 'of' INT 'groups' INT 'registers' INT INT 'copiers' INT 'of' INT 'draws' INT 'bytes' INT
//                'barriers' INT order let* ['fallback' NAME ('nowhere' | 'never' | 'word' | 'chain')]
//                ['again' '(' (NAME INT ['below' expr])* ')'] ['aligned' names] ['rows' expr] ['behind' NAME]
//   channel   := 'channel' array 'from' NAME 'rows' INT 'at' INT 'barrier' INT 'by' INT ['joined'] ['runs' INT]
//                ['steps' INT] ['box' INT INT*]                            how many dimensions, and the extents
//   arrival   := 'arrival' NAME 'grid' dims 'of' INT '{' tile* node* '}'
//   tile      := array 'on' ('stack' | 'heap' | 'point' | 'assignment' | 'held' | 'owned' | 'slice' |
//                            'shared' INT '(' INT* ')')                              the byte; extents with padding
//   step      := 'step' ['when' expr] '{' ('memory' array)* node* '}' ['marks' NAME '{' node* '}']
//   node      := note | let | assign | for | if | fold | multiply | transpose | deal | one | 'barrier' | ahead | launch
//                | fill | issue | await | ('take' | 'give' | 'combine') NAME ['meets'] | vote | shares | registers
//   let       := 'let' NAME '=' expr
//   assign    := ['new'] ['fused'] (the assignment of a tile program)    'new': it declares its target's tile
//   for       := 'for' NAME 'in' range 'step' INT ['unroll' | 'vector' | 'shared'] ['while' expr] '{' node* '}'
//   if        := 'if' '(' expr ')' '{' node* '}' ['else' '{' node* '}']
//   fold      := 'fold' TYPE '(' dim ')' '{' assign '}'
//   multiply  := 'multiply' TYPE ('columns' | 'sums' | 'single') '(' dim ',' dim ',' dim ')'
//                '{' ref '+=' expr 'by' expr '}'              row, column, sum; the row's factor by the column's
//   transpose := 'transpose' '(' dim ',' dim ')' '{' ref '=' expr '}'
//   deal      := 'deal' form dims 'by' '(' share* ')' ('crossed' | 'aside' | 'ahead' | 'any' | 'eager' |
//                'stays' | 'rows' INT)*
//                '{' part* (['fused'] the assignment of a tile program)* '}'
//   form      := 'each' | 'lanes' INT NAME | 'whole' NAME | 'blocked' | 'fours' INT             NAME: the shared one
//   share     := NAME (INT 'from' INT | 'over' range) ['first'] ['limit' ['as' expr]]   the bound asked of each point
//   part      := 'stream' expr ['kept'] ['window' expr] | 'early' expr | 'loaded' expr NAME
//                | 'product' NAME NAME NAME expr ['vector'] 'by' expr ['vector']
//   one       := 'one' '{' node* '}'
//   ahead     := 'ahead' dims 'limit' expr '{' (expr NAME)* '}'
//   launch    := 'launch' INT                                                                 the number of a kernel
//   fill      := 'fill' NAME '[' expr (',' expr)* ']' ['rows' expr]             the first element's subscripts; how
//                                                                               many rows are filled
//   issue     := 'issue' NAME ['fresh'] '(' dim ',' dim ',' dim ')' '{' ref '+=' ref 'by' ref '}'  row, column, sum
//   await     := 'await' NAME 'pending' INT ['before' names] ['after' names]
//   vote      := 'vote' NAME '(' dim ')' expr
//   shares    := 'shares' '(' (NAME ['turned'])* ')' 'columns' INT '{' node* '}'
//   registers := 'registers' ('row' | 'element' | 'fours' | 'moved' | 'reduced' | 'stored' | 'words') dims
//                ['vote' NAME ['everywhere']] ['open'] '{' value* read* division* ['each' expr] ['ends' expr]
//                (the assignment of a tile program) ['outer' expr] '}'
//   value     := 'value' NAME '=' expr ['once']                                  the same along a row
//   read      := 'read' NAME '=' expr                                            of an element, more than once
//   division  := 'division' NAME '=' REAL 'by' expr
//   block     := '{' node* '}'
//   names     := '(' NAME* ')'
// size, given, scalar, array, order, let (of units), note, dims, dim, range, ref and expr are those of tile programs. A
// test says when the source's own function runs, and so does less work than `times` times what threads are worth. TYPE
// after 'fold' is the one that parts are kept in, after 'multiply' that of the product.

namespace device_room {

using namespace tile;

void TextOfDevice::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

void TextOfDevice::node(const DeviceLet &l) {
  line("let " + quote(l.name) + " = " + expr(l.value));
  scope.declareScalar(l.name, l.value.type());
}

void TextOfDevice::node(const DeviceFold &f) {
  nested("fold " + std::string(tile::wordOf(f.carrier)) + " (" + dim(f.along) + ") {", "}",
         [&] { line(assign(f.what)); });
}

void TextOfDevice::node(const DeviceMultiply &m) {
  const std::string how = std::string(tile::wordOf(m.type)) + " " + std::string(device_room::wordOf(walks, m.walk));
  nested("multiply " + how + " (" + dims({m.row, m.column, m.sum}) + ") {", "}",
         [&] { line(ref(m.target) + " += " + expr(m.rowFactor) + " by " + expr(m.columnFactor)); });
}

void TextOfDevice::node(const DeviceTranspose &t) {
  nested("transpose (" + dims({t.row, t.column}) + ") {", "}", [&] { line(ref(t.target) + " = " + expr(t.source)); });
}

void TextOfDevice::node(const std::shared_ptr<const DeviceLoop> &l) {
  const std::string kind(device_room::wordOf(loopKinds, l->kind));
  nested("for " + quote(l->variable) + " in " + range(l->first, l->limit) + " step " + std::to_string(l->step) +
             (kind.empty() ? "" : " " + kind) + (l->goesOn ? " while " + expr(l->goesOn) : "") + " {",
         "}", [&] { block(l->body); });
}

void TextOfDevice::node(const std::shared_ptr<const DeviceBranch> &b) {
  choice(*b, [&](const DeviceBlock &side) { block(side); });
}

std::string TextOfDevice::form(const DeviceDeal &d) const {
  std::string text(device_room::wordOf(dealForms, d.form));
  if (d.form == DeviceDeal::Form::Lanes) text += " " + std::to_string(d.lanes);
  if (d.form == DeviceDeal::Form::Fours) text += " " + std::to_string(d.fours);
  if (d.form == DeviceDeal::Form::Lanes || d.form == DeviceDeal::Form::Whole)
    text += " " + quote(d.points.dims[d.split].variable);
  return text;
}

std::string TextOfDevice::share(const DealtDim &d, const DeviceDeal &deal) const {
  return quote(deal.points.dims[d.dim].variable) +
         (deal.fixed ? " " + std::to_string(d.size) + " from " + std::to_string(d.low)
                     : " over " + range(d.first, d.limit)) +
         (d.checkFirst ? " first" : "") + (d.checkLimit ? " limit" : "") + (d.asked ? " as " + expr(d.asked) : "");
}

void TextOfDevice::node(const std::shared_ptr<const DeviceDeal> &d) {
  std::string head = "deal " + form(*d) + " (" + dims(d->points.dims) + ") by " +
                     listed(d->dealt, [&](const DealtDim &dealt) { return share(dealt, *d); });
  head += std::string(d->crossed ? " crossed" : "") + (d->aside ? " aside" : "") + (d->ahead ? " ahead" : "") +
          (d->any ? " any" : "") + (d->eager ? " eager" : "") + (d->stays ? " stays" : "") +
          (d->rows > 1 ? " rows " + std::to_string(d->rows) : "");
  nested(head + " {", "}", [&] {
    for (const DeviceStream &s : d->streams)
      line("stream " + expr(Expr::read(s.array, s.subscripts, scope.ofArray(s.array))) + (s.kept ? " kept" : "") +
           (s.window ? " window " + expr(s.left) : ""));
    for (const Expr &read : d->early) line("early " + expr(read));
    for (const auto &[read, name] : d->loaded) line("loaded " + expr(read) + " " + quote(name));
    if (d->form == DeviceDeal::Form::Blocked)
      line("product " + quote(d->points.dims[d->row].variable) + " " + quote(d->points.dims[d->column].variable) + " " +
           quote(d->points.dims[d->sum].variable) + " " + expr(d->rowFactor) + (d->rowInFours ? " vector" : "") +
           " by " + expr(d->columnFactor) + (d->columnInFours ? " vector" : ""));
    for (std::size_t k = 0; k < d->points.body.size(); ++k)
      line((d->fused.contains(k) ? "fused " : "") + assign(d->points.body[k]));
  });
}

void TextOfDevice::node(const DeviceReadAhead &r) {
  const std::string own = r.own ? dim(*r.own) : "";
  nested("ahead (" + own + ") limit " + expr(r.limit) + " {", "}", [&] {
    for (const auto &[read, name] : r.reads) line(expr(read) + " " + quote(name));
  });
}

std::string TextOfDevice::sharing(const DeviceSharing &s) const {
  std::string text(device_room::wordOf(orders, s.order));
  if (s.order != DeviceSharing::Order::Alone)
    text += " " + std::string(device_room::wordOf(forms, s.form)) + (s.turn ? " turn " + expr(s.turn) : "");
  if (!s.copied.empty()) text += " copied " + listed(s.copied, [](const std::string &name) { return quote(name); });
  return text;
}

std::string TextOfDevice::team(const DeviceKernel &k) const {
  const DeviceTeam &t = *k.team;
  std::string text = std::string(device_room::wordOf(teams, t.kind)) + " of " + std::to_string(t.threads) + " box " +
                     listed(t.box, [&](const auto &side) { return range(side.first, side.second); }) + " bytes " +
                     std::to_string(t.sharedBytes);
  if (t.kind == DeviceTeam::Kind::Group) text += " fours " + std::to_string(t.fours);
  if (!t.kept.empty()) text += " keeps " + listed(t.kept, [](const std::string &array) { return quote(array); });
  if (t.window) text += " window";
  if (t.length) text += " length " + expr(t.length);
  if (t.row) text += " row " + expr(t.row);
  if (t.neighbours) text += " neighbours";
  if (t.begin) text += " begin " + expr(t.begin) + " element " + expr(t.element) + (t.staged ? " staged" : "");
  if (t.terms) text += " terms " + expr(t.terms);
  if (t.spread) text += " spread";
  if (t.backwards) text += " backwards";
  if (t.residents > 0) text += " residents " + std::to_string(t.residents);
  if (t.beside) text += t.apart ? " beside apart" : " beside";
  if (!k.fallback.empty()) text += " fallback " + quote(k.fallback);
  if (k.isCalled) text += k.byWholeBlocks ? " called whole" : " called";
  return text;
}

void TextOfDevice::tiles(const std::vector<DeviceTile> &tiles) {
  for (const DeviceTile &t : tiles) {
    scope.declare(t.array);
    std::string where(device_room::wordOf(places, t.place));
    if (t.place == DeviceTile::Place::Shared)
      where += " " + std::to_string(t.offset) + " " +
               listed(t.padded, [](std::int64_t extent) { return std::to_string(extent); });
    line(array(t.array) + " on " + where);
  }
}

void TextOfDevice::kernel(const DeviceKernel &k) {
  if (k.roles) return roles(k);
  const std::string wide =
      k.wide.empty() ? "" : " wide " + listed(k.wide, [](const std::string &name) { return quote(name); });
  const std::string reach = k.reach ? " reach " + expr(k.reach) + wide : "";
  nested("kernel " + quote(k.name) + " grid (" + dims(k.grid) + ") " + (k.team ? team(k) : sharing(k.sharing)) + reach +
             " {",
         "}", [&] {
           tiles(k.tiles);
           block(k.body);
         });
  if (!k.arrival) return;
  nested("arrival " + quote(k.arrival->name) + " grid (" + dims(k.arrival->grid) + ") of " +
             std::to_string(k.arrival->count) + " {",
         "}", [&] {
           tiles(k.arrival->tiles);
           block(k.arrival->body);
         });
}

void TextOfDevice::step(const DeviceStep &s) {
  nested(s.when ? "step when " + expr(s.when) + " {" : "step {", "}", [&] {
    for (const TileArray &a : s.work) {
      scope.declare(a);
      line("memory " + array(a));
    }
    block(s.host);
  });
  if (!s.marks.empty()) nested("marks " + quote(s.marks) + " {", "}", [&] { block(s.unmarked); });
}

std::string TextOfDevice::write(const DeviceProgram &program) {
  line("device " + quote(program.function) +
       (program.returns ? " returns " + std::string(tile::wordOf(*program.returns)) : std::string()));
  interface(program.sizes, program.given, program.scalars, program.arrays);
  const TypeScope outer = scope;
  if (program.steps.empty() || program.queue) entry(program.entry, program.declared);
  if (program.queue) queue(*program.queue);
  scope = outer;
  for (const DeviceStep &s : program.steps) step(s);
  const TypeScope inSteps = scope;
  for (const DeviceKernel &k : program.kernels) {
    scope = inSteps;
    kernel(k);
  }
  return out;
}

} // namespace device_room

std::string writeText(const DeviceProgram &program) { return device_room::TextOfDevice().write(program); }

} // namespace polymend
