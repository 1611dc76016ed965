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

DeviceNode Reader::node() {
  if (peek().kind == Token::Kind::Note) return TileNote{take().text};
  if (begins("let")) return let();
  if (begins("fold")) return fold();
  if (begins("multiply")) return multiply();
  if (begins("transpose")) return transpose();
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

DeviceKernel Reader::kernel() {
  DeviceKernel k;
  expectWord("kernel");
  k.name = name();
  expectWord("grid");
  k.grid = dims();
  k.sharing = sharing();
  expectMark("{");
  while (!failed() && atArray()) {
    DeviceTile t;
    t.array = array();
    expectWord("on");
    t.place = word(places, DeviceTile::Place::Stack);
    k.tiles.push_back(t);
  }
  while (!failed() && !acceptMark("}")) k.body.push_back(node());
  return k;
}

Result<DeviceProgram> Reader::program() {
  DeviceProgram p;
  expectWord("device");
  p.function = name();
  if (acceptWord("returns")) p.returns = type();
  p.arrays = interface(p.sizes, p.given, p.scalars);
  p.entry = entry();
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
