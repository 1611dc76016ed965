// A function a rule that the grammars of the text forms share (note [grammar] of write.cpp).
#include "tile/text_reader.h"
#include "tile/words.h"

#include <charconv>

namespace polymend::tile {

void TextReader::range(Expr &first, Expr &limit) {
  expectMark("[");
  first = expr();
  expectMark(",");
  limit = expr();
  expectMark(")");
}

PointDim TextReader::dim() {
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

std::vector<PointDim> TextReader::dims() {
  std::vector<PointDim> all;
  expectMark("(");
  if (acceptMark(")")) return all;
  do all.push_back(dim());
  while (acceptMark(","));
  expectMark(")");
  return all;
}

Digits TextReader::digits() {
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

TileLayout TextReader::layout() {
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

TileArray TextReader::array() {
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

int TextReader::count() {
  const std::int64_t value = integer();
  if (value != static_cast<int>(value)) fail("the number is too large");
  return static_cast<int>(value);
}

Update TextReader::update() {
  std::string word = take().text;
  if (word == "max" || word == "min" || word == "fmax" || word == "fmin") {
    expectMark("=");
    word += '=';
  }
  const std::optional<Update> found = updateOf(word);
  if (!found) fail("expected an assignment");
  return found.value_or(Update::Set);
}

TileAssign TextReader::assign() {
  TileAssign a;
  a.target.array = name();
  if (acceptMark("[")) a.target.subscripts = list("]");
  a.update = update();
  a.value = expr();
  if (acceptWord("where")) a.where = expr();
  return a;
}

std::vector<TileArray> TextReader::interface(std::vector<std::string> &sizes, Expr &given,
                                             std::vector<std::pair<std::string, Type>> &scalars) {
  std::vector<TileArray> arrays;
  while (!failed()) {
    if (acceptWord("size")) {
      do sizes.push_back(name());
      while (acceptMark(","));
    } else if (acceptWord("given")) {
      given = expr();
    } else if (acceptWord("scalar")) {
      const std::string word = name();
      expectMark(":");
      scalars.emplace_back(word, type());
      scope.declareScalar(word, scalars.back().second);
    } else if (atArray()) {
      arrays.push_back(array());
    } else {
      break;
    }
  }
  return arrays;
}

bool TextReader::atArray() const { return peek().kind == Token::Kind::Word && spaceOf(peek().text); }

std::vector<std::pair<std::string, Expr>> TextReader::lets() {
  std::vector<std::pair<std::string, Expr>> all;
  while (!failed() && acceptWord("let")) {
    const std::string word = name();
    expectMark("=");
    all.emplace_back(word, expr());
  }
  return all;
}

TicketOrder TextReader::order() {
  TicketOrder o;
  expectWord("order");
  o.ticket = name();
  expectWord("in");
  Expr first;
  range(first, o.count);
  const auto fromZero = [&](const std::string &what) {
    if (!failed() && !equal(first, Expr::integer(0))) fail(what + " begin at 0");
  };
  fromZero("tickets");
  if (!failed() && acceptWord("of")) {
    TicketRuns &runs = o.runs.emplace();
    runs.tile = name();
    expectWord("in");
    range(first, runs.length);
    fromZero("tiles");
    expectWord("of");
    runs.run = name();
    expectWord("in");
    range(first, runs.count);
    fromZero("runs");
  }
  o.lets = lets();
  expectMark("->");
  expectMark("(");
  o.at = list(")");
  return o;
}

} // namespace polymend::tile
