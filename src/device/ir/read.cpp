// Text -> DeviceProgram; the grammar is note [grammar] of write.cpp. The first failure is the result, with its line.
#include "words.h"

#include "tile/text_reader.h"
#include "tile/words.h"

namespace polymend {

namespace {

using namespace tile;
using namespace device_room;

class Reader : public TextReader {
public:
  using TextReader::TextReader;
  Result<DeviceProgram> program();

private:
  template <class Value, std::size_t N> Value word(const std::array<Word<Value>, N> &table, Value otherwise);
  /// Is `text` here the first word of a statement? As the name of an array a subscript or an update would follow.
  [[nodiscard]] bool begins(std::string_view text) const;
  bool accept(std::string_view text);
  DeviceEntry entry();
  EntryTest test();
  DeviceSharing sharing();
  DeviceKernel kernel();
  DeviceBlock block();
  DeviceNode node();
  DeviceNode let();
  DeviceNode loop();
  DeviceNode branch();
  DeviceNode fold();
  DeviceNode multiply();
  DeviceNode transpose();
  DeviceNode deal();
  void share(DeviceDeal &d);
  bool part(DeviceDeal &d);
  DeviceNode one();
  DeviceNode ahead();
  DeviceNode launch();
  DeviceTeam team(DeviceKernel &k);
  std::vector<DeviceTile> tiles();
  DeviceStep step();
  std::size_t dimOf(const TilePoints &points);
  std::vector<std::string> names();
  Ref ref();
};

template <class Value, std::size_t N> Value Reader::word(const std::array<Word<Value>, N> &table, Value otherwise) {
  const std::optional<Value> found = valueOf(table, peek().text);
  if (!found) fail("'" + peek().text + "' is not expected here");
  take();
  return found.value_or(otherwise);
}

bool Reader::begins(std::string_view text) const {
  if (!isWord(text)) return false;
  const Token &next = peek(1);
  const bool updates = next.text == "max" || next.text == "min" || next.text == "fmax" || next.text == "fmin";
  return next.kind == Token::Kind::Quoted || (next.kind == Token::Kind::Word && !updates) || isMark("(", 1);
}

bool Reader::accept(std::string_view text) {
  const bool is = begins(text);
  if (is) take();
  return is;
}

Ref Reader::ref() {
  Ref r;
  r.array = name();
  if (acceptMark("[")) r.subscripts = list("]");
  return r;
}

DeviceNode Reader::let() {
  DeviceLet l;
  take();
  l.name = name();
  expectMark("=");
  l.value = expr();
  scope.declareScalar(l.name, l.value ? l.value.type() : Type::Int64);
  return l;
}

DeviceNode Reader::loop() {
  auto l = std::make_shared<DeviceLoop>();
  loopHead(*l);
  if (!isMark("{")) l->kind = word(loopKinds, DeviceLoop::Kind::Serial);
  l->body = block();
  return std::shared_ptr<const DeviceLoop>(std::move(l));
}

DeviceNode Reader::branch() {
  return std::make_shared<const DeviceBranch>(choice<DeviceBranch>([&] { return block(); }));
}

DeviceNode Reader::fold() {
  DeviceFold f;
  take();
  f.carrier = type();
  expectMark("(");
  f.along = dim();
  expectMark(")");
  expectMark("{");
  f.what = assign();
  expectMark("}");
  return f;
}

DeviceNode Reader::multiply() {
  DeviceMultiply m;
  take();
  m.type = type();
  m.walk = word(walks, DeviceMultiply::Walk::Single);
  const std::vector<PointDim> box = dims();
  if (box.size() != 3) fail("a product has three dimensions");
  if (failed()) return m;
  m.row = box[0];
  m.column = box[1];
  m.sum = box[2];
  expectMark("{");
  m.target = ref();
  expectMark("+=");
  m.rowFactor = expr();
  expectWord("by");
  m.columnFactor = expr();
  expectMark("}");
  return m;
}

DeviceNode Reader::transpose() {
  DeviceTranspose t;
  take();
  const std::vector<PointDim> box = dims();
  if (box.size() != 2) fail("a transposition has two dimensions");
  if (failed()) return t;
  t.row = box[0];
  t.column = box[1];
  expectMark("{");
  t.target = ref();
  expectMark("=");
  t.source = expr();
  expectMark("}");
  return t;
}

std::vector<std::string> Reader::names() {
  std::vector<std::string> all;
  expectMark("(");
  while (!failed() && !acceptMark(")")) {
    all.push_back(name());
    acceptMark(",");
  }
  return all;
}

/// The dimension of the region whose variable is named here.
std::size_t Reader::dimOf(const TilePoints &points) {
  const std::string variable = name();
  for (std::size_t i = 0; i < points.dims.size(); ++i)
    if (points.dims[i].variable == variable) return i;
  fail("'" + variable + "' is no variable of the region");
  return 0;
}

void Reader::share(DeviceDeal &d) {
  DealtDim dealt;
  dealt.dim = dimOf(d.points);
  d.fixed = !acceptWord("over");
  if (d.fixed) {
    dealt.size = integer();
    expectWord("from");
    dealt.low = integer();
  } else {
    range(dealt.first, dealt.limit);
  }
  dealt.checkFirst = acceptWord("first");
  dealt.checkLimit = acceptWord("limit");
  d.dealt.push_back(dealt);
}

/// What stands before the assignments of a region.
bool Reader::part(DeviceDeal &d) {
  if (accept("stream")) {
    const Expr read = expr();
    DeviceStream s;
    if (read && read.op() == Op::Read) {
      s.array = read->name;
      s.subscripts = read->args;
    } else {
      fail("a stream reads an element");
    }
    s.kept = accept("kept");
    s.window = acceptWord("window");
    if (s.window) s.left = expr();
    d.streams.push_back(s);
  } else if (accept("early")) {
    d.early.push_back(expr());
  } else if (accept("loaded")) {
    const Expr read = expr();
    d.loaded.emplace_back(read, name());
  } else if (accept("product")) {
    d.row = dimOf(d.points);
    d.column = dimOf(d.points);
    d.sum = dimOf(d.points);
    d.rowFactor = expr();
    d.rowInFours = acceptWord("vector");
    expectWord("by");
    d.columnFactor = expr();
    d.columnInFours = acceptWord("vector");
  } else {
    return false;
  }
  return true;
}

DeviceNode Reader::deal() {
  auto d = std::make_shared<DeviceDeal>();
  take();
  std::string split;
  d->form = word(dealForms, DeviceDeal::Form::Each);
  if (d->form == DeviceDeal::Form::Lanes) d->lanes = count();
  if (d->form == DeviceDeal::Form::Fours) d->fours = count();
  if (d->form == DeviceDeal::Form::Lanes || d->form == DeviceDeal::Form::Whole) split = name();
  d->points.dims = dims();
  for (std::size_t i = 0; i < d->points.dims.size(); ++i)
    if (d->points.dims[i].variable == split) d->split = i;
  expectWord("by");
  expectMark("(");
  while (!failed() && !acceptMark(")")) {
    share(*d);
    acceptMark(",");
  }
  while (!failed() && !isMark("{")) {
    const std::string flag = take().text;
    bool *const known = flag == "crossed" ? &d->crossed
                        : flag == "aside" ? &d->aside
                        : flag == "ahead" ? &d->ahead
                        : flag == "any"   ? &d->any
                        : flag == "eager" ? &d->eager
                                          : nullptr;
    if (!known) fail("'" + flag + "' is no property of a region");
    if (known) *known = true;
  }
  expectMark("{");
  while (!failed() && part(*d)) {
  }
  while (!failed() && !acceptMark("}")) d->points.body.push_back(assign());
  return std::shared_ptr<const DeviceDeal>(std::move(d));
}

DeviceNode Reader::one() {
  take();
  return std::make_shared<const DeviceOne>(DeviceOne{block()});
}

DeviceNode Reader::ahead() {
  DeviceReadAhead r;
  take();
  const std::vector<PointDim> own = dims();
  if (own.size() > 1) fail("a thread has one element");
  if (own.size() == 1) r.own = own.front();
  expectWord("limit");
  r.limit = expr();
  expectMark("{");
  while (!failed() && !acceptMark("}")) {
    const Expr read = expr();
    r.reads.emplace_back(read, name());
  }
  return r;
}

DeviceNode Reader::launch() {
  take();
  return DeviceLaunch{static_cast<std::size_t>(count())};
}

DeviceNode Reader::node() {
  if (peek().kind == Token::Kind::Note) return TileNote{take().text};
  if (begins("let")) return let();
  if (begins("fold")) return fold();
  if (begins("multiply")) return multiply();
  if (begins("transpose")) return transpose();
  if (begins("deal")) return deal();
  if (begins("ahead")) return ahead();
  if (isWord("one") && isMark("{", 1)) return one();
  if (isWord("launch") && peek(1).kind == Token::Kind::Integer) return launch();
  if (isWord("barrier") && !isMark("[", 1) && !isMark("=", 1)) {
    take();
    return DeviceBarrier{};
  }
  if (isWord("for")) return loop();
  if (isWord("if")) return branch();
  DeviceAssign a;
  a.declares = accept("new");
  a.fused = accept("fused");
  a.what = assign();
  return a;
}

DeviceBlock Reader::block() {
  return nodes<DeviceBlock>([&] { return node(); });
}

EntryTest Reader::test() {
  EntryTest t;
  t.kind = word(tests, EntryTest::Kind::Given);
  if (t.kind == EntryTest::Kind::Given) return t;
  t.a = name();
  t.b = name();
  return t;
}

DeviceEntry Reader::entry() {
  DeviceEntry e;
  expectWord("entry");
  if (acceptWord("estimate")) {
    e.work = expr();
    expectWord("times");
    e.times = count();
  }
  expectMark("{");
  while (!failed() && !acceptMark("}")) e.tests.push_back(test());
  return e;
}

DeviceSharing Reader::sharing() {
  DeviceSharing s;
  s.order = word(orders, DeviceSharing::Order::Alone);
  if (s.order == DeviceSharing::Order::Alone) return s;
  s.form = word(forms, DeviceSharing::Form::Collapsed);
  if (acceptWord("turn")) s.turn = expr();
  return s;
}

DeviceTeam Reader::team(DeviceKernel &k) {
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
  if (acceptWord("terms")) t.terms = expr();
  if (acceptWord("fallback")) k.fallback = name();
  k.isCalled = acceptWord("called");
  k.byWholeBlocks = acceptWord("whole");
  return t;
}

std::vector<DeviceTile> Reader::tiles() {
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

DeviceStep Reader::step() {
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

DeviceKernel Reader::kernel() {
  DeviceKernel k;
  expectWord("kernel");
  k.name = name();
  if (acceptWord("roles")) {
    k.roles = std::make_shared<const Kernel>();
    return k;
  }
  expectWord("grid");
  k.grid = dims();
  if (valueOf(teams, peek().text))
    k.team = team(k);
  else
    k.sharing = sharing();
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

Result<DeviceProgram> Reader::program() {
  DeviceProgram p;
  expectWord("device");
  p.function = name();
  if (acceptWord("returns")) p.returns = type();
  p.arrays = interface(p.sizes, p.given, p.scalars);
  if (isWord("entry")) p.entry = entry();
  while (!failed() && isWord("step")) p.steps.push_back(step());
  p.kernels = kernels<DeviceKernel>([&] { return kernel(); });
  if (failure) return *failure;
  return p;
}

} // namespace

Result<DeviceProgram> readDeviceText(const std::string &text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return tokens.refusal();
  return Reader(*std::move(tokens)).program();
}

} // namespace polymend
