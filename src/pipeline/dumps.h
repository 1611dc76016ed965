// dumps: what stages of a run leave, as text, and the time that rooms take.
#pragma once

#include "polymend/pipeline.h"

#include <algorithm>
#include <chrono>

namespace polymend {

/// The stages of a run that were asked for, as text, in order; and what time went by before each was shown.
class Dumps {
public:
  explicit Dumps(std::string stage) : asked(std::move(stage)) {}
  [[nodiscard]] bool wants(const std::string &stage) const { return asked == stage || asked == "all"; }
  template <class F> void show(const std::string &stage, const std::string &function, const F &text) {
    passed(stage.substr(0, stage.find('.')));
    if (wants(stage)) shown.push_back({stage, function, text()});
  }
  /// All time since the last call was the room's.
  void passed(const std::string &room) {
    const auto now = std::chrono::steady_clock::now();
    auto at = std::find_if(times.begin(), times.end(), [&](const RoomTime &time) { return time.room == room; });
    if (at == times.end()) at = times.insert(times.end(), {room, 0});
    at->seconds += std::chrono::duration<double>(now - last).count();
    last = now;
  }
  std::vector<StageDump> shown;
  std::vector<RoomTime> times;

private:
  std::string asked;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace polymend
