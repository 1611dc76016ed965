// The parts of programs that their text forms share, as they are read: see text_writer.h.
#pragma once

#include "tile/expr_reader.h"

namespace polymend::tile {

class TextReader : public ExprReader {
public:
  using ExprReader::ExprReader;

protected:
  void range(Expr &first, Expr &limit);
  PointDim dim();
  std::vector<PointDim> dims();
  /// An integer that fits 32 bits.
  int count();
  [[nodiscard]] bool atArray() const;
  TileArray array();
  TileAssign assign();
  std::vector<std::pair<std::string, Expr>> lets();
  TicketOrder order();
  /// 'for' up to its step, of loops of either kind.
  template <class Loop> void loopHead(Loop &loop) {
    expectWord("for");
    loop.variable = name();
    expectWord("in");
    range(loop.first, loop.limit);
    expectWord("step");
    loop.step = integer();
  }
  /// 'if', whose sides are what `block` reads.
  template <class Branch, class F> Branch choice(F block) {
    Branch result;
    expectWord("if");
    expectMark("(");
    result.condition = expr();
    expectMark(")");
    result.then = block();
    if (acceptWord("else")) result.otherwise = block();
    return result;
  }
  /// What `node` reads between braces.
  template <class Block, class F> Block nodes(F node) {
    Block all;
    if (++depth > 400) fail("the program is nested too deeply");
    expectMark("{");
    while (!failed() && !acceptMark("}")) all.push_back(node());
    --depth;
    return all;
  }
  /// What `kernel` reads up to the end of the text; a kernel sees the names of the program and its own.
  template <class Kernel, class F> std::vector<Kernel> kernels(F kernel) {
    std::vector<Kernel> all;
    const TypeScope outer = scope;
    while (!failed() && isWord("kernel")) {
      scope = outer;
      all.push_back(kernel());
    }
    if (!failed() && peek().kind != Token::Kind::End) fail("expected a declaration or a kernel");
    return all;
  }
  /// Sizes, scalars and what both rest on; returns the arrays of a program.
  std::vector<TileArray> interface(std::vector<std::string> &sizes, Expr &given,
                                   std::vector<std::pair<std::string, Type>> &scalars);

private:
  Digits digits();
  TileLayout layout();
  Update update();
};

} // namespace polymend::tile
