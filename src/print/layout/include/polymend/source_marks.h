// What the lines of a printed text are made from.
#pragma once

#include "polymend/text_layout.h"

#include <compare>

namespace polymend {

/// What is stored to on a line: an array by its name, set to a number or updated (`s += x`).
struct Stored {
  std::string array;
  bool isUpdated = false;
  auto operator<=>(const Stored &) const = default;
};

/// What a line is printed from, each once: bytes [begin, end) of the source, which a line of the source's own copies
/// and ours computes, and what ours stores to.
struct LineOrigin {
  std::vector<SourceRange> places;
  std::vector<Stored> stored;
  bool isCopy = false; // of a line of the source
};

/// Marks that may stand in a text, which no C++ holds: what the source has there, what is stored to.
std::string markOf(const SourceRange &where);
std::string markOf(const Stored &stored);

/// For each line of a file what it is printed from. `marked` is the file printed with marks, which may differ in white
/// space; where it differs in more, nothing is known of ours.
std::vector<LineOrigin> originsOfLines(const Printed &file, const std::string &marked);

} // namespace polymend
