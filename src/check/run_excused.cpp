// A function, its data and what its result assumes arrive; the elements that the source itself computes from what
// breaks an assumption leave. The source's statements are run in their order, each value with a mark that says whether
// it comes from such data: a NaN that a maximum by comparison meets, a value that is not finite where it should be.
// Likewise what roundings of its own intermediate values do to each element: they may decide its class, or leave no
// digit of it.
// One file, as it is an interpreter with a value of its own.
#include "polymend/complex_parts.h"
#include "polymend/real_operation.h"
#include "polymend/word_functions.h"
#include "run.h"

#include <algorithm>
#include <cmath>
#include <dlfcn.h>

namespace polymend {

namespace {

/// A value that is stirred moves by at most as many roundings.
constexpr double few = 4;

/// More operations than this are not run.
constexpr std::int64_t mostOperations = 200'000'000;

/// A number, whole where its type is, and whether it comes from broken assumptions, or may have overflowed in another
/// order: then the sizes of the terms that it is the sum of add up to more than its type holds, or more than two
/// factors leave the type's range.
struct Marked {
  double real = 0;
  std::int64_t whole = 0;
  bool broken = false;
  double terms = 0;  // the sizes of its terms, where it is a sum
  int factors = 1;   // up to three, where it is a product
  bool left = false; // a product of finite factors that left the type's range
  [[nodiscard]] double size() const { return std::fmax(terms, std::fabs(real)); }
};

/// Memory that one or two arrays lie in.
struct Memory {
  std::vector<Marked> elements;
};

/// Where an array of the function lies.
struct Place {
  std::size_t memory = 0;
  std::int64_t first = 0; // of the element with subscripts 0
  std::vector<std::int64_t> extents;
};

double roundTo(double value, Type type) {
  return type == Type::Float64 ? value : static_cast<double>(rounded(value, type));
}

/// What a value is marked for.
enum class Marks { BrokenAssumptions, Overflow };

class Interpreter {
public:
  Interpreter(const CheckedFunction &f, const std::vector<Shape> &all, const Data &d, const DataKind &k, Marks m)
      : checked(f), shapes(all), data(d), kind(k), marks(m) {}
  /// What is left in the arrays and the returned value, as Effect::arrays. `turn`: 0, or each assignment stores what is
  /// a few roundings from its value, in every turn others.
  std::optional<std::vector<std::vector<Marked>>> run(std::size_t turn = 0);
  /// How many operations that took.
  [[nodiscard]] std::int64_t work() const { return operations; }

private:
  void layOut();
  void layOutLocal(const Array &array);
  void runBody(const Body &body);
  void runLoop(const Loop &loop);
  void assign(const Assign &a);
  double stirred(double value, Type type);
  Marked valueOf(const Expr &e);
  Marked real(const Expr &e);
  Marked whole(const Expr &e, std::int64_t a, std::int64_t b);
  Marked comparison(const Expr &e);
  Marked select(const Expr &e);
  Marked calledByName(const Expr &e);
  std::optional<Marked> partOfComplex(const Expr &e);
  Marked wordOf(const Expr &e);
  Marked *element(const std::string &array, const std::vector<Expr> &subscripts);
  [[nodiscard]] bool breaks(const std::string &name, double value) const;
  [[nodiscard]] bool meetsNaN(const Expr &a, const Expr &b);
  void giveUp() { failed = true; }

