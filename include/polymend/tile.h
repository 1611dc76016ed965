// The tile program: what every printer prints. Loops over tiles, whole-tile assignments and per-point regions, over
// arrays in named memory spaces. It is free of isl: bounds, guards and subscripts are integer Exprs over sizes,
// grid and loop variables (quasi-affine: +, -, * by constants, FloorDiv, FloorMod, Min, Max). Text form: see writeText.
#pragma once

#include "polymend/expr.h"

#include <optional>
#include <variant>

namespace polymend {

enum class Space {
  Argument, // lives with the caller
  Work,     // allocated for one call, kept between kernels
  Thread,   // one per executing thread or block: a stack array of constant extents
  Row       // one per executing thread, extents may be symbolic (allocated per thread)
};

struct TileArray {
  std::string name;
  Type type = Type::Float32;
  std::vector<Expr> extents; // outermost first; scalars have none
  Space space = Space::Thread;
  bool flat = false; // Argument passed as `T *`: print one linear subscript from extents
  bool written = false;
};

/// An element of an array.
struct Ref {
  std::string array;
  std::vector<Expr> subscripts;
};

enum class Update { Set, Sum, Product, Max, Min, FMax, FMin };

/// target (update)= value [if where].
struct TileAssign {
  Ref target;
  Update update = Update::Set;
  Expr value; // reads are Op::Read by array name
  Expr where; // absent: always
};

struct TileLoop;
struct TileBranch;
struct TilePoints;
/// A remark for the reader, printed as a comment on its own line.
struct TileNote {
  std::string text;
};
using TileNode = std::variant<TileAssign, TileNote, std::shared_ptr<const TileLoop>, std::shared_ptr<const TileBranch>,
                              std::shared_ptr<const TilePoints>>;
using TileBlock = std::vector<TileNode>;

/// for variable in [first, limit) step `step`, in order; Unroll: few constant trips, to be written out by the compiler.
struct TileLoop {
  enum class Kind { Serial, Unroll };
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  Kind kind = Kind::Serial;
  TileBlock body;
};

struct TileBranch {
  Expr condition;
  TileBlock then, otherwise;
};

/// One dimension of a per-point region. Parallel: iterations are independent. Reduced: they update the same element
/// through the assignment's monoid and may be reordered. Serial: in order.
struct PointDim {
  enum class Kind { Parallel, Reduced, Serial };
  std::string variable;
  Expr first, limit;
  Kind kind = Kind::Parallel;
};

/// Runs `body` at every point of a nest of dimensions (outermost first; a bound may use outer dimensions).
/// All assignments of the body run at each point before the next one in Serial and Reduced order.
struct TilePoints {
  std::vector<PointDim> dims;
  std::vector<TileAssign> body;
};

/// A launch: a box of independent grid points, each running `body` with its own Thread and Row arrays.
struct Kernel {
  std::string name;
  std::vector<PointDim> grid; // all Parallel; empty: runs once
  std::vector<TileArray> tiles;
  TileBlock body;
};

struct TileProgram {
  std::string function;                              // the source function it replaces
  std::vector<std::string> sizes;                    // integer arguments used in bounds and subscripts
  std::vector<std::pair<std::string, Type>> scalars; // scalar arguments used in values
  std::vector<TileArray> arrays;                     // Argument and Work
  std::vector<Kernel> kernels;                       // in order
  std::optional<Type> returns;                       // the function returns the scalar array named "return"
};

/// The documented text form (grammar at the top of src/tile/write.cpp); readText(writeText(p)) == p.
std::string writeText(const TileProgram &program);
Result<TileProgram> readText(const std::string &text);
bool equal(const TileProgram &a, const TileProgram &b);

/// Scope and shape errors that no printer could survive: unknown names, wrong subscript counts, symbolic Thread
/// extents, duplicate names. Empty: fine.
std::vector<std::string> verify(const TileProgram &program);

/// The meaning of a program, for tests and for validation on the CPU: runs it over doubles (rounded to each array's
/// type when stored), bounds-checked. Arguments by name, row-major.
struct Memory {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::pair<std::string, double>> scalars;
  std::vector<std::pair<std::string, std::vector<double>>> arrays;
};
/// Returns what is wrong (an access out of bounds, say), or nothing.
std::optional<std::string> interpret(const TileProgram &program, Memory &memory);

} // namespace polymend
