// Evaluates expressions: C's operations in double, rounded to the node's type; integer division is checked. One text
// for expressions whose names are looked up and for such as are bound.
#include "bound.h"
#include "polymend/complex_parts.h"
#include "polymend/element_types.h"
#include "polymend/real_operation.h"
#include "polymend/word_functions.h"

#include <cmath>
#include <limits>

namespace polymend::tile {

namespace {

Number integral(std::int64_t value) { return Number::whole(value); }
Number floating(double value, Type type) { return Number::real(roundTo(type, value)); }

std::int64_t wrap(std::uint64_t value, Type type) { return wrapTo(type, static_cast<std::int64_t>(value)); }

std::int64_t divide(Op op, std::int64_t a, std::int64_t b, Environment &env) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) {
    env.fail("an integer division has no value");
    return 0;
  }
  const std::int64_t rest = a % b;
  const bool below = rest != 0 && (rest < 0) != (b < 0);
  switch (op) {
  case Op::Div: return a / b;
  case Op::Mod: return rest;
  case Op::FloorDiv: return a / b - (below ? 1 : 0);
  default: return below ? rest + b : rest;
  }
}

std::int64_t shift(Op op, std::int64_t a, std::int64_t b, Environment &env) {
  if (b < 0 || b > 63) {
    env.fail("an integer is shifted by " + std::to_string(b));
    return 0;
  }
  return op == Op::ShiftLeft ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b;
}

/// What a sum, difference or product leaves in its type.
Number counted(std::uint64_t value, Type type, Environment &env) {
  const std::int64_t kept = wrap(value, type);
  if (env.inC && type == Type::Int32 && kept != static_cast<std::int64_t>(value)) env.fail("an int overflows");
  return integral(kept);
}

Number integerOperation(Op op, Type type, std::int64_t a, std::int64_t b, Environment &env) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (op) {
  case Op::Neg: return counted(0 - x, type, env);
  case Op::Abs: return integral(wrap(a < 0 ? 0 - x : x, type));
  case Op::Add: return counted(x + y, type, env);
  case Op::Sub: return counted(x - y, type, env);
  case Op::Mul: return counted(x * y, type, env);
  case Op::Min: return integral(b < a ? b : a);
  case Op::Max: return integral(a < b ? b : a);
  case Op::Div:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod: return integral(divide(op, a, b, env));
  case Op::BitAnd: return integral(a & b);
  case Op::BitOr: return integral(a | b);
  case Op::BitXor: return integral(a ^ b);
  case Op::ShiftLeft:
  case Op::ShiftRight: return integral(wrap(static_cast<std::uint64_t>(shift(op, a, b, env)), type));
  default: env.fail("an integer operation has no meaning"); return {};
  }
}

/// What a function of the source returns nobody knows here. Some number stands for it that depends on all arguments and
/// on nothing else, and little on what is little of them.
double ownCall(const std::vector<double> &args) {
  double sum = 0.25;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (std::isfinite(args[i])) sum += std::fmod(args[i], 64) * (0.625 - 0.171875 * static_cast<double>(i));
  return sum;
}

