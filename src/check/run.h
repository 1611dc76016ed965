// What the files of the side-by-side run share: the shape of the arguments for one assignment of sizes, the data put
// into them, and one call of one library.
#pragma once

#include "polymend/check.h"
#include "polymend/interval.h"
#include "polymend/run.h"

#include <cstddef>
#include <optional>
#include <random>

namespace polymend {

/// An array argument or global, at given sizes: its extents, and the box of elements that the source can touch. `spare`
/// elements lie behind them that the type declares and nothing touches; the argument points behind the first `before`.
struct Shape {
  std::string name;
  Type type = Type::Float32;
  std::vector<std::int64_t> extents, reach;
  std::int64_t spare = 0, before = 0;
  bool read = false, written = false, global = false;
  bool restricted = false;       // the source promises that it shares no memory
  std::optional<Interval> range; // of the values of an integer array that serves as a subscript
  bool rises = false;            // its elements are the ends of ranges: none is less than the one before it
  bool differs = false;          // the source declares that no two of its elements are the same
  bool alike = false;            // its elements are compared for equality with an array's
  bool constant = false;         // a global whose elements the source gives
  std::string owner = {};        // what alone holds its elements: the type of a container, or whose part it is
  [[nodiscard]] std::int64_t count() const;
};

/// What sizes must be for the function's own arrays to hold what its loops reach at these ones, which leave one of
/// them; absent: these do.
Expr roomAsked(const CheckedFunction &checked, const Sizes &sizes);

/// Shapes of all arrays that the function shares with its caller; refuses sizes that cannot be run.
Result<std::vector<Shape>> shapes(const CheckedFunction &checked, const Sizes &sizes);

/// About how long original, result and reference take together at these sizes.
double secondsOf(const CheckedFunction &checked, const Sizes &sizes, const std::vector<Shape> &shapes);

/// What the data of a run is made to provoke.
struct DataKind {
  enum class Value {
    Random,
    Spread,
    Huge,
    NearOverflow,
    Denormal,
    Small,
    Offset,
    Turns, // offset one way and the other, array by array
    Equal,
    EqualRows,
    HugeFirst,
    HugeLast,
    HugeWithin,
    ZeroRows,
    MinusInfinity,
    MinusInfinityRows,
    PlusInfinity,
    NaN,
    Overlap
  };
  Value value = Value::Random;
  int array = -1;    // the shape it is put into; -1: all
  int onto = -1;     // Overlap: the shape that shares its memory
  double amount = 0; // Offset: what is added; Overlap: how many elements into the other memory the array begins
  std::string name = "random";
};

/// Kinds of data that make sense for these arrays, Random first.
std::vector<DataKind> dataKinds(const std::vector<Shape> &shapes);
/// The shapes with memory that is shared as the kind says: as large as both arrays together, written where either is.
std::vector<Shape> withOverlap(std::vector<Shape> shapes, const DataKind &kind);

/// The contents of every array and every scalar argument, as the source's types hold them; NaN where nothing may look.
struct Data {
  std::vector<std::vector<long double>> arrays;
  std::vector<std::pair<std::string, long double>> scalars; // sizes and scalar arguments by name
};

Data makeData(const CheckedFunction &checked, const Sizes &sizes, const std::vector<Shape> &shapes,
              const DataKind &kind, std::uint64_t seed);
/// Have two finite numbers no digit in common?
bool shareNoDigit(long double a, long double b);
/// Every floating value moved by at most `amount` of itself.
Data perturb(const Data &data, const std::vector<Shape> &shapes, double amount, std::uint64_t seed);

/// Rounds to the type as a store does.
long double rounded(long double value, Type type);
void store(std::byte *place, Type type, long double value);
long double load(const std::byte *place, Type type);

/// A loaded library with one entry per checked function.
class Library {
public:
  explicit Library(const std::string &path);
  [[nodiscard]] bool loaded() const { return handle != nullptr; }
  [[nodiscard]] void *symbol(const std::string &name) const;

private:
  void *handle;
};

/// What a call left behind. Of a widened library, what the source does not write is not kept.
struct Effect {
  std::vector<std::vector<long double>> arrays; // as Data::arrays; a returned value comes last
  std::string damage;                           // guard zones that were written to, or empty
};

/// Puts what the source gives its constant arrays where data was drawn for them.
void takeConstants(const Library &original, int index, const std::vector<Shape> &shapes, Data &data);

/// What every floating type of a library was made: one of at least twice the digits of the source's widest. Where the
/// text does not compile in a type of 113 digits, LongDouble may have fewer.
enum class Widened { No, Double, Quad, LongDouble };

/// One call of function number `index` of a library that was widened so.
Effect call(const Library &library, int index, const CheckedFunction &checked, const std::vector<Shape> &shapes,
            const Data &data, const DataKind &kind, Widened widened, std::size_t shift);

/// The statements of a part of a function, in the original or in what it became, behind declarations that they need.
std::string regionIn(const std::string &text, const std::string &original, const Function &function);

/// Appends the entries that the side-by-side run calls to the text of a file: of the original, or of a result whose
/// device has this runtime, "cuda" or "hip".
std::string withEntries(const std::string &text, const std::string &original,
                        const std::vector<CheckedFunction> &functions, const std::string &runtime = "");
/// The entry of a result that is an entry on memory of a device alone, as withEntries appends it: it calls
/// polymend_source_N, the source's own, where that one refuses its arguments.
std::string deviceEntryText(const CheckedFunction &checked, const std::string &number, const std::string &text,
                            const std::string &runtime);
/// What such entries copy memory with.
std::string deviceCopiesText(const std::string &runtime);

/// How far original and result are from the reference: in units of what moving the inputs does, and as a share of the
/// element (where the inputs determine it well).
struct Comparison {
  double original = 0, result = 0, shareOriginal = 0, shareResult = 0;
  std::int64_t elements = 0; // that were measured
  std::int64_t unstable = 0; // that were not, as roundings of the source's own leave too little of them
  std::string difference;    // a class or an exact value that differs; empty: none
};
/// Elements that are not compared, by array as Effect::arrays.
using Excused = std::vector<std::vector<bool>>;

/// What roundings of the source's own intermediate values do, by array as Effect::arrays.
struct Roundings {
  Excused decided;                        // the class (finite, an infinity, NaN), or a sum of too large terms overflows
  std::vector<std::vector<double>> moved; // how far one rounding of each value that is stored moves the element
  Excused lost;                           // no digit is left
};

/// References whose inputs moved: by `unitsMoved`, and by `unitsFar`; what these do not leave near has no share.
struct Moves {
  std::vector<Effect> near, far;
  std::optional<Roundings> own;
};
Comparison compare(const std::vector<Shape> &shapes, Type returned, const Effect &original, const Effect &result,
                   const Effect &reference, const Moves &moves, bool bitEqual, const Excused &excused = {});
/// The elements whose class the original itself changes when inputs move by roundings: none of them is the right one.
Excused unsettled(const Effect &original, const std::vector<Effect> &near);
/// The elements that the source computes from what breaks an assumption; absent where that cannot be told, perhaps as
/// it takes too long.
struct OutsideAssumptions {
  std::optional<Excused> excused;
  bool takesTooLong = false;
};
OutsideAssumptions outsideAssumptions(const CheckedFunction &checked, const std::vector<Shape> &shapes,
                                      const Data &data, const DataKind &kind);

/// The source run several times, with other roundings of what it stores in each; absent where it cannot be run.
std::optional<Roundings> roundingsOf(const CheckedFunction &checked, const std::vector<Shape> &shapes, const Data &data,
                                     const DataKind &kind);
/// The largest number of a floating type.
long double largestOf(Type type);

/// So many bytes on both sides of every array nobody may write; what is read there is no number.
inline constexpr std::size_t guardBytes = 16384;

/// Is this a size that no argument is? No call can have another than what it is of those that are.
bool isDerived(const Function &function, const std::string &name);
/// Sizes for which the condition holds, from these and near them; nothing where none are found.
std::optional<Sizes> repaired(const Expr &condition, const Sizes &sizes);
/// The sizes, and what those that are no argument are of them.
Sizes withDerived(const CheckedFunction &checked, Sizes sizes);
/// The value of a condition at these sizes; nothing where it is no number.
std::optional<bool> holds(const Expr &condition, const Sizes &sizes);

/// Completes every run with its verdict.
void judge(CheckTable &table, const CheckRequest &request, bool hasReference);
/// How far rounding to the arithmetic of the function moves a value.
double roundingOf(const CheckedFunction &checked);

/// Inputs are moved by this many units, so that what depends on them to second order is not taken for exact; errors are
/// told in single units.
inline constexpr double unitsMoved = 8;
/// Enough for most inputs to become a neighbour.
inline constexpr double unitsNear = 4;
/// So far roundings of sums may go: what depends on them more than in proportion shows when inputs move by as much.
inline constexpr double unitsFar = 64;

} // namespace polymend
