// Text -> TileProgram; the grammar is note [grammar] of write.cpp. The first failure is the result, with its line.
// A function a rule of the grammar, hence one file.
#include "reader.h"
#include "tile/conversions.h"
#include "tile/visit.h"
#include "words.h"

#include <charconv>

namespace polymend {

namespace {

using namespace tile;

class Reader : public ExprReader {
public:
  using ExprReader::ExprReader;
  Result<TileProgram> program();

private:
  [[nodiscard]] bool atArray() const { return peek().kind == Token::Kind::Word && spaceOf(peek().text); }
  void declarations(TileProgram &p);
  int count();
  Digits digits();
  TileLayout layout();
  TileArray array();
  PointDim dim();
  std::vector<PointDim> dims();
  void range(Expr &first, Expr &limit);
  Kernel kernel();
  TileBlock block();
  TileNode node();
  TileAssign assign();
  Update update();
  TileNode loop();
  TileNode branch();
  TilePoints points();
  TileNode async();
  TileNode sync();
  TicketOrder order();
  std::vector<std::pair<std::string, Expr>> lets();
  TileRole role();
};

void Reader::range(Expr &first, Expr &limit) {
  expectMark("[");
  first = expr();
  expectMark(",");
  limit = expr();
  expectMark(")");
}

PointDim Reader::dim() {
  PointDim d;
  d.variable = name();
  expectWord("in");
  range(d.first, d.limit);
  const std::optional<PointDim::Kind> kind = dimKindOf(peek().text);
  if (!kind)
    fail("expected 'parallel', 'reduced' or 'serial'");
  else
    take();
  d.kind = kind.value_or(PointDim::Kind::Parallel);
  return d;
}

std::vector<PointDim> Reader::dims() {
  std::vector<PointDim> all;
  expectMark("(");
  if (acceptMark(")")) return all;
  do all.push_back(dim());
  while (acceptMark(","));
  expectMark(")");
  return all;
}

Digits Reader::digits() {
  Digits all;
  while (!failed() && peek().kind == Token::Kind::Integer) {
    const std::string spelling = peek().suffix;
    std::int64_t extent = 0;
    const std::string number = take().text;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), extent);
    const std::optional<Digit> digit = read.ec == std::errc() ? digitOf(extent, spelling) : std::nullopt;
    if (!digit) fail("expected a digit of a layout");
    all.push_back(digit.value_or(Digit{}));
  }
  return all;
}

TileLayout Reader::layout() {
  TileLayout result;
  do result.axes.push_back(digits());
  while (acceptMark("|"));
  if (acceptMark("~")) result.copies = digits();
  if (acceptMark("+")) result.parts = digits();
  if (acceptMark("^"))
    while (!failed() && !isMark(">")) result.swizzle.push_back(integer());
  expectMark(">");
  return normal(result);
}

TileArray Reader::array() {
  TileArray a;
  a.space = spaceOf(take().text).value_or(Space::Thread);
  a.name = name();
  expectMark(":");
  a.type = type();
  if (acceptMark("[")) a.extents = list("]");
  if (acceptMark("<")) a.layout = layout();
  a.flat = acceptWord("flat");
  a.written = acceptWord("written");
  if (acceptWord("ring")) a.ring = count();
  if (acceptWord("used")) {
    expectMark("[");
    a.used = list("]");
  }
  scope.declare(a);
  return a;
}

/// An integer that fits 32 bits.
int Reader::count() {
  const std::int64_t value = integer();
  if (value != static_cast<int>(value)) fail("the number is too large");
  return static_cast<int>(value);
}

Update Reader::update() {
  std::string word = take().text;
  if (word == "max" || word == "min" || word == "fmax" || word == "fmin") {
    expectMark("=");
    word += '=';
  }
  const std::optional<Update> found = updateOf(word);
  if (!found) fail("expected an assignment");
  return found.value_or(Update::Set);
}

TileAssign Reader::assign() {
  TileAssign a;
  a.target.array = name();
  if (acceptMark("[")) a.target.subscripts = list("]");
  a.update = update();
  a.value = expr();
  if (acceptWord("where")) a.where = expr();
  return a;
}

TileNode Reader::loop() {
  auto l = std::make_shared<TileLoop>();
  expectWord("for");
  l->variable = name();
  expectWord("in");
  range(l->first, l->limit);
  expectWord("step");
  l->step = integer();
  if (acceptWord("unroll")) l->kind = TileLoop::Kind::Unroll;
  l->body = block();
  return std::shared_ptr<const TileLoop>(std::move(l));
}

