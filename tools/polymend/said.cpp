#include "said.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace polymend {

namespace {

constexpr const char *bold = "\033[1m", *plain = "\033[0m", *green = "\033[1;32m";

const char *colourOf(Severity severity) {
  switch (severity) {
  case Severity::Error: return "\033[1;31m";
  case Severity::Warning: return "\033[1;35m";
  case Severity::Remark: return "\033[1;34m";
  case Severity::Note: break;
  }
  return "\033[1;36m";
}

constexpr const char *lineAnew = "\r\033[K";

} // namespace

Progress::Progress(const CommandLine &line, std::string name)
    : file(std::move(name)), shown(line.verb == Verb::Check && !line.remarks.empty() && isatty(STDERR_FILENO) != 0) {}

void Progress::show(const CheckProgress &at) const {
  std::fprintf(stderr, "%s%s: %s, %zu of %zu runs", lineAnew, file.c_str(), at.function.c_str(), at.done, at.all);
  std::fflush(stderr);
}

void Progress::clear() const {
  if (shown) std::fputs(lineAnew, stderr);
}

bool hasColours(Colour asked) {
  if (asked != Colour::Auto) return asked == Colour::Always;
  const char *const terminal = std::getenv("TERM"), *const refused = std::getenv("NO_COLOR");
  const bool isDumb = !terminal || std::strcmp(terminal, "dumb") == 0;
  return !isDumb && !(refused && *refused) && isatty(STDERR_FILENO) != 0;
}

std::string painted(const Diagnostic &diagnostic, const std::string &source, bool inColour) {
  if (!inColour) return render(diagnostic, source);
  Diagnostic alone = diagnostic;
  alone.notes.clear();
  const std::string text = render(alone, source);
  const std::size_t message = text.find(diagnostic.message + "\n");
  if (message == std::string::npos) return render(diagnostic, source);
  const std::size_t behind = message + diagnostic.message.size() + 1; // the source's line, then the caret
  const std::size_t severity =
      text.rfind(": ", message - 3) == std::string::npos ? 0 : text.rfind(": ", message - 3) + 2;
  const std::size_t caret = behind < text.size() ? text.find('\n', behind) + 1 : text.size();
  std::string out = bold + text.substr(0, severity) + colourOf(diagnostic.severity) +
                    text.substr(severity, message - severity) + plain + bold + diagnostic.message + plain + "\n" +
                    text.substr(behind, caret - behind);
  if (caret < text.size()) out += green + text.substr(caret, text.size() - 1 - caret) + plain + "\n";
  for (const Diagnostic &note : diagnostic.notes) out += painted(note, source, true);
  return out;
}

std::vector<Diagnostic> wantedOf(const PipelineOutcome &outcome, const std::set<RemarkKind> &kinds) {
  std::vector<Diagnostic> wanted;
  for (const Diagnostic &said : outcome.diagnostics) {
    const auto known = std::find_if(outcome.remarks.begin(), outcome.remarks.end(), [&](const SaidRemark &remark) {
      return remark.said.message == said.message && remark.said.where.begin == said.where.begin;
    });
    const RemarkKind kind = known == outcome.remarks.end() ? RemarkKind::Analysis : known->kind;
    if (said.severity != Severity::Remark || kinds.contains(kind)) wanted.push_back(said);
  }
  if (outcome.exitCode == ExitCode::Done && kinds.contains(RemarkKind::Passed))
    for (const SaidRemark &remark : outcome.remarks)
      if (remark.kind == RemarkKind::Passed) wanted.push_back(remark.said);
  return wanted;
}

std::string timingTable(const std::string &name, const std::vector<RoomTime> &times) {
  double all = 0;
  for (const RoomTime &time : times) all += time.seconds;
  std::string text = "timings of " + name + ":\n";
  char line[80];
  for (const RoomTime &time : times) {
    std::snprintf(line, sizeof line, "  %-10s %9.2f ms %5.1f %%\n", time.room.c_str(), time.seconds * 1e3,
                  all > 0 ? 100 * time.seconds / all : 0.0);
    text += line;
  }
  std::snprintf(line, sizeof line, "  %-10s %9.2f ms\n", "all", all * 1e3);
  return text + line;
}

} // namespace polymend
