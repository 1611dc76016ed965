// The text of a result arrives, the same text with marks leaves: a mark is set when the statement it stands at runs.
// Paths are found in the text as it is printed, so that what is checked is what is delivered: the source's own function
// behind the tests at an entry, each kernel, both sides of each decision between tiles (full and partial ones),
// rows that are computed again. Decisions between threads are none: every run takes both sides.
#include "paths.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace polymend {

namespace {

/// How the comment goes on above the source's own function, which begins with its name.
constexpr const char *referenceComment = " in the source's order.\n";

/// What begins every body of the host: a macro that must come before all statements.
constexpr std::string_view directive = "POLYMEND_ROUNDED_PRODUCTS";

/// One past the comment, string or character that begins at `at`, or `at`.
std::size_t beyondQuoted(const std::string &text, std::size_t at) {
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  const char quote = text[at];
  const bool isSeparator = quote == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]));
  if ((quote != '"' && quote != '\'') || isSeparator) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

} // namespace

std::size_t closingBracket(const std::string &text, std::size_t at) {
  const char open = text[at], close = open == '(' ? ')' : '}';
  std::size_t depth = 0;
  while (at < text.size()) {
    if (const std::size_t next = beyondQuoted(text, at); next != at) {
      at = next;
      continue;
    }
    depth += text[at] == open;
    if (text[at] == close && --depth == 0) return at;
    ++at;
  }
  return text.size();
}

namespace {

std::size_t skipBlank(const std::string &text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

/// Text on one line, cut where it is long.
std::string brief(const std::string &text) {
  constexpr std::size_t most = 44;
  std::string result;
  for (const char c : text) {
    const bool isBlank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!isBlank || (!result.empty() && result.back() != ' ')) result += isBlank ? ' ' : c;
  }
  for (const char *noise : {"polymend_rt::", "std::int64_t", "std::", "<>"})
    for (std::size_t at = 0; (at = result.find(noise)) != std::string::npos;)
      result.erase(at, std::char_traits<char>::length(noise));
  return result.size() <= most ? result : result.substr(0, most - 3) + "...";
}

/// Where the first statement behind a brace begins: what says how to contract comes before all others.
std::size_t behindDirectives(const std::string &text, std::size_t brace) {
  std::size_t at = brace + 1;
  const auto isFirst = [&](std::size_t line) {
    return text.compare(line, directive.size(), directive) == 0 || text.compare(line, 13, "#pragma clang") == 0;
  };
  for (std::size_t next = skipBlank(text, at); next < text.size() && isFirst(next); next = skipBlank(text, at))
    at = std::min(text.find('\n', next), text.size() - 1) + 1;
  return at;
}

/// Is a whole tile what the condition asks for? Then every part of it compares what there is with what a tile reaches.
bool asksForFullTile(const std::string &condition) {
  static const std::regex left(R"(0 <= [^&|]* - ([0-9]+))"), reach(R"([^&|]*\b([0-9]+) <= [^&|]*)");
  std::string line;
  for (const char c : condition)
    if (!std::isspace(static_cast<unsigned char>(c)) || (!line.empty() && line.back() != ' '))
      line += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
  bool some = false;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(" && ", at), line.size());
    const std::string part = line.substr(at, end - at);
    std::smatch found;
    if (!std::regex_match(part, found, left) && !std::regex_match(part, found, reach)) return false;
    some = some || (found[1] != "0" && found[1] != "1");
    at = end + 4;
  }
  return some;
}

/// Does each thread decide for itself?
bool decidesBetweenThreads(const std::string &condition) {
  static const std::regex word(R"(\b(thread|lane|warp|warpGroup|copier|threadIdx|ticket|point_number|group)(_\d+)?\b)");
  return std::regex_search(condition, word);
}

/// Does the condition ask whether rows are to be computed again?
bool asksForFallbackRows(const std::string &condition) {
  static const std::regex fallback(R"(\w+_fallback(_\d+)?(\[[^\]]*\])* != 0)");
  return std::regex_match(condition, fallback);
}

class Marker {
public:
  Marker(const std::string &t, const std::vector<CheckedFunction> &f) : text(t) {
    for (const CheckedFunction &checked : f) functions.push_back(checked.function.name);
  }
  MarkedText mark(Target target);

private:
  void hostBodies();
  void fallbacks();
  void kernels();
  void entries();
  void decisions(const std::string &function, std::size_t begin, std::size_t end, bool andFallbackRows);
  void decision(const std::string &function, std::size_t open, bool andFallbackRows);
  void add(const std::string &function, const std::string &name, std::size_t brace, bool fallback = false);
  [[nodiscard]] std::string named(const std::string &header) const;

