// Work arrives as functions, their texts leave through pipes: each runs in a forked process, so that a crash, a wild
// write or an endless loop stays there. The child never returns into the caller's code: it ends with _exit.
#include "polymend/run.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
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

/// The child's whole life: quiet, signals as they are by default, not longer than its parent's, and no way back.
[[noreturn]] void runChild(const std::function<std::string()> &work, int pipe) {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDERR_FILENO);
  try {
    send(pipe, work());
  } catch (...) {
    _exit(2);
  }
  _exit(0);
}

using Clock = std::chrono::steady_clock;

/// A process at work, and the end of the pipe that its text comes from.
struct Child {
  std::size_t work = 0;
  pid_t process = -1;
  int pipe = -1;
  Clock::time_point end;
};

/// Starts a process; none leaves `process` below 0.
Child start(std::size_t number, const std::function<std::string()> &work, std::chrono::milliseconds limit) {
  Child child{number, -1, -1, Clock::now() + limit};
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return child;
  child.process = fork();
  if (child.process == 0) {
    close(pipe[0]);
    runChild(work, pipe[1]);
  }
  close(pipe[1]);
  child.pipe = pipe[0];
  if (child.process < 0) close(pipe[0]);
  return child;
}

/// Waits for the process, which has closed its pipe or is killed.
void finish(const Child &child, bool timedOut, Isolated &result) {
  if (timedOut) kill(child.process, SIGKILL);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  close(child.pipe);
  if (timedOut)
    result.end = Isolated::End::TimedOut;
  else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    result.end = Isolated::End::Done;
  else if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
}

/// Takes what a pipe holds; false at its end.
bool receive(int pipe, std::string &text) {
  char buffer[65536];
  const ssize_t count = read(pipe, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Waits until some child has something to tell or is out of time, and lets go of those that are done.
void attend(std::vector<Child> &children, std::vector<Isolated> &results,
            const std::function<void(std::size_t, const Isolated &)> &ended) {
  std::vector<pollfd> waits;
  Clock::time_point first = Clock::time_point::max();
  for (const Child &child : children) {
    waits.push_back({child.pipe, POLLIN, 0});
    first = std::min(first, child.end);
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
  if (poll(waits.data(), waits.size(), static_cast<int>(std::max<std::int64_t>(left, 0))) < 0) return;
  for (std::size_t k = children.size(); k-- > 0;) {
    const bool isOpen = waits[k].revents == 0 || receive(children[k].pipe, results[children[k].work].text);
    const bool timedOut = isOpen && Clock::now() >= children[k].end;
    if (isOpen && !timedOut) continue;
    finish(children[k], timedOut, results[children[k].work]);
    if (ended) ended(children[k].work, results[children[k].work]);
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

} // namespace

std::vector<Isolated> isolate(const std::vector<std::function<std::string()>> &works, std::chrono::milliseconds limit,
                              unsigned atOnce, const std::function<void(std::size_t, const Isolated &)> &ended) {
  std::vector<Isolated> results(works.size(), {Isolated::End::Crashed, 0, {}});
  std::vector<Child> children;
  for (std::size_t next = 0; next < works.size() || !children.empty();) {
    if (next < works.size() && children.size() < atOnce) {
      if (const Child child = start(next, works[next], limit); child.process > 0) children.push_back(child);
      ++next;
    } else {
      attend(children, results, ended);
    }
  }
  return results;
}

Isolated isolate(const std::function<std::string()> &work, std::chrono::milliseconds limit) {
  return isolate(std::vector{work}, limit, 1).front();
}

} // namespace polymend
