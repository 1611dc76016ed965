// The output file: the input with the bodies of transformed functions replaced, and at its top, after a leading
// comment, the headers and primitives that the new bodies use.
#include "polymend/print.h"
#include "gpu_function.h"
#include "print/function.h"

#include <algorithm>
#include <map>

namespace polymend {

namespace {

using namespace print_room;

struct Replacement {
  unsigned end = 0;
  std::string text;
  std::optional<std::size_t> from = {}; // the byte of the source that it is a copy from, but for names; absent: ours
  bool isLaidOut = false;
};

/// By first byte; those of one place stand in their order.
using Edits = std::multimap<unsigned, Replacement>;

Printed splice(const std::string &source, const Edits &edits) {
  Printed result{"", {}, {{0, 0}}};
  std::size_t at = 0;
  for (const auto &[begin, edit] : edits) {
    result.text += source.substr(at, begin - at);
    const std::size_t first = result.text.size();
    result.text += edit.text;
    if (edit.from)
      result.origins.push_back({first, *edit.from});
    else
      result.ours.push_back({first, result.text.size(), edit.isLaidOut});
    at = edit.end;
    result.origins.push_back({result.text.size(), at});
  }
  result.text += source.substr(at);
  return result;
}

bool takesArguments(const Function &f, const DeviceProgram &p) {
  return std::all_of(p.arrays.begin(), p.arrays.end(), [&](const TileArray &a) {
    return a.space != Space::Argument || a.name == "return" ||
           std::any_of(f.arrays.begin(), f.arrays.end(), [&](const Array &b) { return b.name == a.name; });
  });
}

const DeviceProgram *programOf(const Function &f, const std::vector<DeviceProgram> &programs) {
  for (const DeviceProgram &p : programs)
    if (p.function == f.name && takesArguments(f, p)) return &p;
  return nullptr;
}

bool isInside(const SourceRange &range, const std::string &source) {
  return range.begin < range.end && range.end <= source.size();
}

/// Where the text begins: behind a byte order mark.
std::size_t textBegin(const std::string &source) { return source.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

/// Where the first line after the leading comments begins.
std::size_t afterLeadingComment(const std::string &source) {
  std::size_t at = textBegin(source);
  for (;;) {
    const std::size_t next = source.find_first_not_of(" \t\r\n", at);
    if (next == std::string::npos) return at;
    if (source.compare(next, 2, "//") == 0) {
      const std::size_t end = source.find('\n', next);
      if (end == std::string::npos) return at;
      at = end + 1;
    } else if (source.compare(next, 2, "/*") == 0) {
      const std::size_t close = source.find("*/", next + 2);
      const std::size_t end = close == std::string::npos ? close : source.find('\n', close);
      if (end == std::string::npos || source.find_first_not_of(" \t\r", close + 2) != end) return at;
      at = end + 1;
    } else {
      return at;
    }
  }
}

std::string headerText(const Needs &needs, const TargetTable &table) {
  std::string text;
  for (const std::string_view header : table.includes) text += "#include <" + std::string(header) + ">\n";
  for (const std::string &header : needs.headers)
    if (header != "omp.h") text += "#include <" + header + ">\n";
  if (needs.headers.contains("omp.h")) text += "#if defined(_OPENMP)\n#include <omp.h>\n#endif\n";
  return text;
}

/// Without OpenMP its pragmas say nothing, and a loop that a compiler does not vectorise is no fault of the reader's.
constexpr std::string_view quietPragmas = R"(
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#if !defined(_OPENMP) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#endif
)";

/// Keeps GCC from contracting a function; Clang is told inside its body (BodyPrinter::pragmas). A product that one side
/// of a difference rounds and the other does not would leave something where the source's difference is zero. The
/// primitives stand between these lines as well: GCC inlines nothing between functions whose options differ.
constexpr std::string_view apartBegin = "POLYMEND_APART_BEGIN\n", apartEnd = "\nPOLYMEND_APART_END\n";

bool endsDeclaration(const std::string &line) {
  const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  if (first == std::string::npos || line[first] == '#' || line.compare(first, 2, "//") == 0) return true;
  const char end = line[last];
  return end == ';' || end == '}' || end == '{' || (end == '/' && last > 0 && line[last - 1] == '*');
}

/// Where the declaration begins that `at` belongs to: behind another one on its line, or where a line begins, as
/// attributes and linkage may stand on lines before.
std::size_t declarationBegin(const std::string &source, std::size_t at) {
  const auto lineBegin = [&](std::size_t i) { return i == 0 ? 0 : source.rfind('\n', i - 1) + 1; };
  std::size_t begin = lineBegin(at);
  const std::size_t other = source.substr(begin, at - begin).find_last_of(";{}");
  if (other != std::string::npos) return begin + other + 1;
  while (begin > 0) {
    const std::size_t before = lineBegin(begin - 1);
    if (endsDeclaration(source.substr(before, begin - 1 - before))) break;
    begin = before;
  }
  return std::max(begin, textBegin(source));
}

/// The lines over a function that say what its result rests on.
std::string commentOnAssumptions(const Function &f, const PrintOptions &options) {
  const auto found = options.assumptions.find(f.name);
  std::string text;
  if (found == options.assumptions.end()) return text;
  for (const std::string &assumption : found->second) text += "// Assumed: " + assumption + ".\n";
  return text;
}

/// The text of `range` with every name of a 16-bit type as the target spells it, and what is computed with such as
/// floats.
std::string respelled(const Nest &nest, const SourceRange &range, const TargetTable &table) {
  Edits edits;
  const auto edit = [&](const SourceRange &where, const std::string &text) {
    if (range.begin <= where.begin && where.end <= range.end)
      edits.insert({where.begin - range.begin, {where.end - range.begin, text}});
  };
  for (const auto &[where, type] : nest.typeNames) edit(where, spellFor(type, table));
  for (const auto &[where, text] : nest.narrowUses) edit(where, text);
  return splice(nest.source.substr(range.begin, range.end - range.begin), edits).text;
}

bool isEdited(const Edits &edits, const SourceRange &where) {
  return std::any_of(edits.begin(), edits.end(),
                     [&](const auto &e) { return e.first <= where.begin && where.end <= e.second.end; });
}

/// The types of the rest of the file, and the headers that declare them.
void respellRest(const Nest &nest, const TargetTable &table, Edits &edits, Needs &needs) {
  Edits types;
  for (const auto &[where, type] : nest.typeNames) {
    if (where.begin >= where.end || where.end > nest.source.size()) continue;
    if (table.runtime == "cuda") needs.headers.insert(type == Type::Float16 ? "cuda_fp16.h" : "cuda_bf16.h");
    if (!isEdited(edits, where)) types.insert({where.begin, {where.end, spellFor(type, table), where.begin}});
  }
  for (const auto &[where, text] : nest.narrowUses)
    if (!isEdited(edits, where)) types.insert({where.begin, {where.end, text, where.begin}});
  edits.merge(types);
}

/// `text` in the scope of the function, where this stands outside of it.
std::string scoped(const Function &f, const std::string &text) {
  if (!f.isQualified || text.empty()) return text;
  return "namespace " + f.scope + " {\n\n" + text + "} // namespace " + f.scope + "\n\n";
}

/// Where the last replacement ends that begins before `at`.
unsigned lastEnd(const Edits &edits, unsigned at) {
  const auto after = edits.lower_bound(at);
  return after == edits.begin() ? 0 : std::prev(after)->second.end;
}

/// The replacements of a member, or of an instance of a template: what it calls stands before the declaration that
/// holds it; the text of an instance is the template's for its arguments alone.
void replaceNested(const Function &f, const std::string &source, const FunctionText &text, const std::string &comment,
                   bool apart, Edits &edits) {
  const auto begin = static_cast<unsigned>(declarationBegin(source, f.outside));
  const std::string before = scoped(f, text.outlined) + comment + std::string(apart ? apartBegin : "") +
                             scoped(f, text.before) + std::string(apart ? apartEnd : "");
  edits.insert({begin, {begin, before}});
  const auto other = edits.find(f.bodyRange.begin);
  std::string body = f.isRegion ? "[&] " + text.body + "();" : text.body;
  if (!f.instance.empty()) {
    const std::string otherwise = other != edits.end()
                                      ? other->second.text
                                      : source.substr(f.bodyRange.begin, f.bodyRange.end - f.bodyRange.begin);
    body = "{\n  if constexpr (" + f.instance + ") " + body + " else " + otherwise + "\n}";
  }
  if (other != edits.end()) edits.erase(other);
  edits.insert({f.bodyRange.begin, {f.bodyRange.end, body}});
}

/// The replacements of one function: what stands before its declaration, and its body, `apart` from contraction by GCC
/// but for the source's own function.
void replace(const Function &f, const std::string &source, const FunctionText &text, const std::string &comment,
             bool apart, Edits &edits) {
  const auto line = static_cast<unsigned>(declarationBegin(source, std::min(f.where.begin, f.bodyRange.begin)));
  const unsigned begin = edits.empty() ? line : std::max(line, lastEnd(edits, f.bodyRange.begin));
  const bool isBehind = begin > 0 && source[begin - 1] != '\n' && !source.compare(begin, 1, " ");
  const std::string opened = f.isQualified ? "namespace " + f.scope + " {\n\n" : "";
  const std::string closed = f.isQualified ? "} // namespace " + f.scope + "\n\n" : "";
  if (isBehind) edits.insert({begin, {begin, "\n"}});
  if (const ReferenceText &own = text.reference; !own.head.empty()) {
    edits.insert({begin, {begin, opened + own.head}});
    edits.insert({begin, {begin, own.body, f.bodyRange.begin}});
    edits.insert({begin, {begin, "\n\n" + closed}});
  }
  const std::string outlined = scoped(f, text.outlined), before = scoped(f, text.before);
  edits.insert({begin, {begin, outlined + (apart ? std::string(apartBegin) : "") + before + comment}});
  edits.insert({f.bodyRange.begin, {f.bodyRange.end, text.body + std::string(apart ? apartEnd : "")}});
}

/// The body of a constexpr function: where a constant is asked for, the source's text; else what is ours, as a function
/// of its own that need not be constexpr.
std::string whereNoConstant(const Function &f, const std::string &own, const std::string &body,
                            const TargetTable &table) {
  return "{\n  if (__builtin_is_constant_evaluated()) " + own + "\n  else return [&]() -> " +
         spellFor(f.returnType, table) + " " + body + "();\n}";
}

struct Pieces {
  Edits edits;
  Needs needs;
  std::vector<LeftAlone> left;
};

/// Adds the text of one function.
void addFunction(const Nest &nest, const Function &f, const DeviceProgram &program, const PrintOptions &options,
                 Pieces &pieces) {
  const TargetTable &table = tableOf(options.target);
  const Spelled spelled = [&](const SourceRange &range) {
    return table.device ? respelled(nest, range, table) : nest.source.substr(range.begin, range.end - range.begin);
  };
  FunctionText text = table.device ? printForDevice(f, nest.source, spelled, program, options, pieces.needs)
                                   : printFunction(f, nest.source, spelled, program, options, pieces.needs);
  if (f.isConstant) text.body = whereNoConstant(f, spelled(f.bodyRange), text.body, table);
  if (!f.instance.empty()) pieces.needs.headers.insert("type_traits");
  const auto into = f.isNested ? replaceNested : replace;
  into(f, nest.source, text, commentOnAssumptions(f, options), !table.device, pieces.edits);
}

Pieces piecesOf(const Nest &nest, const std::vector<DeviceProgram> &programs, const PrintOptions &options) {
  const TargetTable &table = tableOf(options.target);
  Pieces pieces;
  for (const Function &f : nest.functions) {
    const DeviceProgram *program = programOf(f, programs);
    if (!program || !isInside(f.bodyRange, nest.source)) continue;
    try {
      addFunction(nest, f, *program, options, pieces);
    } catch (const std::exception &failure) {
      pieces.left.push_back({f.name, {std::string("internal error: ") + failure.what(), f.where}, true});
    }
  }
  if (table.device) respellRest(nest, table, pieces.edits, pieces.needs);
  return pieces;
}

} // namespace

std::vector<LeftAlone> unprintable(const Nest &nest, const std::vector<DeviceProgram> &programs,
                                   const PrintOptions &options) {
  return piecesOf(nest, programs, options).left;
}

Printed print(const Nest &nest, const std::vector<DeviceProgram> &programs, const PrintOptions &options) {
  const TargetTable &table = tableOf(options.target);
  Pieces pieces = piecesOf(nest, programs, options);
  if (pieces.edits.empty()) return {nest.source, {}, {{0, 0}}};
  const Needs needs = close(std::move(pieces.needs), table);
  const auto top = static_cast<unsigned>(afterLeadingComment(nest.source));
  std::string preamble = headerText(needs, table);
  if (table.openmp) preamble += quietPragmas;
  const bool includes = options.runtime == Runtime::Header;
  const Library library = includes ? libraryIncludes(needs, table) : libraryText(needs, table);
  const std::string macros = library.macros + (library.macros.empty() || library.text.empty() ? "" : "\n");
  preamble += "\n" + macros +
              (table.device || library.text.empty() ? library.text
                                                    : std::string(apartBegin) + library.text + std::string(apartEnd));
  if (nest.source.compare(top, 1, "\n") != 0 && nest.source.compare(top, 2, "\r\n") != 0) preamble += "\n";
  pieces.edits.emplace_hint(pieces.edits.lower_bound(top), top, Replacement{top, preamble, {}, true});
  return splice(nest.source, pieces.edits);
}

} // namespace polymend
