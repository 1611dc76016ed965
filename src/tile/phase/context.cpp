// A member's dimensions are rows of the kernel's tile, rolled dimensions of the phase, or its own.
#include "context.h"

#include <algorithm>

namespace polymend {

std::vector<unsigned> Seated::order() const {
  std::vector<unsigned> all = parallel;
  all.insert(all.end(), reduced.begin(), reduced.end());
  return all;
}

namespace {

/// A dimension that only this member has: whole when its extent is a small constant, else in chunks (whole for maps,
/// and where chunks would change the order in which a sum over several dimensions takes its terms). A key has all its
/// values, also those to which no element comes.
Axis ownAxis(KernelFrame &frame, Seated &seated, unsigned dim) {
  constexpr std::int64_t largest = 256, chunk = 64;
  const Equation &e = seated.equation;
  const std::string name = plainName(e.dims[dim]);
  Axis axis;
  axis.point = frame.unique(name);
  const bool map = seated.member.role == Member::Role::Map;
  const bool unbroken = map || (!frame.options.reorder && dim >= e.keys && e.reduced() > 1);
  const isl::set &held = dim < e.keys ? e.keyDomain : e.domain;
  isl_val *high = isl_set_dim_max_val(held.copy(), static_cast<int>(dim));
  isl_val *low = isl_set_dim_min_val(held.copy(), static_cast<int>(dim));
  const bool constant = isl_val_is_int(high) == isl_bool_true && isl_val_is_int(low) == isl_bool_true &&
                        !isl_val_is_neg(low) && isl_val_get_num_si(high) < largest;
  axis.extent = constant ? isl_val_get_num_si(high) + 1 : unbroken ? 0 : chunk;
  isl_val_free(high);
  isl_val_free(low);
  if (constant || unbroken) return axis;
  const std::string loop = frame.unique(name + "_block");
  axis.base = Expr::symbol(loop, Type::Int64);
  seated.loops.push_back({dim, loop, {}, {}, chunk});
  return axis;
}

Seated seat(const PhaseContext &context, const Member &member) {
  const Equation &e = context.frame.equation(member.equation);
  Seated seated{member, e, Axes(e.dims.size()), {}, {}, {}, {}};
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    const auto row = std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) - member.rows.begin();
    const auto rolled =
        std::find(member.rolled.begin(), member.rolled.end(), static_cast<int>(d)) - member.rolled.begin();
    if (row < static_cast<std::ptrdiff_t>(member.rows.size()))
      seated.axes[d] = context.frame.rows[static_cast<std::size_t>(row)].axis;
    else if (rolled < static_cast<std::ptrdiff_t>(member.rolled.size()))
      seated.axes[d] = context.rolled[static_cast<std::size_t>(rolled)];
    else {
      seated.axes[d] = ownAxis(context.frame, seated, d);
      if (d < e.keys) seated.extras.push_back(d);
    }
  }
  for (int d : member.rows)
    if (!seated.axes[static_cast<unsigned>(d)].point.empty()) seated.parallel.push_back(static_cast<unsigned>(d));
  auto &rolledOrder = member.role == Member::Role::Inner ? seated.parallel : seated.reduced;
  for (int d : member.rolled)
    if (!seated.axes[static_cast<unsigned>(d)].point.empty()) rolledOrder.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras)
    if (!seated.axes[d].point.empty()) seated.parallel.push_back(d);
  for (unsigned d = e.keys; d < e.dims.size(); ++d)
    if (std::find(member.rolled.begin(), member.rolled.end(), static_cast<int>(d)) == member.rolled.end() &&
        !seated.axes[d].point.empty())
      seated.reduced.push_back(d);
  return seated;
}

Axis rolledAxis(KernelFrame &frame, const Phase &phase, std::size_t k) {
  const std::string name = plainName(phase.rolled[k]);
  Axis axis;
  axis.extent = phase.chunks[k];
  axis.base = Expr::symbol(frame.unique(axis.extent == 1 ? name : name + "_block"), Type::Int64);
  if (axis.extent > 1) axis.point = frame.unique(name);
  return axis;
}

} // namespace

PhaseContext contextOf(KernelFrame &frame, const Phase &phase, const LoopShare &share) {
  PhaseContext context{frame, phase, {}, {}, share, frame.known};
  for (std::size_t k = 0; k < phase.rolled.size(); ++k) context.rolled.push_back(rolledAxis(frame, phase, k));
  context.seats.reserve(phase.members.size());
  for (const Member &member : phase.members) context.seats.push_back(seat(context, member));
  return context;
}

const Seated &seatOf(const PhaseContext &context, int equation) {
  return *std::find_if(context.seats.begin(), context.seats.end(),
                       [&](const Seated &s) { return s.member.equation == equation; });
}

const Mended &mendedOf(const PhaseContext &context, const Seated &seated) {
  return context.frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
}

const Correction &correctionOf(const PhaseContext &context, const Seated &seated) {
  return mendedOf(context, seated).correction;
}

const ConstantPivot *constantPivotOf(const PhaseContext &context, const Seated &seated) {
  return seated.member.mended < 0 ? nullptr : constantPivotOfConsumer(context.frame.relaxed, seated.member.mended);
}

bool isReplaced(const PhaseContext &context, const Seated &seated) {
  return constantPivotOfProducer(context.frame.relaxed, seated.member.equation) != nullptr;
}

bool isOnHost(const PhaseContext &context) {
  const auto &machine = context.frame.options.machine;
  return machine && machine->isHost;
}

bool has(const std::vector<int> &list, unsigned dim) {
  return std::find(list.begin(), list.end(), static_cast<int>(dim)) != list.end();
}

void append(Emitted &all, const Emitted &more) {
  append(all.before, more.before);
  append(all.body, more.body);
  all.watched.insert(more.watched.begin(), more.watched.end());
}

} // namespace polymend
