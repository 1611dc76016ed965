// verdict: what a run tells of its functions, and the exit code that follows.
#pragma once

#include "compilation.h"
#include "lowered.h"

namespace polymend {

void writeReport(Compilation &compilation, const PipelineOptions &options);
/// --require: everything selected must have been transformed without a refusal; a fault of ours counts for more, and
/// for a check it is what a difference is.
void require(Compilation &compilation, const PipelineOptions &options);
/// --require=parallel,...: what a transformed function lacks is an error, as if it had been refused.
void requireQualities(Compilation &compilation, const PipelineOptions &options);
/// A line on each function that was transformed.
void praise(Compilation &compilation, const PipelineOptions &options);
/// What of index arrays the entries of a function cannot ask.
void sayUnguarded(const FunctionTrace &trace, const TileProgram &program, Target target, Compilation &compilation);

} // namespace polymend
