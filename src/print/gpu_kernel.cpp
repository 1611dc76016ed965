// A grid is a box of points with one 64-bit number each; blocks take numbers a grid's width apart, so that any count
// fits one dimension of a launch. Points of the box that are outside the grid are skipped by whole blocks.
#include "print/gpu_kernel.h"
#include "print/gpu_ahead.h"
#include "print/gpu_combine.h"
#include "print/gpu_group.h"
#include "print/kernel.h"
#include "print/region.h"
#include "print/role_frame.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

/// A kernel's grid and tiles on their way to text.
class GridPrinter {
public:
  GridPrinter(const Kernel &k, DeviceFunction &f, Writer &w)
      : kernel(k), function(f), context(f.context), host(w), values({f.program.sizes.begin(), f.program.sizes.end()}) {}
  /// Prints also `next`, run by the last groups to arrive, where that can be.
  void combineWith(const Kernel *next) { after = next; }
  std::optional<Refusal> print();
  /// Prints the work at a point as a function, and calls it; nothing where kernels with these roles could not.
  bool printForRoles(const std::vector<const Kernel *> &users);
  [[nodiscard]] bool combines() const { return arrivals.has_value(); }

private:
  std::optional<Refusal> measure();
  std::optional<Refusal> prepare();
  void launch();
  void forget();
  [[nodiscard]] bool serves(const std::vector<const Kernel *> &users);
  void definePoint();
  [[nodiscard]] std::string scratchBlocks(const std::string &points);
  [[nodiscard]] std::set<std::string> globals() const;
  /// Where the threads that run a point combine values: behind the tiles.
  [[nodiscard]] std::int64_t teamOffset() const { return (layout.bytes + 15) / 16 * 16; }
  void chooseGroups();
  void keepOwned(const std::set<std::string> &owned);
  void chooseCombination();
  void declareArrived(const std::string &points);
  void declareWindows();
  void combine(Writer &out, const std::string &point);
  void declareTiles(Writer &out);
  void declareShared(Writer &out);
  void declareSlices(Writer &out);
  [[nodiscard]] std::string sliceOf(const TileArray &array);
  void declareHeld(Writer &out);
  void allocateScratch(const std::string &points);
  void coordinates(Writer &out, const std::string &point, bool &skips);
  void loop(Writer &out);
  [[nodiscard]] bool runsPerThread() const;
  [[nodiscard]] Surroundings surroundings() const;

  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  Writer &host;
  HostValues values;
  TileBlock body;
  bool perThread = false;
  std::map<std::string, std::string> slices; // of scratch: the parameter by the tile's name
  PointFunction *atPoint = nullptr;          // what the body is, where kernels with roles run it too
  std::string anyMark, markWords;            // the words that say whether there is anything to do; empty: there is
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
void GridPrinter::chooseGroups() {
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

/// A slice for each block of any kernel that runs points.
std::string GridPrinter::scratchBlocks(const std::string &points) {
  const std::string own = context.primitive("residentBlocks") + "(" + points + ")";
  if (!atPoint) return own;
  return context.primitive("most") + "<std::int64_t>(" + own + ", " + context.primitive("persistentBlocks") +
         "(INT64_MAX))";
}

void GridPrinter::allocateScratch(const std::string &points) {
  for (const TileArray *a : layout.scratch) {
    const std::string rows = context.names.fresh(context.names.of(a->name) + "Rows");
    printScratch(*a, rows, scratchBlocks(points), function, host);
    slices[a->name] = rows;
    const std::string type = spellFor(a->type, context.table);
    plan.extra.emplace_back(type + " *" + rows, rows);
  }
}

void GridPrinter::declareTiles(Writer &out) {
  const std::string &memory = context.names.of("memory of a block");
  if (!layout.shared.empty() || atPoint) out.line("extern __shared__ __align__(16) unsigned char " + memory + "[];");
  if (atPoint) return;
  declareShared(out);
  for (const TileArray *a : layout.scratch)
    out.line(spellFor(a->type, context.table) + " *const " + context.names.of(a->name) + " = " + sliceOf(*a) + ";");
}

void GridPrinter::declareShared(Writer &out) {
  const std::string &memory = context.names.of("memory of a block");
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
}

/// The block's slice of a tile in global memory.
std::string GridPrinter::sliceOf(const TileArray &array) {
  return slices.at(array.name) + " + blockIdx.x * (" + plain(elementsOf(array), context) + ")";
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

/// Whether blocks of these kernels with roles can run points: their threads and memory are enough, and nothing but
/// marks is read that only they write.
bool GridPrinter::serves(const std::vector<const Kernel *> &users) {
  if (perThread || groups || !plan.extra.empty()) return false;
  return std::all_of(users.begin(), users.end(), [&](const Kernel *user) {
    std::set<std::string> left;
    for (const TileRole &role : user->roles) left.merge(writtenIn(role.body));
    left.erase(kernel.again);
    const bool own = std::none_of(left.begin(), left.end(), [&](const std::string &array) {
      return plan.used.contains(array) && !plan.written.contains(array) && globals().contains(array);
    });
    return own && 128 * computingGroups(*user) >= blockThreads && teamOffset() + teamBytes <= ringBytes(*user) &&
           pointsInTile(*user, kernel);
  });
}

/// The arrays of global memory.
std::set<std::string> GridPrinter::globals() const {
  std::set<std::string> names;
  for (const TileArray &a : function.program.arrays) names.insert(a.name);
  return names;
}

/// What the body does at a point of the grid; what may change while it runs must not be read as if it were constant.
void GridPrinter::definePoint() {
  const std::string &memory = context.names.of("memory of a block");
  Writer out(1);
  declareShared(out);
  declareHeld(out);
  for (const PointDim &d : kernel.grid) noteSign(d, context);
  context.teamMemory = memory + " + " + std::to_string(teamOffset());
  printTeamBody(body, surroundings(), out, context);
  context.teamMemory.clear();
  std::string parameters = "const int " + context.names.of("thread") + ", unsigned char *const " + memory;
  const auto add = [&](const std::string &declaration, const std::string &argument) {
    parameters += ", " + declaration;
    atPoint->arguments.push_back(argument);
  };
  for (const TileArray *a : layout.scratch)
    add(spellFor(a->type, context.table) + " *const " + context.names.of(a->name), sliceOf(*a));
  for (const std::string &name : function.hostValues)
    if (mentions(out.text(), name)) add("const std::int64_t " + name, name);
  for (const auto &[name, type] : function.program.scalars)
    if (context.scalars.contains(name) && mentions(out.text(), name))
      add("const " + spellFor(type, context.table) + " " + name, name);
  for (const TileArray &a : function.program.arrays) {
    const std::string &name = context.names.of(a.name), type = spellFor(a.type, context.table);
    if (!plan.used.contains(a.name) || !mentions(out.text(), name)) continue;
    const bool changes = plan.written.contains(a.name) || a.name == kernel.again;
    add(changes ? (plan.written.contains(a.name) ? "" : "const ") + type + " *" + name
                : "const " + type + " *__restrict__ " + name,
        name);
  }
  for (const HostValue &value : values.all())
    if (mentions(out.text(), value.name)) add("const " + value.type + " " + value.name, value.name);
  for (const PointDim &d : kernel.grid) parameters += ", const std::int64_t " + context.names.of(d.variable);
  Writer text;
  text.line("/// What " + plan.name + " does at a point of its grid, by " + std::to_string(blockThreads) + " threads:");
  text.line("/// a block of it, or some of a block that marked rows there.");
  text.line("static __device__ __noinline__ void " + atPoint->name + "(" + parameters + ") {");
  text.verbatim(out.text() + "}\n\n");
  function.definitions += text.text();
  atPoint->used = plan.used;
  atPoint->written = plan.written;
  atPoint->extra.insert(atPoint->extra.end(), plan.extra.begin(),
                        plan.extra.begin() + static_cast<std::ptrdiff_t>(slices.size()));
  atPoint->values = values.all();
}

bool GridPrinter::printForRoles(const std::vector<const Kernel *> &users) {
  const bool can = !kernel.again.empty() && !prepare() && serves(users);
  if (can) {
    atPoint = &function.again[kernel.again];
    atPoint->name = functionName(kernel.again + "_at", function);
    atPoint->alone = context.names.fresh("alone");
    atPoint->chain = context.names.fresh("chain");
    atPoint->extra.emplace_back("int *" + atPoint->chain, atPoint->chain);
    Expr most;
    for (const Kernel *user : users)
      most = most ? Expr::make(Op::Max, Type::Int64, {most, user->order->count}) : user->order->count;
    function.scratch.push_back({"int", atPoint->chain, plain(most, context)});
    plan.bytes = teamOffset() + teamBytes;
    launch();
  }
  forget();
  return can;
}

std::optional<Refusal> GridPrinter::print() {
  if (std::optional<Refusal> refusal = prepare()) return refusal;
  launch();
  forget();
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

bool printForRoles(const Kernel &kernel, const std::vector<const Kernel *> &roles, DeviceFunction &function,
                   Writer &host) {
  const std::set<std::string> used = usedIn(kernel.body);
  Kernel needed = kernel;
  std::erase_if(needed.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  if (!GridPrinter(needed, function, host).printForRoles(roles)) return false;
  function.again.at(kernel.again).general = &kernel;
  return true;
}

std::optional<Refusal> printGridKernel(const Kernel &kernel, DeviceFunction &function, Writer &host) {
  bool tookNext = false;
  return printGridKernel(kernel, nullptr, tookNext, function, host);
}

} // namespace polymend::print_room
