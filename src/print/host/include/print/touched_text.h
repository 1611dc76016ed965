// The elements that an argument is touched at, as intervals of the runtime.
#pragma once

#include "polymend/tile.h"

#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

/// Values that a kernel of their own looks for by a `call` that its words end, under a condition where it is not empty;
/// `declared` is what both are said in. The kernels stand in this order: each may use what the ones before it noted.
struct NotedValues {
  std::string declared, when, call;
};

/// An array, the text of where it begins, and what is touched of it; null: [0, n), as its extents say.
struct Touching {
  const TileArray &array;
  std::string begin;
  const TouchedElements *touched = nullptr;
};

/// Conditions that hold where some of the tests do, each of a few: what lays out texts takes ages for long ones.
std::vector<std::string> conditionsOf(const std::vector<std::string> &tests);

/// Do numbers that the function has beside the array lie among its elements?
std::string besideTest(const Function &function, const Touching &array, class TouchedPrinter &touched);

/// Declares intervals of elements, each once.
class TouchedPrinter {
public:
  /// `worth`: the condition under which data are looked at; empty: always.
  TouchedPrinter(const std::vector<TileArray> &a, Context &c, Writer &writer, std::string worth = "")
      : arrays(a), context(c), out(writer), looked(std::move(worth)) {}
  /// In a kernel: what data tell was noted before in two of the `words` for each of `noted`.
  TouchedPrinter(const std::vector<TileArray> &a, Context &c, Writer &writer, std::string words,
                 std::vector<NotedValues> &found)
      : arrays(a), context(c), out(writer), notes(std::move(words)), noted(&found) {}
  /// The elements of an array, as an expression of the host.
  std::string elements(const TileArray &array, const TouchedElements *touched);
  /// Whether two arrays share memory.
  std::string meeting(const Touching &a, const Touching &b);
  /// On a host: what rows that lie apart from each other are there, and how many, as text, by array.
  std::map<std::string, std::string> apart;

private:
  using Dims = std::vector<PointDim>;
  std::string bounds(const Expr &e, const Dims &dims, const std::string &where);
  std::string call(const std::string &method, const Expr &e, const Dims &dims, const std::string &where);
  std::string atEnds(const Expr &e, const Dims &dims, const std::string &where);
  std::string valuesOf(const Expr &read, const Dims &dims, const std::string &where);
  std::string rowsOf(const PointDim &dim, const Dims &dims, const std::string &where);
  /// The primitives that look at data on a host and note what is there on a device, and what they are given.
  struct Looks {
    std::string in, note, given, elements;
  };
  std::string toldByData(const std::string &array, const Looks &looks, const std::string &where);
  [[nodiscard]] std::string beginOf(const std::string &read) const;

  const std::vector<TileArray> &arrays;
  Context &context;
  Writer &out;
  std::string looked, notes;
  std::vector<NotedValues> *noted = nullptr;
  std::map<std::string, std::string> declared; // by array
  std::map<std::string, std::string> values;   // by condition and elements
};

} // namespace polymend::print_room
