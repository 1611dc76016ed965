// What was said, for other programs.
#pragma once

#include "polymend/pipeline.h"

namespace polymend {

/// Remarks as LLVM's optimization records in YAML, one document each: what opt-viewer and llvm-remarkutil read.
std::string optimizationRecord(const std::vector<SaidRemark> &remarks);

/// All diagnostics and remarks of several files as SARIF 2.1.0: a remark's kind is its rule.
std::string sarifLog(const std::vector<PipelineOutcome> &outcomes, const std::string &version);

} // namespace polymend
