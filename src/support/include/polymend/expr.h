// Expressions: immutable trees over numbers, symbols and array reads, with the source's types. They are what every
// room says to the next; a room that needs more (normal forms, isl sets) converts and converts back.
#pragma once

#include "polymend/support.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polymend {

/// Of the types from Char to UInt32 are elements of arrays alone (isShort): what is read of them stands below a Cast to
/// Int32 or Int64, what is stored is a Cast to them, which wraps as the conversion of C++ does.
enum class Type {
  Void,
  Bool,
  Char,
  Int8,
  UInt8,
  Int16,
  UInt16,
  UInt32,
  Int32,
  Int64,
  Float16,
  BFloat16,
  Float32,
  Float64
};

enum class Op {
  Integer, // 64-bit value
  Real,    // floating literal, also +-infinity and NaN
  Symbol,  // a size parameter, a loop variable, a scalar argument, or a formal name
  Read,    // name[args...]; args are integer subscripts
  Neg,
  Add,
  Sub,
  Mul,
  Div,
  Mod, // C semantics: integer Div and Mod truncate
  FloorDiv,
  FloorMod, // integers only
  Min,
  Max, // Max(a,b) = (a < b) ? b : a and Min(a,b) = (b < a) ? b : a, exactly as std::max, std::min
  FMin,
  FMax, // as fmin, fmax: a NaN operand loses
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight, // integers of two's complement; shifts are a * 2^b and floor(a / 2^b), 0 <= b < 64
  Exp,
  Exp2,
  Log,
  Log2,
  Sqrt,
  Tanh,
  Sin,
  Cos,
  Abs,
  Floor,
  Ceil,
  Round,
  Trunc,
  Pow,
  Call, // any other pure function of <cmath>, by `name`; one of the source, as "::f" (isOwnCall); ".m": of such a call,
        // which then is of no type, a member of its result
  Lt,
  Le,
  Eq,
  Ne,
  And,
  Or,
  Not,    // a > b is Lt(b,a)
  Select, // args: condition, then, else
  Cast    // to the node's type
};

class Expr;

struct ExprNode {
  Op op = Op::Integer;
  Type type = Type::Int32;
  std::int64_t integer = 0;
  double real = 0;
  std::string name;
  std::vector<Expr> args;
  int access = -1; // Op::Read within a Statement: index into Statement::reads
  SourceRange where;
};

/// A shared immutable expression; default-constructed it is absent (`!e`).
class Expr {
public:
  Expr() = default;
  explicit Expr(ExprNode node);
  explicit operator bool() const { return static_cast<bool>(node); }
  const ExprNode *operator->() const { return node.get(); }
  const ExprNode &operator*() const { return *node; }
  [[nodiscard]] Op op() const { return node->op; }
  [[nodiscard]] Type type() const { return node->type; }
  [[nodiscard]] const Expr &arg(std::size_t i) const { return node->args[i]; }
  [[nodiscard]] const void *identity() const { return node.get(); }

  static Expr integer(std::int64_t value, Type type = Type::Int64);
  static Expr real(double value, Type type = Type::Float32);
  static Expr symbol(std::string name, Type type);
  static Expr read(std::string array, std::vector<Expr> subscripts, Type type, int access = -1);
  /// An operation whose type follows C's usual arithmetic conversions (comparisons: Bool).
  static Expr make(Op op, std::vector<Expr> args, SourceRange where = {});
  static Expr make(Op op, Type type, std::vector<Expr> args, SourceRange where = {});
  static Expr call(std::string function, std::vector<Expr> args, Type type, SourceRange where = {});
  static Expr cast(Type type, Expr value);

private:
  std::shared_ptr<const ExprNode> node;
};

Expr operator+(const Expr &a, const Expr &b);
Expr operator-(const Expr &a, const Expr &b);
Expr operator*(const Expr &a, const Expr &b);

/// Structural equality: operator, type, value, name and arguments; places and access numbers are ignored.
bool equal(const Expr &a, const Expr &b);
/// Rebuilds bottom-up: `f` sees each node with its children already rebuilt and returns it or a replacement.
Expr rewrite(const Expr &e, const std::function<Expr(const Expr &)> &f);
/// Calls `f` on every node, parents first.
void visit(const Expr &e, const std::function<void(const Expr &)> &f);
/// Replaces symbols by name; a name for which `f` returns an absent Expr stays.
Expr substitute(const Expr &e, const std::function<Expr(const std::string &)> &f);
/// The names of all symbols in e.
std::set<std::string> symbols(const Expr &e);
/// Is an element of the array read in e? In an absent expression none is.
bool reads(const Expr &e, const std::string &array);
/// Is an element of any array?
bool reads(const Expr &e);
/// Number of nodes, shared ones counted as often as they occur.
std::size_t size(const Expr &e);
/// Folds integer constants and drops neutral terms; integer expressions only, values unchanged.
Expr simplify(const Expr &e);

/// Where the source has e, or the first of its parts that stands there; invalid: nothing of it does.
SourceRange placeOf(const Expr &e);

/// The value of an integer literal; of anything else 0.
std::int64_t constant(const Expr &e);

/// A type that integers are computed in.
bool isInteger(Type type);
/// An integer type that elements of arrays have and that nothing is computed in.
bool isShort(Type type);
/// The number of an integer type that is congruent to value modulo the type's number of values.
std::int64_t wrapTo(Type type, std::int64_t value);
/// Is it a call of a function of the source, which nobody looks into?
bool isOwnCall(const Expr &e);
bool isFloating(Type type);
/// A floating type of 16 bits: stored as such, computed on as float.
bool isNarrow(Type type);
/// Bytes of an element in memory.
std::int64_t bytesOf(Type type);
/// "float", "double", "_Float16", "__bf16", "int", "std::int64_t", "std::uint8_t", "bool", "void".
std::string spell(Type type);
/// Infix text with minimal parentheses, in C-like notation: "exp(s[i][j] - m)"; for people and dumps.
std::string show(const Expr &e);
/// The name of an operation that is written as a call ("exp", "floordiv"), by its own name in <cmath> where it has one;
/// empty for every other.
std::string_view functionName(Op op);
/// The operation of that name.
std::optional<Op> functionNamed(std::string_view name);

/// A commutative, associative operation with a neutral element.
enum class Monoid { Sum, Product, Max, Min };
std::string spell(Monoid monoid); // "+", "*", "max", "min"
/// The neutral element as an expression of `type`: 0, 1, -inf, +inf.
Expr neutral(Monoid monoid, Type type);
/// What leaves every accumulator as it is, to the bit, under Add, Mul, Max, Min, FMax or FMin: -0 of a floating sum,
/// NaN of the last two.
Expr neutral(Op op, Type type);

} // namespace polymend
