// What all concerns of a phase's lowering share: the kernel's frame, the members with their coordinates, and what is
// known at a place in the phase's loops.
#pragma once

#include "tile/frame.h"
#include "tile/visit.h"

namespace polymend {

/// A chunked loop over one dimension around a member's points.
struct OwnLoop {
  unsigned dim = 0;
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
};

/// A member with its coordinates.
struct Seated {
  const Member &member;
  const Equation &equation;
  Axes axes;
  std::vector<unsigned> parallel, reduced; // dimensions with a point variable, in loop order
  std::vector<unsigned> extras;            // key dimensions that are neither rows nor rolled
  std::vector<OwnLoop> loops;
  [[nodiscard]] std::vector<unsigned> order() const;
};

/// What of a phase's loop a kernel runs.
struct LoopShare {
  bool inParts = false;   // the states are made in parts, or combined from them
  std::string part = {};  // grid variable of the part that is run; empty: all is run, or combined
  std::int64_t count = 1; // of parts that take turns, chunk by chunk
  Expr first = {};        // of a part: where its loop begins
  Expr begins = {};       // of parts that take turns: where the first of them begins
};

/// The coordinates of a phase, and what is known at a place in its loops.
struct PhaseContext {
  KernelFrame &frame;
  const Phase &phase;
  std::vector<Axis> rolled; // of the phase's rolled dimensions
  std::vector<Seated> seats;
  LoopShare share;
  isl::set known;                          // over no dimensions: of the variables of the loops around
  bool full = false;                       // every member fills its whole box
  std::map<int, std::string> scalars = {}; // equations whose value at the only element in question a scalar holds
};

/// Coordinates for the phase's members; outside its loops.
PhaseContext contextOf(KernelFrame &frame, const Phase &phase, const LoopShare &share = {});

const Seated &seatOf(const PhaseContext &context, int equation);
/// Of a member that is mended.
const Mended &mendedOf(const PhaseContext &context, const Seated &seated);
const Correction &correctionOf(const PhaseContext &context, const Seated &seated);
/// The constant pivot that a mended member's state is taken at, if there is one.
const ConstantPivot *constantPivotOf(const PhaseContext &context, const Seated &seated);
/// Does a constant stand for this member?
bool isReplaced(const PhaseContext &context, const Seated &seated);

/// Is the kernel a processor's own?
bool isOnHost(const PhaseContext &context);

bool has(const std::vector<int> &list, unsigned dim);

/// What is emitted for a chunk, or for a member in it.
struct Emitted {
  TileBlock before = {}; // once, before the phase's loops
  TileBlock body = {};
  std::set<int> watched = {}; // rectangular: equations whose rows are computed again where a result is not finite
};

void append(Emitted &all, const Emitted &more);

} // namespace polymend
