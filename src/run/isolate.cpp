// Work arrives as a function, its text leaves through a pipe: the work runs in a forked process, so that a crash, a
// wild write or an endless loop stays there. The child never returns into the caller's code: it ends with _exit.
#include "polymend/run.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace polymend {

namespace {

/// Writes all of `text`, whatever the pipe takes at once.
void send(int pipe, const std::string &text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(pipe, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(3);
    sent += static_cast<std::size_t>(count);
  }
}

/// The child's whole life: quiet, signals as they are by default, and no way back.
[[noreturn]] void runChild(const std::function<std::string()> &work, int pipe) {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(number, SIG_DFL);
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDERR_FILENO);
  try {
    send(pipe, work());
  } catch (...) {
    _exit(2);
  }
  _exit(0);
}

/// Reads until the other end is closed; false when `limit` comes first.
bool receive(int pipe, std::chrono::milliseconds limit, std::string &text) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{pipe, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char buffer[65536];
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

} // namespace

Isolated isolate(const std::function<std::string()> &work, std::chrono::milliseconds limit) {
  Isolated result{Isolated::End::Crashed, 0, {}};
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    close(pipe[0]);
    runChild(work, pipe[1]);
  }
  close(pipe[1]);
  if (child > 0) {
    const bool finished = receive(pipe[0], limit, result.text);
    if (!finished) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!finished)
      result.end = Isolated::End::TimedOut;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      result.end = Isolated::End::Done;
    else if (WIFSIGNALED(status))
      result.signal = WTERMSIG(status);
  }
  close(pipe[0]);
  return result;
}

} // namespace polymend
