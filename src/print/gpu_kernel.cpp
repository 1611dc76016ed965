// A grid is a box of points with one 64-bit number each; blocks take numbers a grid's width apart, so that any count
// fits one dimension of a launch. Points of the box that are outside the grid are skipped by whole blocks.
#include "print/gpu_kernel.h"
#include "print/gpu_ahead.h"
#include "print/gpu_combine.h"
#include "print/gpu_group.h"
#include "print/kernel.h"
#include "print/region.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

/// A kernel's grid and tiles on their way to text.
class GridPrinter {
public:
  GridPrinter(const Kernel &k, DeviceFunction &f, Writer &w) : kernel(k), function(f), context(f.context), host(w) {}
  /// Prints also `next`, run by the last groups to arrive, where that can be.
  void combineWith(const Kernel *next) { after = next; }
  std::optional<Refusal> print();
  [[nodiscard]] bool combines() const { return arrivals.has_value(); }

private:
  std::optional<Refusal> measure();
  void chooseGroups(bool perThread);
  void keepOwned(const std::set<std::string> &owned);
  void chooseCombination();
  void declareArrived(const std::string &points);
  void declareWindows();
  void combine(Writer &out, const std::string &point);
  void declareTiles(Writer &out);
  void declareHeld(Writer &out);
  void allocateScratch(const std::string &points);
  void coordinates(Writer &out, const std::string &point, bool &skips);
  void loop(Writer &out, bool perThread);
  [[nodiscard]] bool runsPerThread() const;
  [[nodiscard]] Surroundings surroundings(bool perThread) const;

  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  Writer &host;
  TileBlock body;
  std::string anyMark, markWords; // the words that say whether there is anything to do; empty: there is
  Layout layout;
  LaunchPlan plan;
  std::vector<Box> boxes;
  std::optional<GroupPlan> groups;
  const Kernel *after = nullptr; // what the last groups run, once `arrivals` of them are there
  TileBlock afterBody;
  std::set<std::string> afterHeld;
  std::optional<GroupPlan> afterGroups;
  std::optional<std::int64_t> arrivals;
  std::string arrived; // the counters of groups
  Expr terms;          // their number, where those of all sums are read ahead
};

std::optional<Refusal> GridPrinter::measure() {
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const std::optional<Box> box = boxOf(kernel.grid, i);
    if (!box) return Refusal{"the bounds of the grid dimension '" + kernel.grid[i].variable + "' have no box", {}};
    boxes.push_back(*box);
  }
  for (const TileArray &a : kernel.tiles)
    for (const Expr &extent : a.extents)
      for (const PointDim &d : kernel.grid)
        if (dependsOn(extent, d.variable)) return Refusal{"the size of '" + a.name + "' changes over the grid", {}};
  return std::nullopt;
}

