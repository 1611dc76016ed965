// What must not outlive the process: paths, which are removed, and programs, which are ended, when a signal ends it.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace polymend {

/// A file or directory that is removed when a signal ends the process during this object's life.
class Temporary {
public:
  explicit Temporary(std::string path);
  ~Temporary();
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

private:
  std::string place;
};

/// A group of processes that is ended when a signal ends the process during this object's life.
class RunningGroup {
public:
  /// `start` starts it and returns its number; once a signal has come, nothing is started any more.
  explicit RunningGroup(const std::function<pid_t()> &start);
  ~RunningGroup();
  RunningGroup(const RunningGroup &) = delete;
  RunningGroup &operator=(const RunningGroup &) = delete;

private:
  pid_t group = -1;
};

} // namespace polymend
