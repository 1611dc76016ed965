// Both texts are read side by side: white space and marks count for nothing, nor does the start of a comment that was
// broken into lines.
#include "polymend/source_marks.h"

#include <algorithm>
#include <cctype>

namespace polymend {

namespace {

constexpr char markBegin = '\x01', markEnd = '\x02';

void add(LineOrigin &line, const SourceRange &place) {
  const auto isSame = [&](const SourceRange &p) { return p.begin == place.begin && p.end == place.end; };
  if (std::none_of(line.places.begin(), line.places.end(), isSame)) line.places.push_back(place);
}

void add(LineOrigin &line, const Stored &stored) {
  if (std::find(line.stored.begin(), line.stored.end(), stored) == line.stored.end()) line.stored.push_back(stored);
}

/// The line with what a mark says.
void addMark(LineOrigin &line, const std::string &mark) {
  if (mark.front() == '=' || mark.front() == '+') return add(line, Stored{mark.substr(1), mark.front() == '+'});
  SourceRange place;
  place.begin = static_cast<unsigned>(std::stoul(mark));
  place.end = static_cast<unsigned>(std::stoul(mark.substr(mark.find(',') + 1)));
  add(line, place);
}

/// A text's characters one after the other, and the marks between them.
class Characters {
public:
  explicit Characters(const std::string &read) : text(read) {}

  /// The next character that counts; '\0': there is none.
  char next() {
    marks.clear();
    for (; at < text.size(); ++at) {
      if (text[at] == markBegin) {
        readMark();
      } else if (text[at] == '\n') {
        ++line;
        begins = true;
      } else if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
        const bool isComment = begins && text.compare(at, 2, "//") == 0;
        begins = false;
        if (!isComment) return text[at++];
        ++at;
      }
    }
    return '\0';
  }

  std::size_t line = 0;
  std::vector<std::string> marks; // before the character that came last

private:
  void readMark() {
    const std::size_t end = text.find(markEnd, at);
    marks.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }

  const std::string &text;
  std::size_t at = 0;
  bool begins = true;
};

/// False: the texts differ.
bool addMarks(const std::string &text, const std::string &marked, std::vector<LineOrigin> &lines) {
  Characters plain(text), other(marked);
  for (;;) {
    const char one = plain.next();
    if (one != other.next()) return false;
    if (one == '\0') return true;
    for (const std::string &mark : other.marks) addMark(lines[plain.line], mark);
  }
}

/// Lines that are the source's own.
void addCopies(const Printed &file, std::vector<LineOrigin> &lines) {
  std::size_t line = 0, begin = 0;
  for (; begin < file.text.size(); ++line) {
    const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
    const auto isOurs = [&](const Stretch &s) { return s.begin <= begin && begin < s.end; };
    const auto after = std::upper_bound(file.origins.begin(), file.origins.end(), begin,
                                        [](std::size_t at, const Origin &o) { return at < o.at; });
    if (after != file.origins.begin() && std::none_of(file.ours.begin(), file.ours.end(), isOurs)) {
      const Origin &from = *std::prev(after);
      SourceRange place;
      place.begin = static_cast<unsigned>(from.source + begin - from.at);
      place.end = static_cast<unsigned>(place.begin + end - begin);
      add(lines[line], place);
      lines[line].isCopy = true;
    }
    begin = end + 1;
  }
}

} // namespace

std::string markOf(const SourceRange &where) {
  return markBegin + std::to_string(where.begin) + "," + std::to_string(where.end) + markEnd;
}

std::string markOf(const Stored &stored) {
  return markBegin + std::string(stored.isUpdated ? "+" : "=") + stored.array + markEnd;
}

std::vector<LineOrigin> originsOfLines(const Printed &file, const std::string &marked) {
  const auto count = static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n')) + 1;
  std::vector<LineOrigin> lines(count);
  if (!addMarks(file.text, marked, lines)) lines.assign(count, {});
  addCopies(file, lines);
  return lines;
}

} // namespace polymend
