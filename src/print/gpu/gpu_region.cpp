// A point's number is taken apart into its coordinates, fastest first; what lies outside the region's own bounds is
// skipped. Shared reductions are combined in a fixed order, and every thread of a block arrives at each combination.
// The forms of a region stand in one file, as they share the printer of points.
#include "print/gpu_region.h"

#include "device/depends.h"
#include "gpu_blocked.h"
#include "gpu_group.h"
#include "print/gpu_team.h"
#include "print/region.h"

#include <algorithm>

namespace polymend::print_room {

std::string threadsOf(const DeviceTeam &team) { return team.spread ? "blockDim.x" : std::to_string(team.threads); }

std::string functorOf(Update update, Context &c) {
  switch (update) {
  case Update::Product: return c.primitive("Product") + "()";
  case Update::Max: return c.primitive("Maximum") + "()";
  case Update::Min: return c.primitive("Minimum") + "()";
  case Update::FMax: return c.primitive("MaximumNumber") + "()";
  case Update::FMin: return c.primitive("MinimumNumber") + "()";
  default: return c.primitive("Sum") + "()";
  }
}

namespace {

using Form = DeviceDeal::Form;
using Team = DeviceTeam::Kind;
using device_room::isNarrow;

/// "for (int v = first; v < limit; v += step)" with the narrowest type that `bounds` allow; binds the variable.
std::string deviceLoop(const std::string &variable, const std::string &first, const std::string &limit,
                       const std::string &step, const Interval &bounds, Context &context) {
  const bool narrow = isNarrow(bounds);
  if (narrow)
    context.narrow.insert(variable);
  else
    context.narrow.erase(variable);
  const std::string &name = context.names.of(variable);
  const std::string next = step == "1" ? "++" + name : name + " += " + step;
  return "for (" + (narrow ? "int" : context.indexOf(variable)) + " " + name + " = " + first + "; " + name + " < " +
         limit + "; " + next + ")";
}

class RegionPrinter {
public:
  RegionPrinter(const DeviceDeal &d, const DeviceTeam &t, Writer &w, Context &c)
      : points(d.points), deal(d), inner(device_room::innerOf(d)), known(device_room::boundsOfDims(d.points)), team(t),
        out(w), context(c), threads(t.kind == DeviceTeam::Kind::Group ? c.names.of("group size") : threadsOf(t)) {}
  void print();

private:
  void each();
  void eachFixed();
  void inRows();
  void nameEnds();
  [[nodiscard]] bool asksBothEnds() const;
  void eachFree();
  void lanes();
  void whole();
  void fours();
  void together(const TileAssign &a);
  void stored(const TileAssign &a);
  [[nodiscard]] bool touchesOwned() const;
  void one();
  void crossedCoordinates(const std::string &point);
  void coordinates(const std::string &point);
  void declare(const DealtDim &d, const std::string &value);
  [[nodiscard]] std::string testOf(const std::function<bool(const DealtDim &)> &counts);
  template <class F> void inside(F print);
  void turns();
  void body();
  void ahead();
  void term(const std::string &call, const std::string &first, const std::string &step, bool loaded = false);
  void loops(std::size_t level, const TilePoints &what);
  [[nodiscard]] bool fills() const;
  void filled(const std::string &point, std::int64_t turns);
  void partialLoops();
  void bindPartial(std::size_t number = 0);
  [[nodiscard]] std::string partialName();
  void store(const TileAssign &a);
  [[nodiscard]] const PointDim &dimOf(const DealtDim &d) const { return points.dims[d.dim]; }

