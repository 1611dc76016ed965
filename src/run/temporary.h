// Paths that must not outlive the process: removed when a signal ends it.
#pragma once

#include <string>

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

} // namespace polymend