  const CheckedFunction &checked;
  const std::vector<Shape> &shapes;
  const Data &data;
  const DataKind &kind;
  const Marks marks;
  std::size_t stirring = 0;
  std::vector<Memory> memories;
  std::map<std::string, Place> places;
  std::map<std::string, Marked> symbols;
  std::int64_t operations = 0;
  std::uint64_t stores = 0;
  bool failed = false, inComparison = false;
};

bool Interpreter::breaks(const std::string &name, double value) const {
  if (marks != Marks::BrokenAssumptions) return false;
  return (checked.assumed.finite.contains(name) && !std::isfinite(value)) ||
         (checked.assumed.notZero.contains(name) && value == 0);
}

void Interpreter::layOut() {
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    Memory &memory = memories.emplace_back();
    for (const long double value : data.arrays[a]) {
      const bool isReal = isFloating(shapes[a].type);
      memory.elements.push_back({static_cast<double>(value), isReal ? 0 : static_cast<std::int64_t>(value), false});
    }
    places[shapes[a].name] = {a, shapes[a].before, shapes[a].extents};
  }
  if (kind.onto >= 0) {
    Place &inner = places[shapes[static_cast<std::size_t>(kind.array)].name];
    inner.memory = static_cast<std::size_t>(kind.onto);
    inner.first += static_cast<std::int64_t>(kind.amount);
  }
  for (const auto &[name, value] : data.scalars)
    symbols[name] = {static_cast<double>(value), static_cast<std::int64_t>(value), false};
  for (const Parameter &parameter : checked.function.parameters)
    if (!parameter.isArray && isFloating(parameter.type))
      symbols[parameter.name].broken = breaks(parameter.name, symbols[parameter.name].real);
  for (const Array &array : checked.function.arrays)
    if (!places.contains(array.name)) layOutLocal(array);
}

void Interpreter::layOutLocal(const Array &array) {
  constexpr std::int64_t most = 1 << 24;
  Place place{memories.size(), 0, {}};
  std::int64_t count = 1;
  for (const Expr &extent : array.extents) {
    if (!extent) return giveUp();
    place.extents.push_back(valueOf(extent).whole);
    if (place.extents.back() < 0 || place.extents.back() > most) return giveUp();
    count *= place.extents.back();
    if (count > most) return giveUp();
  }
  memories.push_back({std::vector<Marked>(static_cast<std::size_t>(count))});
  places[array.name] = place;
}

Marked *Interpreter::element(const std::string &array, const std::vector<Expr> &subscripts) {
  const auto found = places.find(array);
  if (found == places.end()) return nullptr;
  const Place &place = found->second;
  std::int64_t at = 0;
  for (std::size_t d = 0; d < subscripts.size(); ++d)
    at = at * (d == 0 || d >= place.extents.size() ? 1 : place.extents[d]) + valueOf(subscripts[d]).whole;
  at += place.first;
  std::vector<Marked> &elements = memories[place.memory].elements;
  if (at >= 0 && at < static_cast<std::int64_t>(elements.size())) return &elements[static_cast<std::size_t>(at)];
  giveUp();
  return nullptr;
}

bool Interpreter::meetsNaN(const Expr &a, const Expr &b) {
  return inComparison && isFloating(a.type()) && (std::isnan(valueOf(a).real) || std::isnan(valueOf(b).real));
}

Marked Interpreter::whole(const Expr &e, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto made = [](std::uint64_t value) { return Marked{0, static_cast<std::int64_t>(value), false}; };
  const bool divides = e.op() == Op::Div || e.op() == Op::Mod || e.op() == Op::FloorDiv || e.op() == Op::FloorMod;
  if (divides && (b == 0 || b == -1)) {
    if (b == 0) giveUp();
    return e.op() == Op::Div || e.op() == Op::FloorDiv ? made(0 - x) : Marked{};
  }
  const bool isBelow = divides && a % b != 0 && (a < 0) != (b < 0);
  switch (e.op()) {
  case Op::Add: return made(x + y);
  case Op::Sub: return made(x - y);
  case Op::Mul: return made(x * y);
  case Op::Neg: return made(0 - x);
  case Op::Abs: return made(a < 0 ? 0 - x : x);
  case Op::Min: return {0, std::min(a, b), false};
  case Op::Max: return {0, std::max(a, b), false};
  case Op::Div: return {0, a / b, false};
  case Op::Mod: return {0, a % b, false};
  case Op::FloorDiv: return {0, a / b - (isBelow ? 1 : 0), false};
  case Op::FloorMod: return {0, a % b + (isBelow ? b : 0), false};
  case Op::BitAnd: return {0, a & b, false};
  case Op::BitOr: return {0, a | b, false};
  case Op::BitXor: return {0, a ^ b, false};
  case Op::ShiftLeft: return made(x << (y & 63));
  case Op::ShiftRight: return {0, a >> (y & 63), false};
  default: giveUp(); return {};
  }
}

Marked Interpreter::real(const Expr &e) {
  const Marked a = valueOf(e.arg(0)), b = e->args.size() > 1 ? valueOf(e.arg(1)) : Marked{};
  const double value = realOperation(e.op(), a.real, b.real, [&] {
    giveUp();
    return 0.0;
  });
  const bool decided =
      (e.op() == Op::Max || e.op() == Op::Min) && inComparison && (std::isnan(a.real) || std::isnan(b.real));
  Marked result{roundTo(value, e.type()), 0, a.broken || b.broken || decided};
  if (e.op() == Op::Add || e.op() == Op::Sub) result.terms = a.size() + b.size();
  if (e.op() == Op::Mul) {
    result.factors = std::min(a.factors + b.factors, 3);
    result.left = a.left || b.left || (std::isfinite(a.real) && std::isfinite(b.real) && !std::isfinite(result.real));
  }
  const bool isBeyond = result.left && result.factors > 2;
  if (marks == Marks::Overflow && (isBeyond || result.terms > largestOf(e.type()))) result.broken = true;
  return result;
}

Marked Interpreter::comparison(const Expr &e) {
  const Marked a = valueOf(e.arg(0)), b = valueOf(e.arg(1));
  const bool isReal = isFloating(e.arg(0).type()) || isFloating(e.arg(1).type());
  const auto test = [&](auto x, auto y) {
    return e.op() == Op::Lt ? x < y : e.op() == Op::Le ? x <= y : e.op() == Op::Eq ? x == y : x != y;
  };
  return {0, isReal ? test(a.real, b.real) : test(a.whole, b.whole), a.broken || b.broken};
}

/// A choice between what its condition compares is a maximum or minimum by comparison.
Marked Interpreter::select(const Expr &e) {
  const Expr &condition = e.arg(0);
  const Marked chosen = valueOf(condition);
  Marked value = valueOf(chosen.whole ? e.arg(1) : e.arg(2));
  const bool compares = condition.op() == Op::Lt || condition.op() == Op::Le;
  const bool decided = compares && meetsNaN(condition.arg(0), condition.arg(1));
  value.broken = value.broken || chosen.broken || decided;
  return value;
}

/// A part of a product of complex numbers: the sum of its two products, as long as that is a number.
std::optional<Marked> Interpreter::partOfComplex(const Expr &e) {
  const Expr plain = plainPartOf(e);
  if (!plain) return std::nullopt;
  Marked value = valueOf(plain);
  std::vector<double> given;
  for (const Expr &arg : e->args) given.push_back(valueOf(arg).real);
  if (std::isnan(value.real)) value.real = roundTo(*partOfProduct(e->name, given), e.type());
  return value;
}

/// What is done to a word of 64 bits.
Marked Interpreter::wordOf(const Expr &e) {
  Marked value;
  std::vector<std::int64_t> given;
  for (const Expr &arg : e->args) {
    const Marked one = valueOf(arg);
    given.push_back(one.whole);
    value.broken = value.broken || one.broken;
  }
  if (isFloating(e.type()))
    value.real = words::realOf(e->name, given.front());
  else
    value.whole = words::wordOf(e->name, given);
  return value;
}

/// A function of the mathematical library, by its name for doubles.
Marked Interpreter::calledByName(const Expr &e) {
  if (const auto part = partOfComplex(e)) return *part;
  if (words::isKnown(e->name)) return wordOf(e);
  std::string name = e->name;
  void *found = dlsym(RTLD_DEFAULT, name.c_str());
  if (name.size() > 3 && name.back() == 'f' && name != "erf")
    if (void *of = dlsym(RTLD_DEFAULT, name.substr(0, name.size() - 1).c_str())) found = of;
  Marked value;
  std::vector<double> given;
  for (const Expr &arg : e->args) {
    const Marked one = valueOf(arg);
    given.push_back(one.real);
    value.broken = value.broken || one.broken;
  }
  if (found && given.size() == 1)
    value.real = reinterpret_cast<double (*)(double)>(found)(given[0]);
  else if (found && given.size() == 2)
    value.real = reinterpret_cast<double (*)(double, double)>(found)(given[0], given[1]);
  else
    giveUp();
  value.real = roundTo(value.real, e.type());
  return value;
}

Marked Interpreter::valueOf(const Expr &e) {
  if (failed || ++operations > mostOperations) {
    giveUp();
    return {};
  }
  switch (e.op()) {
  case Op::Integer: return {0, e->integer, false};
  case Op::Real: return {roundTo(e->real, e.type()), 0, false};
  case Op::Symbol: return symbols[e->name];
  case Op::Read: {
    const Marked *found = element(e->name, e->args);
    if (!found) return {};
    Marked value = *found;
    value.broken = value.broken || (isFloating(e.type()) && breaks(e->name, found->real));
    return value;
  }
  case Op::Cast: {
    const Marked of = valueOf(e.arg(0));
    const bool wasReal = isFloating(e.arg(0).type());
    if (isFloating(e.type())) return {roundTo(wasReal ? of.real : double(of.whole), e.type()), 0, of.broken};
    const bool fits = !wasReal || std::fabs(of.real) < 9e18;
    return {0, wrapTo(e.type(), wasReal ? (fits ? std::int64_t(of.real) : 0) : of.whole), of.broken};
  }
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: return comparison(e);
  case Op::And:
  case Op::Or: {
    const Marked a = valueOf(e.arg(0));
    if ((a.whole != 0) != (e.op() == Op::And)) return a;
    const Marked b = valueOf(e.arg(1));
    return {0, b.whole, a.broken || b.broken};
  }
  case Op::Not: {
    const Marked a = valueOf(e.arg(0));
    return {0, a.whole == 0, a.broken};
  }
  case Op::Select: return select(e);
  case Op::Call: return calledByName(e);
  default: break;
  }
  if (isFloating(e.type())) return real(e);
  const Marked a = valueOf(e.arg(0)), b = e->args.size() > 1 ? valueOf(e.arg(1)) : Marked{};
  Marked value = whole(e, a.whole, b.whole);
  value.broken = a.broken || b.broken;
  return value;
}

/// The value, a few roundings away.
double Interpreter::stirred(double value, Type type) {
  const std::uint64_t mixed = (++stores + stirring) * 0x9E3779B97F4A7C15ULL;
  const double share = static_cast<double>((mixed >> 40) % 16) / 8 - 15.0 / 16;
  const double rounding = type == Type::Float64 ? 0x1p-53 : type == Type::Float32 ? 0x1p-24 : 0x1p-9;
  return roundTo(value * (1 + few * rounding * share), type);
}

void Interpreter::assign(const Assign &a) {
  inComparison = marks == Marks::BrokenAssumptions && checked.assumed.noNaN.contains(a.target);
  Marked value = valueOf(a.value);
  inComparison = false;
  if (stirring && isFloating(a.value.type())) value.real = stirred(value.real, a.value.type());
  if (Marked *to = failed ? nullptr : element(a.target, a.subscripts)) {
    *to = value;
    to->broken = to->broken || (isFloating(a.value.type()) && breaks(a.target, value.real));
  }
}

void Interpreter::runLoop(const Loop &loop) {
  const std::int64_t first = valueOf(loop.first).whole, limit = valueOf(loop.limit).whole;
  for (std::int64_t at = first; !failed && (loop.step > 0 ? at < limit : at > limit); at += loop.step) {
    symbols[loop.variable] = {0, at, false};
    runBody(loop.body);
  }
}

void Interpreter::runBody(const Body &body) {
  for (const Node &node : body) {
    if (failed) return;
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      runLoop(**loop);
    else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node))
      runBody(valueOf((*branch)->condition).whole ? (*branch)->then : (*branch)->otherwise);
    else
      assign(*std::get<std::shared_ptr<const Assign>>(node));
  }
}

