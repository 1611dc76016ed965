// Declarations of entries, read off the printed text: there types are spelled as the target has them.
#include "polymend/tell.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace polymend {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text with comments and the insides of literals blanked, byte for byte.
std::string blanked(const std::string &text) {
  std::string out = text;
  for (std::size_t k = 0; k < out.size(); ++k) {
    std::size_t end = k;
    if (text.compare(k, 2, "//") == 0)
      end = std::min(text.find('\n', k), text.size());
    else if (text.compare(k, 2, "/*") == 0)
      end = std::min(text.find("*/", k + 2), text.size() - 2) + 2;
    else if (text[k] == '"' || (text[k] == '\'' && (k == 0 || !isWord(text[k - 1])))) {
      for (end = k + 1; end < text.size() && text[end] != text[k] && text[end] != '\n'; ++end)
        if (text[end] == '\\') ++end;
      ++k;
    }
    for (; k < end && k < out.size(); ++k)
      if (out[k] != '\n') out[k] = ' ';
  }
  return out;
}

/// One past the bracket that closes the one at `open`; npos: none does.
std::size_t behind(const std::string &code, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < code.size(); ++k) {
    if (code[k] == '(') ++depth;
    if (code[k] == ')' && --depth == 0) return k + 1;
  }
  return std::string::npos;
}

/// Where the declaration begins that holds `at`: behind what ends another, and behind lines of the preprocessor.
std::size_t startOf(const std::string &code, std::size_t at) {
  std::size_t from = at == 0 ? 0 : code.find_last_of(";{}", at - 1);
  from = from == std::string::npos ? 0 : from + 1;
  for (std::size_t line = code.rfind('\n', at); line != std::string::npos && line >= from && line > 0;
       line = code.rfind('\n', line - 1)) {
    const std::size_t first = code.find_first_not_of(" \t", line + 1);
    if (first != std::string::npos && first < at && code[first] == '#') return std::min(code.find('\n', first) + 1, at);
  }
  return from;
}

/// Parameters without their default arguments.
std::string withoutDefaults(const std::string &list) {
  std::string out;
  int depth = 0;
  bool isDefault = false;
  for (const char c : list) {
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (c == '=' && depth == 1) isDefault = true;
    if (isDefault && ((c == ',' && depth == 1) || depth == 0)) isDefault = false;
    if (isDefault) continue;
    if ((c == ',' || c == ')') && !out.empty() && out.back() == ' ') out.pop_back();
    out += c;
  }
  return out;
}

/// The declaration of the function that the text defines under that name, with ';'; empty: it defines none.
std::string declarationOf(const std::string &text, const std::string &code, const std::string &name) {
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    const std::size_t open = code.find_first_not_of(" \n", at + name.size());
    if ((at > 0 && isWord(code[at - 1])) || open == std::string::npos || code[open] != '(') continue;
    const std::size_t end = behind(code, open);
    if (end == std::string::npos) continue;
    const std::size_t brace = code.find_first_of("{;=,)", end);
    if (brace == std::string::npos || code[brace] != '{') continue;
    const std::size_t start = startOf(code, at);
    if (code.substr(start, at - start).find_first_not_of(" \n\t") == std::string::npos) continue;
    std::string before;
    for (std::size_t k = start; k < at; ++k) before += code[k] == '"' ? text[k] : code[k];
    before = std::regex_replace(before, std::regex(R"(extern\s*"[^"]*")"), "extern \"C\"");
    before = std::regex_replace(before, std::regex(R"(\[\[[\s\S]*?\]\])"), "");
    const std::string whole =
        before + name + withoutDefaults(code.substr(open, end - open)) + code.substr(end, brace - end);
    std::string line = std::regex_replace(whole, std::regex(R"(\s+)"), " ");
    line.erase(0, line.find_first_not_of(' '));
    return line.substr(0, line.find_last_not_of(' ') + 1) + ";";
  }
  return "";
}

/// Is the byte of the source within `extern "C" { }`?
bool isWithinC(const std::string &source, const std::string &code, std::size_t at) {
  std::vector<bool> open;
  for (std::size_t k = 0; k < at && k < code.size(); ++k) {
    if (code[k] == '}' && !open.empty()) open.pop_back();
    if (code[k] != '{') continue;
    const std::string before = source.substr(k < 16 ? 0 : k - 16, std::min<std::size_t>(k, 16));
    open.push_back(std::regex_search(before, std::regex(R"(extern\s*"C"\s*$)")));
  }
  return std::find(open.begin(), open.end(), true) != open.end();
}

/// A word of the declaration that the source itself gives a meaning; empty: there is none.
std::string ownWord(const std::string &declaration, const std::string &code) {
  const std::regex word(R"([A-Za-z_]\w*)");
  for (auto at = std::sregex_iterator(declaration.begin(), declaration.end(), word); at != std::sregex_iterator();
       ++at) {
    const std::string own = R"re((\b(using|struct|class|enum|enum class)\s+|#\s*define\s+))re" + at->str() +
                            R"re(\b|\b(typedef\b[^;]*|const(expr)?\b[^;=(){}]*)\b)re" + at->str() +
                            R"re(\s*(;|=|\[))re";
    if (std::regex_search(code, std::regex(own))) return at->str();
  }
  return "";
}

std::string withPlainTypes(std::string declaration, const std::string &code, int depth = 0);

