// Text -> tokens, each with its place. Marks are matched longest first; a note takes the rest of its line.
#include "tile/token.h"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>

namespace polymend::tile {

namespace {

constexpr std::array<std::string_view, 8> wideMarks{"||", "&&", "==", "!=", "<=", "+=", "*=", "->"};
constexpr std::string_view narrowMarks = "+-*/%<>!=()[]{},:?@|~^";

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
  explicit Lexer(const std::string &source) : text(source) {}
  Result<std::vector<Token>> run();

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  void skipSpace();
  [[nodiscard]] SourceRange place() const;
  std::optional<Token> next();
  Token take(Token::Kind kind, std::size_t length);
  Token number();
  Token note();
  std::optional<Token> quoted();
  std::optional<Token> mark();

  const std::string &text;
  std::size_t at = 0, lineStart = 0;
  unsigned line = 1;
};

SourceRange Lexer::place() const {
  SourceRange range;
  range.line = range.endLine = line;
  range.column = range.endColumn = static_cast<unsigned>(at - lineStart + 1);
  range.begin = static_cast<unsigned>(at);
  range.end = range.begin + 1;
  return range;
}

void Lexer::skipSpace() {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) {
    if (text[at] == '\n') {
      ++line;
      lineStart = at + 1;
    }
    ++at;
  }
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
  Token token{kind, text.substr(at, length), {}, place()};
  at += length;
  return token;
}

Token Lexer::number() {
  std::size_t length = 0;
  bool real = false;
  while (isDigit(peek(length))) ++length;
  if (peek(length) == '.') {
    real = true;
    do ++length;
    while (isDigit(peek(length)));
  }
  const bool sign = peek(length + 1) == '-' || peek(length + 1) == '+';
  if (peek(length) == 'e' && isDigit(peek(length + (sign ? 2 : 1)))) {
    real = true;
    length += sign ? 2 : 1;
    while (isDigit(peek(length))) ++length;
  }
  Token token = take(real ? Token::Kind::Real : Token::Kind::Integer, length);
  length = 0;
  while (isLetter(peek(length)) || isDigit(peek(length))) ++length;
  token.suffix = text.substr(at, length);
  at += length;
  return token;
}

Token Lexer::note() {
  Token token = take(Token::Kind::Note, 1);
  token.text.clear();
  if (peek() == ' ') ++at;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const bool escaped = text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n';
    if (escaped) ++at;
    const char c = text[at];
    token.text += !escaped ? c : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return token;
}

std::optional<Token> Lexer::quoted() {
  Token token = take(Token::Kind::Quoted, 1);
  token.text.clear();
  while (at < text.size() && text[at] != '`') {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    token.text += text[at++];
  }
  if (peek() != '`') return std::nullopt;
  ++at;
  return token;
}

std::optional<Token> Lexer::mark() {
  for (const std::string_view wide : wideMarks)
    if (text.compare(at, wide.size(), wide) == 0) return take(Token::Kind::Mark, wide.size());
  if (narrowMarks.find(peek()) != std::string_view::npos) return take(Token::Kind::Mark, 1);
  return std::nullopt;
}

std::optional<Token> Lexer::next() {
  const char c = peek();
  if (c == '#') return note();
  if (c == '`') return quoted();
  if (isDigit(c)) return number();
  if (!isLetter(c)) return mark();
  std::size_t length = 0;
  while (isLetter(peek(length)) || isDigit(peek(length))) ++length;
  return take(Token::Kind::Word, length);
}

Result<std::vector<Token>> Lexer::run() {
  std::vector<Token> tokens;
  for (skipSpace(); at < text.size(); skipSpace()) {
    const SourceRange where = place();
    std::optional<Token> token = next();
    if (!token) return Refusal{"no token of the tile language begins here", where};
    tokens.push_back(*std::move(token));
  }
  tokens.push_back({Token::Kind::End, "", "", place()});
  return tokens;
}

} // namespace

Result<std::vector<Token>> tokenize(const std::string &text) { return Lexer(text).run(); }

} // namespace polymend::tile
