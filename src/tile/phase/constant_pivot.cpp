// A constant for a producer of bounded elements (ConstantPivot): it is not reduced in the loop, the states of its
// consumers are sums at the constant, and nothing moves. What is finished at the end stays at the constant, so that all
// consumers of a row are computed again, about the producer's own value, or none. A row is when a consumer's value at
// the producer's own value may have overflowed, or so little of it is left that products which underflowed count.
#include "constant_pivot.h"

#include "conditions.h"
#include "fallback.h"
#include "finish.h"
#include "marks.h"
#include "regions.h"
#include "values.h"

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

std::string explain(const PhaseContext &context, const ConstantPivot &pivot) {
  std::ostringstream text;
  text.precision(4);
  text << context.frame.equation(pivot.producer).array << " is taken to be " << pivot.value << ": its elements lie in ["
       << pivot.range.low << ", " << pivot.range.high << "]";
  return text.str();
}

namespace {

/// Marks the rows in which a state's distance from its value at the producer's own value matters. With s the factors'
/// sum over n elements, that value is at most |X| n / s: it is finite for |X| <= s * largest / n. Products that
/// underflowed change X by n times the smallest normal number: this is no more than a rounding where |X| is above it by
/// the digits of a number, or no more than it is in the source, but for 2^16, where s >= 2^-16.
TileBlock markFarOff(const PhaseContext &context, const MendedStates &states, const ConstantPivot &pivot,
                     const std::string &mark) {
  constexpr int slack = 16;
  const Seated &scale = seatOf(context, pivot.scale);
  const Type type = scale.equation.type;
  const auto [most, least] = type == Type::Float64 ? exponents<double>() : exponents<float>();
  const int digits = type == Type::Float64 ? std::numeric_limits<double>::digits : std::numeric_limits<float>::digits;
  const Ref own = resultOf(context, scale, states.tiles.at(pivot.scale)[0]);
  const Expr sum = Expr::read(own.array, own.subscripts, type);
  const std::vector<Expr> at = rowSubscripts(context);
  const auto positive = Expr::make(Op::Lt, {real(0, type), sum});
  TileBlock block = rowPoints(context, scale, {{{mark, at}, Update::Set, markUnless(positive), {}}});
  if (pivot.mended.size() == 1) return block;
  const std::string low = makeRowTile(context, scale.equation.array + "_least", type);
  const std::string high = makeRowTile(context, scale.equation.array + "_most", type);
  const double largest = type == Type::Float64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const Expr near = Expr::make(Op::Le, {real(std::exp2(-slack), type), sum});
  append(block, rowPoints(context, scale,
                          {{{low, at},
                            Update::Set,
                            Expr::make(Op::Select, type,
                                       {near, real(0, type), real(std::exp2(least + countBits + digits), type)}),
                            {}}}));
  append(block,
         rowPoints(context, scale,
                   {{{high, at},
                     Update::Set,
                     Expr::make(Op::FMin, type, {sum * real(std::exp2(most - countBits), type), real(largest, type)}),
                     {}}}));
  for (const int k : pivot.mended) {
    const int equation = context.frame.relaxed.mended[static_cast<std::size_t>(k)].consumer;
    if (equation == pivot.scale) continue;
    const Seated &seated = seatOf(context, equation);
    const Ref state = resultOf(context, seated, states.tiles.at(equation)[0]);
    const Expr size = Expr::make(Op::Abs, type, {Expr::read(state.array, state.subscripts, type)});
    const Expr inside = Expr::make(Op::And, {Expr::make(Op::Le, {Expr::read(low, at, type), size}),
                                             Expr::make(Op::Le, {size, Expr::read(high, at, type)})});
    append(block, keyPoints(context, seated, {{{mark, at}, Update::Max, markUnless(inside), {}}}, true));
  }
  return block;
}

/// The producer's own value in the marked rows.
TileBlock fallbackProducer(const PhaseContext &context, const ConstantPivot &pivot, const std::string &mark) {
  const Seated &seated = seatOf(context, pivot.producer);
  const std::string name = makeTile(context, seated, seated.equation.array, seated.equation.type);
  context.frame.homes[pivot.producer] = {name, false, &seated.member};
  return fallbackRow(context, seated, mark);
}

} // namespace

TileBlock finishTogether(const PhaseContext &context, const MendedStates &states, const Seated &seated) {
  const ConstantPivot *const constant = constantPivotOf(context, seated);
  if (!constant) return {};
  const ConstantPivot &pivot = *constant;
  std::vector<const Seated *> members;
  for (const Seated &other : context.seats)
    if (constantPivotOf(context, other) == &pivot) members.push_back(&other);
  if (members.back()->member.equation != seated.member.equation) return {};
  const std::string mark =
      makeRowTile(context, context.frame.equation(pivot.producer).array + "_fallback", Type::Int32);
  TileBlock block = markFarOff(context, states, pivot, mark);
  for (const Seated *member : members) {
    const TileBlock result = finish(context, states, *member, bindings(context, states, *member, nullptr, nullptr));
    const bool tested = result.empty() && member->member.equation != pivot.scale;
    append(block, result);
    append(block, markFallback(context, states, *member, mark, Update::Max, !tested));
  }
  if (context.frame.rectangular) {
    context.frame.marks.push_back(mark);
  } else {
    append(block, fallbackProducer(context, pivot, mark));
    for (const Seated *member : members) append(block, fallbackRow(context, *member, mark));
  }
  for (const Seated *member : members) append(block, storeWork(context, *member));
  return block;
}

} // namespace polymend
