// What changes between two texts, by lines.
#pragma once

#include <string>
#include <vector>

namespace polymend {

/// Lines [begin, end) of the old text give way to lines [newBegin, newEnd) of the new one; counted from 0.
struct LineChange {
  std::size_t begin = 0, end = 0, newBegin = 0, newEnd = 0;
};

/// The text's lines, each with its end; the last may lack one.
std::vector<std::string> linesOf(const std::string &text);
/// Changes in order, as few lines as possible (Myers, "An O(ND) difference algorithm", 1986); where more than a few
/// thousand lines differ, one change from the first to the last that does.
std::vector<LineChange> changesBetween(const std::vector<std::string> &before, const std::vector<std::string> &after);

/// `text` with lines that end as those of `source` do, where all of these end in CR LF; else as it is.
std::string withEndsOf(const std::string &source, const std::string &text);

/// As `diff -u` prints it, for `patch -p0`; empty: the texts are equal.
std::string unifiedDiff(const std::string &name, const std::string &before, const std::string &after);
/// Replacements in YAML for clang-apply-replacements; `path` is absolute.
std::string replacementsFor(const std::string &path, const std::string &before, const std::string &after);

} // namespace polymend
