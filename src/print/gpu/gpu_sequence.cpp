// A kernel without a grid runs once, in order. Loops and branches around parallel regions stay on the host, each region
// becomes a launch over the whole device, and what lies between becomes a launch of one block. Launches of one stream
// run one after another, so that their order is the program's. Tiles live in global memory between launches.
#include "print/gpu_kernel.h"
#include "print/region.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

constexpr std::int64_t oneBlockPoints = 4096;

/// Whether a region is worth the whole device.
bool isWide(const TilePoints &p, const Context &context) {
  const RegionPlan plan = planRegion(p, {}, context);
  if (plan.dealt.empty()) return false;
  if (!plan.fixed) return true;
  std::int64_t points = 1;
  for (const DealtDim &d : plan.dealt) points *= d.size;
  return points > oneBlockPoints;
}

class SequencePrinter {
public:
  SequencePrinter(const Kernel &k, DeviceFunction &f, Writer &w)
      : kernel(k), function(f), context(f.context), host(w) {}
  void print(const TileBlock &nodes);

private:
  [[nodiscard]] bool staysOnHost(const TileNode &node) const;
  void flush(TileBlock &group);
  void printOnHost(const TileNode &node);
  void printWide(const TilePoints &p);
  void hostLoop(const TileLoop &l);

  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  Writer &host;
};

bool SequencePrinter::staysOnHost(const TileNode &node) const {
  const auto wide = [&](const TilePoints &p) { return isWide(p, context); };
  if (const auto *p = as<TilePoints>(node)) {
    const bool readsBounds =
        std::any_of(p->dims.begin(), p->dims.end(), [](const PointDim &d) { return reads(d.first) || reads(d.limit); });
    return wide(*p) && !readsBounds;
  }
  if (const auto *l = as<TileLoop>(node)) return !reads(l->first) && !reads(l->limit) && any<TilePoints>(l->body, wide);
  if (const auto *b = as<TileBranch>(node))
    return !reads(b->condition) && (any<TilePoints>(b->then, wide) || any<TilePoints>(b->otherwise, wide));
  return false;
}

void SequencePrinter::flush(TileBlock &group) {
  const bool notesOnly = std::all_of(group.begin(), group.end(), [](const TileNode &n) { return as<TileNote>(n); });
  if (!notesOnly) printSingleBlock(kernel.name, group, {}, function, host);
  group.clear();
}

void SequencePrinter::printWide(const TilePoints &p) {
  const RegionPlan region = planRegion(p, {}, context);
  LaunchPlan plan;
  plan.name = kernelName(kernel.name, function);
  const TileBlock body{nodeOf(p)};
  plan.written = writtenIn(body);
  plan.used = usedIn(body);
  plan.blocks = context.primitive("blocksFor") + "(" + dealtCount(region, context) + ")";
  Writer out(1);
  out.line("const int " + context.names.of("thread") + " = static_cast<int>(threadIdx.x);");
  RegionPlan each = region;
  each.form = RegionPlan::Form::Each;
  each.fixed = false;
  each.crossed = false;
  for (DealtDim &d : each.dealt) {
    const std::optional<Box> box = boxOf(p.dims, d.dim);
    d.checkFirst = !equal(simplify(box->first), simplify(p.dims[d.dim].first));
    d.checkLimit = !equal(simplify(box->limit), simplify(p.dims[d.dim].limit));
  }
  printTeamRegion(p, each, Team::Device, out, context);
  defineAndLaunch(plan, out.text(), function, host);
}

void SequencePrinter::hostLoop(const TileLoop &l) {
  context.narrow.erase(l.variable);
  const std::string head = loopHead(l.variable, l.first, l.limit, l.step, context);
  noteSign({l.variable, l.first, l.limit, PointDim::Kind::Serial}, context);
  function.hostValues.push_back(context.names.of(l.variable));
  host.block(head, [&] { print(l.body); });
  function.hostValues.pop_back();
}

void SequencePrinter::printOnHost(const TileNode &node) {
  if (const auto *p = as<TilePoints>(node)) printWide(*p);
  if (const auto *l = as<TileLoop>(node)) hostLoop(*l);
  if (const auto *b = as<TileBranch>(node)) {
    host.block("if (" + printExpr(b->condition, context) + ")", [&] { print(b->then); });
    if (!b->otherwise.empty()) host.block("else", [&] { print(b->otherwise); });
  }
}

void SequencePrinter::print(const TileBlock &nodes) {
  TileBlock group;
  for (const TileNode &node : nodes) {
    if (!staysOnHost(node)) {
      group.push_back(node);
      continue;
    }
    flush(group);
    printOnHost(node);
  }
  flush(group);
}

} // namespace

void printSingleBlock(const std::string &name, const TileBlock &prepared, const std::vector<TileArray> &tiles,
                      DeviceFunction &function, Writer &host) {
  Kernel kernel;
  kernel.name = name;
  kernel.tiles = tiles;
  kernel.body = prepared;
  const bool alone = !any<TilePoints>(prepared, [](const TilePoints &) { return true; });
  if (!alone) {
    kernel.grid = {
        {function.context.names.fresh("only"), Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel}};
    static_cast<void>(printGridKernel(kernel, function, host));
    return;
  }
  Context &context = function.context;
  LaunchPlan plan;
  plan.name = kernelName(name, function);
  plan.written = writtenIn(prepared);
  plan.used = usedIn(prepared);
  plan.threads = 1;
  plan.blocks = "1";
  Surroundings around;
  around.team = Team::One;
  Writer out(1);
  printTeamBody(prepared, around, out, context);
  defineAndLaunch(plan, out.text(), function, host);
}

std::optional<Refusal> printSequence(const Kernel &kernel, DeviceFunction &function, Writer &host) {
  Context &context = function.context;
  const TileBlock body = prepareBody(kernel.body, context.strict());
  const std::set<std::string> used = usedIn(body);
  std::vector<TileArray> tiles;
  for (const TileArray &a : kernel.tiles)
    if (used.contains(a.name)) tiles.push_back(a);
  for (const TileArray &a : tiles) context.places[a.name] = {&a, Shape::Native};
  if (!any<TilePoints>(body, [&](const TilePoints &p) { return isWide(p, context); })) {
    Kernel single = kernel;
    single.tiles = tiles;
    single.grid = {{context.names.fresh("only"), Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel}};
    const bool alone = tiles.empty() && !any<TilePoints>(body, [](const TilePoints &) { return true; });
    if (!alone) return printGridKernel(single, function, host);
    printSingleBlock(kernel.name, body, {}, function, host);
    return std::nullopt;
  }
  const std::size_t before = function.work.size();
  for (const TileArray &a : tiles) {
    placeGlobal(a, context);
    function.work.push_back(&a);
    printScratch(a, context.names.of(a.name) + "Memory", "", function, host);
  }
  SequencePrinter(kernel, function, host).print(body);
  function.work.resize(before);
  for (const TileArray &a : tiles) context.places.erase(a.name);
  return std::nullopt;
}

} // namespace polymend::print_room
