// run: text -> binaries, and files that are replaced whole or not at all. Compilers are other programs that may be
// missing, hang or fail: each of these is a Refusal with what the program said. No isl, no Clang.
#pragma once

#include "polymend/support.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polymend {

/// A program (by path, or by name to be found on the path) with its arguments and the time it may take.
struct Command {
  std::vector<std::string> words;
  std::chrono::milliseconds limit{300'000};
  std::string temporaries = {}; // the folder for its temporary files; empty: the usual one
};

/// How a command ended and what it wrote.
struct Execution {
  int exitCode = 0; // 128 + signal when a signal ended it
  bool timedOut = false;
  std::string output, error;
};

/// Runs a command to its end or to its limit; refuses when the program cannot be found or started.
Result<Execution> execute(const Command &command);

/// The first of `names` that is an executable file or stands on the path.
std::optional<std::string> findProgram(const std::vector<std::string> &names);
/// The C++ compiler to use: `wished` when not empty, else clang++-19, clang++ or c++; refuses when there is none.
Result<std::string> findCompiler(const std::string &wished = {});

/// One C++ file to be compiled and linked.
struct BuildRequest {
  std::string source, output;
  bool shared = true;   // a shared library, else an executable
  std::string compiler; // empty: findCompiler()
  std::vector<std::string> flags;
  std::chrono::milliseconds limit{300'000};
  std::vector<std::string> objects = {}; // linked with it
  std::string position = "-fPIC";        // how a shared library's code is made to lie anywhere; empty: by `flags`
};

/// Builds and returns the path of the output; refuses with the compiler's own words.
Result<std::string> build(const BuildRequest &request);

/// How work in a process of its own ended.
struct Isolated {
  enum class End { Done, Crashed, TimedOut };
  End end = End::Done;
  int signal = 0;   // End::Crashed: the signal, or 0 when it exited by itself
  std::string text; // what the work returned, complete only for End::Done
};

/// Runs `work` in a forked process: what it crashes, overwrites or blocks does not reach the caller.
Isolated isolate(const std::function<std::string()> &work, std::chrono::milliseconds limit);
/// Each of `works` in a process of its own, at most `atOnce` at a time; the limit is of each. Results in order; `ended`
/// hears of each as it comes.
std::vector<Isolated> isolate(const std::vector<std::function<std::string()>> &works, std::chrono::milliseconds limit,
                              unsigned atOnce,
                              const std::function<void(std::size_t, const Isolated &)> &ended = nullptr);

class Temporary;

/// A new directory that disappears with its contents at the end of its life.
class ScratchDirectory {
public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;
  [[nodiscard]] std::string file(const std::string &name) const;

private:
  std::string path;
  std::unique_ptr<Temporary> temporary;
};

/// From here on SIGINT, SIGTERM and SIGHUP end the process only when the programs that it runs, its scratch directories
/// and the files that it has begun to write are gone. To be called once, before the first thread.
void cleanUpWhenInterrupted();
/// What stderr is told then.
void sayWhenInterrupted(const std::string &words);

/// The contents of a file, or why it cannot be read.
Result<std::string> readFile(const std::string &path);
/// Puts `text` in place of the file at `path`, whole or not at all; what went wrong, or nothing. A path that is not an
/// ordinary file (a terminal, /dev/null) is written directly.
std::optional<Refusal> replaceFile(const std::string &path, const std::string &text);
/// Could replaceFile write here? What stands in the way, or nothing.
std::optional<Refusal> unwritable(const std::string &path);
/// Do both paths name one existing file?
bool sameFile(const std::string &a, const std::string &b);

/// `file` and every file it includes that can be found beside its includer or in `directories`.
std::vector<std::string> includedFiles(const std::string &file, const std::vector<std::string> &directories);
/// A rule "target: files" as make and ninja read it.
std::string dependencyRule(const std::string &target, const std::vector<std::string> &files);

} // namespace polymend
