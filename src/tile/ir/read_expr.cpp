// Tokens -> expressions. Types are those of C's conversions and of the declarations, unless a ':' says otherwise; the
// writer leaves out exactly the types that this reader finds again.
#include "tile/expr_reader.h"
#include "tile/words.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace polymend::tile {

namespace {

constexpr int deepest = 400;

Expr retype(const Expr &e, Type type) {
  ExprNode node = *e;
  node.type = type;
  return Expr(std::move(node));
}

std::size_t arity(Op op) {
  switch (op) {
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::Pow: return 2;
  case Op::Select: return 3;
  default: return 1;
  }
}

} // namespace

const Token &ExprReader::peek(std::size_t ahead) const { return tokens[std::min(at + ahead, tokens.size() - 1)]; }

bool ExprReader::isWord(std::string_view word, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::Word && peek(ahead).text == word;
}

bool ExprReader::isMark(std::string_view mark, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::Mark && peek(ahead).text == mark;
}

bool ExprReader::isName() const {
  return peek().kind == Token::Kind::Quoted || (peek().kind == Token::Kind::Word && !isReserved(peek().text));
}

Token ExprReader::take() {
  Token token = peek();
  if (at + 1 < tokens.size()) ++at;
  return token;
}

bool ExprReader::acceptWord(std::string_view word) {
  if (!isWord(word)) return false;
  take();
  return true;
}

bool ExprReader::acceptMark(std::string_view mark) {
  if (!isMark(mark)) return false;
  take();
  return true;
}

void ExprReader::fail(const std::string &reason) {
  if (!failure) failure = Refusal{reason, peek().where};
  at = tokens.size() - 1;
}

void ExprReader::expectWord(std::string_view word) {
  if (!acceptWord(word)) fail("expected '" + std::string(word) + "'");
}

void ExprReader::expectMark(std::string_view mark) {
  if (!acceptMark(mark)) fail("expected '" + std::string(mark) + "'");
}

std::string ExprReader::name() {
  if (isName()) return take().text;
  fail("expected a name");
  return "";
}

Type ExprReader::type() {
  const std::optional<Type> found = peek().kind == Token::Kind::Word ? typeOf(peek().text) : std::nullopt;
  if (found)
    take();
  else
    fail("expected a type");
  return found.value_or(Type::Void);
}

std::int64_t ExprReader::integer() {
  const bool negative = acceptMark("-");
  if (peek().kind != Token::Kind::Integer) {
    fail("expected an integer");
    return 0;
  }
  const Expr e = number(negative);
  return e && e.op() == Op::Integer ? e->integer : 0;
}

std::vector<Expr> ExprReader::list(std::string_view close) {
  std::vector<Expr> items;
  if (acceptMark(close)) return items;
  do items.push_back(expr());
  while (acceptMark(","));
  expectMark(close);
  return items;
}

Expr ExprReader::expr(int strength) {
  if (++depth > deepest) fail("the expression is nested too deeply");
  Expr e = failed() ? Expr() : infix(strength);
  --depth;
  return e;
}

Expr ExprReader::infix(int strength) {
  Expr left = unary();
  for (;;) {
    const Infix *found = peek().kind == Token::Kind::Mark ? infixOf(peek().text) : nullptr;
    if (!found || found->strength < strength || failed()) return left;
    take();
    const Expr right = expr(found->strength + 1);
    const std::vector<Expr> args{left, right};
    left = Expr::make(found->op, naturalType(found->op, args), args);
  }
}

Expr ExprReader::unary() {
  const bool negation = isMark("-");
  if (!negation && !isMark("!")) return annotated(primary());
  take();
  const bool literal =
      peek().kind == Token::Kind::Integer || peek().kind == Token::Kind::Real || isWord("inf") || isWord("nan");
  if (negation && literal) return annotated(number(true));
  const std::vector<Expr> args{expr(Prefix)};
  const Op op = negation ? Op::Neg : Op::Not;
  return Expr::make(op, naturalType(op, args), args);
}

Expr ExprReader::annotated(Expr e) {
  if (!e || !acceptMark(":")) return e;
  return retype(e, type());
}

Expr ExprReader::number(bool negative) {
  const Token token = take();
  const auto *begin = token.text.data();
  const auto *end = begin + token.text.size();
  const double sign = negative ? -1.0 : 1.0;
  if (token.text == "inf") return Expr::real(sign * std::numeric_limits<double>::infinity());
  if (token.text == "nan") return Expr::real(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign));
  if (token.kind == Token::Kind::Integer && token.suffix.empty()) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(begin, end, value);
    const std::uint64_t most =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    if (parsed.ec != std::errc() || value > most) fail("the integer does not fit 64 bits");
    return Expr::integer(static_cast<std::int64_t>(negative ? 0 - value : value));
  }
  double value = 0;
  const std::optional<Type> suffix = typeOf(token.suffix);
  const auto parsed = std::from_chars(begin, end, value);
  if (parsed.ec != std::errc()) fail("the number does not fit a double");
  if (!suffix) fail("expected the number's type, as in 1.0f32");
  return Expr::real(sign * value, suffix.value_or(Type::Float64));
}

Expr ExprReader::application() {
  const bool foreign = acceptMark("@");
  const std::string word = foreign ? name() : take().text;
  expectMark("(");
  const std::vector<Expr> args = list(")");
  if (failed()) return {};
  const Type first = args.empty() || !args.front() ? Type::Float64 : args.front().type();
  if (foreign) return Expr::call(word, args, first);
  const std::optional<Type> target = typeOf(word);
  const Op op = target ? Op::Cast : operationOf(word).value_or(Op::Cast);
  if (args.size() != arity(op)) {
    fail("wrong number of operands of '" + word + "'");
    return {};
  }
  return Expr::make(op, target ? *target : naturalType(op, args), args);
}

Expr ExprReader::primary() {
  const Token &next = peek();
  if (next.kind == Token::Kind::Integer || next.kind == Token::Kind::Real) return number(false);
  if (isWord("inf") || isWord("nan")) return number(false);
  if (acceptMark("?")) return {};
  if (acceptMark("(")) {
    Expr e = expr();
    expectMark(")");
    return e;
  }
  const bool function = next.kind == Token::Kind::Word && (typeOf(next.text) || operationOf(next.text));
  if (isMark("@") || function) return application();
  if (!isName()) {
    fail("expected an expression");
    return {};
  }
  const std::string word = name();
  if (!acceptMark("[")) return Expr::symbol(word, scope.ofSymbol(word));
  return Expr::read(word, list("]"), scope.ofArray(word));
}

} // namespace polymend::tile
