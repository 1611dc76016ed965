// A primitive's file is an ordinary header: an include guard, its includes (what it needs), and its text in an
// anonymous namespace of polymend_rt, or macros. What is printed of it is its guard and its text.
#include "primitives.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

namespace polymend::print_room {

namespace {

constexpr std::string_view opens = "namespace polymend_rt {\nnamespace {\n\n";
constexpr std::string_view closes = "\n} // namespace\n} // namespace polymend_rt\n";

/// What stands in `line` between `open` and `close`, if it begins with `open`.
std::string within(std::string_view line, std::string_view open, char close) {
  if (!line.starts_with(open)) return "";
  return std::string(line.substr(open.size(), line.rfind(close) - open.size()));
}

void readIncludes(std::string_view head, Primitive &primitive) {
  for (std::size_t at = 0, end = head.find('\n'); end != std::string_view::npos;
       at = end + 1, end = head.find('\n', at)) {
    const std::string_view line = head.substr(at, end - at);
    if (const std::string need = within(line, "#include \"", '"'); !need.empty()) primitive.needs.push_back(need);
    if (const std::string header = within(line, "#include <", '>'); !header.empty())
      primitive.headers.push_back(header);
  }
}

Primitive parse(const PrimitiveFile &file) {
  Primitive result{file.name, within(file.text.substr(0, file.text.find('\n') + 1), "#ifndef ", '\n'), {}, {}, {},
                   false};
  const std::string define = "#define " + result.guard + "\n\n", endif = "\n#endif // " + result.guard;
  const std::size_t defined = file.text.find(define), opened = file.text.find(opens);
  result.isMacro = opened == std::string_view::npos;
  const std::size_t begin = result.isMacro ? defined + define.size() : opened + opens.size();
  const std::size_t end = file.text.rfind(result.isMacro ? endif : closes);
  if (result.guard.empty() || defined == std::string_view::npos || end == std::string_view::npos || end < begin)
    throw std::logic_error("primitives: " + std::string(file.name) + " is no header of a primitive");
  if (!result.isMacro) readIncludes(file.text.substr(0, opened), result);
  result.body = file.text.substr(begin, end - begin);
  return result;
}

/// Adds a primitive after what it needs.
void place(const Primitive &p, const std::map<std::string, Primitive> &all, std::set<std::string> &placed,
           std::vector<Primitive> &result) {
  if (!placed.emplace(p.file).second) return;
  for (const std::string &need : p.needs) place(all.at(need), all, placed, result);
  result.push_back(p);
}

std::vector<Primitive> ordered(std::string_view target) {
  std::map<std::string, Primitive> all;
  for (const PrimitiveFile &file : primitiveFiles)
    if (file.target == target) all.emplace(file.name, parse(file));
  std::vector<Primitive> result;
  std::set<std::string> placed;
  for (const auto &[name, primitive] : all) place(primitive, all, placed, result);
  return result;
}

} // namespace

const std::vector<Primitive> &primitivesOf(std::string_view target) {
  static const std::vector<Primitive> cpp = ordered("cpp"), cuda = ordered("cuda"), hip = ordered("hip");
  return target == "cuda" ? cuda : target == "hip" ? hip : cpp;
}

std::string fileOf(std::string_view primitive) {
  std::string result;
  for (const char c : primitive) {
    const bool isCapital = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (isCapital && !result.empty()) result += '_';
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string_view textOf(std::string_view primitive, std::string_view target) {
  const std::string file = fileOf(primitive) + ".";
  for (const Primitive &p : primitivesOf(target))
    if (p.file.starts_with(file)) return p.body;
  throw std::logic_error("no primitive stands in " + file);
}

} // namespace polymend::print_room
