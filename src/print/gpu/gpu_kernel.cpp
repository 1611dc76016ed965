// A grid is a box of points with one 64-bit number each; blocks take numbers a grid's width apart, so that any count
// fits one dimension of a launch. Points of the box that are outside the grid are skipped by whole blocks.
#include "gpu_ahead.h"
#include "gpu_grid.h"
#include "print/region.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::dependsOn;

std::optional<Refusal> GridPrinter::measure() {
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const std::optional<Box> box = boxOf(kernel.grid, i);
    if (!box)
      return Refusal{"the bounds of the grid dimension '" + kernel.grid[i].variable + "' have no box", placeOf(kernel)};
    boxes.push_back(*box);
  }
  for (const TileArray &a : kernel.tiles)
    for (const Expr &extent : a.extents)
      for (const PointDim &d : kernel.grid)
        if (dependsOn(extent, d.variable))
          return Refusal{"the size of '" + a.name + "' changes over the grid", placeOf(kernel, a.name)};
  return std::nullopt;
}

/// Without parallel work inside a point, and with nothing but scalars, a point is a thread.
bool GridPrinter::runsPerThread() const {
  const bool scalars =
      std::all_of(kernel.tiles.begin(), kernel.tiles.end(), [](const TileArray &a) { return a.extents.empty(); });
  return scalars && !any<TilePoints>(body, [&](const TilePoints &p) {
           if (!context.strict()) return true;
           return !planRegion(p, {}, context).dealt.empty();
         });
}

/// Rows of which each thread has one element need no shared memory.
void GridPrinter::keepOwned(const std::set<std::string> &owned) {
  layout = layOut(kernel.tiles, layout.held, context.table.sharedBytes, owned);
  plan.bytes = layout.bytes;
  for (const TileArray *a : layout.owned) context.places[a->name].shape = Shape::Cell;
}

/// Groups run points whose tiles are scalars that each of their threads holds.
void GridPrinter::chooseGroups() {
  if (perThread || !layout.shared.empty() || !layout.scratch.empty()) return;
  groups = planGroups(body, kernel.grid, layout.held, context);
}

/// Declares the grid's variables for point number `point`.
void GridPrinter::coordinates(Writer &out, const std::string &point, bool &skips) {
  std::string rest = point, test;
  std::vector<std::string> lines;
  for (std::size_t i = kernel.grid.size(); i-- > 0;) {
    const PointDim &d = kernel.grid[i];
    const std::string first = plain(boxes[i].first, context);
    const std::string size = context.names.of("grid size of " + d.variable);
    std::string value = i == 0 ? rest : (rest == point ? rest : "(" + rest + ")") + " % " + size;
    if (first != "0") value = "(" + first + ") + " + value;
    lines.push_back("[[maybe_unused]] const std::int64_t " + context.names.of(d.variable) + " = " + value + ";");
    if (i != 0) rest += " / " + size;
  }
  for (const std::string &line : lines) out.line(line);
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const PointDim &d = kernel.grid[i];
    noteSign(d, context);
    const std::string &name = context.names.of(d.variable);
    if (!equal(simplify(d.first), simplify(boxes[i].first)))
      test += (test.empty() ? "" : " || ") + name + " < " + plain(d.first, context);
    if (!equal(simplify(d.limit), simplify(boxes[i].limit)))
      test += (test.empty() ? "" : " || ") + plain(d.limit, context) + " <= " + name;
  }
  skips = !test.empty();
  if (skips) out.line("if (" + test + ") continue;");
}

Surroundings GridPrinter::surroundings() const {
  Surroundings s;
  s.repeats = true;
  s.memory.threads = plan.threads;
  s.memory.termsAhead = static_cast<bool>(terms);
  if (perThread) {
    s.team = Team::One;
    return s;
  }
  s.memory.replicated = layout.held;
  if (groups) {
    s.team = Team::Group;
    s.memory = groups->memory;
  }
  for (const SharedTile &t : layout.shared) {
    s.memory.tiles.insert(t.array->name);
    s.shared.insert(t.array->name);
  }
  for (const TileArray *a : layout.scratch) s.shared.insert(a->name);
  for (const std::string &array : plan.written)
    if (!layout.held.contains(array)) s.shared.insert(array);
  return s;
}

void GridPrinter::loop(Writer &out) {
  const std::string number = context.names.of("grid point"), points = context.names.of("number of points");
  const std::string thread = context.names.of("thread"), threads = std::to_string(blockThreads);
  const std::string group = groups ? context.names.of("group size") : "";
  if (!perThread)
    out.line("[[maybe_unused]] const int " + thread + " = static_cast<int>(threadIdx.x" +
             (groups ? " % " + group : "") + ");");
  if (!perThread) declareTiles(out);
  if (!atPoint) declareHeld(out);
  if (!anyMark.empty())
    out.line("if (!" + context.primitive("anyMarked") + "(" + anyMark + ", " + markWords + ")) return;");
  for (std::size_t i = 1; i < kernel.grid.size(); ++i) {
    const std::string range = plain(boxes[i].first, context) + ", " + plain(boxes[i].limit, context);
    out.line("const std::int64_t " + context.names.of("grid size of " + kernel.grid[i].variable) + " = " +
             context.primitive("extent") + "(" + range + ");");
  }
  std::string first = perThread ? "blockIdx.x * std::int64_t{" + threads + "} + threadIdx.x" : "blockIdx.x";
  std::string step = perThread ? "gridDim.x * std::int64_t{" + threads + "}" : "gridDim.x";
  if (groups) {
    first = context.primitive("groupNumber") + "<" + group + ">()";
    step = context.primitive("groupCount") + "<" + group + ">()";
  }
  out.block("for (std::int64_t " + number + " = " + first + "; " + number + " < " + points + "; " + number +
                " += " + step + ")",
            [&] {
              bool skips = false;
              coordinates(out, number, skips);
              if (atPoint) {
                std::vector<std::string> at;
                for (const PointDim &d : kernel.grid) at.push_back(context.names.of(d.variable));
                return out.line(atPoint->call(thread, context.names.of("memory of a block"), at));
              }
              if (groups && groups->window)
                for (const std::string &array : groups->memory.kept) out.line(heldName(array, context) + ".forget();");
              printTeamBody(body, surroundings(), out, context);
              if (arrivals) combine(out, number);
            });
}

