// The statements of device programs: the rules of 'node' in note [grammar] (write.cpp).
#include "reader.h"

namespace polymend::device_room {

using namespace tile;

Ref DeviceReader::ref() {
  Ref r;
  r.array = name();
  if (acceptMark("[")) r.subscripts = list("]");
  return r;
}

DeviceNode DeviceReader::let() {
  DeviceLet l;
  take();
  l.name = name();
  expectMark("=");
  l.value = expr();
  scope.declareScalar(l.name, l.value ? l.value.type() : Type::Int64);
  return l;
}

DeviceNode DeviceReader::loop() {
  auto l = std::make_shared<DeviceLoop>();
  loopHead(*l);
  if (!isMark("{") && !isWord("while")) l->kind = word(loopKinds, DeviceLoop::Kind::Serial);
  if (isWord("while")) {
    take();
    l->goesOn = expr();
  }
  l->body = block();
  return std::shared_ptr<const DeviceLoop>(std::move(l));
}

DeviceNode DeviceReader::branch() {
  return std::make_shared<const DeviceBranch>(choice<DeviceBranch>([&] { return block(); }));
}

DeviceNode DeviceReader::fold() {
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

DeviceNode DeviceReader::multiply() {
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

DeviceNode DeviceReader::transpose() {
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

std::vector<std::string> DeviceReader::names() {
  std::vector<std::string> all;
  expectMark("(");
  while (!failed() && !acceptMark(")")) {
    all.push_back(name());
    acceptMark(",");
  }
  return all;
}

/// The dimension of the region whose variable is named here.
std::size_t DeviceReader::dimOf(const TilePoints &points) {
  const std::string variable = name();
  for (std::size_t i = 0; i < points.dims.size(); ++i)
    if (points.dims[i].variable == variable) return i;
  fail("'" + variable + "' is no variable of the region");
  return 0;
}

void DeviceReader::share(DeviceDeal &d) {
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
  if (dealt.checkLimit && acceptWord("as")) dealt.asked = expr();
  d.dealt.push_back(dealt);
}

/// What stands before the assignments of a region.
bool DeviceReader::part(DeviceDeal &d) {
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

DeviceNode DeviceReader::deal() {
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
    if (acceptWord("rows")) {
      d->rows = count();
      continue;
    }
    const std::string flag = take().text;
    bool *const known = flag == "crossed" ? &d->crossed
                        : flag == "aside" ? &d->aside
                        : flag == "ahead" ? &d->ahead
                        : flag == "any"   ? &d->any
                        : flag == "eager" ? &d->eager
                        : flag == "stays" ? &d->stays
                                          : nullptr;
    if (!known) fail("'" + flag + "' is no property of a region");
    if (known) *known = true;
  }
  expectMark("{");
  while (!failed() && part(*d)) {
  }
  while (!failed() && !acceptMark("}")) {
    if (accept("fused")) d->fused.insert(d->points.body.size());
    d->points.body.push_back(assign());
  }
  return std::shared_ptr<const DeviceDeal>(std::move(d));
}

DeviceNode DeviceReader::one() {
  take();
  return std::make_shared<const DeviceOne>(DeviceOne{block()});
}

DeviceNode DeviceReader::ahead() {
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

DeviceNode DeviceReader::launch() {
  take();
  return DeviceLaunch{static_cast<std::size_t>(count())};
}

DeviceNode DeviceReader::node() {
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
  if (std::optional<DeviceNode> found = ofRoles()) return *std::move(found);
  DeviceAssign a;
  a.declares = accept("new");
  a.fused = accept("fused");
  a.what = assign();
  return a;
}

DeviceBlock DeviceReader::block() {
  return nodes<DeviceBlock>([&] { return node(); });
}

} // namespace polymend::device_room