  const TilePoints &points;
  const DeviceDeal &deal;
  const std::vector<std::size_t> inner;        // the dimensions that are not dealt out, outermost first
  const std::map<std::string, Interval> known; // of the region's variables
  const DeviceTeam &team;
  Writer &out;
  Context &context;
  const std::string threads;
  std::map<std::size_t, std::pair<std::string, std::string>> named; // first and limit of a dimension
  TileArray partial;                                                // the register in which an update is combined
  std::vector<TileArray> partials;                                  // of all updates
};

void RegionPrinter::declare(const DealtDim &d, const std::string &value) {
  const PointDim &dim = dimOf(d);
  const bool narrow = deal.fixed && isNarrow(known.at(dim.variable));
  if (narrow)
    context.narrow.insert(dim.variable);
  else
    context.narrow.erase(dim.variable);
  context.signs.note(dim);
  const std::string &name = context.names.of(dim.variable);
  const std::string type = narrow ? "int" : context.indexOf(dim.variable);
  if (value != name) out.line("const " + type + " " + name + " = " + value + ";");
}

/// 32 neighbouring threads take 8 by 4 points: whole sectors of memory on one side, all banks on the other.
void RegionPrinter::crossedCoordinates(const std::string &point) {
  const DealtDim &fast = deal.dealt[0], &slow = deal.dealt[1];
  const auto value = [](const DealtDim &d, const std::string &text) {
    return d.low == 0 ? text : std::to_string(d.low) + " + " + text;
  };
  const std::string squares = std::to_string(fast.size / 8);
  declare(fast, value(fast, point + " / 32 % " + squares + " * 8 + " + point + " % 8"));
  declare(slow, value(slow, point + " / 32 / " + squares + " * 4 + " + point + " / 8 % 4"));
}

/// Declares the coordinates of the point with number `point`.
void RegionPrinter::coordinates(const std::string &point) {
  if (deal.crossed && team.kind == Team::Block) return crossedCoordinates(point);
  std::string rest = point;
  for (std::size_t i = 0; i < deal.dealt.size(); ++i) {
    const DealtDim &d = deal.dealt[i];
    const bool last = i + 1 == deal.dealt.size();
    const std::string size = deal.fixed ? std::to_string(d.size) : context.names.of("size of " + dimOf(d).variable);
    std::string value = last ? rest : rest + " % " + size;
    const std::string first = deal.fixed ? std::to_string(d.low) : plain(d.first, context);
    if (first != "0") value = (first.find(' ') == std::string::npos ? first : "(" + first + ")") + " + " + value;
    declare(d, value);
    if (!last) rest += " / " + size;
  }
}

/// What `print` prints, for the points of the box that are in the region.
template <class F> void RegionPrinter::inside(F print) {
  const std::string test = testOf([](const DealtDim &) { return true; });
  if (test.empty()) return print();
  out.block("if (" + test + ")", print);
}

/// What leaves out points of the box that are none of the region's, along the dimensions that count.
std::string RegionPrinter::testOf(const std::function<bool(const DealtDim &)> &counts) {
  std::string test;
  const auto also = [&](const std::string &text) { test += (test.empty() ? "" : " && ") + text; };
  for (std::size_t i = 0; i < points.dims.size(); ++i)
    for (const DealtDim &d : deal.dealt) {
      if (d.dim != i || !counts(d)) continue;
      const std::string &name = context.names.of(dimOf(d).variable);
      if (const auto ends = named.find(i); ends != named.end()) {
        also(ends->second.first + " <= " + name);
        also(name + " < " + ends->second.second);
        continue;
      }
      if (d.checkFirst) also(plain(dimOf(d).first, context) + " <= " + name);
      if (d.checkLimit) also(name + " < " + plain(d.asked ? d.asked : dimOf(d).limit, context));
    }
  return test;
}

/// The inner dimensions as loops, then the assignments of `what`; a split dimension is shared among lanes.
void RegionPrinter::loops(std::size_t level, const TilePoints &what) {
  if (level == inner.size()) {
    for (std::size_t k = 0; k < what.body.size(); ++k) printAssign(what.body[k], deal.fused.contains(k), out, context);
    return;
  }
  const std::size_t index = inner[level];
  const PointDim &dim = points.dims[index];
  const bool shared = deal.form != Form::Each && index == deal.split;
  std::string first = plain(dim.first, context), step = "1";
  if (shared) {
    const std::string lane = deal.form == Form::Whole ? context.names.of("thread") : context.names.of("lane");
    first = first == "0" ? lane : first + " + " + lane;
    const std::string all = team.kind == Team::Group ? context.names.of("group size") : threads;
    step = deal.form == Form::Whole ? all : std::to_string(deal.lanes);
  }
  const std::string limit = plain(dim.limit, context);
  const std::string head = deviceLoop(dim.variable, first, limit, step, known.at(dim.variable), context);
  context.signs.note(dim);
  out.block(head, [&] { loops(level + 1, what); });
}

std::string RegionPrinter::partialName() { return context.names.of(partial.name); }

void RegionPrinter::bindPartial(std::size_t number) {
  partials.resize(points.body.size());
  partial.name = number == 0 ? "partial result" : "partial result " + std::to_string(number);
  partial.type = context.typeOf(points.body[number].target.array);
  partials[number] = partial;
  context.places[partial.name] = {&partials[number], Shape::Native};
}

void RegionPrinter::partialLoops() {
  std::vector<TileAssign> updates = points.body;
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k].target = {partials[k].name, {}};
  loops(0, {points.dims, updates});
}

/// Combines the element with what was combined aside.
void RegionPrinter::store(const TileAssign &a) {
  TileAssign last = a;
  last.value = Expr::read(partial.name, {}, partial.type);
  last.where = {};
  printAssign(last, false, out, context);
}

/// The term of the one reduced dimension as a function of its number, after `call`: what it reads stands before what it
/// is made of, so that no branch delays it. Every `step`-th term from `first` on, if those are given. `loaded`: what it
/// reads is in registers, by number.
void RegionPrinter::term(const std::string &call, const std::string &first, const std::string &step, bool loaded) {
  const TileAssign &a = points.body.front();
  const PointDim &dim = points.dims[inner.front()];
  const std::string type = spellFor(partial.type, context.table), &variable = context.names.of(dim.variable);
  const std::string number = first.empty() ? variable : context.names.fresh("number");
  context.narrow.insert(dim.variable);
  context.signs.note(dim);
  out.line(call + printAs(neutral(operationOf(a.update), partial.type), partial.type, context) + ", [&](int " + number +
           ") -> " + type + " {");
  out.inside([&] {
    if (!first.empty()) out.line("const int " + variable + " = " + first + " + " + step + " * " + number + ";");
    std::vector<std::pair<Expr, std::string>> named;
    const auto note = [&](const Expr &read, const std::string &text) {
      const std::string key = "term of " + printRef(read->name, read->args, context);
      out.line("const " + spellFor(context.typeOf(read->name), context.table) + " " +
               context.names.bind(key, read->name + "_term") + " = " + text + ";");
      named.emplace_back(read, key);
    };
    if (loaded)
      for (const auto &[read, name] : deal.loaded) note(read, context.names.of(name) + "[" + number + "]");
    else
      for (const Expr &read : deal.early) note(read, printRef(read->name, read->args, context));
    for (const auto &[read, name] : named) context.scalars[name] = context.typeOf(read->name);
    const Expr value = rewrite(a.value, [&](const Expr &e) {
      for (const auto &[read, name] : named)
        if (equal(read, e)) return Expr::symbol(name, e.type());
      return e;
    });
    context.eager = deal.eager;
    out.line("return " + printAs(value, partial.type, context) + ";");
    context.eager = false;
    for (const auto &one : named) context.scalars.erase(one.second);
  });
  out.line("}, " + functorOf(a.update, context) + ");");
}

/// All terms by one thread, or those of a scalar that all threads hold by the lanes of each warp.
void RegionPrinter::ahead() {
  bindPartial();
  const TileAssign &a = points.body.front();
  const std::string target = printRef(a.target.array, a.target.subscripts, context);
  const std::string count = plain(points.dims[inner.front()].limit, context);
  const std::string type = spellFor(partial.type, context.table);
  const std::string arguments = "<" + type + ">(" + target + ", static_cast<int>(" + count + "), ";
  const std::string set = target + " = ";
  const std::string combine = context.primitive(deal.dealt.empty() ? "combineFewInWarp" : "combineFew");
  if (!deal.loaded.empty()) {
    const std::string &together = context.names.of(termsAhead);
    out.line("if constexpr (" + together + " > 0)");
    out.inside([&] {
      term(set + context.primitive("combineAhead") + "<" + together + ", " + type + ">(" + target +
               ", static_cast<int>(" + count + "), ",
           "", "", true);
    });
    out.line("else");
    out.inside([&] { term(set + combine + arguments, "", ""); });
    return;
  }
  term(set + combine + arguments, "", "");
}

/// The turns of the inner dimension, the elements that they set in registers.
void RegionPrinter::turns() {
  const PointDim &dim = points.dims[inner.front()];
  const std::string first = plain(dim.first, context), limit = plain(dim.limit, context);
  out.block("if (" + first + " < " + limit + ")", [&] {
    std::vector<TileAssign> updates = points.body;
    std::vector<std::string> names, targets;
    for (std::size_t k = 0; k < updates.size(); ++k) {
      bindPartial(k);
      const Ref &element = points.body[k].target;
      names.push_back(partialName());
      targets.push_back(printRef(element.array, element.subscripts, context));
      out.line(spellFor(partial.type, context.table) + " " + names[k] + " = " + targets[k] + ";");
      for (TileAssign &a : updates)
        a.value = rewrite(a.value, [&](const Expr &e) {
          const bool isHere = device_room::isElement(element, e);
          return isHere ? Expr::read(partial.name, {}, e.type()) : e;
        });
    }
    for (std::size_t k = 0; k < updates.size(); ++k) updates[k].target = {partials[k].name, {}};
    loops(0, {points.dims, updates});
    for (std::size_t k = 0; k < updates.size(); ++k)
      out.line(storeMark(points.body[k], context) + targets[k] + " = " + names[k] + ";");
  });
}

void RegionPrinter::body() {
  if (deal.ahead) return ahead();
  if (deal.stays) return turns();
  if (!deal.aside) return loops(0, points);
  bindPartial();
  const TileAssign &a = points.body.front();
  const std::string target = printRef(a.target.array, a.target.subscripts, context);
  out.line(storeMark(a, context) + spellFor(partial.type, context.table) + " " + partialName() + " = " + target + ";");
  partialLoops();
  out.line(target + " = " + partialName() + ";");
}

/// Whether some element needs no subscript: a row of which each thread has one in a register.
bool RegionPrinter::touchesOwned() const {
  bool found = false;
  const auto look = [&](const std::string &array) {
    const Place &place = context.places.at(array);
    found = found || (place.shape == Shape::Cell && !place.array->extents.empty());
  };
  for (const TileAssign &a : points.body) {
    look(a.target.array);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) look(e->name);
    });
  }
  return found;
}