  const std::string &text;
  std::vector<std::string> functions;
  std::vector<std::pair<std::size_t, ResultPath>> marks; // by the brace behind which they stand
};

void Marker::add(const std::string &function, const std::string &name, std::size_t brace, bool fallback) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(brace), '\n');
  marks.push_back({brace, {function, name, static_cast<unsigned>(line), fallback}});
}

/// The function whose name comes last in a header.
std::string Marker::named(const std::string &header) const {
  std::string last;
  std::ptrdiff_t at = -1;
  for (const std::string &name : functions) {
    const std::regex call("\\b" + name + "(_parallel)?\\s*\\(");
    for (auto found = std::sregex_iterator(header.begin(), header.end(), call); found != std::sregex_iterator();
         ++found)
      if (found->position() > at) {
        at = found->position();
        last = name;
      }
  }
  return last;
}

/// The source's own functions, which the tests at an entry call.
void Marker::fallbacks() {
  for (const std::string &function : functions) {
    const std::string head = "/// " + function + referenceComment;
    const std::size_t at = text.find(head);
    if (at == std::string::npos) continue;
    const std::size_t open = text.find('(', text.find("_reference", at + head.size())); // behind its attribute
    const std::size_t brace = skipBlank(text, closingBracket(text, std::min(open, text.size() - 1)) + 1);
    if (brace < text.size() && text[brace] == '{') add(function, "fallback", brace, true);
  }
}

/// The decision whose condition opens at `open`: one with two sides, or on rows that are computed again.
void Marker::decision(const std::string &function, std::size_t open, bool andFallbackRows) {
  const std::size_t close = closingBracket(text, open), then = skipBlank(text, close + 1);
  if (then >= text.size() || text[then] != '{') return;
  const std::string condition = text.substr(open + 1, close - open - 1);
  if (decidesBetweenThreads(condition)) return;
  const std::size_t end = closingBracket(text, then), word = skipBlank(text, end + 1);
  const std::size_t other = text.compare(word, 4, "else") == 0 ? skipBlank(text, word + 4) : text.size();
  const bool hasOther = other < text.size() && text[other] == '{';
  if (asksForFallbackRows(condition)) {
    if (andFallbackRows) add(function, "fallback rows", then);
  } else if (hasOther) {
    const bool whole = asksForFullTile(condition);
    add(function, whole ? "full tiles" : "if " + brief(condition), then);
    add(function, whole ? "partial tiles" : "unless " + brief(condition), other);
  }
}

void Marker::decisions(const std::string &function, std::size_t begin, std::size_t end, bool andFallbackRows) {
  for (std::size_t at = begin; at < end;) {
    if (const std::size_t next = beyondQuoted(text, at); next != at) {
      at = next;
      continue;
    }
    const bool isWord = text.compare(at, 2, "if") == 0 && !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    const std::size_t open = isWord ? skipBlank(text, at + 2) : text.size();
    if (open < text.size() && text[open] == '(') decision(function, open, andFallbackRows);
    ++at;
  }
}

/// Bodies of the host: the source's header, then pragmas that begin every body.
void Marker::hostBodies() {
  for (std::size_t found = 0; (found = text.find(directive, found)) != std::string::npos; ++found) {
    const std::size_t at = text.find_last_not_of(" \t\r\n", found - 1);
    if (at == std::string::npos || text[at] != '{') continue;
    const std::size_t before = text.find_last_of(";}#", at);
    const std::string function = named(text.substr(before == std::string::npos ? 0 : before, at - before));
    if (function.empty()) continue;
    const std::size_t end = closingBracket(text, at);
    const std::string comment = "// Kernel ";
    for (std::size_t kernel = at; (kernel = text.find(comment, kernel)) < end; ++kernel) {
      const std::size_t name = kernel + comment.size(), dot = text.find(".\n", kernel),
                        brace = skipBlank(text, dot + 1);
      if (brace >= end) continue;
      // An only kernel has no braces: its mark follows the line of the comment.
      add(function, "kernel " + brief(text.substr(name, dot - name)), text[brace] == '{' ? brace : dot + 1);
    }
    decisions(function, at, end, true);
  }
}