double call(const std::string &name, const std::vector<double> &args, Environment &env) {
  if (const auto part = partOfProduct(name, args)) return *part;
  if (name.starts_with("::")) return ownCall(args);
  if (name.starts_with(".")) return args[0];
  using Function = double (*)(double);
  static const std::unordered_map<std::string, Function> functions{
      {"sinh", std::sinh},          {"cosh", std::cosh},     {"tan", std::tan},
      {"asin", std::asin},          {"acos", std::acos},     {"atan", std::atan},
      {"asinh", std::asinh},        {"acosh", std::acosh},   {"atanh", std::atanh},
      {"expm1", std::expm1},        {"erf", std::erf},       {"erfc", std::erfc},
      {"log1p", std::log1p},        {"log10", std::log10},   {"cbrt", std::cbrt},
      {"rint", std::rint},          {"lgamma", std::lgamma}, {"tgamma", std::tgamma},
      {"nearbyint", std::nearbyint}};
  const std::string base =
      !name.empty() && name.back() == 'f' && name != "erf" ? name.substr(0, name.size() - 1) : name;
  const auto at = functions.find(base);
  if (at != functions.end() && args.size() == 1) return at->second(args[0]);
  if (args.size() == 2 && base == "atan2") return std::atan2(args[0], args[1]);
  if (args.size() == 2 && base == "hypot") return std::hypot(args[0], args[1]);
  if (args.size() == 2 && base == "copysign") return std::copysign(args[0], args[1]);
  if (args.size() == 2 && base == "fmod") return std::fmod(args[0], args[1]);
  if (args.size() == 2 && base == "fdim") return std::fdim(args[0], args[1]);
  if (args.size() == 2 && base == "remainder") return std::remainder(args[0], args[1]);
  if (args.size() == 2 && (base == "ldexp" || base == "scalbn"))
    return std::ldexp(args[0], static_cast<int>(std::clamp(args[1], -4096.0, 4096.0)));
  if (args.size() == 3 && base == "lerp") return std::lerp(args[0], args[1], args[2]);
  if (args.size() == 3 && base == "fma") return std::fma(args[0], args[1], args[2]);
  env.fail("the function '" + name + "' is not known to the interpreter");
  return 0;
}

double realOperation(Op op, double a, double b, Environment &env) {
  return polymend::realOperation(op, a, b, [&] {
    env.fail("a floating operation has no meaning");
    return 0.0;
  });
}

Number compare(Op op, Number a, Number b) {
  const bool real = a.isReal() || b.isReal();
  switch (op) {
  case Op::Lt: return integral(real ? a.asReal() < b.asReal() : a.integer() < b.integer());
  case Op::Le: return integral(real ? a.asReal() <= b.asReal() : a.integer() <= b.integer());
  case Op::Eq: return integral(real ? a.asReal() == b.asReal() : a.integer() == b.integer());
  default: return integral(real ? a.asReal() != b.asReal() : a.integer() != b.integer());
  }
}

const ExprNode &nodeOf(const Expr &e) { return *e; }
const ExprNode &nodeOf(const Bound &e) { return *e.source; }
std::size_t countOf(const Expr &e) { return e->args.size(); }
std::size_t countOf(const Bound &e) { return e.count; }
Number literalOf(const Expr &e) { return literal(*e); }
Number literalOf(const Bound &e) { return e.literal; }

Number integerSymbol(std::int64_t value, Type type) {
  return isFloating(type) ? floating(static_cast<double>(value), type) : integral(value);
}

[[gnu::cold]] Number withoutValue(const std::string &name, Environment &env) {
  env.fail("'" + name + "' has no value");
  return {};
}

Number symbolOf(const Expr &e, Environment &env) {
  const auto integer = env.integers.find(e->name);
  if (integer != env.integers.end()) return integerSymbol(integer->second, e.type());
  const auto scalar = env.scalars.find(e->name);
  return scalar != env.scalars.end() ? scalar->second : withoutValue(e->name, env);
}

Number symbolOf(const Bound &e, Environment &env) {
  if (e.integer) return integerSymbol(*e.integer, e.type());
  return e.scalar ? *e.scalar : withoutValue(nodeOf(e).name, env);
}

const Elements *arrayOf(const Expr &e, Environment &env) {
  const auto at = env.arrays.find(e->name);
  return at == env.arrays.end() ? nullptr : &at->second;
}

const Elements *arrayOf(const Bound &e, Environment & /*its names are found*/) { return e.array; }

[[gnu::cold]] void outside(const std::string &array, std::int64_t s, std::size_t dim, const Elements &elements,
                           Environment &env) {
  if (dim == 0 && elements.isOpen()) return; // whether there is room is seen where all subscripts are known
  const std::int64_t extent = dim < elements.extents.size() ? elements.extents[dim] : 1;
  env.fail("'" + array + "' is accessed at " + std::to_string(s) + " in dimension " + std::to_string(dim) +
           " of extent " + std::to_string(extent));
}