/// Does each point set one element of a tile, from elements of memory?
bool RegionPrinter::fills() const {
  const auto isTile = [&](const std::string &array) {
    const auto place = context.places.find(array);
    return place != context.places.end() && place->second.shape == Shape::Native;
  };
  const auto readsMemory = [&](const TileAssign &a) {
    bool found = false;
    visit(a.value, [&](const Expr &e) { found = found || (e.op() == Op::Read && !isTile(e->name)); });
    return found;
  };
  const TileAssign &a = points.body.front();
  return inner.empty() && points.body.size() == 1 && !a.where && a.update == Update::Set && isTile(a.target.array) &&
         readsMemory(a);
}

/// Fills elements of a tile in so many turns: some read, as many as registers hold, then they store, so that what they
/// read is on its way at once.
void RegionPrinter::filled(const std::string &point, std::int64_t all) {
  constexpr std::int64_t heldBytes = 64;
  const TileAssign &a = points.body.front();
  std::int64_t turns = all;
  while (turns % 2 == 0 && turns * bytesOf(context.typeOf(a.target.array)) > heldBytes) turns /= 2;
  TileArray held;
  held.name = "held of turns";
  held.type = context.typeOf(a.target.array);
  held.extents = {Expr::integer(turns)};
  context.places[held.name] = {&held, Shape::Native};
  const std::string count = "turn of threads";
  const std::string &name = context.names.of(held.name), &turn = context.names.of(count);
  const Expr number = Expr::symbol(count, Type::Int64);
  context.narrow.insert(count);
  const Ref own{held.name, {number}};
  const std::string part = turns == all ? "" : context.names.of("part of turns");
  const std::string first = part.empty() ? turn : "(" + turn + " + " + part + ")";
  const auto loop = [&](const TileAssign &what, bool isFused) {
    out.directive("#pragma unroll");
    out.block("for (int " + turn + " = 0; " + turn + " < " + std::to_string(turns) + "; ++" + turn + ")", [&] {
      out.line("const int " + point + " = " + context.names.of("thread") + " + " + threads + " * " + first + ";");
      coordinates(point);
      inside([&] { printAssign(what, isFused, out, context); });
    });
  };
  if (!part.empty()) out.directive("#pragma unroll 1");
  const std::string parts = "for (int " + part + " = 0; " + part + " < " + std::to_string(all) + "; " + part +
                            " += " + std::to_string(turns) + ")";
  out.block(part.empty() ? "" : parts, [&] {
    out.line(spellFor(held.type, context.table) + " " + name + "[" + std::to_string(turns) + "];");
    loop({own, Update::Set, a.value, {}}, deal.fused.contains(0));
    loop({a.target, Update::Set, Expr::read(held.name, {number}, held.type), {}}, false);
  });
  context.places.erase(held.name);
}

