// remarks: what people are told on stderr about what was done to a file, and why.
#pragma once

#include "polymend/account.h"

namespace polymend {

/// What a remark on a fault of ours ends with.
inline constexpr std::string_view askForReport = "; this is a fault of polymend's, please report it";

Diagnostic remark(Severity severity, const SourceRange &where, const std::string &text);

/// A function stays as it is: a remark where that is the source's doing, a warning where it is ours.
Diagnostic leftRemark(const std::string &function, const Refusal &refusal, bool ours);
/// In which order the loops of a function without a plan run, and why: "keep their order: ...".
std::string orderOf(const FunctionTrace &trace);
/// The loops of a function keep the order of the source; what is refused, or has no equations, though it was
/// transformed.
std::vector<Diagnostic> refusalRemarks(const FunctionTrace &trace);
/// A function does not use matrix units.
Diagnostic offUnitsRemark(const FunctionTrace &trace, const Refusal &why);
/// What a transformed function rests on, and why it was not run beside its source.
std::vector<Diagnostic> trustRemarks(const FunctionTrace &trace);
/// On an entry that stays the source's own beside one on memory of a device.
std::vector<Diagnostic> keptRemarks(const FunctionTrace &trace);
/// What the host entries of functions that now run on a device do to those that call them: each call brings its
/// arguments there and back, and a function that may not throw ends the program where the device fails.
std::vector<Diagnostic> hostEntryRemarks(const Nest &nest, const std::vector<FunctionTrace> &traces);
/// A warning for each loop that --tile names and no function of the file has.
std::vector<Diagnostic> tileWarnings(const Nest &nest, const std::map<std::string, std::int64_t> &tiles);

} // namespace polymend
