// The planned order against the dependences, then the tile program against the source's order on small data.
#include "polymend/validate.h"

#include "polymend/order.h"

#include "check/validate_run.h"

namespace polymend {

std::vector<std::string> validate(const Passage &passage, const TileProgram &program, const Effort &effort) {
  if (!passage.relaxed || !passage.schedule || !passage.relaxed->system || passage.schedule->order) return {};
  std::vector<std::string> found = violations(*passage.relaxed, *passage.schedule);
  if (effort.instances == 0 || !found.empty()) return found;
  return validateByRunning(passage, program, effort);
}

} // namespace polymend
