// given_orders: the orders of loops that a person wrote, for --schedule=FILE.
#pragma once

#include "compilation.h"

namespace polymend {

/// The schedules of --schedule=FILE.
std::optional<Refusal> readTrees(const PipelineOptions &options, Compilation &compilation);
/// The schedule that a person wrote for a function, taken out of those that wait for theirs.
std::optional<std::string> takeTree(Compilation &compilation, const std::string &function);
/// A person's order that is not followed ends the run: nobody wants another in its place.
void refuseTrees(const PipelineOptions &options, Compilation &compilation);

} // namespace polymend
