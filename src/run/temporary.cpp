// The one thing that a process has for itself: signals, and what must be removed when one ends it. A thread waits for
// them, since a handler may not remove directories.
#include "temporary.h"

#include "polymend/run.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>

namespace polymend {

namespace {

/// The paths that exist now.
struct Paths {
  std::mutex mutex;
  std::multiset<std::string> all;
};

Paths &paths() {
  static Paths known;
  return known;
}

sigset_t ending() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// Removes what stands there; a compiler that still runs may put a file into a folder while it goes.
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
  paths().mutex.lock();
  for (const std::string &path : paths().all) removeAll(path);
  std::signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

} // namespace

Temporary::Temporary(std::string path) : place(std::move(path)) {
  const std::lock_guard lock(paths().mutex);
  paths().all.insert(place);
}

Temporary::~Temporary() {
  const std::lock_guard lock(paths().mutex);
  paths().all.erase(paths().all.find(place));
}

void cleanUpWhenInterrupted() {
  const sigset_t set = ending();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(waitForTheEnd).detach();
}

} // namespace polymend
