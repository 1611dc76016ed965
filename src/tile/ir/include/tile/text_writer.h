// The parts of programs that their text forms share: expressions, ranges, arrays, assignments, lines.
#pragma once

#include "tile/scope.h"

namespace polymend::tile {

/// A name as the text forms spell it: in backquotes where it is a word of theirs or no identifier.
std::string quote(const std::string &name);

class TextWriter {
protected:
  void line(const std::string &text) { out += std::string(2 * depth, ' ') + text + "\n"; }
  /// `head`, what `inside` writes one level deeper, `tail`.
  template <class F> void nested(const std::string &head, const std::string &tail, F inside) {
    line(head);
    ++depth;
    inside();
    --depth;
    line(tail);
  }
  /// 'if', whose sides `write` writes.
  template <class Branch, class F> void choice(const Branch &b, F write) {
    nested("if (" + expr(b.condition) + ") {", b.otherwise.empty() ? "}" : "} else {", [&] { write(b.then); });
    if (b.otherwise.empty()) return;
    ++depth;
    write(b.otherwise);
    --depth;
    line("}");
  }
  [[nodiscard]] std::string list(const std::vector<Expr> &items) const;
  [[nodiscard]] std::string expr(const Expr &e) const;
  [[nodiscard]] std::string range(const Expr &first, const Expr &limit) const;
  [[nodiscard]] std::string dim(const PointDim &d) const;
  [[nodiscard]] std::string dims(const std::vector<PointDim> &dims) const;
  [[nodiscard]] std::string ref(const Ref &r) const;
  [[nodiscard]] std::string array(const TileArray &a) const;
  [[nodiscard]] std::string assign(const TileAssign &a) const;
  [[nodiscard]] static std::string note(const TileNote &n);
  [[nodiscard]] std::string lets(const std::vector<std::pair<std::string, Expr>> &names) const;
  [[nodiscard]] std::string order(const TicketOrder &o) const;
  /// Sizes and scalars, which are declared, and what both say of the arrays of a program.
  void interface(const std::vector<std::string> &sizes, const Expr &given,
                 const std::vector<std::pair<std::string, Type>> &scalars, const std::vector<TileArray> &arrays);

  std::string out;
  std::size_t depth = 0;
  TypeScope scope;

private:
  [[nodiscard]] std::string expr(const Expr &e, int strength) const;
  [[nodiscard]] std::string primary(const Expr &e, Type &implied) const;
};

} // namespace polymend::tile
