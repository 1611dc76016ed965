// The last resort: whatever goes wrong, the tool ends with words and a documented exit code.
#pragma once

#include <functional>

namespace polymend {

/// Runs `work` on a stack that deeply nested sources fit on and returns its exit code. An exception, a fatal error of
/// LLVM's or a signal such as SIGSEGV ends the program with ExitCode::Invalid and a message that asks for a report.
int guarded(const std::function<int()> &work);

} // namespace polymend