/// Names the ends of dimensions of which both are asked at each point, as narrow numbers within the box.
void RegionPrinter::nameEnds() {
  const auto isFree = [&](const Expr &e) {
    const std::set<std::string> used = symbols(e);
    return !reads(e) && std::ranges::none_of(points.dims, [&](const PointDim &d) { return used.contains(d.variable); });
  };
  for (const DealtDim &d : deal.dealt) {
    const PointDim &dim = dimOf(d);
    if (!d.checkFirst || !d.checkLimit || !isNarrow(known.at(dim.variable))) continue;
    if (!isFree(dim.first) || !isFree(dim.limit)) continue;
    const auto within = [&](const Expr &e) {
      const Expr low = Expr::integer(d.low), high = Expr::integer(d.low + d.size);
      const Expr below = Expr::make(Op::Min, Type::Int64, {e, high});
      return "static_cast<int>(" + plain(Expr::make(Op::Max, Type::Int64, {below, low}), context) + ")";
    };
    const std::string first = context.names.of("first of " + dim.variable);
    const std::string limit = context.names.of("limit of " + dim.variable);
    out.line("const int " + first + " = " + within(dim.first) + ";");
    out.line("const int " + limit + " = " + within(dim.limit) + ";");
    named[d.dim] = {first, limit};
  }
}

