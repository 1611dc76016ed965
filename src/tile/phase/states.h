// The states of mended members, the pivots that they are taken at, and the values made of them.
#pragma once

#include "context.h"

namespace polymend {

/// The producers' values that a group of mended states was taken at.
struct PivotGroup {
  std::string key;                        // which corrections share it
  std::vector<std::string> symbols;       // as in the corrections
  std::vector<int> producers;             // equations
  int owner = 0;                          // the first equation of the group: it moves the pivots
  std::vector<std::string> pivots, nexts; // tile names: value in use, value to move to
  std::string moves;                      // tile, not zero where they move; empty unless tiles lie in registers
};

/// Where a phase keeps the states of its mended members.
struct MendedStates {
  std::map<int, std::vector<std::string>> tiles; // per mended equation: tile of each state component
  std::vector<PivotGroup> groups;
  std::map<int, std::size_t> grouped; // per mended equation whose state moves: its pivots
};

/// The pivots of a member whose state moves.
const PivotGroup &pivotsOf(const MendedStates &states, const Seated &seated);
/// Does the member's state move with these pivots?
bool shares(const MendedStates &states, const Seated &seated, const PivotGroup &group);
/// A component that only counts elements is carried in double: a float stands still at 2^24.
Type componentType(const PhaseContext &context, const Seated &seated, std::size_t k);

/// What the symbols of a correction stand for: reads of the consumer, pivots (r) and the values they move to (r'). Rows
/// to which no element comes read nothing.
std::map<std::string, Expr> bindings(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                                     const std::vector<std::string> *pivots, const std::vector<std::string> *nexts);
/// The same where only elements are computed.
std::map<std::string, Expr> bindingsOfElements(const PhaseContext &context, const MendedStates &states,
                                               const Seated &seated, const std::vector<std::string> *pivots);
/// The result from the state at the final pivot, and the accumulator's first value; that of nothing is a zero with the
/// sign of the start.
Expr finalValue(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound);

} // namespace polymend
