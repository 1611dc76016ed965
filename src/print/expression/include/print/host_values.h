// What the host computes for a kernel: integers over sizes that are quotients by sizes, or made of some. A device
// divides 64-bit integers in about a hundred instructions, and would for every grid point.
#pragma once

#include "device/signs.h"

#include <set>
#include <string>
#include <vector>

namespace polymend::print_room {

struct HostValue {
  Expr value;       // over sizes
  std::string type; // in printed text
  std::string name; // of the host's variable and of the kernel's parameter
  std::string text; // the value, in the host's part
};

/// The values that one kernel's text has asked for so far.
class HostValues {
public:
  /// `sizes` are the symbols that the host knows.
  explicit HostValues(std::set<std::string> known) : sizes(std::move(known)) {}
  /// Whether the host should compute `e`.
  [[nodiscard]] bool covers(const Expr &e) const;
  [[nodiscard]] bool isOverSizes(const Expr &e) const { return device_room::isOver(e, sizes); }
  /// The value equal to `e`, if it was asked for before.
  [[nodiscard]] const HostValue *find(const Expr &e) const;
  const HostValue &add(HostValue value) { return values.emplace_back(std::move(value)); }
  [[nodiscard]] const std::vector<HostValue> &all() const { return values; }

private:
  std::set<std::string> sizes;
  std::vector<HostValue> values;
};

/// `e` where no divisor is zero. The host computes it whatever the sizes are, the kernel only where a loop runs or a
/// condition holds that may rest on them.
Expr forAllSizes(const Expr &e);
/// `e` in 32 bits, the largest such number in place of larger ones: what divides a number of 32 bits may be so.
Expr asDivisor(const Expr &e);
/// Whether asDivisor() made it.
bool isDivisor(const Expr &e);

} // namespace polymend::print_room
