// Rows that take elements in before their reference is regular.
#pragma once

#include "states.h"

namespace polymend {

/// What is found out about the groups of pivots of a phase: may rows be blind, and which are.
class BlindRows {
public:
  explicit BlindRows(const MendedStates &mended) : states(mended) {}

  /// Notes in `body` in which rows elements may now be taken in about a stand-in; `regular`: where the reference may be
  /// the pivot. What comes before the phase's loops is returned.
  TileBlock note(const PhaseContext &context, const PivotGroup &group, const Expr &regular,
                 const std::map<std::string, Expr> &candidate, std::vector<TileAssign> &body);
  /// Assignments, after the mend of a state, to those of the rows that are blind.
  void lose(const PhaseContext &context, const Seated &seated, std::vector<TileAssign> &body) const;
  /// Where a mend by `factor`, not the first, would magnify what is left of a state near underflow; absent: it never
  /// does.
  [[nodiscard]] Expr magnifies(const PhaseContext &context, const Seated &seated, const Expr &state,
                               const Expr &factor) const;
  /// The same of a part that is brought to the final pivot: one whose pivot is no number took in nothing.
  [[nodiscard]] Expr magnifiesPart(const PhaseContext &context, const Seated &seated, const Expr &state,
                                   const Expr &factor);
  /// The pivot that a part leaves; no number where it took in nothing.
  [[nodiscard]] Expr leftPivot(const PhaseContext &context, const PivotGroup &group, std::size_t k) const;

private:
  struct Blindness {
    bool isEver = false;               // elements may come before the reference is regular
    bool strays = false;               // a part may take in elements without ever reaching the reference's own range
    std::vector<double> harmless = {}; // values of it at which none that counts has come
    std::string tile = {};             // not zero where elements are taken in about a stand-in; empty: they never are
  };
  const MendedStates &states;
  std::map<int, Blindness> found; // per owner of a group that was looked at

  Blindness &look(const PhaseContext &context, const PivotGroup &group);
  [[nodiscard]] Blindness of(const PivotGroup &group) const;
  [[nodiscard]] bool magnifying(const PhaseContext &context, const PivotGroup &group) const;
};

/// What no state ever is by itself where a row is right: it stays so to the end.
Expr lost(const PhaseContext &context, const Seated &seated, Type type);

} // namespace polymend
