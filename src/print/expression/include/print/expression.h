// Expressions as C++: minimal parentheses, literals of the right type, conversions only where C's own would differ.
#pragma once

#include "polymend/tile.h"

#include "device/scope.h"
#include "print/host_values.h"
#include "print/library.h"
#include "print/names.h"
#include "print/target.h"

#include <map>

namespace polymend::print_room {

/// How an array is subscripted in printed code.
enum class Shape {
  Native, // name[a][b]
  Linear, // name[a * extent + b]
  Cell    // name[0]
};

struct Place {
  const TileArray *array = nullptr;
  Shape shape = Shape::Native;
};

/// The name of the type of a kernel's integers where it is a parameter of the kernel.
inline constexpr const char *indexType = "Index";

/// What the printers of one function share: names, arrays in scope, and what the printed text needs.
struct Context {
  const PrintOptions &options;
  const TargetTable &table;
  Names names;
  std::map<std::string, Place> places;
  std::map<std::string, Type> scalars; // scalar arguments with the type the source declares
  device_room::Signs signs;            // of loop variables
  Needs needs;
  std::set<std::string> narrow; // variables that are declared as int
  std::set<std::string> held;   // scalars of which every thread of a block holds its own copy
  HostValues *host = nullptr;   // of the kernel that is being printed; absent: it computes all itself
  std::string copies = {};      // of a kernel on the host: the clause that says what each thread copies
  bool eager = false;           // both sides of a choice are computed: no branch may stand there
  std::string teamMemory = {};  // where blockThreads threads, some of a block, combine values; empty: all
                                // threads of a block run the body
  std::string firstBlock = {};  // of a launch of several regions: the name of the first block of the one at hand
  bool inKernel = false;        // the device runs what is printed: the host knows none of its library's calls
  bool isSized = false;         // integers have as many bits as the kernel's parameter says: see DeviceKernel::reach
  std::set<std::string> wide{}; // variables that have 64 even so

  [[nodiscard]] bool strict() const { return options.fp == FloatMode::Strict; }
  [[nodiscard]] Type typeOf(const std::string &array) const;
  /// The type of integers that are made of sizes, and of a variable among them.
  [[nodiscard]] bool hasIndexType() const { return isSized && inKernel; }
  std::string index() { return hasIndexType() ? names.of(indexType) : "std::int64_t"; }
  std::string indexOf(const std::string &variable) { return wide.contains(variable) ? "std::int64_t" : index(); }
  /// Notes that printed code calls a primitive; its qualified name.
  std::string primitive(const std::string &name);
};

/// As long as it lives, what is printed runs on the device.
class OnDevice {
public:
  explicit OnDevice(Context &given) : context(given), outer(given.inKernel) { context.inKernel = true; }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  ~OnDevice() { context.inKernel = outer; }

private:
  Context &context;
  bool outer;
};

using device_room::computeType;
/// `e` as an argument, or between parentheses.
std::string printExpr(const Expr &e, Context &context);
/// `e` as one of several conditions that must hold.
std::string printConjunct(const Expr &e, Context &context);
/// `e` as a factor of a product.
std::string printFactor(const Expr &e, Context &context);
/// What simplify() makes of it, as the end of a loop or a number beside an operator: a choice stands in parentheses.
std::string plain(const Expr &e, Context &context);
/// `e` converted to `type`, for a store or an initialiser.
std::string printAs(const Expr &e, Type type, Context &context);
/// The element `array[subscripts]` as an lvalue.
std::string printRef(const std::string &array, const std::vector<Expr> &subscripts, Context &context);

} // namespace polymend::print_room