[[gnu::cold]] double *beyond(const std::string &array, const Elements &elements, std::int64_t at, Environment &env) {
  if (!env.fault && elements.isOpen()) env.lack = Lack{array, at};
  env.fail("'" + array + "' is accessed beyond its end");
  return nullptr;
}

template <class Tree>
double *elementOf(const Elements *elements, const std::string &array, const Tree *subscripts, std::size_t count,
                  Environment &env) {
  if (!elements) {
    env.fail("no array '" + array + "'");
    return nullptr;
  }
  const bool linear = count == 1 && elements->extents.size() != 1;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < count && !env.fault; ++i) {
    const std::int64_t s = evaluate(subscripts[i], env).integer();
    const std::int64_t extent = linear ? -1 : elements->extents[i];
    if (s < 0 || (extent >= 0 && s >= extent)) outside(array, s, i, *elements, env);
    offset = offset * std::max<std::int64_t>(extent, 1) + s;
  }
  const std::int64_t at = offset + elements->origin;
  if (at < 0 || at >= static_cast<std::int64_t>(elements->values->size())) return beyond(array, *elements, offset, env);
  return env.fault ? nullptr : elements->values->data() + at;
}

template <class Tree> double *readOf(const Tree &e, Environment &env) {
  const std::size_t count = countOf(e);
  return elementOf(arrayOf(e, env), nodeOf(e).name, count > 0 ? &e.arg(0) : nullptr, count, env);
}

template <class Tree> Number operation(const Tree &e, Environment &env) {
  const Number a = evaluate(e.arg(0), env);
  const Number b = countOf(e) > 1 ? evaluate(e.arg(1), env) : Number{};
  if (isFloating(e.type())) return floating(realOperation(e.op(), a.asReal(), b.asReal(), env), e.type());
  if (a.isReal() || b.isReal())
    return convert(Number::real(realOperation(e.op(), a.asReal(), b.asReal(), env)), e.type());
  return integerOperation(e.op(), e.type(), a.integer(), b.integer(), env);
}

/// What is done to a word: a number that a double holds stands for one that leaves them, the same wherever it is asked.
template <class Tree> Number wordOf(const Tree &e, Environment &env) {
  std::vector<std::int64_t> args;
  for (std::size_t i = 0; i < countOf(e); ++i) args.push_back(evaluate(e.arg(i), env).integer());
  const std::string &name = nodeOf(e).name;
  if (isFloating(e.type())) return floating(words::realOf(name, args.front()), e.type());
  const std::int64_t word = words::wordOf(name, args);
  return integral(words::isModular(name) ? wrap(static_cast<std::uint64_t>(word), Type::Int32) : word);
}

template <class Tree> [[gnu::noinline]] Number callOf(const Tree &e, Environment &env) {
  if (words::isKnown(nodeOf(e).name)) return wordOf(e, env);
  std::vector<double> args;
  for (std::size_t i = 0; i < countOf(e); ++i) args.push_back(evaluate(e.arg(i), env).asReal());
  const double result = call(nodeOf(e).name, args, env);
  return isFloating(e.type()) ? floating(result, e.type()) : integral(static_cast<std::int64_t>(result));
}

bool readsIndices(const ExprNode &e) {
  return (e.op == Op::Read && !isFloating(e.type)) ||
         std::any_of(e.args.begin(), e.args.end(), [](const Expr &arg) { return arg && readsIndices(*arg); });
}

template <class Tree> Number selected(const Tree &e, Environment &env) {
  const bool first = evaluate(e.arg(0), env).truth();
  // An index may be none where the condition does not hold.
  if (env.everywhere && readsReal(nodeOf(e.arg(0))) && !readsIndices(nodeOf(e.arg(first ? 2 : 1))))
    evaluate(e.arg(first ? 2 : 1), env);
  return convert(evaluate(e.arg(first ? 1 : 2), env), e.type());
}

