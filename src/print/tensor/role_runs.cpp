// Tiles of runs, whose numbers only the device knows; and groups of threads that have no row of a tile.
#include "role_runs.h"

namespace polymend::print_room {

/// note [walk over runs]
/// Numbers grow from ticket to ticket of a block: the thread that draws keeps the run that it has come to, and how many
/// tiles came before it, so that it looks at each run once. It is a ticket ahead of those that copy and compute.
void walkRuns(RoleFrame &frame, Writer &out) {
  Context &context = frame.context;
  const TicketRuns &runs = *frame.roles.order.runs;
  context.names.alias("$reached");
  context.signs.insert("$reached");
  const Expr length = substitute(runs.length, [&](const std::string &name) {
    return name == runs.run ? Expr::symbol("$reached", Type::Int64) : Expr();
  });
  bool isLong = false;
  visit(length, [&](const Expr &e) { isLong = isLong || (e.op() == Op::Read && e.type() == Type::Int64); });
  const std::int64_t tile = frame.roles.groups * groupRows(frame.roles.atom); // rows
  out.line("const std::int64_t $number = $taken == 0 ? blockIdx.x : gridDim.x + std::int64_t{" +
           context.primitive("nextTicket") + "($tickets)};");
  out.line("const std::int64_t $wanted = $number / $each;");
  out.line("$ticket = -1;");
  out.block("for (; $reached < $runs; ++$reached)", [&] {
    out.line("const std::int64_t $length = " + frame.plain(length) + ";");
    if (isLong)
      out.line("if ($length > INT32_MAX / " + number(tile) + " - 1) __trap(); // rows are counted in 32 bits");
    out.line("if ($wanted - $before < $length) break;");
    out.line("if ($length > 0) $before += $length;");
  });
  out.line("if ($reached < $runs) $ticket = static_cast<int>($number - $wanted * $each);");
  out.line("$run = static_cast<int>($reached), $tile = static_cast<int>($wanted - $before);");
}

/// What a group does of a block that computes nothing: slots are taken and given back.
DeviceBlock passing(const DeviceBlock &nodes) {
  DeviceBlock result;
  for (const DeviceNode &node : nodes) {
    if (std::holds_alternative<DeviceTake>(node) || std::holds_alternative<DeviceGive>(node)) result.push_back(node);
    if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node)) {
      DeviceLoop other = **loop;
      other.body = passing(other.body);
      if (!other.body.empty()) result.emplace_back(std::make_shared<const DeviceLoop>(std::move(other)));
    }
    if (const auto *branch = std::get_if<std::shared_ptr<const DeviceBranch>>(&node)) {
      DeviceBranch other{(*branch)->condition, passing((*branch)->then), passing((*branch)->otherwise)};
      if (!other.then.empty() || !other.otherwise.empty())
        result.emplace_back(std::make_shared<const DeviceBranch>(std::move(other)));
    }
  }
  return result;
}

} // namespace polymend::print_room
