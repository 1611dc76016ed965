#include "entry_tests.h"

#include "polymend/segments.h"

#include <algorithm>

namespace polymend::device_room {

std::vector<EntryTest> risingTests(const Function &function) {
  std::vector<EntryTest> tests;
  if (const auto rising = risingOf(function))
    for (const Rising &one : *rising) tests.push_back({EntryTest::Kind::Given, one.index, ""});
  return tests;
}

std::vector<EntryTest> testsOf(const Function &function, const TileProgram &program, Side side) {
  using Kind = EntryTest::Kind;
  std::vector<const TileArray *> arguments; // a result is the host's own, but on the device it is an argument
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && (side == Side::Device || !(program.returns && a.name == "return")))
      arguments.push_back(&a);
  std::vector<EntryTest> tests;
  if (program.given) tests.push_back({Kind::Given, "", ""});
  if (side != Side::Device)
    for (const EntryTest &one : risingTests(function)) tests.push_back(one);
  const Entry entry(function, program, side);
  for (const TileArray *a : arguments) {
    const TouchedElements *touched = entry.touchedOf(*a);
    if (side == Side::Copied && touched && !touched->parts.empty()) tests.push_back({Kind::Unknown, a->name, ""});
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const TileArray &a = *arguments[i], &b = *arguments[j];
      const Apart apart = entry.apart(a, b);
      if (apart == Apart::Extents) tests.push_back({Kind::Extents, a.name, b.name});
      if (apart == Apart::Elements) tests.push_back({Kind::Elements, a.name, b.name});
      if (apart == Apart::Together) tests.push_back({Kind::Together, a.name, b.name});
    }
  const auto hasBeside = [&](const TileArray *a) {
    return std::ranges::any_of(function.beside, [&](const NumberBeside &one) { return one.array == a->name; });
  };
  for (const TileArray *a : arguments)
    if (side != Side::Device && hasBeside(a)) tests.push_back({Kind::Numbers, a->name, ""});
  return tests;
}

} // namespace polymend::device_room