/// In C++ a number that no integer is becomes none.
Number converted(Number value, Type type, Environment &env) {
  if (env.inC && value.isReal() && isInteger(type) && !(std::fabs(value.asReal()) < 0x1p63))
    env.fail("a floating-point number becomes an integer, and is none");
  return convert(value, type);
}

template <class Tree> Number valueOf(const Tree &e, Environment &env) {
  if (env.fault || !e) return {};
  switch (e.op()) {
  case Op::Integer:
  case Op::Real: return literalOf(e);
  case Op::Symbol: return symbolOf(e, env);
  case Op::Read: {
    const double *element = readOf(e, env);
    if (!element) return {};
    return isFloating(e.type()) ? Number::real(*element) : integral(static_cast<std::int64_t>(*element));
  }
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: return compare(e.op(), evaluate(e.arg(0), env), evaluate(e.arg(1), env));
  case Op::And: return integral(evaluate(e.arg(0), env).truth() && evaluate(e.arg(1), env).truth() ? 1 : 0);
  case Op::Or: return integral(evaluate(e.arg(0), env).truth() || evaluate(e.arg(1), env).truth() ? 1 : 0);
  case Op::Not: return integral(evaluate(e.arg(0), env).truth() ? 0 : 1);
  case Op::Select: return selected(e, env);
  case Op::Cast: return converted(evaluate(e.arg(0), env), e.type(), env);
  case Op::Call: return callOf(e, env);
  default: return operation(e, env);
  }
}

} // namespace

bool readsReal(const ExprNode &e) {
  return (e.op == Op::Read && isFloating(e.type)) ||
         std::any_of(e.args.begin(), e.args.end(), [](const Expr &arg) { return arg && readsReal(*arg); });
}

Number literal(const ExprNode &e) {
  if (e.op == Op::Integer) return integerSymbol(e.integer, e.type);
  return isFloating(e.type) ? floating(e.real, e.type) : integral(static_cast<std::int64_t>(e.real));
}

Number convert(Number value, Type type) {
  if (isFloating(type)) return floating(value.asReal(), type);
  if (type == Type::Bool) return integral(value.truth() ? 1 : 0);
  if (!value.isReal()) return integral(wrap(static_cast<std::uint64_t>(value.integer()), type));
  const bool fits = std::fabs(value.asReal()) < 0x1p63;
  return integral(fits ? static_cast<std::int64_t>(value.asReal()) : std::numeric_limits<std::int64_t>::min());
}

double combine(Update update, Type type, double old, double value) {
  switch (update) {
  case Update::Set: return roundTo(type, value);
  case Update::Sum: return roundTo(type, old + value);
  case Update::Product: return roundTo(type, old * value);
  case Update::Max: return roundTo(type, old < value ? value : old);
  case Update::Min: return roundTo(type, value < old ? value : old);
  case Update::FMax: return roundTo(type, std::fmax(old, value));
  case Update::FMin: return roundTo(type, std::fmin(old, value));
  }
  return value;
}

void put(double &element, Type type, Update update, Number value) {
  const double operand = isFloating(type) ? value.asReal() : convert(value, type).asReal();
  element = combine(update, type, element, operand);
}

double *locate(const std::string &array, const std::vector<Expr> &subscripts, Environment &env) {
  const auto at = env.arrays.find(array);
  return elementOf(at == env.arrays.end() ? nullptr : &at->second, array, subscripts.data(), subscripts.size(), env);
}

double *locate(const Bound &read, Environment &env) { return readOf(read, env); }

Number evaluate(const Expr &e, Environment &env) { return valueOf(e, env); }
Number evaluate(const Bound &e, Environment &env) { return valueOf(e, env); }

} // namespace polymend::tile
