// A part of a function arrives, its statements leave, as they stand in the original or in what was printed for them.
#include "paths.h"
#include "run.h"

#include <cctype>
#include <map>

namespace polymend {

namespace {

/// What was printed in place of a part of a function: the smallest lambda, called at once, that names what is the
/// part's own; a text that does not build: there is none.
std::string printedFor(const std::string &text, const std::string &name) {
  constexpr std::string_view opens = "[&] {";
  const auto names = [&](const std::string &found) {
    for (std::size_t at = found.find(name + "_"); at != std::string::npos; at = found.find(name + "_", at + 1))
      if (!std::isalnum(static_cast<unsigned char>(found[at - 1])) && found[at - 1] != '_') return true;
    return false;
  };
  std::string smallest;
  for (std::size_t at = text.find(opens); at != std::string::npos; at = text.find(opens, at + 1)) {
    const std::size_t end = closingBracket(text, at + opens.size() - 1);
    if (text.compare(end, 4, "}();") != 0) continue;
    const std::string found = text.substr(at, end + 4 - at);
    if (names(found) && (smallest.empty() || found.size() < smallest.size())) smallest = found;
  }
  return smallest.empty() ? "#error the result has no such part" : smallest;
}

} // namespace

std::string regionIn(const std::string &text, const std::string &original, const Function &function) {
  const auto spelled = [&](const SourceRange &range) { return original.substr(range.begin, range.end - range.begin); };
  // By where they begin: of several in one statement the last holds all.
  std::map<unsigned, SourceRange> declared;
  for (const SourceRange &range : function.declaredAround)
    if (SourceRange &known = declared[range.begin]; known.end <= range.end) known = range;
  std::string region;
  for (const auto &[begin, range] : declared) region += spelled(range) + ";\n";
  return region + (text == original ? spelled(function.bodyRange) : printedFor(text, function.name));
}

} // namespace polymend
