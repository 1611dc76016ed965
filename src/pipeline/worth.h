// worth: why what was made of a function is not printed, though it is right; absent: it is.
#pragma once

#include "lowered.h"

namespace polymend {

constexpr std::string_view copiedEachTurn =
    "nothing gained: each turn of the loop around it would copy its arrays to a device and back";

/// At the dependence that keeps its loops in order.
std::optional<Refusal> idle(const FunctionTrace &trace, const TileProgram &program, Target target);
/// What no equation holds is called as the host's own function, which no device runs.
std::optional<Refusal> calledOnHost(const FunctionTrace &trace, Target target);
/// Arrays go to a GPU and back one by one: with the members of one type that are written the others between them would
/// come back as they were before.
std::optional<Refusal> copiedOver(const FunctionTrace &trace, const TileProgram &program, Target target);
/// Why a program for a GPU whose source has sums of narrow products runs them without matrix units; absent: it does
/// not, or has said so.
std::optional<std::string> offUnits(const PipelineOptions &options, const FunctionTrace &trace,
                                    const TileProgram &program);

} // namespace polymend
