// A grid is a box of points with one 64-bit number each; blocks take numbers a grid's width apart, so that any count
// fits one dimension of a launch. Points of the box that are outside the grid are skipped by whole blocks.
#include "gpu_grid.h"
#include "gpu_group.h"
#include "print/gpu_team.h"
#include "print/region.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::print_room {

using Where = DeviceTile::Place;
using Team = DeviceTeam::Kind;

bool KernelPrinter::has(Where where) const {
  return std::any_of(kernel.tiles.begin(), kernel.tiles.end(), [&](const DeviceTile &t) { return t.place == where; });
}

/// Tells others where the tiles are, until forget().
void KernelPrinter::place(const std::vector<DeviceTile> &tiles) {
  for (const DeviceTile &t : tiles) {
    const bool isCell = t.place == Where::Owned || (t.place == Where::Slice && t.array.extents.empty());
    context.places[t.array.name] = {&t.array, isCell                    ? Shape::Cell
                                              : t.place == Where::Slice ? Shape::Linear
                                                                        : Shape::Native};
    if (t.place == Where::Held) context.held.insert(t.array.name);
  }
}

void KernelPrinter::forget() {
  context.held.clear();
  for (const DeviceTile &t : kernel.tiles) context.places.erase(t.array.name);
  if (kernel.arrival)
    for (const DeviceTile &t : kernel.arrival->tiles) context.places.erase(t.array.name);
}

/// How many points the box has along a dimension.
std::string KernelPrinter::sizeOf(std::size_t dim) {
  const auto &[first, limit] = team.box[dim];
  return context.primitive("extent") + "(" + plain(first, context) + ", " + plain(limit, context) + ")";
}

/// Declares the grid's variables for point number `point`; `leave` where the grid has no such point.
void KernelPrinter::coordinates(Writer &out, const std::string &point, const std::string &leave) {
  std::string rest = point, test;
  const auto declare = [&](const std::string &name, const std::string &value) {
    out.line("[[maybe_unused]] const " + context.index() + " " + name + " = " + value + ";");
  };
  for (std::size_t i = kernel.grid.size(); i-- > 0;) {
    const PointDim &d = kernel.grid[i];
    const std::string first = plain(team.box[i].first, context), from = first == "0" ? "" : "(" + first + ") + ";
    if (i == 0) {
      declare(context.names.of(d.variable), from + rest);
      continue;
    }
    const std::string next = context.names.of("rest above " + d.variable);
    const auto divisor = divisors.find(d.variable);
    const bool divides = divisor != divisors.end();
    const std::string size = divides ? divisor->second + ".size" : context.names.of("grid size of " + d.variable);
    declare(next, divides ? divisor->second + ".quotient(" + rest + ")" : "(" + rest + ") / " + size);
    declare(context.names.of(d.variable), from + rest + " - " + next + " * " + size);
    rest = next;
  }
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const PointDim &d = kernel.grid[i];
    context.signs.note(d);
    const std::string &name = context.names.of(d.variable);
    if (!equal(simplify(d.first), simplify(team.box[i].first)))
      test += (test.empty() ? "" : " || ") + name + " < " + plain(d.first, context);
    if (!equal(simplify(d.limit), simplify(team.box[i].second)))
      test += (test.empty() ? "" : " || ") + plain(d.limit, context) + " <= " + name;
  }
  if (!test.empty()) out.line("if (" + test + ") " + leave + ";");
}

void KernelPrinter::loop(Writer &out) {
  const std::string number = context.names.of("grid point"), points = context.names.of("number of points");
  const std::string thread = context.names.of("thread");
  const std::string type = context.index(), wide = isThread() ? type + "(" + threadsOf(team) + ")" : "";
  const std::string group = isGroup() ? context.names.of("group size") : "";
  if (!isThread() && !team.row)
    out.line("[[maybe_unused]] const int " + thread + " = static_cast<int>(threadIdx.x" +
             (team.apart  ? " / " + context.primitive("groupsOfBlock") + "<" + group + ">"
              : isGroup() ? " % " + group
                          : "") +
             ");");
  if (!isThread()) declareTiles(out);
  if (!atPoint) declareHeld(out);
  if (!anyMark.empty())
    out.line("if (!" + context.primitive("anyMarked") + "(" + anyMark + ", " + markWords + ")) return;");
  for (std::size_t i = 1; i < kernel.grid.size() && divisors.empty(); ++i)
    out.line("const " + type + " " + context.names.of("grid size of " + kernel.grid[i].variable) + " = " + sizeOf(i) +
             ";");
  if (team.row) return team.folds() ? segments(out) : rows(out);
  std::string first = isThread() ? "blockIdx.x * " + wide + " + threadIdx.x" : "blockIdx.x";
  std::string step = isThread() ? "gridDim.x * " + wide : "gridDim.x";
  if (isGroup()) {
    first = context.primitive(team.apart ? "numberApart" : "groupNumber") + "<" + group + ">()";
    step = context.primitive(team.apart ? "countApart" : "groupCount") + "<" + group + ">()";
  }
  out.block("for (" + type + " " + number + " = " + first + "; " + number + " < " + points + "; " + number +
                " += " + step + ")",
            [&] {
              coordinates(out, team.backwards ? "(" + points + " - 1 - " + number + ")" : number);
              if (atPoint) {
                std::vector<std::string> at;
                for (const PointDim &d : kernel.grid) at.push_back(context.names.of(d.variable));
                return out.line(atPoint->call(thread, context.names.of("memory of a block"), at));
              }
              if (team.window)
                for (const std::string &array : team.kept) out.line(heldName(array, context) + ".forget();");
              body(out);
              if (kernel.arrival) combine(out, number);
            });
}