/// Without parallel work inside a point, and with nothing but scalars, a point is a thread.
bool GridPrinter::runsPerThread() const {
  const bool scalars =
      std::all_of(kernel.tiles.begin(), kernel.tiles.end(), [](const TileArray &a) { return a.extents.empty(); });
  return scalars && !anyRegion(body, [&](const TilePoints &p) {
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
void GridPrinter::chooseGroups(bool perThread) {
  if (perThread || !layout.shared.empty() || !layout.scratch.empty()) return;
  groups = planGroups(body, kernel.grid, layout.held, context);
}

/// Each of the second kernel's tiles must be a scalar that threads hold, and groups must be able to run it. It is run
/// once in many points: few registers count, not how fast it is.
void GridPrinter::chooseCombination() {
  if (!groups || !after || function.hostValues.size() != function.program.sizes.size()) return;
  const std::optional<std::int64_t> found = arrivalsFor(kernel, *after);
  if (!found) return;
  const std::map<std::string, Place> before = context.places;
  const std::set<std::string> used = usedIn(after->body);
  Kernel second = *after;
  std::erase_if(second.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  for (const TileArray &a : after->tiles) context.places[a.name] = {&a, Shape::Native};
  second.body = afterBody = prepareBody(after->body, context.strict());
  afterHeld = heldScalars(second, context);
  const bool scalars = std::all_of(second.tiles.begin(), second.tiles.end(),
                                   [&](const TileArray &a) { return afterHeld.contains(a.name); });
  if (scalars) afterGroups = planGroups(afterBody, second.grid, afterHeld, context, false);
  if (!afterGroups) {
    context.places = before;
    return;
  }
  arrivals = found;
  afterGroups->memory.kept.clear();
  afterGroups->memory.fours = 1;
  context.held.insert(afterHeld.begin(), afterHeld.end());
  plan.written.merge(writtenIn(afterBody));
  plan.used.merge(usedIn(afterBody));
}

/// A counter for each combination, zero before the launch; `points` is the number of points, over sizes.
void GridPrinter::declareArrived(const std::string &points) {
  arrived = context.names.fresh("arrived");
  const std::string runtime(context.table.runtime), each = " / " + std::to_string(*arrivals);
  function.scratch.push_back({"std::uint32_t", arrived, points + each});
  host.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + arrived +
            ", 0, static_cast<std::size_t>(" + context.names.of("number of points") + each +
            ") * sizeof(std::uint32_t), stream); error != " + runtime + "Success) return error;");
  plan.extra.emplace_back("std::uint32_t *" + arrived, arrived);
  // What combines runs once: its registers must not leave fewer threads to read memory.
  constexpr int enough = 1024;
  if (plan.windowBytes.empty()) plan.residentThreads = enough;
}

/// The second kernel at the point to which this group's belongs, by the last group that arrives there.
void GridPrinter::combine(Writer &out, const std::string &point) {
  Surroundings s;
  s.team = Team::Group;
  s.memory = afterGroups->memory;
  for (const std::string &array : plan.written)
    if (!context.held.contains(array)) s.shared.insert(array);
  const std::string count = std::to_string(*arrivals);
  if (!after->name.empty()) out.line("// Kernel " + after->name + ".");
  out.block("if (" + context.primitive("arrivesLast") + "<" + context.names.of("group size") + ">(&" + arrived + "[" +
                point + " / " + count + "], " + count + ", " + context.names.of("turn of group") + "))",
            [&] { printTeamBody(afterBody, s, out, context); });
}

/// The scalars that each thread holds, and what its group holds of memory.
void GridPrinter::declareHeld(Writer &out) {
  for (const std::string &name : context.held)
    if (const auto place = context.places.find(name); place != context.places.end())
      out.line(spellFor(place->second.array->type, context.table) + " " + context.names.of(name) + "{};");
  if (!groups) return;
  out.line("[[maybe_unused]] int " + context.names.of("turn of group") + " = 0;");
  const int fours = groups->memory.fours;
  const std::string &memory = context.names.of("memory of a block"), &pieces = context.names.of("pieces in a window");
  if (groups->window) out.line("extern __shared__ __align__(16) unsigned char " + memory + "[];");
  std::int64_t before = 0;
  for (const std::string &array : groups->memory.kept) {
    const std::string holder = heldName(array, context);
    const std::string offset = pieces + " * " + context.primitive("heldBy") + "(" + context.names.of("group size") +
                               ", " + std::to_string(fours) + ") * " + std::to_string(before);
    out.line(groups->window ? windowDeclaration(holder, array, fours, before == 0 ? memory : memory + " + " + offset,
                                                pieces, context)
                            : heldDeclaration(holder, array, fours, context));
    before += elementBytes(context.typeOf(array));
  }
}

/// The pieces that a group's windows have room for are a parameter, chosen with the group.
void GridPrinter::declareWindows() {
  if (!groups || !groups->window) return;
  std::int64_t bytes = 0;
  for (const std::string &array : groups->memory.kept) bytes += elementBytes(context.typeOf(array));
  const std::string group = context.names.of("group size") + "()", fours = std::to_string(groups->memory.fours);
  const std::string pieces = context.primitive("windowPieces") + "<" + fours + ">(" + group + ", " + plan.length +
                             ", " + std::to_string(bytes) + ")";
  plan.windowBytes =
      pieces + " * " + context.primitive("heldBy") + "(" + group + ", " + fours + ") * " + std::to_string(bytes);
  plan.extra.emplace_back("int " + context.names.of("pieces in a window"), pieces);
}

void GridPrinter::allocateScratch(const std::string &points) {
  plan.firstRows = plan.extra.size();
  for (const TileArray *a : layout.scratch) {
    const std::string rows = context.names.fresh(context.names.of(a->name) + "Rows");
    printScratch(*a, rows, context.primitive("residentBlocks") + "(" + points + ")", function, host);
    const std::string type = spellFor(a->type, context.table);
    plan.extra.emplace_back(type + " *" + rows, rows);
  }
}

void GridPrinter::declareTiles(Writer &out) {
  const std::string &memory = context.names.of("memory of a block");
  if (!layout.shared.empty()) out.line("extern __shared__ __align__(16) unsigned char " + memory + "[];");
  for (const SharedTile &t : layout.shared) {
    const std::string type = spellFor(t.array->type, context.table), &name = context.names.of(t.array->name);
    std::string extents;
    for (const std::int64_t extent : t.extents) extents += "[" + std::to_string(extent) + "]";
    const std::string at = t.offset == 0 ? memory : memory + " + " + std::to_string(t.offset);
    const std::string pointer = extents.empty() ? " *" : " (*)" + extents;
    out.line("auto &" + name + " = *reinterpret_cast<" + type + pointer + ">(" + at + ");");
  }
  for (const TileArray *a : layout.owned)
    out.line(spellFor(a->type, context.table) + " " + context.names.of(a->name) +
             "[1]; // the element of this thread's number");
  std::size_t extra = plan.firstRows;
  for (const TileArray *a : layout.scratch) {
    const std::string type = spellFor(a->type, context.table), &name = context.names.of(a->name);
    const std::string declaration = plan.extra[extra++].first;
    const std::string rows = declaration.substr(declaration.rfind('*') + 1);
    out.line(type + " *const " + name + " = " + rows + " + blockIdx.x * (" + plain(elementsOf(*a), context) + ");");
  }
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

Surroundings GridPrinter::surroundings(bool perThread) const {
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

void GridPrinter::loop(Writer &out, bool perThread) {
  const std::string point = context.names.of("grid point"), points = context.names.of("number of points");
  const std::string thread = context.names.of("thread"), threads = std::to_string(blockThreads);
  const std::string group = groups ? context.names.of("group size") : "";
  if (!perThread)
    out.line("[[maybe_unused]] const int " + thread + " = static_cast<int>(threadIdx.x" +
             (groups ? " % " + group : "") + ");");
  if (!perThread) declareTiles(out);
  declareHeld(out);
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
  out.block("for (std::int64_t " + point + " = " + first + "; " + point + " < " + points + "; " + point +
                " += " + step + ")",
            [&] {
              bool skips = false;
              coordinates(out, point, skips);
              if (groups && groups->window)
                for (const std::string &array : groups->memory.kept) out.line(heldName(array, context) + ".forget();");
              printTeamBody(body, surroundings(perThread), out, context);
              if (arrivals) combine(out, point);
            });
}

std::optional<Refusal> GridPrinter::print() {
  if (const std::optional<Refusal> refusal = measure()) return refusal;
  body = prepareBody(kernel.body, context.strict());
  for (const TileArray &a : kernel.tiles) context.places[a.name] = {&a, Shape::Native};
  const bool perThread = runsPerThread();
  Kernel prepared = kernel;
  prepared.body = body;
  std::set<std::string> held = heldScalars(prepared, context);
  if (perThread)
    for (const TileArray &a : kernel.tiles) held.insert(a.name);
  layout = layOut(kernel.tiles, held, context.table.sharedBytes);
  for (const TileArray *a : layout.scratch)
    context.places[a->name].shape = a->extents.empty() ? Shape::Cell : Shape::Linear;
  context.held = layout.held;
  plan.name = kernelName(kernel.name.empty() ? function.program.function : kernel.name, function);
  plan.written = writtenIn(body);
  plan.used = usedIn(body);
  plan.bytes = layout.bytes;
  host.block("", [&] {
    std::string count;
    for (const Box &box : boxes)
      count += (count.empty() ? "" : " * ") + context.primitive("extent") + "(" + plain(box.first, context) + ", " +
               plain(box.limit, context) + ")";
    const std::string points = context.names.of("number of points");
    host.line("const std::int64_t " + points + " = " + count + ";");
    plan.blocks = perThread ? context.primitive("blocksFor") + "(" + points + ")" : points;
    HostValues values({function.program.sizes.begin(), function.program.sizes.end()});
    chooseGroups(perThread);
    if (!groups && !perThread) {
      context.host = &values;
      if (const auto few = fewTerms(body, surroundings(perThread).memory, context)) {
        plan.threads = few->threads;
        terms = few->count;
        if (layout.scratch.empty()) keepOwned(ownedByThreads(body, surroundings(perThread), context));
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
    if (const auto words = function.marks.find(kernel.again); words != function.marks.end() && !perThread) {
      anyMark = context.names.fresh("marked");
      markWords = words->second.count;
      plan.extra.emplace_back("const std::uint32_t *" + anyMark,
                              words->second.tickets + " + " + std::to_string(ticketCounters));
      plan.extra.emplace_back("std::int64_t " + markWords, markWords);
      plan.blocks = context.primitive("persistentBlocks") + "(" + points + ")";
    }
    Writer out(1);
    context.host = &values;
    loop(out, perThread);
    context.host = nullptr;
    plan.values = values.all();
    if (terms) {
      const HostValue *known = values.find(terms);
      plan.terms = known ? known->name : plain(terms, context);
    }
    defineAndLaunch(plan, out.text(), function, host);
  });
  context.held.clear();
  for (const TileArray &a : kernel.tiles) context.places.erase(a.name);
  if (arrivals)
    for (const TileArray &a : after->tiles) context.places.erase(a.name);
  return std::nullopt;
}

} // namespace

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
