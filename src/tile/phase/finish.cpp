// What is asked of a state is asked before its result takes its place.
#include "finish.h"

#include "fallback.h"
#include "marks.h"
#include "regions.h"
#include "values.h"

namespace polymend {

TileBlock finish(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                 const std::map<std::string, Expr> &bound) {
  const Expr value = finalValue(context, seated, bound);
  const Ref result = resultOf(context, seated, states.tiles.at(seated.member.equation)[0]);
  if (equal(value, Expr::read(result.array, result.subscripts, seated.equation.type))) return {};
  return keyPoints(context, seated, {{result, Update::Set, value, {}}});
}

namespace {

/// Marks the rows that are exceptional, and computes them again.
TileBlock fallbackWhereMarked(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                              const std::string &mark, Update rows) {
  TileBlock block = markFallback(context, states, seated, mark, rows, true);
  if (context.frame.rectangular)
    context.frame.marks.push_back(mark);
  else
    append(block, fallbackRow(context, seated, mark));
  return block;
}

} // namespace

TileBlock finishWithFallback(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                             const std::map<std::string, Expr> &bound) {
  const std::string mark = makeRowTile(context, seated.equation.array + "_fallback", Type::Int32);
  TileBlock block = markImages(context, seated, bound, mark);
  if (block.empty()) block = markLost(context, seated, bound, mark);
  const Update rows = block.empty() ? Update::Set : Update::Max;
  append(block, finish(context, states, seated, bound));
  append(block, fallbackWhereMarked(context, states, seated, mark, rows));
  return block;
}

TileBlock storeWork(const PhaseContext &context, const Seated &seated) {
  const int e = seated.member.equation;
  if (context.frame.schedule.places[static_cast<std::size_t>(e)] != EquationPlace::Work) return {};
  std::vector<Expr> keys;
  for (unsigned d = 0; d < seated.equation.keys; ++d) keys.push_back(seated.axes[d].global());
  const Ref own = resultOf(context, seated, context.frame.homes.at(e).array);
  return keyPoints(context, seated,
                   {{{workName(seated.equation), workPlace(seated.equation, keys)},
                     Update::Set,
                     Expr::read(own.array, own.subscripts, seated.equation.type),
                     stored(context, seated)}});
}

} // namespace polymend
