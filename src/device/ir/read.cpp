// Text -> DeviceProgram; the grammar is note [grammar] of write.cpp. The first failure is the result, with its line.
#include "reader.h"

namespace polymend {

namespace device_room {

using namespace tile;

bool DeviceReader::begins(std::string_view text) const {
  if (!isWord(text)) return false;
  const Token &next = peek(1);
  const bool updates = next.text == "max" || next.text == "min" || next.text == "fmax" || next.text == "fmin";
  return next.kind == Token::Kind::Quoted || (next.kind == Token::Kind::Word && !updates) || isMark("(", 1);
}

bool DeviceReader::accept(std::string_view text) {
  const bool is = begins(text);
  if (is) take();
  return is;
}

DeviceSharing DeviceReader::sharing() {
  DeviceSharing s;
  s.order = word(orders, DeviceSharing::Order::Alone);
  if (s.order != DeviceSharing::Order::Alone) {
    s.form = word(forms, DeviceSharing::Form::Collapsed);
    if (acceptWord("turn")) s.turn = expr();
  }
  if (acceptWord("copied")) s.copied = names();
  return s;
}

DeviceTeam DeviceReader::team(DeviceKernel &k) {
  DeviceTeam t;
  t.kind = word(teams, DeviceTeam::Kind::Thread);
  expectWord("of");
  t.threads = count();
  expectWord("box");
  expectMark("(");
  while (!failed() && !acceptMark(")")) {
    t.box.emplace_back();
    range(t.box.back().first, t.box.back().second);
    acceptMark(",");
  }
  expectWord("bytes");
  t.sharedBytes = integer();
  if (acceptWord("fours")) t.fours = count();
  if (acceptWord("keeps"))
    for (const std::string &array : names()) t.kept.insert(array);
  t.window = acceptWord("window");
  if (acceptWord("length")) t.length = expr();
  if (acceptWord("row")) t.row = expr();
  t.neighbours = acceptWord("neighbours");
  if (acceptWord("begin")) {
    t.begin = expr();
    expectWord("element");
    t.element = expr();
    t.staged = acceptWord("staged");
  }
  if (acceptWord("terms")) t.terms = expr();
  t.spread = acceptWord("spread");
  t.backwards = acceptWord("backwards");
  if (acceptWord("residents")) t.residents = count();
  t.beside = acceptWord("beside");
  t.apart = t.beside && acceptWord("apart");
  if (acceptWord("fallback")) k.fallback = name();
  k.isCalled = acceptWord("called");
  k.byWholeBlocks = acceptWord("whole");
  return t;
}

std::vector<DeviceTile> DeviceReader::tiles() {
  std::vector<DeviceTile> all;
  while (!failed() && atArray()) {
    DeviceTile t;
    t.array = array();
    expectWord("on");
    t.place = word(places, DeviceTile::Place::Stack);
    if (t.place == DeviceTile::Place::Shared) {
      t.offset = integer();
      expectMark("(");
      while (!failed() && !acceptMark(")")) {
        t.padded.push_back(integer());
        acceptMark(",");
      }
    }
    all.push_back(t);
  }
  return all;
}

DeviceStep DeviceReader::step() {
  DeviceStep s;
  expectWord("step");
  if (acceptWord("when")) s.when = expr();
  expectMark("{");
  while (acceptWord("memory")) s.work.push_back(array());
  while (!failed() && !acceptMark("}")) s.host.push_back(node());
  if (!acceptWord("marks")) return s;
  s.marks = name();
  s.unmarked = block();
  return s;
}

DeviceKernel DeviceReader::kernel() {
  DeviceKernel k;
  expectWord("kernel");
  k.name = name();
  expectWord("grid");
  k.grid = dims();
  if (isWord("units")) {
    roles(k);
    return k;
  }
  if (valueOf(teams, peek().text))
    k.team = team(k);
  else
    k.sharing = sharing();
  if (acceptWord("reach")) k.reach = expr();
  if (k.reach && acceptWord("wide"))
    for (const std::string &variable : names()) k.wide.insert(variable);
  expectMark("{");
  k.tiles = tiles();
  while (!failed() && !acceptMark("}")) k.body.push_back(node());
  if (!acceptWord("arrival")) return k;
  k.arrival = DeviceArrival{};
  k.arrival->name = name();
  expectWord("grid");
  k.arrival->grid = dims();
  expectWord("of");
  k.arrival->count = count();
  expectMark("{");
  k.arrival->tiles = tiles();
  while (!failed() && !acceptMark("}")) k.arrival->body.push_back(node());
  return k;
}

Result<DeviceProgram> DeviceReader::program() {
  DeviceProgram p;
  expectWord("device");
  p.function = name();
  if (acceptWord("returns")) p.returns = type();
  p.arrays = interface(p.sizes, p.given, p.scalars);
  const TypeScope outer = scope;
  if (isWord("entry")) p.entry = entry(p.declared);
  if (isWord("queue")) p.queue = queue();
  scope = outer;
  while (!failed() && isWord("step")) p.steps.push_back(step());
  p.kernels = kernels<DeviceKernel>([&] { return kernel(); });
  if (failure) return *failure;
  return p;
}

} // namespace device_room

Result<DeviceProgram> readDeviceText(const std::string &text) {
  Result<std::vector<tile::Token>> tokens = tile::tokenize(text);
  if (!tokens) return tokens.refusal();
  return device_room::DeviceReader(*std::move(tokens)).program();
}

} // namespace polymend