/// Does a thread ask both ends of a dimension at more points than one, where a processor is to hold several blocks?
bool RegionPrinter::asksBothEnds() const {
  std::int64_t total = 1;
  for (const DealtDim &d : deal.dealt) total *= d.size;
  return team.residents > 0 && total > team.threads &&
         std::ranges::any_of(deal.dealt, [](const DealtDim &d) { return d.checkFirst && d.checkLimit; });
}

/// Several neighbours along the last dimension by a thread: all values, then all stores. Where rows are no multiple,
/// the last ones are computed twice, and stored by the thread that has them first.
void RegionPrinter::inRows() {
  const DealtDim &last = deal.dealt.back();
  const TileAssign &a = points.body.front();
  std::int64_t beside = 1;
  for (const DealtDim &d : deal.dealt)
    if (&d != &last) beside *= d.size;
  const std::int64_t rows = deal.rows, parts = (last.size + rows - 1) / rows, total = beside * parts;
  const bool isEven = last.size % rows == 0;
  const std::string thread = context.names.of("thread"), point = context.names.of("point number");
  const std::string first = context.names.of("first row"), row = context.names.of("row of thread");
  const std::string own = context.names.of("own row"), name = context.names.of("held of rows");
  TileArray held;
  held.name = "held of rows";
  held.type = context.typeOf(a.target.array);
  held.extents = {Expr::integer(rows)};
  context.places[held.name] = {&held, Shape::Native};
  context.narrow.insert("row of thread");
  const Expr number = Expr::symbol("row of thread", Type::Int64);
  const auto eachRow = [&](const auto &print) {
    out.directive("#pragma unroll");
    out.block("for (int " + row + " = 0; " + row + " < " + std::to_string(rows) + "; ++" + row + ")", [&] {
      declare(last, (last.low == 0 ? "" : std::to_string(last.low) + " + ") + first + " + " + row);
      print();
    });
  };
  const auto isLast = [&](const DealtDim &d) { return &d == &last; };
  const auto work = [&] {
    std::string rest = point;
    for (const DealtDim &d : deal.dealt) {
      if (&d == &last) break;
      declare(d, (d.low == 0 ? "" : std::to_string(d.low) + " + ") + rest + " % " + std::to_string(d.size));
      rest += " / " + std::to_string(d.size);
    }
    const std::string begin = rest + " * " + std::to_string(rows), most = std::to_string(last.size - rows);
    if (!isEven) out.line("const int " + own + " = " + begin + ";");
    out.line("const int " + first + " = " + (isEven ? begin : own + " < " + most + " ? " + own + " : " + most) + ";");
    const auto values = [&] {
      out.line(spellFor(held.type, context.table) + " " + name + "[" + std::to_string(rows) + "];");
      eachRow([&] { printAssign({{held.name, {number}}, Update::Set, a.value, {}}, false, out, context); });
      eachRow([&] {
        std::string test = testOf(isLast);
        if (!isEven) test += (test.empty() ? "" : " && ") + own + " <= " + first + " + " + row;
        const auto store = [&] {
          printAssign({a.target, Update::Set, Expr::read(held.name, {number}, held.type), {}}, false, out, context);
        };
        test.empty() ? store() : out.block("if (" + test + ")", store);
      });
    };
    const std::string test = testOf([&](const DealtDim &d) { return !isLast(d); });
    test.empty() ? values() : out.block("if (" + test + ")", values);
  };
  if (total <= team.threads)
    out.block(total == team.threads ? "" : "if (" + thread + " < " + std::to_string(total) + ")", [&] {
      out.line("const int " + point + " = " + thread + ";");
      work();
    });
  else
    out.block("for (int " + point + " = " + thread + "; " + point + " < " + std::to_string(total) + "; " + point +
                  " += " + threads + ")",
              work);
  context.places.erase(held.name);
}

