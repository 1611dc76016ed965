// What kernels on matrix units have besides: the rules from 'units' on of note [grammar] (write.cpp).
#include "writer.h"

namespace polymend::device_room {

using namespace tile;

namespace {

template <class Names> std::string namesOf(const std::string &word, const Names &names) {
  if (names.empty()) return "";
  return " " + word + " " + listed(names, [](const std::string &name) { return quote(name); });
}

/// In how many dimensions, and the extents.
std::string boxOf(const DeviceChannel &c) {
  std::string text = c.box.empty() ? "" : " box " + std::to_string(c.box.size());
  for (const std::int64_t extent : c.box) text += " " + std::to_string(extent);
  return text;
}

std::string counted(const std::string &word, std::int64_t count) { return " " + word + " " + std::to_string(count); }

} // namespace

void TextOfDevice::node(const DeviceFill &f) {
  line("fill " + quote(f.channel) + " [" + list(f.first) + "]" + (f.rows ? " rows " + expr(f.rows) : ""));
}

void TextOfDevice::node(const DeviceIssue &i) {
  nested("issue " + quote(i.name) + (i.fresh ? " fresh" : "") + " (" + dims({i.row, i.column, i.sum}) + ") {", "}",
         [&] { line(ref(i.target) + " += " + ref(i.left) + " by " + ref(i.right)); });
}

void TextOfDevice::node(const DeviceAwait &a) {
  line("await " + quote(a.name) + counted("pending", a.pending) + namesOf("before", a.before) +
       namesOf("after", a.after));
}

void TextOfDevice::node(const DeviceVote &v) {
  line("vote " + quote(v.name) + " (" + dim(v.row) + ") " + expr(v.condition));
  scope.declareScalar(v.name, Type::Bool);
}

void TextOfDevice::node(const DeviceRegisters &r) {
  const TypeScope outside = scope;
  const std::string vote = r.vote.empty() ? "" : " vote " + quote(r.vote) + (r.everywhere ? " everywhere" : "");
  std::vector<PointDim> box{r.row};
  if (r.column) box.push_back(*r.column);
  nested("registers " + std::string(device_room::wordOf(registerForms, r.form)) + " (" + dims(box) + ")" + vote +
             (r.open ? " open" : "") + " {",
         "}", [&] {
           for (const DeviceRowValue &v : r.before) {
             line("value " + quote(v.name) + " = " + expr(v.value) + (v.once ? " once" : ""));
             scope.declareScalar(v.name, v.value.type());
           }
           for (const auto &[name, read] : r.reads) {
             line("read " + quote(name) + " = " + expr(read));
             scope.declareScalar(name, read.type());
           }
           for (const DeviceDivision &d : r.divisions) {
             line("division " + quote(d.quotient) + " = " + expr(Expr::real(d.numerator, Type::Float64)) + " by " +
                  expr(d.denominator));
             scope.declareScalar(d.quotient, d.denominator.type());
           }
           if (r.each) line("each " + expr(r.each));
           if (r.ends) line("ends " + expr(r.ends));
           line(assign(r.what));
           if (!r.outer) return;
           scope.declareScalar(resultOfRow, scope.ofArray(r.what.target.array));
           line("outer " + expr(r.outer));
         });
  scope = outside;
}

void TextOfDevice::node(const std::shared_ptr<const DeviceShares> &s) {
  const std::string tiles =
      listed(s->tiles, [](const DeviceShares::Tile &t) { return quote(t.name) + (t.turned ? " turned" : ""); });
  nested("shares " + tiles + counted("columns", s->columns) + " {", "}", [&] { block(s->body); });
}

void TextOfDevice::channel(const DeviceChannel &c) {
  scope.declare(c.tile);
  line("channel " + array(c.tile) + " from " + quote(c.source) +
       counted("rows", static_cast<std::int64_t>(c.rowsAlong)) + counted("at", c.offset) +
       counted("barrier", c.barriers) + counted("by", c.copier) + (c.joined ? " joined" : "") +
       (c.run > 0 ? counted("runs", c.run) : "") + (c.step > 1 ? counted("steps", c.step) : "") + boxOf(c));
}

void TextOfDevice::roles(const DeviceKernel &k) {
  const DeviceRoles &r = *k.roles;
  std::string head = "kernel " + quote(k.name) + " grid (" + dims(k.grid) + ") units " + quote(r.atom.name) +
                     counted("of", r.threads) + counted("groups", r.groups) + counted("registers", r.copying) + " " +
                     std::to_string(r.computing) + counted("copiers", r.copiers) + counted("of", r.copierWarps) +
                     counted("draws", r.drawing) + counted("bytes", r.bytes) + counted("barriers", r.barriers) +
                     order(r.order) + lets(r.lets);
  if (!k.fallback.empty())
    head += " fallback " + quote(k.fallback) + " " + std::string(device_room::wordOf(markPlaces, r.marks));
  if (!r.again.empty())
    head += " again " + listed(r.again, [&](const DevicePoints &p) {
              return quote(p.coordinate) + " " + std::to_string(p.count) + (p.limit ? " below " + expr(p.limit) : "");
            });
  head += namesOf("aligned", r.aligned) + (r.rows ? " rows " + expr(r.rows) : "");
  if (!k.launch.empty()) head += " behind " + quote(k.launch);
  nested(head + " {", "}", [&] {
    for (const DeviceChannel &c : r.channels) channel(c);
    for (const TileArray &tile : r.tiles) {
      scope.declare(tile);
      line(array(tile));
    }
    nested("copies {", "}", [&] { block(r.copies); });
    nested("computes {", "}", [&] { block(r.computes); });
  });
}

} // namespace polymend::device_room