TileNode Reader::branch() {
  auto b = std::make_shared<TileBranch>();
  expectWord("if");
  expectMark("(");
  b->condition = expr();
  expectMark(")");
  b->then = block();
  if (acceptWord("else")) b->otherwise = block();
  return std::shared_ptr<const TileBranch>(std::move(b));
}

TilePoints Reader::points() {
  TilePoints p;
  expectWord("points");
  p.dims = dims();
  expectMark("{");
  while (!failed() && !acceptMark("}")) p.body.push_back(assign());
  return p;
}

TileNode Reader::async() {
  TileAsync a;
  a.kind = asyncKindOf(take().text).value_or(TileAsync::Kind::Copy);
  if (!isWord("points")) a.name = name();
  a.points = points();
  return nodeOf(std::move(a));
}

TileNode Reader::sync() {
  TileSync s;
  s.kind = syncKindOf(take().text).value_or(TileSync::Kind::Get);
  s.name = name();
  return s;
}

TileNode Reader::node() {
  if (peek().kind == Token::Kind::Note) return TileNote{take().text};
  if (isWord("for")) return loop();
  if (isWord("if")) return branch();
  if (isWord("points")) return nodeOf(points());
  if (peek().kind == Token::Kind::Word && asyncKindOf(peek().text)) return async();
  if (peek().kind == Token::Kind::Word && syncKindOf(peek().text)) return sync();
  return assign();
}

TileBlock Reader::block() {
  TileBlock nodes;
  if (++depth > 400) fail("the program is nested too deeply");
  expectMark("{");
  while (!failed() && !acceptMark("}")) nodes.push_back(node());
  --depth;
  return nodes;
}

std::vector<std::pair<std::string, Expr>> Reader::lets() {
  std::vector<std::pair<std::string, Expr>> all;
  while (!failed() && acceptWord("let")) {
    const std::string word = name();
    expectMark("=");
    all.emplace_back(word, expr());
  }
  return all;
}

TicketOrder Reader::order() {
  TicketOrder o;
  expectWord("order");
  o.ticket = name();
  expectWord("in");
  Expr first;
  range(first, o.count);
  if (!failed() && !equal(first, Expr::integer(0))) fail("tickets begin at 0");
  o.lets = lets();
  expectMark("->");
  expectMark("(");
  o.at = list(")");
  return o;
}

TileRole Reader::role() {
  TileRole r;
  expectWord("role");
  r.name = name();
  expectWord("groups");
  r.groups = count();
  if (acceptWord("registers")) r.registers = count();
  r.body = block();
  return r;
}

Kernel Reader::kernel() {
  Kernel k;
  expectWord("kernel");
  k.name = name();
  expectWord("grid");
  k.grid = dims();
  if (isWord("order")) k.order = order();
  k.lets = lets();
  if (acceptWord("when")) k.when = expr();
  if (acceptWord("fallback")) k.fallback = name();
  if (acceptWord("atom")) k.atom = name();
  const std::optional<int> converted = acceptWord("conversions") ? std::optional(count()) : std::nullopt;
  expectMark("{");
  while (!failed() && atArray()) k.tiles.push_back(array());
  while (!failed() && !isWord("role") && !isMark("}")) k.body.push_back(node());
  while (!failed() && isWord("role")) k.roles.push_back(role());
  if (!failed() && converted && *converted != static_cast<int>(conversions(k).size()))
    fail("the kernel has " + std::to_string(conversions(k).size()) + " conversions");
  expectMark("}");
  return k;
}

void Reader::declarations(TileProgram &p) {
  while (!failed()) {
    if (acceptWord("size")) {
      do p.sizes.push_back(name());
      while (acceptMark(","));
    } else if (acceptWord("given")) {
      p.given = expr();
    } else if (acceptWord("scalar")) {
      const std::string word = name();
      expectMark(":");
      p.scalars.emplace_back(word, type());
      scope.declareScalar(word, p.scalars.back().second);
    } else if (atArray()) {
      p.arrays.push_back(array());
    } else {
      return;
    }
  }
}

Result<TileProgram> Reader::program() {
  TileProgram p;
  expectWord("program");
  p.function = name();
  if (acceptWord("returns")) p.returns = type();
  declarations(p);
  const TypeScope outer = scope;
  while (!failed() && isWord("kernel")) {
    scope = outer;
    p.kernels.push_back(kernel());
  }
  if (!failed() && peek().kind != Token::Kind::End) fail("expected a declaration or a kernel");
  if (failure) return *failure;
  return p;
}

} // namespace

Result<TileProgram> readText(const std::string &text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return tokens.refusal();
  return Reader(*std::move(tokens)).program();
}

} // namespace polymend
