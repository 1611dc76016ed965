#include "data_ends.h"

#include "device/loop_ends.h"
#include "device/walk.h"

namespace polymend::device_room {

std::optional<Refusal> turnsOn(const Function &function, const DeviceProgram &program, bool shortToo) {
  for (const DeviceKernel &kernel : program.kernels) {
    const std::set<std::string> written = writtenIn(kernel.body), ended = endsOf(kernel.body);
    for (const DataEnd &end : function.ends)
      if ((shortToo || end.isLong) && written.contains(end.flag) && !ended.contains(end.flag))
        return Refusal{"data end this loop, which would make all of its turns in the order of the result", end.where};
  }
  return std::nullopt;
}

} // namespace polymend::device_room
