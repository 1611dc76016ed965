// A constant for a producer of bounded elements (Steady): it is not reduced in the loop, the states of its consumers
// are sums at the constant, and nothing moves. What is finished at the end stays at the constant, so that all consumers
// of a row are computed again, about the producer's own value, or none. A row is when a consumer's value at the
// producer's own value may have overflowed, or so little of it is left that products which underflowed count.
#include "tile/phase.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace polymend {
namespace {

/// A loop has fewer elements than 2^31, in bits.
constexpr int countBits = 31;

Expr real(double value, Type type) { return Expr::real(value, type); }

template <class Float> std::pair<double, double> exponents() {
  return {std::numeric_limits<Float>::max_exponent - 1, std::numeric_limits<Float>::min_exponent - 1};
}

} // namespace

/// The constant pivot that a mended member's state is taken at, if there is one.
const Steady *PhaseLowerer::steadyOf(const Seated &seated) const {
  return seated.member.mended < 0 ? nullptr : steadyConsumer(frame.relaxed, seated.member.mended);
}

/// Does a constant stand for this member?
bool PhaseLowerer::isReplaced(const Seated &seated) const {
  return steadyProducer(frame.relaxed, seated.member.equation) != nullptr;
}

/// The comment that explains a constant pivot.
std::string PhaseLowerer::explain(const Steady &steady) const {
  std::ostringstream text;
  text.precision(4);
  text << frame.equation(steady.producer).array << " is taken to be " << steady.pivot << ": its elements lie in ["
       << steady.range.low << ", " << steady.range.high << "]";
  return text.str();
}

/// Marks the rows in which a state's distance from its value at the producer's own value matters. With s the factors'
/// sum over n elements, that value is at most |X| n / s: it is finite for |X| <= s * largest / n. Products that
/// underflowed change X by n times the smallest normal number: this is no more than a rounding where |X| is above it by
/// the digits of a number, or no more than it is in the source, but for 2^16, where s >= 2^-16.
TileBlock PhaseLowerer::markFarOff(const Steady &steady, const std::string &mark) {
  constexpr int slack = 16;
  const Seated &scale = seatOf(steady.scale);
  const Type type = scale.equation.type;
  const auto [most, least] = type == Type::Float64 ? exponents<double>() : exponents<float>();
  const int digits = type == Type::Float64 ? std::numeric_limits<double>::digits : std::numeric_limits<float>::digits;
  const Ref own = resultOf(scale, states.at(steady.scale)[0]);
  const Expr sum = Expr::read(own.array, own.subscripts, type);
  const std::vector<Expr> at = rowSubscripts();
  const auto positive = Expr::make(Op::Lt, {real(0, type), sum});
  TileBlock block = rowPoints(scale, {{{mark, at}, Update::Set, markUnless(positive), {}}});
  if (steady.mended.size() == 1) return block;
  const std::string low = makeRowTile(scale.equation.array + "_least", type);
  const std::string high = makeRowTile(scale.equation.array + "_most", type);
  const double largest = type == Type::Float64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const Expr near = Expr::make(Op::Le, {real(std::exp2(-slack), type), sum});
  append(block, rowPoints(scale, {{{low, at},
                                   Update::Set,
                                   Expr::make(Op::Select, type,
                                              {near, real(0, type), real(std::exp2(least + countBits + digits), type)}),
                                   {}}}));
  append(block,
         rowPoints(scale,
                   {{{high, at},
                     Update::Set,
                     Expr::make(Op::FMin, type, {sum * real(std::exp2(most - countBits), type), real(largest, type)}),
                     {}}}));
  for (const int k : steady.mended) {
    const int equation = frame.relaxed.mended[static_cast<std::size_t>(k)].consumer;
    if (equation == steady.scale) continue;
    const Seated &seated = seatOf(equation);
    const Ref state = resultOf(seated, states.at(equation)[0]);
    const Expr size = Expr::make(Op::Abs, type, {Expr::read(state.array, state.subscripts, type)});
    const Expr inside = Expr::make(Op::And, {Expr::make(Op::Le, {Expr::read(low, at, type), size}),
                                             Expr::make(Op::Le, {size, Expr::read(high, at, type)})});
    append(block, keyPoints(seated, {{{mark, at}, Update::Max, markUnless(inside), {}}}, true));
  }
  return block;
}

/// After the last of the consumers: marks rows, makes results of all states, computes the marked rows again.
TileBlock PhaseLowerer::finishTogether(const Seated &seated) {
  const Steady *const constant = steadyOf(seated);
  if (!constant) return {};
  const Steady &steady = *constant;
  std::vector<const Seated *> members;
  for (const Seated &other : seats)
    if (steadyOf(other) == &steady) members.push_back(&other);
  if (members.back() != &seated) return {};
  const std::string mark = makeRowTile(frame.equation(steady.producer).array + "_odd", Type::Int32);
  TileBlock block = markFarOff(steady, mark);
  for (const Seated *member : members) {
    const TileBlock result = finish(*member, bindings(*member, nullptr, nullptr));
    const bool tested = result.empty() && member->member.equation != steady.scale;
    append(block, result);
    append(block, markOdd(*member, mark, Update::Max, !tested));
  }
  if (frame.boxed) {
    frame.marks.push_back(mark);
  } else {
    append(block, replayProducer(steady, mark));
    for (const Seated *member : members) append(block, replayRow(*member, mark));
  }
  for (const Seated *member : members) append(block, storeWork(*member));
  return block;
}

/// The producer's own value in the marked rows.
TileBlock PhaseLowerer::replayProducer(const Steady &steady, const std::string &mark) {
  const Seated &seated = seatOf(steady.producer);
  const std::string name = makeTile(seated, seated.equation.array, seated.equation.type);
  frame.homes[steady.producer] = {name, false, &seated.member};
  return replayRow(seated, mark);
}

} // namespace polymend
