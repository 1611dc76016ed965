// A region of one dimension in pieces, as much as a group holds at once. Within a piece each thread has fours of
// neighbours; streams are read through what is held, and results are stored in fours. Rows of neighbours are run from
// their end, where a group still holds what it read last.
#include "device/dealt.h"
#include "gpu_group.h"
#include "print/region.h"

namespace polymend::print_room {

using device_room::boundsOfDims;
using device_room::isNarrow;
using device_room::isStream;

namespace {

class FoursPrinter {
public:
  FoursPrinter(const DeviceDeal &d, Writer &w, Context &c)
      : points(d.points), deal(d), dim(points.dims.front()), out(w), context(c),
        reduces(dim.kind == PointDim::Kind::Reduced), narrow(isNarrow(boundsOfDims(points).at(dim.variable))),
        group(c.names.of("group size") + ", " + std::to_string(d.fours)), index(narrow ? "int" : "std::int64_t"),
        piece(c.names.of(pieceOfRun)) {}
  void print();

private:
  void holdStreams();
  void bindStreams();
  void pieces();
  void fours();
  void elements();
  void stores();
  [[nodiscard]] Expr throughHeld(const Expr &e) const;
  [[nodiscard]] Expr at(const Expr &e, const std::string &variable) const;
  [[nodiscard]] std::string address(const std::string &array, const std::vector<Expr> &subscripts,
                                    const std::string &variable);
  [[nodiscard]] std::string resultsOf(const TileAssign &a) { return context.names.of("results for " + a.target.array); }
  [[nodiscard]] std::string holderOf(std::size_t stream);