std::optional<std::vector<std::vector<Marked>>> Interpreter::run(std::size_t turn) {
  stirring = turn;
  layOut();
  runBody(checked.function.body);
  if (failed) return std::nullopt;
  std::vector<std::vector<Marked>> left;
  for (std::size_t a = 0; a < shapes.size(); ++a) left.push_back(memories[a].elements);
  for (const Array &array : checked.function.arrays)
    if (array.storage == Array::Storage::Return) left.push_back(memories[places[array.name].memory].elements);
  return left;
}

Excused markedIn(const std::vector<std::vector<Marked>> &left) {
  Excused excused;
  for (const std::vector<Marked> &array : left) {
    std::vector<bool> &all = excused.emplace_back();
    for (const Marked &one : array) all.push_back(one.broken);
  }
  return excused;
}

bool isOfOneClass(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::isnan(a) && std::isnan(b)
                                        : (std::isinf(a) || std::isinf(b) ? a == b : true);
}

/// Enters what one turn left of an element.
void compare(double plain, double stirred, Roundings &result, std::size_t array, std::size_t i) {
  if (!isOfOneClass(plain, stirred)) result.decided[array][i] = true;
  const double by = std::fabs(stirred - plain);
  if (!std::isfinite(by)) return;
  result.moved[array][i] = std::fmax(result.moved[array][i], by / few);
  if (shareNoDigit(plain, stirred)) result.lost[array][i] = true;
}

} // namespace