/// Points in turns of all threads.
void RegionPrinter::eachFixed() {
  if (deal.rows > 1) return inRows();
  constexpr std::int64_t mostTurns = 16;
  std::int64_t total = 1;
  for (const DealtDim &d : deal.dealt) total *= d.size;
  const std::string thread = context.names.of("thread");
  const bool single = deal.dealt.size() == 1 && deal.dealt.front().low == 0;
  const std::string point =
      single ? context.names.of(dimOf(deal.dealt.front()).variable) : context.names.of("point number");
  const auto work = [&] {
    coordinates(point);
    inside([&] { body(); });
  };
  if (total <= team.threads) {
    out.block(total == team.threads ? "" : "if (" + thread + " < " + std::to_string(total) + ")", [&] {
      out.line((touchesOwned() ? "[[maybe_unused]] const int " : "const int ") + point + " = " + thread + ";");
      work();
    });
    return;
  }
  const std::string limit = std::to_string(total);
  const std::int64_t turns = total / team.threads;
  if (total % team.threads == 0 && turns <= mostTurns && fills()) return filled(point, turns);
  out.block("for (int " + point + " = " + thread + "; " + point + " < " + limit + "; " + point + " += " + threads + ")",
            work);
}

void RegionPrinter::eachFree() {
  out.block("", [&] {
    std::string total;
    for (const DealtDim &d : deal.dealt) {
      const std::string size = context.names.of("size of " + dimOf(d).variable);
      const std::string range = plain(d.first, context) + ", " + plain(d.limit, context);
      out.line("const " + context.index() + " " + size + " = " + context.primitive("extent") + "(" + range + ");");
      total += (total.empty() ? "" : " * ") + size;
    }
    const std::string point = context.names.of("point number"), thread = context.names.of("thread");
    const bool device = team.kind == Team::Launch;
    const std::string &first = context.firstBlock;
    const bool shares = device && !first.empty();
    const std::string blocks = shares ? context.names.of("blocks") : "gridDim.x",
                      block = shares ? context.names.of("block") : "blockIdx.x";
    const std::string type = context.index(), wide = type + "(" + threads + ")";
    const std::string start = device ? block + " * " + wide + " + " + thread : thread;
    const std::string step = device ? blocks + " * " + wide : threads;
    const auto loop = [&] {
      out.block("for (" + type + " " + point + " = " + start + "; " + point + " < " + total + "; " + point +
                    " += " + step + ")",
                [&] {
                  coordinates(point);
                  inside([&] { body(); });
                });
    };
    if (!shares) return loop();
    out.line("const std::int64_t " + blocks + " = " + context.primitive("blocksFor") + "(" + total + "), " + block +
             " = blockIdx.x - " + first + ";");
    out.block("if (0 <= " + block + " && " + block + " < " + blocks + ")", loop);
    out.line(first + " += " + blocks + ";");
  });
}

