#include "device/scope.h"
#include "tile/variables.h"

namespace polymend::device_room {

Scope::Scope(const TileProgram &program, bool isStrict)
    : sizes(program.sizes.begin(), program.sizes.end()), isExact(isStrict) {
  taken = sizes;
  for (const auto &[name, type] : program.scalars) taken.insert(name);
  for (const TileArray &a : program.arrays) enter(a);
  for (const TouchedElements &touched : program.touched)
    if (!touched.plain) partly.insert(touched.array);
}

void Scope::enter(const TileArray &array) {
  arrays[array.name] = array;
  taken.insert(array.name);
}

void Scope::enter(const Kernel &kernel) {
  taken.merge(variablesOf(kernel));
  for (const TileArray &a : kernel.tiles) enter(a);
}

const TileArray *Scope::find(const std::string &array) const {
  const auto at = arrays.find(array);
  return at == arrays.end() ? nullptr : &at->second;
}

Type Scope::typeOf(const std::string &array) const {
  const TileArray *const found = find(array);
  return found ? found->type : Type::Float32;
}

std::string Scope::fresh(const std::string &wish) {
  std::string name = wish;
  for (int i = 2; !taken.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
  return name;
}

} // namespace polymend::device_room