/// What the source itself calls that, where it says so once and means a type that every file knows; empty: another
/// thing.
std::string plainType(const std::string &own, const std::string &code, int depth) {
  const std::regex said(R"re(\busing\s+)re" + own + R"re(\s*=\s*([^;{}]*);|\btypedef\s+([^;{},()]*[^\w;{},()]))re" +
                        own + R"re(\s*;|#\s*define\s+)re" + own + R"re(\b)re");
  const auto first = std::sregex_iterator(code.begin(), code.end(), said), none = std::sregex_iterator();
  if (first == none || std::next(first) != none) return "";
  const std::string type = withPlainTypes((*first)[1].matched ? (*first)[1] : (*first)[2], code, depth + 1);
  static const std::regex plain(
      R"re(\s*((const|unsigned|signed|long|short|int|char|float|double|bool|_Float16|__bf16|)re"
      R"re((std::)?(u?int(8|16|32|64)_t|size_t|ptrdiff_t))\s*)+)re");
  if (!std::regex_match(type, plain)) return "";
  const std::size_t from = type.find_first_not_of(" \n\t");
  return type.substr(from, type.find_last_not_of(" \n\t") + 1 - from);
}

/// The declaration without names that the source has for types that every file knows.
std::string withPlainTypes(std::string declaration, const std::string &code, int depth) {
  for (int turn = 0; turn < 8 && depth < 8; ++turn) { // a name may stand for a name
    const std::string own = ownWord(declaration, code);
    const std::string type = own.empty() ? "" : plainType(own, code, depth);
    if (type.empty()) break;
    declaration = std::regex_replace(declaration, std::regex("\\b" + own + "\\b"), type);
  }
  return std::regex_replace(declaration, std::regex(R"(\bconst(\s+const\b)+)"), "const");
}

/// Lines of the text that include something.
std::vector<std::string> includesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (std::regex_search(line, std::regex(R"(^\s*#\s*include\s*[<"])"))) lines.push_back(line);
  return lines;
}

/// What the source includes, and what of a GPU's the text includes, where that is there.
std::string inclusions(const std::string &source, const std::string &text) {
  std::string out = "#include <cstdint>\n";
  std::vector<std::string> done{"#include <cstdint>"};
  for (const std::string &line : includesOf(source)) {
    if (std::find(done.begin(), done.end(), line) == done.end()) out += line + "\n";
    done.push_back(line);
  }
  for (const std::string &line : includesOf(text)) {
    const std::size_t open = line.find('<');
    if (open == std::string::npos || line.find("polymend_rt") != std::string::npos) continue;
    const std::string name = line.substr(open, line.find('>') - open + 1);
    if (name.find("cuda") == std::string::npos && name.find("hip") == std::string::npos) continue;
    if (std::find(done.begin(), done.end(), line) == done.end())
      out += "#if __has_include(" + name + ")\n" + line + "\n#endif\n";
    done.push_back(line);
  }
  const std::string runtime = "#include <cuda_runtime.h>"; // nvcc has it by itself, another compiler does not
  if (text.find("cudaError_t") != std::string::npos && std::find(done.begin(), done.end(), runtime) == done.end())
    out += "#if __has_include(<cuda_runtime.h>)\n" + runtime + "\n#endif\n";
  return out;
}

/// The declarations of one function, or a comment on why there are none.
std::string entriesOf(const Nest &nest, const Function &function, const std::string &text, const std::string &code) {
  const std::string sourceCode = blanked(nest.source);
  const auto refuse = [&](const std::string &why) { return "// " + function.name + ": " + why + "\n"; };
  if (function.isNested || !function.self.empty() || !function.instance.empty())
    return refuse("a member or an instance of a template; its class declares it");
  if (function.isQualified) return refuse("defined outside its scope, which declares it");
  std::string entry = declarationOf(text, code, function.name);
  if (entry.empty() || function.isOverloaded) return refuse("no declaration alone stands for it");
  if (std::regex_search(entry, std::regex(R"(\b(static|inline|template|constexpr)\b)")))
    return refuse("not known outside its file");
  entry = withPlainTypes(entry, sourceCode);
  if (const std::string own = ownWord(entry, sourceCode); !own.empty())
    return refuse("its declaration needs '" + own + "', which the source itself declares");
  const bool isC = entry.starts_with("extern \"C\"") || isWithinC(nest.source, sourceCode, function.where.begin);
  if (isC && !entry.starts_with("extern")) entry = "extern \"C\" " + entry;
  std::string onDevice = withPlainTypes(declarationOf(text, code, function.name + "_on"), sourceCode);
  const char *const api = onDevice.starts_with("cudaError_t")  ? "cuda_runtime.h"
                          : onDevice.starts_with("hipError_t") ? "hip/hip_runtime.h"
                                                               : nullptr;
  if (isC && api) onDevice = "extern \"C\" " + onDevice;
  const std::string message = declarationOf(text, code, function.name + "_index_message");
  std::string out = entry + "\n" + (message.empty() ? "" : message + "\n");
  if (api) out += "#if __has_include(<" + std::string(api) + ">)\n" + onDevice + "\n#endif\n";
  return function.scope.empty() ? out : "namespace " + function.scope + " {\n" + out + "}\n";
}

} // namespace

std::string entryHeader(const Nest &nest, const std::vector<std::string> &names, const std::string &text,
                        const std::string &name) {
  const std::string code = blanked(text);
  std::string out = "// The entries of what polymend made of " + name +
                    ". Do not edit: make it again.\n#pragma once\n\n" + inclusions(nest.source, text) +
                    (code.find("_index_message(") != std::string::npos ? "#include <string>\n\n" : "\n");
  for (const Function &function : nest.functions)
    if (std::find(names.begin(), names.end(), function.name) != names.end())
      out += entriesOf(nest, function, text, code);
  for (const LeftAlone &left : nest.left)
    if (std::none_of(nest.functions.begin(), nest.functions.end(),
                     [&](const Function &function) { return function.name == left.name; }))
      out += "// " + left.name + ": left as it is; declare it as the source does\n";
  return out;
}

} // namespace polymend