/// How many blocks run so many points, each by a thread; notes how large they are.
std::string KernelPrinter::blocksOf(const std::string &points) {
  if (!team.spread) return context.primitive("blocksFor") + "(" + points + ")";
  plan.blockSize = context.primitive("threadsFor") + "(" + points + ")";
  return context.primitive("blocksFor") + "(" + points + ", " + plan.blockSize + ")";
}

void KernelPrinter::launchGrid() {
  std::string count;
  for (std::size_t i = 0; i < team.box.size(); ++i) count += (count.empty() ? "" : " * ") + sizeOf(i);
  const std::string points = context.names.of("number of points");
  host.line("const std::int64_t " + points + " = " + count + ";");
  for (std::size_t i = 1; i < kernel.grid.size() && !atPoint; ++i) {
    const std::string divisor = context.names.of("divisor for " + kernel.grid[i].variable);
    host.line("const " + context.primitive("Divisor") + "<> " + divisor + "(" + sizeOf(i) + ", " + points + ");");
    plan.extra.emplace_back("const polymend_rt::Divisor<" + (kernel.reach ? plan.index : "") + "> " + divisor, divisor);
    divisors[kernel.grid[i].variable] = divisor;
  }
  plan.blocks = isThread() ? blocksOf(points) : points;
  if (kernel.arrival) declareArrived(count);
  if (team.folds()) {
    declarePieces(count);
  } else if (team.row) {
    const std::string share = context.names.of("points of block");
    host.line("const int " + share + " = " +
              (team.neighbours ? "polymend_rt::neighboursOfBlock" : context.primitive("pointsOfBlock")) + "(" + points +
              ");");
    plan.blocks = "(" + points + " + " + share + " - 1) / " + share;
    plan.extra.emplace_back("int " + share, share);
  } else if (isGroup()) {
    plan.groups = points;
    plan.fours = team.fours;
    plan.beside = team.beside;
    plan.apart = team.apart;
    plan.length = team.length ? plain(team.length, context) : "INT64_MAX";
  }
  declareWindows();
  if (has(Where::Slice)) {
    const std::string blocks = context.names.of("number of blocks");
    host.line("const std::int64_t " + blocks + " = " + context.primitive("residentBlocks") + "(" + points + ");");
    plan.blocks = blocks;
  }
  allocateScratch(count);
  plan.extra.emplace_back(plan.index + " " + points, points);
  if (const auto words = function.marks.find(kernel.fallback); words != function.marks.end() && !isThread()) {
    anyMark = context.names.fresh("marked");
    markWords = words->second.count;
    plan.extra.emplace_back("const std::uint32_t *" + anyMark,
                            words->second.tickets + " + " + std::to_string(ticketCounters));
    plan.extra.emplace_back("std::int64_t " + markWords, markWords);
    plan.blocks = context.primitive("persistentBlocks") + "(" + points + ")";
  }
  plan.residents = team.residents;
  Writer out(1);
  context.host = &values;
  {
    const OnDevice onDevice(context);
    if (atPoint) definePoint();
    loop(out);
  }
  context.host = nullptr;
  plan.values = values.all();
  if (team.terms) {
    // Told that one block is enough, the assembler keeps all reads before what needs them.
    plan.residents = 1;
    const HostValue *known = values.find(team.terms);
    plan.terms = known ? known->name : plain(team.terms, context);
  }
  defineAndLaunch(plan, out.text(), function, host);
}

/// Regions by all threads of the launch, or statements of one thread.
void KernelPrinter::launchWide() {
  Writer out(1);
  if (isThread()) {
    plan.blocks = "1";
  } else {
    for (const DeviceNode &node : kernel.body) {
      const std::string points = dealtCount(*std::get<std::shared_ptr<const DeviceDeal>>(node), context);
      plan.blocks += (plan.blocks.empty() ? "" : " + ") + blocksOf(points);
    }
    out.line("const int " + context.names.of("thread") + " = static_cast<int>(threadIdx.x);");
    if (kernel.body.size() > 1) {
      context.firstBlock = context.names.of("first block");
      out.line("std::int64_t " + context.firstBlock + " = 0;"); // as the host counts blocks
    }
  }
  {
    const OnDevice onDevice(context);
    body(out);
  }
  context.firstBlock.clear();
  defineAndLaunch(plan, out.text(), function, host);
}

void KernelPrinter::launch() {
  plan.name = kernelName(kernel.name.empty() ? function.program.function : kernel.name, function);
  plan.written = device_room::writtenIn(kernel.body);
  plan.used = device_room::usedIn(kernel.body);
  if (kernel.arrival) {
    plan.written.merge(device_room::writtenIn(kernel.arrival->body));
    plan.used.merge(device_room::usedIn(kernel.arrival->body));
  }
  plan.threads = team.threads;
  plan.bytes = team.sharedBytes;
  if (kernel.reach) {
    plan.index = context.names.of(indexType);
    plan.reach = plain(kernel.reach, context);
    context.isSized = true;
    context.wide = kernel.wide;
  }
  if (kernel.grid.empty()) return launchWide();
  host.block(atPoint ? "if (" + atPoint->alone + ")" : "", [&] { launchGrid(); });
}

void KernelPrinter::print() {
  place(kernel.tiles);
  if (kernel.arrival) place(kernel.arrival->tiles);
  launch();
  context.isSized = false;
  context.wide.clear();
  forget();
}

void printKernel(const DeviceKernel &kernel, DeviceFunction &function, Writer &host) {
  if (!kernel.name.empty() && !kernel.grid.empty()) host.line("// Kernel " + kernel.name + ".");
  KernelPrinter(kernel, function, host).print();
}

} // namespace polymend::print_room
