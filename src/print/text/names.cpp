// Identifiers: letters, digits and underscores, no keyword, no macro of the source, no reserved form.
#include "print/names.h"

#include "polymend/keywords.h"

#include <array>
#include <cctype>
#include <string_view>

namespace polymend::print_room {

namespace {

/// Names that a file's scope has, or that compilers define as macros.
constexpr std::array<std::string_view, 5> known{"std", "main", "polymend_rt", "unix", "linux"};

bool isIdentifierChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string shape(const std::string &wish) {
  std::string text;
  for (const char c : wish) {
    const char next = isIdentifierChar(c) ? c : '_';
    if (next != '_' || text.empty() || text.back() != '_') text += next;
  }
  while (!text.empty() && text.front() == '_') text.erase(0, 1);
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) text = "v" + text;
  return text;
}

} // namespace

bool mentions(const std::string &text, const std::string &word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !isIdentifierChar(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !isIdentifierChar(text[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

Names::Names(const std::string &source) {
  taken.insert(known.begin(), known.end());
  for (std::size_t at = source.find("define"); at != std::string::npos; at = source.find("define", at + 1)) {
    std::size_t begin = source.find_first_not_of(" \t", at + 6);
    if (begin == std::string::npos || begin == at + 6) continue;
    std::size_t end = begin;
    while (end < source.size() && isIdentifierChar(source[end])) ++end;
    taken.insert(source.substr(begin, end - begin));
  }
}

void Names::keep(const std::string &name) {
  taken.insert(name);
  bound[name] = name;
}

std::string Names::fresh(const std::string &wish) {
  const std::string base = shape(wish);
  std::string name = base;
  for (int i = 2; isKeyword(name) || !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  return name;
}

const std::string &Names::bind(const std::string &name, const std::string &wish) { return bound[name] = fresh(wish); }

const std::string &Names::of(const std::string &name) {
  const auto at = bound.find(name);
  return at != bound.end() ? at->second : bind(name, name);
}

} // namespace polymend::print_room
