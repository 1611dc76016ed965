// The machines that are known, and how they are found.
#include "polymend/machine.h"

#include "sheets.h"

#include <algorithm>

namespace polymend {

const std::vector<Machine> &machines() {
  static const std::vector<Machine> all = [] {
    std::vector<Machine> result = nvidiaMachines();
    for (const Machine &m : amdMachines()) result.push_back(m);
    result.push_back(cpuMachine());
    return result;
  }();
  return all;
}

const Machine *machineNamed(const std::string &name) {
  const auto at = std::find_if(machines().begin(), machines().end(), [&](const Machine &m) { return m.name == name; });
  return at == machines().end() ? nullptr : &*at;
}

const MatrixUnits *Machine::unitsFor(std::int64_t elementBytes) const {
  const auto at =
      std::find_if(units.begin(), units.end(), [&](const MatrixUnits &u) { return u.elementBytes == elementBytes; });
  return at == units.end() ? nullptr : &*at;
}

std::optional<MatrixAtom> atomNamed(const std::string &name) {
  for (const MatrixAtom &atom : {atoms::mmaNarrow(), atoms::mmaFloat(), atoms::mmaDouble(), atoms::wgmmaNarrow(),
                                 atoms::mfmaWide(), atoms::mfmaSquare(), atoms::mfmaDouble()})
    if (atom.name == name) return atom;
  return std::nullopt;
}

std::int64_t multipliedBytes(Type type) {
  if (isNarrow(type)) return 2;
  return type == Type::Float32 ? 4 : type == Type::Float64 ? 8 : 0;
}

std::vector<std::string> cudaArchitectures() {
  std::vector<std::string> names;
  for (const Machine &m : nvidiaMachines()) names.push_back(m.name);
  return names;
}

} // namespace polymend
