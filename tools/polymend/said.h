// Messages on stderr.
#pragma once

#include "commandline.h"

namespace polymend {

/// Are messages coloured? Auto: on a terminal that knows colours, unless NO_COLOR is set.
bool hasColours(Colour asked);

/// A diagnostic as render() makes it, with colours where asked.
std::string painted(const Diagnostic &diagnostic, const std::string &source, bool inColour);

/// What of an outcome is printed: errors, warnings, and remarks of the kinds that are wanted.
std::vector<Diagnostic> wantedOf(const PipelineOutcome &outcome, const std::set<RemarkKind> &kinds);

/// How far a check has come: one line on a terminal, written over by the next; nothing into a pipe or under --quiet.
class Progress {
public:
  Progress(const CommandLine &line, std::string name);
  [[nodiscard]] bool isShown() const { return shown; }
  void show(const CheckProgress &at) const;
  void clear() const;

private:
  std::string file;
  bool shown;
};

/// A line per room, with its share of the whole.
std::string timingTable(const std::string &name, const std::vector<RoomTime> &times);

} // namespace polymend