/// Kernels of a device.
void Marker::kernels() {
  const std::string word = "__global__ void ";
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    std::size_t open = text.find('(', at);
    if (text.find("__launch_bounds__(", at) < open) open = text.find('(', closingBracket(text, open) + 1);
    if (open >= text.size()) continue;
    std::size_t name = open;
    while (name > 0 && (std::isalnum(static_cast<unsigned char>(text[name - 1])) || text[name - 1] == '_')) --name;
    const std::string kernel = text.substr(name, open - name);
    std::string function;
    for (const std::string &one : functions)
      if (kernel.starts_with(one) && one.size() > function.size()) function = one;
    const std::size_t brace = skipBlank(text, closingBracket(text, open) + 1);
    if (function.empty() || brace >= text.size() || text[brace] != '{') continue;
    add(function, "kernel " + kernel, brace);
    decisions(function, brace, closingBracket(text, brace), true);
  }
}

/// What the entry on device memory decides.
void Marker::entries() {
  static const std::regex entry(R"(\n(?:cuda|hip)Error_t\s+(\w+?)_on(?:_device)*\s*\()");
  for (auto found = std::sregex_iterator(text.begin(), text.end(), entry); found != std::sregex_iterator(); ++found) {
    const std::string function = (*found)[1];
    if (std::find(functions.begin(), functions.end(), function) == functions.end()) continue;
    const auto open = static_cast<std::size_t>(found->position() + found->length() - 1);
    const std::size_t brace = skipBlank(text, closingBracket(text, open) + 1);
    if (brace < text.size() && text[brace] == '{') decisions(function, brace, closingBracket(text, brace), false);
  }
}

MarkedText Marker::mark(Target target) {
  fallbacks();
  if (target == Target::Cpp) {
    hostBodies();
  } else {
    kernels();
    entries();
  }
  std::sort(marks.begin(), marks.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  MarkedText marked;
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  marked.text = text.substr(0, at);
  if (target == Target::Hip) marked.text += "#include <hip/hip_runtime.h>\n";
  marked.text += "extern \"C\" unsigned char polymend_ran[];\n";
  if (target == Target::Cpp) marked.text += "extern \"C\" double polymend_least_work;\n";
  if (target != Target::Cpp)
    marked.text += "extern \"C\" double polymend_narrow_reach;\nstatic __device__ unsigned char polymend_ran_there[" +
                   std::to_string(marks.size() + 1) + "];\n";
  marked.text += "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n"
                 "#define POLYMEND_RAN(path) (polymend_ran_there[path] = 1)\n"
                 "#else\n#define POLYMEND_RAN(path) (polymend_ran[path] = 1)\n#endif\n";
  for (const auto &[brace, path] : marks) {
    const std::size_t place = behindDirectives(text, brace);
    marked.text += text.substr(at, place - at) + " POLYMEND_RAN(" + std::to_string(marked.paths.size()) + ");" +
                   (text[place - 1] == '\n' ? "\n" : ""); // a directive may follow, which begins a line
    marked.paths.push_back(path);
    at = place;
  }
  marked.text += text.substr(at);
  return marked;
}

} // namespace

MarkedText withMarks(const std::string &text, const std::vector<CheckedFunction> &functions, Target target) {
  return Marker(text, functions).mark(target);
}

std::string marksKept(std::size_t count, Target target) {
  const std::string size = std::to_string(count + 1);
  std::string text = "\nextern \"C\" { unsigned char polymend_ran[" + size + "]; }\n";
  text += target == Target::Cpp ? "extern \"C\" { double polymend_least_work = 0; }\n"
                                : "extern \"C\" { double polymend_narrow_reach = 0; }\n";
  text += "extern \"C\" const unsigned char *polymend_marks() {\n";
  if (target != Target::Cpp)
    text += "#ifdef POLYMEND_EMULATED\n  const unsigned char *const there = polymend_ran_there;\n#else\n"
            "  unsigned char there[" +
            size + "] = {};\n  static_cast<void>(" + std::string(target == Target::Hip ? "hip" : "cuda") +
            "MemcpyFromSymbol(there, polymend_ran_there, " + size + "));\n#endif\n  for (int k = 0; k < " + size +
            "; ++k) polymend_ran[k] |= there[k];\n";
  return text + "  return polymend_ran;\n}\n";
}

} // namespace polymend
