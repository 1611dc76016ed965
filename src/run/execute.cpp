// A command line arrives, an Execution leaves: exit code, both outputs, or that the limit was reached. Outputs are read
// while the program runs, so that it cannot block on a full pipe; at the limit its whole process group ends.
#include "polymend/run.h"

#include "temporary.h"

#include <boost/asio/io_context.hpp>
#include <boost/process/args.hpp>
#include <boost/process/async.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <future>
#include <thread>

namespace polymend {

namespace process = boost::process;

namespace {

/// What a finished read of a pipe holds, or nothing while something else still keeps the pipe open.
std::string received(std::future<std::string> &text) {
  using namespace std::chrono_literals;
  return text.wait_for(0s) == std::future_status::ready ? text.get() : std::string();
}

/// Waits for a child that has closed its outputs, which it usually does by ending.
bool endsBefore(process::child &child, std::chrono::steady_clock::time_point end) {
  while (child.running()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

} // namespace

std::optional<std::string> findProgram(const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    if (name.empty()) continue;
    const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
    if (found && llvm::sys::fs::can_execute(*found)) return *found;
  }
  return std::nullopt;
}

Result<Execution> execute(const Command &command) {
  if (command.words.empty()) return Refusal{"there is no command to run", {}};
  const auto program = findProgram({command.words.front()});
  if (!program) return Refusal{"cannot find the program '" + command.words.front() + "'", {}};
  try {
    boost::asio::io_context events;
    std::future<std::string> output, error;
    process::group group;
    process::environment environment = boost::this_process::environment();
    if (!command.temporaries.empty()) environment["TMPDIR"] = command.temporaries;
    process::child child;
    const RunningGroup running([&] {
      child = process::child(process::exe = *program,
                             process::args = std::vector<std::string>(command.words.begin() + 1, command.words.end()),
                             environment, process::std_in<process::null, process::std_out> output,
                             process::std_err > error, events, group);
      return child.id();
    });
    const auto end = std::chrono::steady_clock::now() + command.limit;
    events.run_until(end);
    Execution result;
    result.timedOut = !endsBefore(child, end);
    if (result.timedOut) group.terminate();
    child.wait();
    events.poll();
    result.exitCode =
        WIFSIGNALED(child.native_exit_code()) ? 128 + WTERMSIG(child.native_exit_code()) : child.exit_code();
    result.output = received(output);
    result.error = received(error);
    return result;
  } catch (const std::exception &failure) {
    return Refusal{"cannot run '" + *program + "': " + failure.what(), {}};
  }
}

} // namespace polymend
