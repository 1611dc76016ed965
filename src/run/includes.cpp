// Which files an input stands on, for build systems (-MF). Includes are followed from the text; what cannot be
// found is left to the compiler to complain about. Conditional includes count as well: a rule may name too many files,
// not too few.
#include "polymend/run.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

namespace polymend {

namespace {

/// The names in the text's #include lines.
std::vector<std::string> includedNames(const std::string &text) {
  static const std::regex line(R"re(^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">])re");
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) {
    std::smatch match;
    if (one.size() < 1000 && std::regex_search(one, match, line)) names.push_back(match[1]);
  }
  return names;
}

/// A path as a make rule spells it.
std::string escaped(const std::string &path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

} // namespace

std::vector<std::string> includedFiles(const std::string &file, const std::vector<std::string> &directories) {
  std::vector<std::string> found{file};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto text = readFile(found[next]);
    if (!text) continue;
    std::vector<std::string> places{std::filesystem::path(found[next]).parent_path().string()};
    places.insert(places.end(), directories.begin(), directories.end());
    for (const std::string &name : includedNames(*text))
      for (const std::string &place : places) {
        const std::string path = (std::filesystem::path(place) / name).lexically_normal().string();
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) continue;
        if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
        break;
      }
  }
  return found;
}

std::string dependencyRule(const std::string &target, const std::vector<std::string> &files) {
  std::string rule = escaped(target) + ":";
  for (const std::string &file : files) rule += " \\\n  " + escaped(file);
  return rule + "\n";
}

} // namespace polymend