void RegionPrinter::each() {
  if (deal.dealt.empty() && deal.ahead)
    body();
  else if (deal.dealt.empty())
    one();
  else if (deal.fixed && team.kind == Team::Block && asksBothEnds())
    out.block("", [&] {
      nameEnds();
      eachFixed();
    });
  else if (deal.fixed && team.kind == Team::Block)
    eachFixed();
  else
    eachFree();
}

/// `lanes` neighbouring threads a point; all threads take part in every combination.
void RegionPrinter::lanes() {
  std::int64_t total = 1;
  for (const DealtDim &d : deal.dealt) total *= d.size;
  const std::string count = std::to_string(deal.lanes), thread = context.names.of("thread");
  const std::string lane = context.names.of("lane"), point = context.names.of("point number");
  out.block("", [&] {
    out.line("const int " + lane + " = " + thread + " % " + count + ", " + point + " = " + thread + " / " + count +
             ";");
    coordinates(point);
    bindPartial();
    const TileAssign &a = points.body.front();
    out.line(spellFor(partial.type, context.table) + " " + partialName() + " = " +
             printAs(neutral(operationOf(a.update), partial.type), partial.type, context) + ";");
    const bool all = total * deal.lanes == team.threads;
    const auto guarded = [&](const std::string &test, auto print) {
      if (test.empty()) return inside(print);
      out.block("if (" + test + ")", [&] { inside(print); });
    };
    const std::string within = all ? "" : point + " < " + std::to_string(total);
    const std::string limit = plain(points.dims[inner.front()].limit, context);
    guarded(within, [&] {
      if (!deal.ahead) return partialLoops();
      term(partialName() + " = " + context.primitive("combineFew") + "<" + spellFor(partial.type, context.table) +
               ">(" + partialName() + ", static_cast<int>((" + limit + " - " + lane + " + " +
               std::to_string(deal.lanes - 1) + ") / " + count + "), ",
           lane, count);
    });
    out.line(partialName() + " = " + context.primitive("combineLanes") + "<" + count + ">(" + partialName() + ", " +
             functorOf(a.update, context) + ");");
    guarded((within.empty() ? "" : within + " && ") + lane + " == 0", [&] { store(a); });
  });
}