OutsideAssumptions outsideAssumptions(const CheckedFunction &checked, const std::vector<Shape> &shapes,
                                      const Data &data, const DataKind &kind) {
  Interpreter interpreter(checked, shapes, data, kind, Marks::BrokenAssumptions);
  const auto left = interpreter.run();
  if (!left) return {std::nullopt, interpreter.work() > mostOperations};
  return {markedIn(*left), false};
}

std::optional<Roundings> roundingsOf(const CheckedFunction &checked, const std::vector<Shape> &shapes, const Data &data,
                                     const DataKind &kind) {
  constexpr std::size_t fewest = 4, many = 8;
  constexpr std::int64_t shortWhile = 2'000'000;
  Interpreter plain(checked, shapes, data, kind, Marks::Overflow);
  const auto left = plain.run();
  if (!left) return std::nullopt;
  Roundings result{markedIn(*left), {}, {}};
  for (const std::vector<Marked> &array : *left) {
    result.moved.emplace_back(array.size(), 0.0);
    result.lost.emplace_back(array.size(), false);
  }
  const auto affordable = static_cast<std::size_t>(shortWhile / std::max<std::int64_t>(plain.work(), 1));
  for (std::size_t turn = 1; turn <= std::clamp(affordable, fewest, many); ++turn) {
    const auto other = Interpreter(checked, shapes, data, kind, Marks::Overflow).run(turn);
    if (!other) continue;
    for (std::size_t a = 0; a < left->size(); ++a)
      for (std::size_t i = 0; i < (*left)[a].size(); ++i)
        compare((*left)[a][i].real, (*other)[a][i].real, result, a, i);
  }
  return result;
}

} // namespace polymend
