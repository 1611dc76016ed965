// Breaks a long line after the comma or operator of least bracket depth that is nearest to the limit; a comment breaks
// between words and stays a comment.
#include "print/writer.h"

#include <limits>

namespace polymend::print_room {

namespace {

constexpr std::size_t columns = 120;

bool breaksAfter(const std::string &text, std::size_t space) {
  const char before = text[space - 1];
  if (before == ',' || before == ';') return true;
  if (before == '&' || before == '|' || before == '?' || before == '+' || before == '*' || before == '/' ||
      before == '=')
    return space >= 2 && text[space - 2] != '[';
  return before == '-' && space >= 2 && text[space - 2] == ' ';
}

/// The best place to break `text` within `width` columns, or npos.
std::size_t breakOf(const std::string &text, std::size_t width) {
  std::size_t best = std::string::npos;
  int depth = 0, bestDepth = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < text.size() && i < width; ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool late = 2 * i > width;
    if (c == ' ' && i > 0 && late && breaksAfter(text, i) && depth <= bestDepth) {
      best = i;
      bestDepth = depth;
    }
  }
  return best;
}

} // namespace

void Writer::line(const std::string &text) {
  if (text.empty()) {
    out += "\n";
    return;
  }
  const std::string indent(2 * depth, ' ');
  const bool comment = text.compare(0, 2, "//") == 0;
  std::string rest = text, lead = indent;
  while (lead.size() + rest.size() > columns) {
    const std::size_t width = lead.size() < columns / 2 ? columns - lead.size() : columns / 2;
    std::size_t at = comment ? rest.rfind(' ', width) : breakOf(rest, width);
    if (at == std::string::npos || at <= 3) break;
    out += lead + rest.substr(0, at) + "\n";
    rest = rest.substr(at + 1);
    lead = comment ? indent + "// " : indent + "    ";
  }
  out += lead + rest + "\n";
}

} // namespace polymend::print_room