/// Combines what each thread has; the result is known to all of them, and stored by one unless each holds the target.
void RegionPrinter::together(const TileAssign &a) {
  const std::string function = functorOf(a.update, context);
  if (deal.any) {
    out.line(partialName() + " = __syncthreads_or(" + partialName() + " > 0);");
    return stored(a);
  }
  const std::string group = context.names.of("group size"), turn = context.names.of("turn of group");
  const std::string &thread = context.names.of("thread");
  const auto combined = [&](const std::string &primitive, const std::string &size, const std::string &rest) {
    return context.primitive(primitive) + (size.empty() ? "" : "<" + size + ">") + "(" + partialName() + ", " +
           function + rest + ")";
  };
  out.line(partialName() + " = " +
           (team.kind == Team::Group     ? combined(team.apart ? "combineApart" : "combineGroup", group, ", " + turn)
            : context.teamMemory.empty() ? combined("combineBlock", team.threads == blockThreads ? "" : threads, "")
                                         : combined("combineTeam", "", ", " + thread + ", " + context.teamMemory)) +
           ";");
  stored(a);
}

/// What all threads know, in the target.
void RegionPrinter::stored(const TileAssign &a) {
  const bool held = context.places.at(a.target.array).shape == Shape::Native && a.target.subscripts.empty() &&
                    context.held.contains(a.target.array);
  if (held) return store(a);
  out.block("if (" + context.names.of("thread") + " == 0)", [&] { store(a); });
}

/// All threads on one reduction; what rows that follow one another are folded to is given.
void RegionPrinter::whole() {
  const TileAssign &a = points.body.front();
  if (team.folds()) {
    bindPartial();
    return store(a);
  }
  out.block("", [&] {
    for (std::size_t k = 0; k < points.body.size(); ++k) {
      bindPartial(k);
      const Op operation = operationOf(points.body[k].update);
      out.line(spellFor(partial.type, context.table) + " " + partialName() + " = " +
               printAs(neutral(operation, partial.type), partial.type, context) + ";");
    }
    if (deal.form == Form::Fours)
      printFours(deal, out, context);
    else
      partialLoops();
    for (std::size_t k = 0; k < points.body.size(); ++k) {
      partial = partials[k];
      together(points.body[k]);
    }
  });
}

/// A group's run of neighbours: one reduction, or results side by side.
void RegionPrinter::fours() {
  if (points.dims.front().kind == PointDim::Kind::Reduced) return whole();
  out.block("", [&] { printFours(deal, out, context); });
}

/// Every dimension in order, by one thread.
void RegionPrinter::one() {
  const bool guard = team.kind != Team::Thread;
  const bool isInOrder = std::any_of(inner.begin(), inner.end(),
                                     [&](std::size_t i) { return points.dims[i].kind == PointDim::Kind::Serial; });
  if (!guard && deal.aside && isInOrder) return out.block("", [&] { body(); }); // its partial result is its own
  if (!guard) return body();
  out.block("if (" + context.names.of("thread") + " == 0)", [&] { body(); });
}

void RegionPrinter::print() {
  switch (deal.form) {
  case Form::Lanes: lanes(); break;
  case Form::Whole: whole(); break;
  case Form::Fours: fours(); break;
  case Form::Blocked: printBlocked(deal, out, context); break;
  case Form::Each: each(); break;
  }
  for (const PointDim &d : points.dims) context.narrow.erase(d.variable);
  for (const TileArray &one : partials) context.places.erase(one.name);
}

} // namespace

void printDeal(const DeviceDeal &deal, const DeviceTeam &team, Writer &out, Context &context) {
  RegionPrinter(deal, team, out, context).print();
}

std::string dealtCount(const DeviceDeal &deal, Context &context) {
  std::string total;
  for (const DealtDim &d : deal.dealt)
    total += (total.empty() ? "" : " * ") + context.primitive("extent") + "(" + plain(d.first, context) + ", " +
             plain(d.limit, context) + ")";
  return total.empty() ? "1" : total;
}

} // namespace polymend::print_room
