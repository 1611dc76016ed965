// The table of targets.
#include "print/target.h"

namespace polymend::print_room {

const TargetTable &tableOf(Target target) {
  static const TargetTable cpp{"_Float16", "__bf16", {}, true, true, false, "", false};
  static const TargetTable cuda{"__half", "__nv_bfloat16", {}, false, true, true, "cuda", true};
  static const TargetTable hip{"_Float16", "__bf16", {"hip/hip_runtime.h"}, false, true, true, "hip", false};
  switch (target) {
  case Target::Cuda: return cuda;
  case Target::Hip: return hip;
  case Target::Cpp: break;
  }
  return cpp;
}

std::string spellFor(Type type, const TargetTable &table) {
  if (type == Type::Float16) return std::string(table.half);
  if (type == Type::BFloat16) return std::string(table.brain);
  return spell(type);
}

} // namespace polymend::print_room