  const TilePoints &points;
  const DeviceDeal &deal;
  const PointDim &dim;
  Writer &out;
  Context &context;
  const bool reduces, narrow;
  const std::string group, index, piece; // group: with the fours that each thread holds
  std::vector<TileArray> values;         // what is held of each stream, and the results
};

std::string FoursPrinter::holderOf(std::size_t stream) {
  const DeviceStream &s = deal.streams[stream];
  return s.kept ? heldName(s.array, context) : context.names.of("held of stream " + std::to_string(stream));
}

/// `e` with another variable for the region's.
Expr FoursPrinter::at(const Expr &e, const std::string &variable) const {
  return substitute(
      e, [&](const std::string &name) { return name == dim.variable ? Expr::symbol(variable, Type::Int64) : Expr(); });
}

std::string FoursPrinter::address(const std::string &array, const std::vector<Expr> &subscripts,
                                  const std::string &variable) {
  std::vector<Expr> moved;
  for (const Expr &s : subscripts) moved.push_back(at(s, variable));
  return "&" + printRef(array, moved, context);
}

/// The arrays that stand for held elements and results, under the text by which they are reached.
void FoursPrinter::bindStreams() {
  const auto add = [&](const std::string &text, Type type, std::int64_t extent) {
    context.names.alias(text);
    TileArray array;
    array.name = text;
    array.type = type;
    array.extents = {Expr::integer(extent)};
    values.push_back(array);
  };
  for (std::size_t s = 0; s < deal.streams.size(); ++s)
    add(holderOf(s) + ".values", context.typeOf(deal.streams[s].array), 1);
  for (const TileAssign &a : points.body)
    if (!reduces) add(resultsOf(a), context.typeOf(a.target.array), 4);
  for (const TileArray &array : values) context.places[array.name] = {&array, Shape::Native};
}

void FoursPrinter::holdStreams() {
  for (std::size_t k = 0; k < deal.streams.size(); ++k) {
    const DeviceStream &s = deal.streams[k];
    out.line(holderOf(k) + ".hold(" + address(s.array, s.subscripts, pieceOfRun) + ", " +
             plain(dim.limit - Expr::symbol(pieceOfRun, Type::Int64), context) +
             (s.window ? ", " + plain(s.left, context) : "") + ");");
  }
}

Expr FoursPrinter::throughHeld(const Expr &e) const {
  if (!e) return e;
  return rewrite(e, [&](const Expr &node) {
    for (std::size_t s = 0; s < deal.streams.size(); ++s)
      if (isStream(node, deal.streams[s]))
        return Expr::read(values[s].name,
                          {Expr::integer(4) * Expr::symbol("number of four", Type::Int64) +
                           Expr::symbol("place in four", Type::Int64)},
                          node.type());
    return node;
  });
}

/// What is done for one element: an update of the partial result, or a result among the four.
void FoursPrinter::elements() {
  for (std::size_t k = 0; k < points.body.size(); ++k) {
    const TileAssign &a = points.body[k];
    TileAssign one = a;
    one.value = throughHeld(a.value);
    one.where = throughHeld(a.where);
    if (reduces)
      one.target = {"partial result", {}};
    else
      one.target = {resultsOf(a), {Expr::symbol("place in four", Type::Int64)}};
    printAssign(one, deal.fused.contains(k), out, context);
  }
}

void FoursPrinter::stores() {
  for (const TileAssign &a : points.body)
    out.line(context.primitive("storeFour") + "(" + address(a.target.array, a.target.subscripts, "begin of four") +
             ", " + resultsOf(a) + ", " + context.names.of("count in four") + ");");
}

void FoursPrinter::fours() {
  const std::string begins = context.names.of("begin of four"), count = context.names.of("count in four");
  const std::string four = context.names.of("number of four"), one = context.names.of("place in four");
  const std::string head = context.primitive("deal") + "<" + group + ", " + index + ">(" + piece + ", " +
                           plain(dim.limit, context) + ", [&]([[maybe_unused]] int " + four + ", " + index + " " +
                           begins + ", int " + count + ") {";
  out.line(head);
  out.inside([&] {
    if (!reduces)
      for (const TileAssign &a : points.body)
        out.line(spellFor(context.typeOf(a.target.array), context.table) + " " + resultsOf(a) + "[4];");
    out.directive("#pragma unroll");
    out.block("for (int " + one + " = 0; " + one + " < 4; ++" + one + ")", [&] {
      out.block("if (" + one + " < " + count + ")", [&] {
        out.line("[[maybe_unused]] const " + index + " " + context.names.of(dim.variable) + " = " + begins + " + " +
                 one + ";");
        elements();
      });
    });
    if (!reduces) stores();
  });
  out.line("});");
}

void FoursPrinter::pieces() {
  const std::string first = plain(dim.first, context), limit = plain(dim.limit, context);
  const std::string held = context.primitive("heldBy") + "(" + group + ")";
  std::string head =
      "for (" + index + " " + piece + " = " + first + "; " + piece + " < " + limit + "; " + piece + " += " + held + ")";
  if (!reduces) {
    head = "for (" + index + " " + piece + " = static_cast<" + index + ">(" + context.primitive("lastPiece") + "<" +
           group + ">(" + first + ", " + limit + ")); " + piece + " >= " + first + "; " + piece + " -= " + held + ")";
  }
  out.block(head, [&] {
    holdStreams();
    fours();
  });
}

void FoursPrinter::print() {
  const auto mark = [&](const std::string &name) {
    if (narrow)
      context.narrow.insert(name);
    else
      context.narrow.erase(name);
  };
  mark(pieceOfRun);
  mark("begin of four");
  mark(dim.variable);
  context.narrow.insert("number of four");
  context.narrow.insert("place in four");
  context.signs.note(dim);
  bindStreams();
  for (std::size_t s = 0; s < deal.streams.size(); ++s)
    if (!deal.streams[s].kept) out.line(heldDeclaration(holderOf(s), deal.streams[s].array, deal.fours, context));
  pieces();
  for (const TileArray &array : values) context.places.erase(array.name);
  context.narrow.erase(dim.variable);
}

} // namespace

std::string heldName(const std::string &array, Context &context) { return context.names.of("held of " + array); }

std::string heldDeclaration(const std::string &holder, const std::string &array, int fours, Context &context) {
  return context.primitive("Held") + "<" + context.names.of("group size") + ", " + std::to_string(fours) + ", " +
         spellFor(context.typeOf(array), context.table) + "> " + holder + ";";
}

std::string windowDeclaration(const std::string &holder, const std::string &array, int fours, const std::string &memory,
                              const std::string &pieces, Context &context) {
  return context.primitive("Window") + "<" + context.names.of("group size") + ", " + std::to_string(fours) + ", " +
         spellFor(context.typeOf(array), context.table) + "> " + holder + "(" + memory + ", " + pieces + ");";
}

void printFours(const DeviceDeal &deal, Writer &out, Context &context) { FoursPrinter(deal, out, context).print(); }

} // namespace polymend::print_room
