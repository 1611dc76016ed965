// Points whose rows are read from arrays: by threads that suit the rows beside it, or by one where neighbours have the
// same. Where rows follow one another in arrays: what an element is worth, and what is done with what a row has been
// folded to, or with elements in shared memory. What a launch leaves of rows a second one of the same kernel runs.
#include "device/row_elements.h"
#include "gpu_grid.h"
#include "print/gpu_team.h"
#include "print/region.h"

namespace polymend::print_room {

namespace {

/// The region of a kernel whose rows follow one another.
const DeviceDeal &foldOf(const DeviceKernel &kernel) {
  for (const DeviceNode &n : kernel.body)
    if (const auto *region = std::get_if<std::shared_ptr<const DeviceDeal>>(&n)) return **region;
  throw std::logic_error("rows that follow one another, and nothing folds them");
}

} // namespace

/// The memory in which a launch leaves pieces of rows to the next; there are `count` rows.
void KernelPrinter::declarePieces(const std::string &count) {
  const TileAssign &fold = foldOf(kernel).points.body.front();
  const std::string type = spellFor(context.typeOf(fold.target.array), context.table);
  const std::string runtime(context.table.runtime), points = context.names.of("number of points");
  const std::string counts = context.names.fresh("pieces"), which = context.names.fresh("pieceOf");
  const std::string done = context.names.fresh("arrived"), carried = context.names.fresh("carried");
  const std::string left = context.names.fresh("leftBlocks"), pieces = context.names.of("pieces of rows");
  const std::string of = context.primitive("RowPieces") + "<" + type + ">";
  function.scratch.push_back({"std::uint32_t", counts, "2"});
  function.scratch.push_back({"std::uint64_t", which, "polymend_rt::mostPieces"});
  function.scratch.push_back({"std::uint32_t", done, "polymend_rt::mostPieces"});
  function.scratch.push_back({type, carried, "2 * polymend_rt::mostPieces"});
  function.scratch.push_back({"std::uint32_t", left, "polymend_rt::blocksOfRows(" + count + ")"});
  host.line("const " + of + " " + pieces + "{" + counts + ", " + which + ", " + done + ", " + carried + ", " + left +
            "};");
  host.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + counts + ", 0, 2 * sizeof(*" +
            counts + "), stream); error != " + runtime + "Success) return error;");
  plan.launches = {"polymend_rt::blocksOfRows(" + points + ")", "polymend_rt::blocksForPieces(" + points + ")"};
  plan.residentsOf = "polymend_rt::segmentResidents<" + type + ">";
  plan.extra.emplace_back(of + " " + pieces, pieces);
}

/// A function of a point's number, which prints `inside` with the point's coordinates.
template <class Inside>
void KernelPrinter::ofPoint(Writer &out, const std::string &name, const std::string &parameters,
                            const std::string &result, const std::string &none, const Inside &inside) {
  const std::string number = context.names.of("grid point");
  out.line("const auto " + name + " = [&](" + parameters + ")" + result + " {");
  out.inside([&] {
    coordinates(out, number, none);
    inside();
  });
  out.line("};");
}

void KernelPrinter::body(Writer &out) { printTeamBlock(kernel.body, team, out, context); }

/// Where a point's row begins, and what an element is worth; returns the names of both functions, with a comma.
std::string KernelPrinter::elements(Writer &out) {
  const std::string element = context.names.of(elementOfRow), begin = context.names.of("begin of row");
  const std::string worth = context.names.of("worth of element");
  const Type type = team.element.type();
  ofPoint(out, begin, "std::int64_t " + context.names.of("grid point"), " -> std::int64_t", "return 0",
          [&] { out.line("return " + plain(team.begin, context) + ";"); });
  out.line("const auto " + worth + " = [&](std::int64_t " + element + ") -> " + spellFor(type, context.table) + " {");
  out.inside([&] { out.line("return " + printAs(team.element, type, context) + ";"); });
  out.line("};");
  return begin + ", " + worth;
}

/// Points whose rows are read from arrays: as many threads each as suits the rows beside it.
void KernelPrinter::rows(Writer &out) {
  const std::string point = "std::int64_t " + context.names.of("grid point");
  const std::string group = context.names.of("group size"), run = context.names.of("run point");
  const std::string points = context.names.of("number of points"), share = context.names.of("points of block");
  std::string first = context.names.of("length of row"), held;
  if (team.staged)
    first = elements(out);
  else
    ofPoint(out, first, point, " -> std::int64_t", "return 0",
            [&] { out.line("return " + plain(team.row, context) + ";"); });
  TileArray ofRow;
  ofRow.name = "elements of row";
  if (team.staged) {
    ofRow.type = team.element.type();
    context.places[ofRow.name] = {&ofRow, Shape::Linear};
    held = "const auto &" + context.names.of(ofRow.name) + ", ";
  }
  out.line("const auto " + run + " = [&](auto threads, " + held + point + ") {");
  out.inside([&] {
    out.line("constexpr int " + group + " = decltype(threads)::value;");
    out.line("[[maybe_unused]] const int " + context.names.of("thread") + " = static_cast<int>(threadIdx.x % " + group +
             ");");
    coordinates(out, context.names.of("grid point"), "return");
    if (!team.staged) return body(out);
    printTeamBlock(device_room::withRowElements(kernel.body, team.begin, team.element, ofRow.name), team, out, context);
  });
  out.line("};");
  context.places.erase(ofRow.name);
  const std::string primitive =
      team.staged ? context.primitive("eachStagedRow") + "<" + spellFor(team.element.type(), context.table) + ">"
                  : context.primitive(team.neighbours ? "eachNeighbour" : "eachRow");
  out.line(primitive + "(" + points + ", " + share + ", " + first + ", " + run + ");");
}

/// Rows whose elements blocks share out: what a row has been folded to is given.
void KernelPrinter::segments(Writer &out) {
  const std::string finish = context.names.of("finish row"), partial = context.names.of("partial result");
  const TileAssign &fold = foldOf(kernel).points.body.front();
  const Type carrier = context.typeOf(fold.target.array);
  const std::string type = spellFor(carrier, context.table), both = elements(out);
  ofPoint(out, finish, "std::int64_t " + context.names.of("grid point") + ", " + type + " " + partial, "", "return",
          [&] { body(out); });
  out.line(context.primitive("eachSegment") + "<" + context.names.of(numberOfLaunch) + ">(" +
           context.names.of("number of points") + ", " + context.names.of("pieces of rows") + ", " + both + ", " +
           functorOf(fold.update, context) + ", " +
           printAs(neutral(operationOf(fold.update), carrier), carrier, context) + ", " + finish + ");");
}

} // namespace polymend::print_room
