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
  /// Sizes, scalars and what both rest on; returns the arrays of a program.
  std::vector<TileArray> interface(std::vector<std::string> &sizes, Expr &given,
                                   std::vector<std::pair<std::string, Type>> &scalars);

private:
  Digits digits();
  TileLayout layout();
  Update update();
};

} // namespace polymend::tile
