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

/// A line per room, with its share of the whole.
std::string timingTable(const std::string &name, const std::vector<RoomTime> &times);

} // namespace polymend
