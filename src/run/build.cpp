// A C++ file arrives, a shared library or an executable leaves. A missing compiler, a time-out and the compiler's
// errors are refusals.
#include "polymend/run.h"

#include <filesystem>

namespace polymend {

Result<std::string> findCompiler(const std::string &wished) {
  if (!wished.empty()) {
    if (auto found = findProgram({wished})) return *found;
    return Refusal{"cannot find the C++ compiler '" + wished + "'", {}};
  }
  if (auto found = findProgram({"clang++-19", "clang++", "c++"})) return *found;
  return Refusal{"cannot find a C++ compiler (clang++-19, clang++ or c++)", {}};
}

Result<std::string> build(const BuildRequest &request) {
  const auto compiler = findCompiler(request.compiler);
  if (!compiler) return compiler.refusal();
  Command command{{*compiler}, request.limit, ""};
  command.words.insert(command.words.end(), request.flags.begin(), request.flags.end());
  if (request.shared) command.words.emplace_back("-shared");
  if (request.shared && !request.position.empty()) command.words.push_back(request.position);
  command.words.push_back(request.source);
  command.words.insert(command.words.end(), request.objects.begin(), request.objects.end());
  command.words.insert(command.words.end(), {"-o", request.output});
  command.temporaries = std::filesystem::path(request.output).parent_path().string(); // what an end leaves goes with it
  const auto execution = execute(command);
  if (!execution) return execution.refusal();
  if (execution->timedOut)
    return Refusal{"'" + *compiler + "' took longer than " + std::to_string(request.limit.count() / 1000) + " s", {}};
  if (execution->exitCode != 0) {
    std::string said = execution->error.empty() ? execution->output : execution->error;
    if (said.empty()) said = "exit code " + std::to_string(execution->exitCode);
    return Refusal{"'" + *compiler + "' failed:\n" + said, {}};
  }
  return request.output;
}

} // namespace polymend
