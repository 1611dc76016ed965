// Beside the two slots for tickets stand the last ticket that was taken and whether anything is marked. The drawing
// thread writes the chain before it hands a ticket out, so that who has got the last one sees it all. When all
// computing threads have met, every tile that was copied has been read: the general kernel's tiles take the place of
// the ring. Which point is next stands in shared memory too: what lives across the call would take registers from the
// matrices.
#include "role_fallback.h"

namespace polymend::print_room {

namespace {

constexpr const char *last = "$ticketSlots[2]", *part = "$ticketSlots[4]"; // of the tile: its point number
constexpr const char *anyMark = "$ticketSlots[3]";                         // not zero: something is marked

/// The point number `part` of the tile, where that is one of the grid, and the call for it.
void onePoint(RoleFrame &frame, const std::vector<DevicePoints> &points, const std::string &thread, Writer &out) {
  std::vector<std::string> at;
  std::string rest = "$part", inside;
  for (std::size_t d = points.size(); d-- > 0;) {
    const DevicePoints &along = points[d];
    const std::string &tile = frame.context.names.of(along.coordinate), count = number(along.count);
    at.insert(at.begin(), along.count == 1 ? tile : "$point" + number(static_cast<std::int64_t>(d)));
    if (along.count > 1) {
      out.line("const std::int64_t " + at.front() + " = std::int64_t{" + count + "} * " + tile + " + " + rest + " % " +
               count + ";");
      rest += " / " + count;
    }
    if (along.limit) inside += (inside.empty() ? "" : " && ") + at.front() + " < " + frame.plain(along.limit);
  }
  out.line((inside.empty() ? "" : "if (" + inside + ") ") + frame.fallback->call(thread, "$memory", at));
}

} // namespace

void beginChain(Writer &out) {
  out.line(std::string(last) + " = -1; // no ticket was taken yet");
  out.line(std::string(anyMark) + " = 0; // and nothing is marked");
  out.line(std::string(part) + " = 0;");
}

std::string noteMark() { return "atomicExch(const_cast<int *>(&" + std::string(anyMark) + "), 1);"; }

void linkTicket(const RoleFrame &frame, Writer &out) {
  out.block("if ($ticket >= 0)", [&] {
    out.line(frame.fallback->chain + "[$ticket] = " + last + ";");
    out.line(std::string(last) + " = $ticket;");
  });
}

void computeFallback(RoleFrame &frame, const std::function<void()> &coordinates, Writer &out) {
  out.line("// What this block marked it computes again, now that all have computed and nobody reads a copied tile.");
  const bool all = frame.fallback->byWholeBlocks;
  const std::int64_t threads = all ? frame.roles.threads : 128 * frame.roles.groups;
  const std::int64_t first = all ? 0 : frame.firstComputing();
  out.line(frame.context.primitive("waitAmong") + "(2, " + number(threads) + ");");
  const std::string thread = "static_cast<int>(threadIdx.x)" + (first == 0 ? "" : " - " + number(first));
  out.line("if (" + std::string(anyMark) + " == 0" +
           (threads > blockThreads ? " || threadIdx.x >= " + number(first + blockThreads) : "") + ") return;");
  const std::vector<DevicePoints> &points = frame.roles.again;
  std::int64_t parts = 1;
  for (const DevicePoints &along : points) parts *= along.count;
  const std::string wait = frame.context.primitive("waitTeam") + "();";
  out.block("for (;;)", [&] {
    out.line("const int $ticket = " + std::string(last) + ", $part = " + part + ";");
    out.line("if ($ticket < 0) return;");
    coordinates();
    onePoint(frame, points, thread, out);
    out.line(wait);
    out.block("if (threadIdx.x == " + number(first) + ")", [&] {
      out.line("const int $next = " + std::string(part) + " + 1;");
      out.line(std::string(part) + " = $next % " + number(parts) + ";");
      out.line("if ($next == " + number(parts) + ") " + last + " = " + frame.fallback->chain + "[" + last + "];");
    });
    out.line(wait);
  });
}

void takeFallback(const PointFunction &point, LaunchPlan &plan) {
  plan.used.insert(point.used.begin(), point.used.end());
  plan.written.insert(point.written.begin(), point.written.end());
  plan.extra.insert(plan.extra.end(), point.extra.begin(), point.extra.end());
  plan.values.insert(plan.values.end(), point.values.begin(), point.values.end());
}

} // namespace polymend::print_room