/// Finds out where all is, and how threads share the work.
std::optional<Refusal> GridPrinter::prepare() {
  if (const std::optional<Refusal> refusal = measure()) return refusal;
  body = prepareBody(kernel.body, context.strict());
  for (const TileArray &a : kernel.tiles) context.places[a.name] = {&a, Shape::Native};
  perThread = runsPerThread();
  Kernel prepared = kernel;
  prepared.body = body;
  std::set<std::string> held = heldScalars(prepared, context);
  if (perThread)
    for (const TileArray &a : kernel.tiles) held.insert(a.name);
  layout = layOut(kernel.tiles, held, context.table.sharedBytes);
  for (const TileArray *a : layout.scratch)
    context.places[a->name].shape = a->extents.empty() ? Shape::Cell : Shape::Linear;
  context.held = layout.held;
  plan.written = writtenIn(body);
  plan.used = usedIn(body);
  plan.bytes = layout.bytes;
  chooseGroups();
  return std::nullopt;
}

/// What prepare() told others ends.
void GridPrinter::forget() {
  context.held.clear();
  for (const TileArray &a : kernel.tiles) context.places.erase(a.name);
  if (arrivals)
    for (const TileArray &a : after->tiles) context.places.erase(a.name);
}

void GridPrinter::launch() {
  plan.name = kernelName(kernel.name.empty() ? function.program.function : kernel.name, function);
  host.block(atPoint ? "if (" + atPoint->alone + ")" : "", [&] {
    std::string count;
    for (const Box &box : boxes)
      count += (count.empty() ? "" : " * ") + context.primitive("extent") + "(" + plain(box.first, context) + ", " +
               plain(box.limit, context) + ")";
    const std::string points = context.names.of("number of points");
    host.line("const std::int64_t " + points + " = " + count + ";");
    plan.blocks = perThread ? context.primitive("blocksFor") + "(" + points + ")" : points;
    if (!groups && !perThread && !atPoint) {
      context.host = &values;
      if (const auto few = fewTerms(body, surroundings().memory, context)) {
        plan.threads = few->threads;
        terms = few->count;
        if (layout.scratch.empty()) keepOwned(ownedByThreads(body, surroundings(), context));
        // Told that one block is enough, the assembler keeps all reads before what needs them.
        if (terms) plan.residents = 1;
      }
      context.host = nullptr;
    }
    chooseCombination();
    if (arrivals) declareArrived(count);
    if (groups) {
      plan.groups = points;
      plan.fours = groups->memory.fours;
      plan.length = groups->length ? plain(groups->length, context) : "INT64_MAX";
    }
    declareWindows();
    if (!layout.scratch.empty()) {
      const std::string blocks = context.names.of("number of blocks");
      host.line("const std::int64_t " + blocks + " = " + context.primitive("residentBlocks") + "(" + points + ");");
      plan.blocks = blocks;
    }
    allocateScratch(count);
    plan.extra.emplace_back("std::int64_t " + points, points);
    if (const auto words = function.marks.find(kernel.fallback); words != function.marks.end() && !perThread) {
      anyMark = context.names.fresh("marked");
      markWords = words->second.count;
      plan.extra.emplace_back("const std::uint32_t *" + anyMark,
                              words->second.tickets + " + " + std::to_string(ticketCounters));
      plan.extra.emplace_back("std::int64_t " + markWords, markWords);
      plan.blocks = context.primitive("persistentBlocks") + "(" + points + ")";
    }
    Writer out(1);
    context.host = &values;
    if (atPoint) definePoint();
    loop(out);
    context.host = nullptr;
    plan.values = values.all();
    if (terms) {
      const HostValue *known = values.find(terms);
      plan.terms = known ? known->name : plain(terms, context);
    }
    defineAndLaunch(plan, out.text(), function, host);
  });
}

std::optional<Refusal> GridPrinter::print() {
  if (std::optional<Refusal> refusal = prepare()) return refusal;
  launch();
  forget();
  return std::nullopt;
}

std::optional<Refusal> printGridKernel(const Kernel &kernel, const Kernel *next, bool &tookNext,
                                       DeviceFunction &function, Writer &host) {
  const std::set<std::string> used = usedIn(kernel.body);
  Kernel needed = kernel;
  std::erase_if(needed.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  if (!kernel.name.empty()) host.line("// Kernel " + kernel.name + ".");
  GridPrinter printer(needed, function, host);
  printer.combineWith(next);
  const std::optional<Refusal> refusal = printer.print();
  tookNext = printer.combines();
  return refusal;
}

std::optional<Refusal> printGridKernel(const Kernel &kernel, DeviceFunction &function, Writer &host) {
  bool tookNext = false;
  return printGridKernel(kernel, nullptr, tookNext, function, host);
}

} // namespace polymend::print_room
