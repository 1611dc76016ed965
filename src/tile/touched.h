// What a region reads and writes, by the names of arrays.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend {

struct Touched {
  std::set<std::string> reads, writes;
};

/// Adds the arrays that an expression reads.
void noteReads(const Expr &e, std::set<std::string> &reads);

Touched touchedBy(const TilePoints &points);

/// Must two regions stay in order?
bool conflict(const Touched &a, const Touched &b);

} // namespace polymend
