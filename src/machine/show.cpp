// The sheets side by side.
#include "polymend/machine.h"

#include <algorithm>
#include <array>

namespace polymend {
namespace {

using Row = std::array<std::string, 7>;

std::string kibibytes(std::int64_t bytes) { return bytes == 0 ? "-" : std::to_string(bytes / 1024); }
std::string numberOf(std::int64_t n) { return n == 0 ? "-" : std::to_string(n); }

Row rowOf(const Machine &m) {
  std::string atoms;
  const auto add = [&](const MatrixAtom &atom) { atoms += (atoms.empty() ? "" : " ") + atom.name; };
  for (const MatrixUnits &units : m.units) add(units.atom);
  for (const MatrixAtom &atom : m.atoms) add(atom);
  return {m.name,
          std::to_string(m.lanes),
          kibibytes(m.sharedBytes),
          numberOf(m.processors),
          numberOf(m.registers),
          kibibytes(m.farCache),
          atoms.empty() ? "-" : atoms};
}

} // namespace

std::string machineTable() {
  std::vector<Row> rows{{"machine", "lanes", "shared", "processors", "registers", "cache", "atoms"}};
  for (const Machine &m : machines()) rows.push_back(rowOf(m));
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row &row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line;
    for (std::size_t c = 0; c + 1 < row.size(); ++c) line += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    text += line + row.back() + "\n";
  }
  return text;
}

} // namespace polymend
