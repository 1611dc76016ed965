// Subexpressions that are computed once into a tile of their own and shared by all members that contain them.
#pragma once

#include "context.h"

namespace polymend {

/// An expression whose parts lie in tiles, and what fills these.
struct Slim {
  Expr value;
  TileBlock before = {}; // fills tiles that do not change in the phase's loops
  TileBlock outer = {};  // in the chunk, outside the member's own loops
  TileBlock inner = {};  // inside them
  Expr neutral =
      {}; // rectangular: the points of a product that count; absent: all do, or a factor is zero at the others
};

/// The tiles that hold subexpressions of a phase.
class Hoisting {
public:
  /// What is in a chunk is filled anew, but for what is filled before the loops.
  void startChunk();
  /// Puts into tiles what is worth it in `value`; `factors`: the factors of a product, which count where `neutral`
  /// holds. What holds one of the reads `chosen` is computed where the choices around it allow it, and zero elsewhere.
  Slim slim(const PhaseContext &context, const Seated &seated, const Expr &value, bool factors,
            const Expr &neutral = {}, const std::vector<Expr> &chosen = {});

private:
  /// What of a value is computed only where the choices around it allow it, and the condition that they do.
  struct Choice {
    const std::vector<Expr> &reads;
    Expr allowed = {}; // absent: no choice is around
  };
  struct Hoisted {
    Expr value;
    TileArray tile;
    std::vector<Expr> subscripts;
    isl::set points;      // where it is computed, over the point variables in `vars` order
    bool done = false;    // computed in the block being emitted
    bool hoisted = false; // computed before the loop
  };
  std::vector<Hoisted> held;

  Expr within(const PhaseContext &context, const Seated &seated, const Expr &source, bool factors, Slim &slim,
              const Choice &choice);
  Expr one(const PhaseContext &context, const Seated &seated, const Expr &value, const std::vector<unsigned> &vars,
           Slim &slim);
  Hoisted &make(const PhaseContext &context, const Seated &seated, const Expr &value, const Expr &kept,
                const std::vector<unsigned> &vars);
  void fill(const PhaseContext &context, const Seated &seated, const Expr &kept, const std::vector<unsigned> &vars,
            Hoisted &into, Slim &slim);
  Expr rectangularFill(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars, Slim &slim) const;
  void neutralize(const Seated &seated, Slim &slim) const;
  [[nodiscard]] Expr withKnown(const Seated &seated, const Expr &value) const;
  [[nodiscard]] const Hoisted *known(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars) const;
};

/// A product with its factors sorted by the point dimensions they move along, constants with the first (`toRows`: with
/// the second, where that alone follows the rows, as units for matrices have computed factors on that side): so that
/// each group is computed once into its tile and the innermost loop multiplies two numbers. A group that moves along
/// all of them has no tile: the product stays as it is, since other partial products overflow elsewhere.
Expr regroup(const Seated &seated, const Expr &value, bool toRows = false);

} // namespace polymend
