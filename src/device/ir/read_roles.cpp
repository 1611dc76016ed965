// What kernels on matrix units have besides: the rules from 'units' on of note [grammar] (write.cpp).
#include "reader.h"

#include "polymend/atoms.h"

namespace polymend::device_room {

using namespace tile;

DeviceNode DeviceReader::fill() {
  DeviceFill f;
  take();
  f.channel = name();
  expectMark("[");
  f.first = list("]");
  if (acceptWord("rows")) f.rows = expr();
  return f;
}

DeviceNode DeviceReader::issue() {
  DeviceIssue i;
  take();
  i.name = name();
  i.fresh = acceptWord("fresh");
  const std::vector<PointDim> box = dims();
  if (box.size() != 3) fail("a product has three dimensions");
  if (failed()) return i;
  i.row = box[0];
  i.column = box[1];
  i.sum = box[2];
  expectMark("{");
  i.target = ref();
  expectMark("+=");
  i.left = ref();
  expectWord("by");
  i.right = ref();
  expectMark("}");
  return i;
}

DeviceNode DeviceReader::await() {
  DeviceAwait a;
  take();
  a.name = name();
  expectWord("pending");
  a.pending = integer();
  if (acceptWord("before")) a.before = names();
  if (acceptWord("after")) a.after = names();
  return a;
}

DeviceNode DeviceReader::vote() {
  DeviceVote v;
  take();
  v.name = name();
  expectMark("(");
  v.row = dim();
  expectMark(")");
  v.condition = expr();
  scope.declareScalar(v.name, Type::Bool);
  return v;
}

DeviceNode DeviceReader::registers() {
  DeviceRegisters r;
  const TypeScope outside = scope;
  take();
  r.form = word(registerForms, DeviceRegisters::Form::Row);
  const std::vector<PointDim> box = dims();
  if (box.empty() || box.size() > 2) fail("registers hold rows and columns");
  if (failed()) return r;
  r.row = box[0];
  if (box.size() == 2) r.column = box[1];
  if (acceptWord("vote")) {
    r.vote = name();
    r.everywhere = acceptWord("everywhere");
  }
  r.open = acceptWord("open");
  expectMark("{");
  const auto named = [&](std::string &name, Expr &value) {
    name = this->name();
    expectMark("=");
    value = expr();
    scope.declareScalar(name, value ? value.type() : Type::Int64);
  };
  while (accept("value")) {
    DeviceRowValue v;
    named(v.name, v.value);
    v.once = acceptWord("once");
    r.before.push_back(v);
  }
  while (accept("read")) {
    auto &[name, value] = r.reads.emplace_back();
    named(name, value);
  }
  while (accept("division")) {
    DeviceDivision d;
    d.quotient = name();
    expectMark("=");
    const Expr numerator = expr();
    if (numerator) d.numerator = numerator->real;
    expectWord("by");
    d.denominator = expr();
    scope.declareScalar(d.quotient, d.denominator ? d.denominator.type() : Type::Float32);
    r.divisions.push_back(d);
  }
  if (acceptWord("each")) r.each = expr();
  if (acceptWord("ends")) r.ends = expr();
  r.what = assign();
  if (acceptWord("outer")) {
    scope.declareScalar(resultOfRow, scope.ofArray(r.what.target.array));
    r.outer = expr();
  }
  expectMark("}");
  scope = outside;
  return r;
}

DeviceNode DeviceReader::shares() {
  auto s = std::make_shared<DeviceShares>();
  take();
  expectMark("(");
  while (!failed() && !acceptMark(")")) {
    s->tiles.push_back({name(), acceptWord("turned")});
    acceptMark(",");
  }
  expectWord("columns");
  s->columns = integer();
  s->body = block();
  return std::shared_ptr<const DeviceShares>(std::move(s));
}

/// A statement that only kernels on matrix units have.
std::optional<DeviceNode> DeviceReader::ofRoles() {
  if (begins("fill")) return fill();
  if (begins("issue")) return issue();
  if (begins("await")) return await();
  if (begins("vote")) return vote();
  if (begins("registers")) return registers();
  if (begins("shares")) return shares();
  if (accept("take")) return DeviceTake{name()};
  if (accept("combine")) return DeviceCombine{name()};
  if (!accept("give")) return std::nullopt;
  DeviceGive g;
  g.channel = name();
  g.meets = acceptWord("meets");
  return g;
}

DeviceChannel DeviceReader::channel() {
  DeviceChannel c;
  c.tile = array();
  expectWord("from");
  c.source = name();
  expectWord("rows");
  c.rowsAlong = static_cast<std::size_t>(count());
  expectWord("at");
  c.offset = integer();
  expectWord("barrier");
  c.barriers = integer();
  expectWord("by");
  c.copier = integer();
  c.joined = acceptWord("joined");
  if (acceptWord("runs")) c.run = count();
  if (acceptWord("steps")) c.step = count();
  if (acceptWord("box")) c.box.resize(static_cast<std::size_t>(count()));
  for (std::int64_t &extent : c.box) extent = count();
  return c;
}

void DeviceReader::roles(DeviceKernel &k) {
  DeviceRoles r;
  expectWord("units");
  const std::string units = name();
  const std::optional<MatrixAtom> atom = atomNamed(units);
  if (!atom) return fail("'" + units + "' is no matrix unit");
  r.atom = *atom;
  const auto counted = [&](const char *word, std::int64_t &value) {
    expectWord(word);
    value = integer();
  };
  counted("of", r.threads);
  counted("groups", r.groups);
  expectWord("registers");
  r.copying = count();
  r.computing = count();
  counted("copiers", r.copiers);
  counted("of", r.copierWarps);
  counted("draws", r.drawing);
  counted("bytes", r.bytes);
  counted("barriers", r.barriers);
  r.order = order();
  r.lets = lets();
  if (acceptWord("fallback")) {
    k.fallback = name();
    r.marks = word(markPlaces, DeviceMarks::Nowhere);
  }
  if (acceptWord("again")) {
    expectMark("(");
    while (!failed() && !acceptMark(")")) {
      DevicePoints p;
      p.coordinate = name();
      p.count = integer();
      if (acceptWord("below")) p.limit = expr();
      r.again.push_back(p);
      acceptMark(",");
    }
  }
  if (acceptWord("aligned")) r.aligned = names();
  if (acceptWord("rows")) r.rows = expr();
  if (acceptWord("behind")) k.launch = name();
  expectMark("{");
  while (!failed() && acceptWord("channel")) r.channels.push_back(channel());
  while (!failed() && atArray()) r.tiles.push_back(array());
  expectWord("copies");
  r.copies = block();
  expectWord("computes");
  r.computes = block();
  expectMark("}");
  k.roles = std::make_shared<const DeviceRoles>(std::move(r));
}

} // namespace polymend::device_room
