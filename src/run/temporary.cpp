// The one thing that a process has for itself: signals, and what must be ended and removed when one ends it. A thread
// waits for them, since a handler may not remove directories.
#include "temporary.h"

#include "polymend/run.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <pthread.h>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace polymend {

namespace {

/// The paths that exist now, the groups of processes that run, and what is said when a signal ends all that.
struct Known {
  std::mutex mutex;
  std::multiset<std::string> paths;
  std::set<pid_t> groups;
  std::string lastWords;
};

Known &known() {
  static Known all;
  return all;
}

sigset_t ending() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// Ends a group. A driver's children come to this process when the driver is gone, so that all can be waited for.
void endGroup(pid_t group) {
  constexpr int tries = 500;
  constexpr std::chrono::milliseconds pause(10);
  kill(-group, SIGKILL);
  for (int k = 0; k < tries; ++k) {
    const pid_t ended = waitpid(-group, nullptr, WNOHANG);
    if (ended < 0 && errno == ECHILD) return;
    if (ended == 0) std::this_thread::sleep_for(pause);
  }
}

/// Removes what stands there; work in a process of its own may put a file into a folder while it goes.
void removeAll(const std::string &path) {
  constexpr int tries = 100;
  constexpr std::chrono::milliseconds pause(10);
  std::error_code error;
  for (int k = 0; k < tries; ++k) {
    std::filesystem::remove_all(path, error);
    if (!std::filesystem::exists(path, error)) return;
    std::this_thread::sleep_for(pause);
  }
}

/// Never returns: the mutex stays locked, so that nothing new is made.
void waitForTheEnd() {
  const sigset_t set = ending();
  int number = 0;
  while (sigwait(&set, &number) != 0) {
  }
  known().mutex.lock();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const pid_t group : known().groups) endGroup(group);
  for (const std::string &path : known().paths) removeAll(path);
  const std::string &words = known().lastWords;
  const bool isSaid = write(STDERR_FILENO, words.data(), words.size()) >= 0;
  static_cast<void>(isSaid); // nobody is left to be told that it is not
  std::signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

} // namespace

Temporary::Temporary(std::string path) : place(std::move(path)) {
  const std::lock_guard lock(known().mutex);
  known().paths.insert(place);
}

Temporary::~Temporary() {
  const std::lock_guard lock(known().mutex);
  known().paths.erase(known().paths.find(place));
}

RunningGroup::RunningGroup(const std::function<pid_t()> &start) {
  const std::lock_guard lock(known().mutex);
  group = start();
  known().groups.insert(group);
}

RunningGroup::~RunningGroup() {
  const std::lock_guard lock(known().mutex);
  known().groups.erase(group);
}

void sayWhenInterrupted(const std::string &words) {
  const std::lock_guard lock(known().mutex);
  known().lastWords = words;
}

void cleanUpWhenInterrupted() {
  const sigset_t set = ending();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(waitForTheEnd).detach();
}

} // namespace polymend
