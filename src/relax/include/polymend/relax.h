// relax: Scop + Dependences -> Relaxed. The function's values are lifted out of their storage into a system of
// equations (maps and reductions over affine domains, as in systems of affine recurrence equations); on it the flow
// dependences that forbid fusing a reduction with the reduction it reads are found, and algebra is asked to mend them.
#pragma once

#include "polymend/affine.h"
#include "polymend/algebra.h"
#include "polymend/deps.h"
#include "polymend/options.h"
#include "polymend/value_range.h"

#include <optional>

namespace polymend {

/// What one Op::Read of an equation's value reads: an array at entry (`equation < 0`) or another equation's value.
struct Operand {
  int equation = -1;
  std::string array; // the array at entry
  isl::map map;      // { Equation[dims] -> Array[subscripts] } or { Equation[dims] -> Producer[keys] }
  bool exact = true; // else the subscripts of the Read itself are what is read
};

/// Where values of a map equation end up: { Equation[dims] -> Array[subscripts] }.
struct Store {
  std::string array;
  isl::map map;
};

/// value[keys] = expression, or = initial (+) over the reduced dimensions of expression. Reads in `value` and `initial`
/// carry indices into `operands`; their subscripts are over the names of `dims`. Each value is rounded to `type`.
struct Equation {
  std::string name;  // isl tuple, unique; derived from the source array
  std::string array; // the source array it comes from
  Type type = Type::Float32;
  std::vector<std::string> dims; // keys first, then reduced; unique over the whole system
  unsigned keys = 0;
  isl::set domain;              // over dims
  isl::set keyDomain;           // over keys: where the value is defined (reductions: also where the range is empty)
  std::optional<Monoid> monoid; // absent: a map
  bool comparison = false;      // maximum or minimum by comparison
  Expr value;
  Expr initial; // reductions: over keys
  std::vector<Operand> operands;
  std::vector<Store> stores; // maps only
  int statement = 0;         // the source statement that computes it
  std::vector<int> through;  // element-wise source statements substituted into it
  std::vector<int> twins;    // source statements of equal reductions merged into it
  bool late = false;         // it overwrites values that the others read: in a kernel of its own, after all of theirs
  [[nodiscard]] unsigned reduced() const { return static_cast<unsigned>(dims.size()) - keys; }
};

/// Equations in dependence order (an equation reads only earlier ones).
struct System {
  std::vector<Equation> equations;
};

/// The dropped dependence from reduction `producer` to reduction `consumer` (indices into the system), aligned so that
/// reduced dimension k of the consumer runs with reduced dimension alignment[k] of the producer.
struct Blocking {
  int producer = 0, consumer = 0;
  std::vector<unsigned> alignment;
  std::vector<int> rows; // key k of the producer is key rows[k] of the consumer
};

/// How one consumer reduction is carried while its producers move.
struct Mended {
  int consumer = 0;
  std::vector<int> producers; // equations whose running values the correction watches or finalises with
  std::vector<std::pair<std::string, int>> names; // symbol in the correction -> operand of the consumer it stands for
  Candidate candidate;
  Correction correction;
};

/// A maximum (or minimum) over bounded elements: what is read of its consumers is the same whatever value they take for
/// it (pivot freedom), so that a constant serves, and the loop need not know the maximum at all.
///
/// With f_j the factor of the mend from the value of element j to the pivot, the consumer `scale` is the sum of the f_j
/// over the n elements; all are positive, the largest is f, that of the maximum: f <= scale <= n f. A consumer's value
/// X at the pivot is X / f at the maximum, which says where X is too small or too large to stand for it; a row is then
/// computed again.
struct ConstantPivot {
  int producer = 0;        // equation
  ValueRange range;        // of what it reduces
  double value = 0;        // stands for it
  int scale = 0;           // equation
  std::vector<int> mended; // indices into Relaxed::mended: all that read it
  bool used = false;       // the corrections of `mended` are those at the pivot
};

/// What becomes of a dependence: kept, dropped and mended, known only at run time, or what forbids.
enum class Verdict { Kept, Corrected, Runtime, Refused };
/// What a mended result may differ in from the source's: nothing, what the laws of real numbers allow, or more.
enum class Label { Exact, Algebraic, Approximate };

/// The verdict on edges[i] of Dependences.
struct EdgeVerdict {
  Verdict verdict = Verdict::Kept;
  Label label = Label::Exact;
  int mended = -1; // index into Relaxed::mended when corrected
  std::string reason;
};

/// Dimensions k and k + 1 of a flat array as one, of which k + 1 had so many elements: [.., x, y, ..] of the source is
/// [.., extent x + y, ..] in equations.
struct Joined {
  std::string array;
  unsigned dimension = 0;
  std::int64_t extent = 0;
};

struct Relaxed {
  std::optional<System> system; // absent: the function has no such form (`why`), its order is kept as it is
  Refusal why;
  std::vector<Blocking> fused; // pairs whose loops may be fused
  std::vector<Mended> mended;  // one per consumer that needs a correction
  std::vector<ConstantPivot> constantPivots;
  std::vector<EdgeVerdict> verdicts;
  std::vector<std::string> assumptions;
  std::vector<Joined> joined = {}; // in this order
  bool positions = false;          // a loop over what each row sees runs over the elements of the array
};

struct RelaxOptions {
  RelaxMode mode = RelaxMode::Auto;
  bool algebraic = true;  // --fp=strict: false, nothing that changes arithmetic
  bool coalesce = false;  // loops over rectangles become one where sums of products run over them, for matrix units
  bool positions = false; // loops over what each row sees of an array become loops over its elements, for matrix units
};

Relaxed relax(const Scop &scop, const Dependences &dependences, const RelaxOptions &options);
std::string dump(const Relaxed &relaxed);
/// The entry in use for a producer, or for the consumer of a correction; null: there is none.
const ConstantPivot *constantPivotOfProducer(const Relaxed &relaxed, int equation);
const ConstantPivot *constantPivotOfConsumer(const Relaxed &relaxed, int mended);
/// Puts a constant pivot to use: the corrections of its consumers become those at the pivot, which never move.
void usePivot(Relaxed &relaxed, std::size_t pivot);

} // namespace polymend
