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

/// Does a region read elements of the array, be it only to update them?
bool reads(const TilePoints &points, const std::string &array);

/// Must two regions stay in order?
bool conflict(const Touched &a, const Touched &b);

} // namespace polymend
