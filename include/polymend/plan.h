// plan: one function through the rooms before tile.
#pragma once

#include "polymend/account.h"

#include <functional>

namespace polymend {

/// Called with the name of a stage and what makes its text.
using ShowStage = std::function<void(const std::string &, const std::function<std::string()> &)>;

/// Takes the trace's function through model, deps, relax and schedule; what a room refuses ends it.
std::optional<Refusal> plan(
    FunctionTrace &trace, const IslContext &context, const RelaxOptions &mending, const ScheduleOptions &order,
    const ShowStage &show = [](const std::string &, const std::function<std::string()> &) {});

} // namespace polymend
