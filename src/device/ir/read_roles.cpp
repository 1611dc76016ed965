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

DeviceNode DeviceReader::registers() {
  DeviceRegisters r;
  take();
  r.points.dims = dims();
  expectMark("{");
  while (!failed() && !acceptMark("}")) r.points.body.push_back(assign());
  return r;
}

/// A statement that only kernels on matrix units have.
std::optional<DeviceNode> DeviceReader::ofRoles() {
  if (begins("fill")) return fill();
  if (begins("issue")) return issue();
  if (begins("await")) return await();
  if (begins("registers")) return registers();
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
  if (acceptWord("reported"))
    for (const std::string &tile : names()) r.reported.insert(tile);
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
