// The expression half of the reader: a cursor over tokens that keeps the first failure, and precedence climbing.
#pragma once

#include "tile/scope.h"
#include "tile/token.h"

namespace polymend::tile {

class ExprReader {
public:
  explicit ExprReader(std::vector<Token> input) : tokens(std::move(input)) {}

protected:
  [[nodiscard]] const Token &peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool isWord(std::string_view word, std::size_t ahead = 0) const;
  [[nodiscard]] bool isMark(std::string_view mark, std::size_t ahead = 0) const;
  [[nodiscard]] bool isName() const;
  bool acceptWord(std::string_view word);
  bool acceptMark(std::string_view mark);
  void expectWord(std::string_view word);
  void expectMark(std::string_view mark);
  std::string name();
  Type type();
  std::int64_t integer();
  /// Records the first failure and moves to the end, so that every loop of the reader ends.
  void fail(const std::string &reason);
  [[nodiscard]] bool failed() const { return failure.has_value(); }
  Token take();
  /// Items until `close`, separated by commas.
  std::vector<Expr> list(std::string_view close);
  Expr expr(int strength = 0);

  TypeScope scope;
  std::optional<Refusal> failure;
  int depth = 0;

private:
  Expr infix(int strength);
  Expr unary();
  Expr primary();
  Expr application();
  Expr number(bool negative);
  Expr annotated(Expr e);

  std::vector<Token> tokens;
  std::size_t at = 0;
};

} // namespace polymend::tile
