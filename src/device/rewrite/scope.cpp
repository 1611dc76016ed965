#include "device/scope.h"
#include "tile/variables.h"

namespace polymend::device_room {

Scope::Scope(const TileProgram &program, bool isStrict) : isExact(isStrict) {
  taken.insert(program.sizes.begin(), program.sizes.end());
  for (const auto &[name, type] : program.scalars) taken.insert(name);
  for (const TileArray &a : program.arrays) {
    types[a.name] = a.type;
    taken.insert(a.name);
  }
}

void Scope::enter(const Kernel &kernel) {
  taken.merge(variablesOf(kernel));
  for (const TileArray &a : kernel.tiles) {
    types[a.name] = a.type;
    taken.insert(a.name);
  }
}

Type Scope::typeOf(const std::string &array) const {
  const auto at = types.find(array);
  return at == types.end() ? Type::Float32 : at->second;
}

std::string Scope::fresh(const std::string &wish) {
  std::string name = wish;
  for (int i = 2; !taken.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
  return name;
}

} // namespace polymend::device_room
