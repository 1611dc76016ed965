#include "difference.h"

#include <clang/Tooling/ReplacementsYaml.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace polymend {

namespace {

constexpr std::ptrdiff_t mostChanges = 4000; // of lines; beyond, the table of the search would fill the memory
constexpr std::size_t around = 3;            // lines that a diff shows before and after a change

/// For each number of changes, how far the old text was matched on each diagonal.
using Fronts = std::vector<std::vector<std::ptrdiff_t>>;

/// Walks the fronts back from the end: which lines of the old and of the new text have no partner.
void walkBack(const Fronts &fronts, std::ptrdiff_t n, std::ptrdiff_t m, std::vector<bool> &gone,
              std::vector<bool> &come) {
  std::ptrdiff_t x = n, y = m;
  for (auto d = static_cast<std::ptrdiff_t>(fronts.size()) - 1; d > 0; --d) {
    const std::vector<std::ptrdiff_t> &front = fronts[static_cast<std::size_t>(d - 1)];
    const auto at = [&](std::ptrdiff_t k) {
      return std::abs(k) > d - 1 ? -1 : front[static_cast<std::size_t>(k + d - 1)];
    };
    const std::ptrdiff_t k = x - y;
    const bool isInsertion = k == -d || (k != d && at(k - 1) < at(k + 1));
    const std::ptrdiff_t before = isInsertion ? k + 1 : k - 1;
    x = at(before);
    y = x - before;
    (isInsertion ? come[static_cast<std::size_t>(y)] : gone[static_cast<std::size_t>(x)]) = true;
  }
}

/// Marks lines without a partner; false: there are too many.
bool match(const std::vector<std::string> &a, const std::vector<std::string> &b, std::vector<bool> &gone,
           std::vector<bool> &come) {
  const auto n = static_cast<std::ptrdiff_t>(a.size()), m = static_cast<std::ptrdiff_t>(b.size());
  Fronts fronts;
  for (std::ptrdiff_t d = 0; d <= std::min(n + m, mostChanges); ++d) {
    std::vector<std::ptrdiff_t> front(static_cast<std::size_t>(2 * d + 1), -1);
    const auto last = [&](std::ptrdiff_t k) {
      return d == 0 || std::abs(k) > d - 1 ? -1 : fronts.back()[static_cast<std::size_t>(k + d - 1)];
    };
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      std::ptrdiff_t x = d == 0 ? 0 : k == -d || (k != d && last(k - 1) < last(k + 1)) ? last(k + 1) : last(k - 1) + 1;
      while (x >= 0 && x < n && x - k >= 0 && x - k < m &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
        ++x;
      front[static_cast<std::size_t>(k + d)] = x;
      if (x >= n && x - k >= m) {
        fronts.push_back(front);
        walkBack(fronts, n, m, gone, come);
        return true;
      }
    }
    fronts.push_back(std::move(front));
  }
  return false;
}

std::string hunkHead(const LineChange &range) {
  const auto part = [](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
  };
  return "@@ -" + part(range.begin, range.end) + " +" + part(range.newBegin, range.newEnd) + " @@\n";
}

void addLine(std::string &out, char mark, const std::string &line) {
  out += mark + line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

} // namespace

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::vector<LineChange> changesBetween(const std::vector<std::string> &before, const std::vector<std::string> &after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t same = 0, tail = 0;
  while (same < shorter && before[same] == after[same]) ++same;
  while (tail < shorter - same && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const std::size_t end = before.size() - tail, newEnd = after.size() - tail;
  const std::vector<std::string> a(before.begin() + static_cast<std::ptrdiff_t>(same),
                                   before.begin() + static_cast<std::ptrdiff_t>(end));
  const std::vector<std::string> b(after.begin() + static_cast<std::ptrdiff_t>(same),
                                   after.begin() + static_cast<std::ptrdiff_t>(newEnd));
  if (a.empty() && b.empty()) return {};
  std::vector<bool> gone(a.size()), come(b.size());
  if (!match(a, b, gone, come)) return {{same, end, same, newEnd}};
  std::vector<LineChange> changes;
  for (std::size_t x = 0, y = 0; x < a.size() || y < b.size();) {
    if ((x >= a.size() || !gone[x]) && (y >= b.size() || !come[y])) {
      ++x;
      ++y;
      continue;
    }
    LineChange change{same + x, same + x, same + y, same + y};
    for (; (x < a.size() && gone[x]) || (y < b.size() && come[y]);) {
      if (x < a.size() && gone[x])
        ++x;
      else
        ++y;
    }
    change.end = same + x;
    change.newEnd = same + y;
    changes.push_back(change);
  }
  return changes;
}

std::string withEndsOf(const std::string &source, const std::string &text) {
  bool hasAny = false;
  for (std::size_t at = 0; (at = source.find('\n', at)) != std::string::npos; ++at) {
    if (at == 0 || source[at - 1] != '\r') return text;
    hasAny = true;
  }
  if (!hasAny) return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n' && (out.empty() || out.back() != '\r')) out += '\r';
    out += c;
  }
  return out;
}

std::string unifiedDiff(const std::string &name, const std::string &before, const std::string &after) {
  const std::vector<std::string> a = linesOf(before), b = linesOf(after);
  const std::vector<LineChange> changes = changesBetween(a, b);
  if (changes.empty()) return "";
  std::string out = "--- " + name + "\n+++ " + name + "\n";
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() && changes[last + 1].begin - changes[last].end <= 2 * around) ++last;
    const std::size_t before_ = std::min(around, changes[first].begin);
    const std::size_t behind = std::min(around, a.size() - changes[last].end);
    out += hunkHead({changes[first].begin - before_, changes[last].end + behind, changes[first].newBegin - before_,
                     changes[last].newEnd + behind});
    std::size_t at = changes[first].begin - before_;
    for (std::size_t k = first; k <= last; ++k) {
      for (; at < changes[k].begin; ++at) addLine(out, ' ', a[at]);
      for (; at < changes[k].end; ++at) addLine(out, '-', a[at]);
      for (std::size_t y = changes[k].newBegin; y < changes[k].newEnd; ++y) addLine(out, '+', b[y]);
    }
    for (; at < changes[last].end + behind; ++at) addLine(out, ' ', a[at]);
    first = last + 1;
  }
  return out;
}

std::string replacementsFor(const std::string &path, const std::string &before, const std::string &after) {
  const std::vector<std::string> a = linesOf(before), b = linesOf(after);
  std::vector<std::size_t> starts{0};
  for (const std::string &line : a) starts.push_back(starts.back() + line.size());
  clang::tooling::TranslationUnitReplacements changes;
  changes.MainSourceFile = path;
  for (const LineChange &change : changesBetween(a, b)) {
    std::string text;
    for (std::size_t y = change.newBegin; y < change.newEnd; ++y) text += b[y];
    const std::size_t begin = starts[change.begin], length = starts[change.end] - begin;
    changes.Replacements.emplace_back(path, static_cast<unsigned>(begin), static_cast<unsigned>(length), text);
  }
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::yaml::Output written(stream);
  written << changes;
  return out;
}

} // namespace polymend
