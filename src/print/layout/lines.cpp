// A line of a text is ours where it begins within a stretch that is ours. A lexer of Clang's says where lines begin
// within a token; where the line before ends with a backslash it goes on.
#include "polymend/text_layout.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace polymend {

namespace {

/// The tokens of a text, comments among them, that hold the end of a line.
std::vector<Stretch> longTokens(const std::string &text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus20 = language.LineComment = true;
  clang::Lexer lexer({}, language, text.data(), text.data(), text.data() + text.size());
  lexer.SetCommentRetentionState(true);
  std::vector<Stretch> found;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    const std::size_t end = lexer.getCurrentBufferOffset(), begin = end - token.getLength();
    if (text.find('\n', begin) < end) found.push_back({begin, end});
    if (token.is(clang::tok::eof)) break;
  }
  return found;
}

std::string directive(std::size_t line, const std::string &file) {
  std::string quoted;
  for (const char c : file) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return "#line " + std::to_string(line) + " \"" + quoted + "\"\n";
}

std::size_t linesIn(const std::string &text, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t i) { return text.begin() + static_cast<std::ptrdiff_t>(std::min(i, text.size())); };
  return static_cast<std::size_t>(std::count(at(begin), at(end), '\n'));
}

} // namespace

std::string withLineDirectives(const Printed &printed, const std::string &source, const std::string &file,
                               const std::string &output) {
  const std::string &text = printed.text;
  const std::vector<Stretch> tokens = longTokens(text);
  const auto within = [](const std::vector<Stretch> &all, std::size_t at) {
    return std::any_of(all.begin(), all.end(), [&](const Stretch &s) { return s.begin < at && at < s.end; });
  };
  const auto begins = [&](std::size_t at) {
    return std::any_of(printed.ours.begin(), printed.ours.end(), [&](const Stretch &s) { return s.begin == at; });
  };
  const auto sourceLine = [&](std::size_t at) {
    const auto after =
        std::find_if(printed.origins.begin(), printed.origins.end(), [&](const Origin &o) { return o.at > at; });
    if (after == printed.origins.begin()) return std::size_t{1};
    const Origin &from = *std::prev(after); // white space there may be ours
    const std::size_t first = std::min(text.find_first_not_of(" \t\n", from.at), at);
    const std::size_t there = std::min(source.find_first_not_of(" \t\n", from.source), source.size());
    return 1 + linesIn(source, 0, there) + linesIn(text, first, at);
  };
  std::string result;
  std::size_t lines = 0, believed = 1; // of the result; the number that a compiler gives to the next line
  bool isOurs = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const bool ours = begins(at) || within(printed.ours, at);
    const bool mayStand = !within(tokens, at) && !(at > 1 && text[at - 2] == '\\');
    const std::size_t wanted = ours ? lines + 1 : sourceLine(at);
    if (mayStand && (ours != isOurs || wanted != believed)) {
      result += directive(ours ? lines + 2 : wanted, ours ? output : file);
      believed = ours ? lines + 2 : wanted;
      isOurs = ours;
      ++lines;
    }
    result.append(text, at, end - at);
    ++lines;
    ++believed;
    at = end;
  }
  return result;
}

} // namespace polymend
