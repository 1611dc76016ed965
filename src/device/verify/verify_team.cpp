#include "verify_team.h"

#include "device/depends.h"
#include "device/row_elements.h"
#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Form = DeviceDeal::Form;
using Place = DeviceTile::Place;
using Team = DeviceTeam::Kind;
using Kind = PointDim::Kind;

class TeamVerifier {
public:
  explicit TeamVerifier(const DeviceKernel &k) : kernel(k), team(*k.team) {}
  std::vector<std::string> run();

private:
  void complain(const std::string &what) { found.push_back("kernel '" + kernel.name + "': " + what); }
  void tiles();
  void shared(const DeviceTile &t);
  void block(const DeviceBlock &nodes);
  void meeting(const DeviceBlock &inside, std::initializer_list<Expr> uniform, const std::string &what);
  void node(const TileNote &) {}
  void node(const DeviceLet &l) {
    if (team.kind != Team::Thread || !isFloating(l.value.type())) complain("a name that threads would not have alike");
  }
  void node(const DeviceAssign &a);
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  void node(const std::shared_ptr<const DeviceDeal> &d);
  void node(const std::shared_ptr<const DeviceOne> &o);
  void node(const DeviceBarrier &);
  void node(const DeviceReadAhead &) {
    if (!team.terms) complain("terms are read ahead whose number no launch says");
  }
  template <class Node> void node(const Node &) { complain("a statement of another machine"); }
  void rows();
  void segments();
  void shares(const DeviceDeal &d);
  void form(const DeviceDeal &d);

  const DeviceKernel &kernel;
  const DeviceTeam &team;
  std::set<std::string> held, own;
  bool isOne = false;
  std::vector<std::string> found;
};

/// Whether a team waits within the nodes.
bool waits(const DeviceBlock &nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const DeviceNode &n) {
    const auto *deal = std::get_if<std::shared_ptr<const DeviceDeal>>(&n);
    if (std::holds_alternative<DeviceBarrier>(n) || (deal && (*deal)->form == Form::Whole)) return true;
    const auto inside = blocksOf(n);
    return std::any_of(inside.begin(), inside.end(), [](const DeviceBlock *b) { return waits(*b); });
  });
}

void TeamVerifier::shared(const DeviceTile &t) {
  std::int64_t bytes = bytesOf(t.array.type);
  if (t.padded.size() != t.array.extents.size()) return complain("'" + t.array.name + "' has no extents in memory");
  for (std::size_t d = 0; d < t.padded.size(); ++d) {
    const Expr extent = simplify(t.array.extents[d]);
    if (extent.op() != Op::Integer || t.padded[d] < extent->integer)
      complain("'" + t.array.name + "' is larger than its place");
    bytes *= t.padded[d];
  }
  if (t.offset < 0 || t.offset % 16 != 0 || t.offset + bytes > team.sharedBytes)
    complain("'" + t.array.name + "' lies outside the block's memory");
  for (const DeviceTile &other : kernel.tiles)
    if (other.place == Place::Shared && other.offset >= t.offset && other.offset < t.offset + bytes &&
        other.array.name != t.array.name)
      complain("'" + t.array.name + "' and '" + other.array.name + "' share memory");
}

void TeamVerifier::tiles() {
  for (const DeviceTile &t : kernel.tiles) {
    const bool isThreads = t.place == Place::Held || t.place == Place::Owned;
    if (!isThreads && t.place != Place::Shared && t.place != Place::Slice)
      complain("'" + t.array.name + "' lies where no team has memory");
    if (team.kind != Team::Block && t.place != Place::Held)
      complain("'" + t.array.name + "' is no scalar of threads, and no block runs a point");
    if (t.place == Place::Held && !t.array.extents.empty() && team.kind != Team::Thread)
      complain("'" + t.array.name + "' is no scalar");
    if (t.place == Place::Owned) {
      const Expr length = t.array.extents.size() == 1 ? simplify(t.array.extents[0]) : Expr();
      if (!length || length.op() != Op::Integer || length->integer > team.threads)
        complain("'" + t.array.name + "' has more elements than there are threads");
    }
    if (t.place == Place::Shared) shared(t);
    if (t.place == Place::Held) held.insert(t.array.name);
    if (isThreads) own.insert(t.array.name);
  }
}

/// Where a team waits all of its threads arrive: what decides is the same for all, so that it reads no element that
/// only one of them has.
void TeamVerifier::meeting(const DeviceBlock &inside, std::initializer_list<Expr> uniform, const std::string &what) {
  if (!waits(inside)) return;
  if (isOne) complain("one thread waits for all");
  for (const Expr &e : uniform)
    if (team.apart && e && (reads(e) || usesAny(e, kernel.grid)))
      complain("a barrier in a " + what + " that points of a block enter in turns of their own");
  for (const Expr &e : uniform)
    for (const DeviceTile &t : kernel.tiles)
      if (t.place == Place::Owned && e && reads(e, t.array.name))
        complain("a barrier in a " + what + " that depends on what each thread has of '" + t.array.name + "'");
}

/// Outside of regions all threads compute what each has for itself, and one computes what they share.
void TeamVerifier::node(const DeviceAssign &a) {
  const std::string &target = a.what.target.array;
  if (team.kind == Team::Thread) return;
  if (!isOne && !held.contains(target)) complain("all threads write '" + target + "'");
  if (isOne && own.contains(target)) complain("one thread writes '" + target + "', of which each has its own");
}

void TeamVerifier::node(const std::shared_ptr<const DeviceLoop> &l) {
  if (l->step <= 0) complain("the step of '" + l->variable + "' is not positive");
  meeting(l->body, {l->first, l->limit}, "loop");
  if (l->goesOn) meeting(l->body, {l->goesOn}, "loop");
  block(l->body);
}

void TeamVerifier::node(const std::shared_ptr<const DeviceBranch> &b) {
  meeting(b->then, {b->condition}, "branch");
  meeting(b->otherwise, {b->condition}, "branch");
  block(b->then);
  block(b->otherwise);
}

void TeamVerifier::node(const std::shared_ptr<const DeviceOne> &o) {
  if (team.kind == Team::Thread || isOne) complain("one thread of one");
  isOne = true;
  block(o->body);
  isOne = false;
}

void TeamVerifier::node(const DeviceBarrier &) {
  if (isOne) complain("one thread waits for all");
  if (team.kind == Team::Thread || team.kind == Team::Launch) complain("threads wait that are no team");
}

/// Whether the limit is the smallest of what is asked and of numbers that no point of the box reaches.
bool isPartOf(const DealtDim &dealt, const Expr &limit) {
  const Expr whole = simplify(limit);
  return whole.op() == Op::Min && std::all_of(whole->args.begin(), whole->args.end(), [&](const Expr &e) {
           return equal(e, dealt.asked) || (e.op() == Op::Integer && e->integer >= dealt.low + dealt.size);
         });
}

/// Dimensions are dealt out once each, and none that a serial one encloses.
void TeamVerifier::shares(const DeviceDeal &d) {
  std::set<std::size_t> seen;
  for (const DealtDim &dealt : d.dealt) {
    if (dealt.dim >= d.points.dims.size()) return complain("a share of no dimension");
    const PointDim &dim = d.points.dims[dealt.dim];
    if (!seen.insert(dealt.dim).second) complain("'" + dim.variable + "' is dealt out twice");
    if (dim.kind != Kind::Parallel) complain("'" + dim.variable + "' is dealt out and not parallel");
    for (std::size_t i = 0; i < dealt.dim; ++i)
      if (d.points.dims[i].kind == Kind::Serial) complain("'" + dim.variable + "' is dealt out within a serial loop");
    const auto lies = [&](const Expr &bound, std::int64_t at) {
      const Expr e = simplify(bound);
      return e.op() == Op::Integer && e->integer == at;
    };
    if (!d.fixed) continue;
    if (!dealt.checkFirst && !lies(dim.first, dealt.low))
      complain("points below the first of '" + dim.variable + "' are not left out");
    if (!dealt.checkLimit && !lies(dim.limit, dealt.low + dealt.size))
      complain("points beyond the last of '" + dim.variable + "' are not left out");
    if (dealt.asked && !isPartOf(dealt, dim.limit))
      complain("what is asked of '" + dim.variable + "' is not its limit within the box");
  }
}

void TeamVerifier::form(const DeviceDeal &d) {
  const auto isReduced = [&](std::size_t dim) {
    return dim < d.points.dims.size() && d.points.dims[dim].kind == Kind::Reduced;
  };
  const auto isUpdate = [](const TileAssign &a) { return a.update != Update::Set; };
  const bool updates = !d.points.body.empty() && std::ranges::all_of(d.points.body, isUpdate) &&
                       (d.points.body.size() == 1 || d.form == Form::Whole);
  if (d.aside && !updates) complain("what is no update is combined aside");
  if (d.stays && (d.aside || d.ahead || d.rows != 1 || !setsTheSame(d))) complain("elements that do not stay the same");
  const bool isShared = d.form == Form::Lanes || d.form == Form::Whole;
  if (isShared && (!d.aside || !isReduced(d.split))) complain("threads share what is no reduction");
  if (d.form == Form::Lanes && (d.lanes < 2 || d.lanes > 32 || (d.lanes & (d.lanes - 1)) != 0))
    complain("lanes that are no part of a warp");
  if (d.form == Form::Whole && !d.dealt.empty()) complain("points are dealt out that all threads compute");
  if (d.form == Form::Blocked && (!d.fixed || d.dealt.size() != 2 || !isReduced(d.sum)))
    complain("a product that has no constant box");
  const bool takesTurns = team.beside && d.form == Form::Each && d.dealt.size() == 1;
  if ((d.form == Form::Fours) != (team.kind == Team::Group && d.form != Form::Whole && !takesTurns))
    complain("fours belong to groups of threads");
  if (d.rows != 1 && (d.rows < 1 || d.form != Form::Each || !d.fixed || d.crossed || d.dealt.size() < 2 ||
                      d.dealt.back().size < d.rows || d.points.body.size() != 1))
    complain("rows that are none of a constant box");
  if (d.form == Form::Fours && d.points.dims.size() != 1) complain("fours of more than one dimension");
  for (const DeviceStream &s : d.streams)
    if (s.kept && !team.kept.contains(s.array)) complain("'" + s.array + "' is kept, and the group has no room for it");
}

void TeamVerifier::node(const std::shared_ptr<const DeviceDeal> &d) {
  if (isOne) complain("a region of all threads within what one runs");
  shares(*d);
  form(*d);
}

void TeamVerifier::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

/// A row ends where the next one begins; an element is worth what it says, whatever the row and whatever is set.
void TeamVerifier::segments() {
  if (team.kind != Team::Group || !team.row || !team.element || kernel.grid.size() != 1)
    return complain("rows follow one another, and no group runs them");
  const std::string &point = kernel.grid.front().variable;
  const Expr next = Expr::symbol(point, Type::Int64) + Expr::integer(1);
  const Expr end = substitute(team.begin, [&](const std::string &name) { return name == point ? next : Expr(); });
  if (distanceOf(team.row, end - team.begin) != 0) complain("a row does not end where the next one begins");
  bool isOwn = !dependsOn(team.element, point);
  for (const std::string &array : writtenIn(kernel.body)) isOwn = isOwn && !reads(team.element, array);
  if (!isOwn) complain("what an element is worth depends on the row");
  if (team.staged) return;
  std::size_t regions = 0;
  for (const DeviceNode &n : kernel.body) {
    const auto *region = std::get_if<std::shared_ptr<const DeviceDeal>>(&n);
    if (!region) continue;
    const auto element = rowElementOf((*region)->points.body.front().value, team.begin);
    const bool folds = (*region)->form == Form::Whole && (*region)->fused.empty() && element;
    if (folds && equal(element->value, team.element)) ++regions;
  }
  if (regions != 1) complain("no one region folds what elements are worth");
}

void TeamVerifier::rows() {
  if (team.begin) segments();
  if (team.beside && (team.kind != Team::Group || team.row || !team.kept.empty() || kernel.arrival))
    complain("neighbours are run by what is no group of threads that take turns");
  for (std::size_t k = 0; team.apart && k < kernel.grid.size() && k < team.box.size(); ++k)
    if (!equal(simplify(kernel.grid[k].first), simplify(team.box[k].first)) ||
        !equal(simplify(kernel.grid[k].limit), simplify(team.box[k].second)))
      complain("some points of a block are left out, for which others wait");
  if (team.neighbours && (!team.row || kernel.grid.size() < 2 || dependsOn(team.row, kernel.grid.back().variable)))
    complain("neighbours have not the same row");
}

std::vector<std::string> TeamVerifier::run() {
  if (team.box.size() != kernel.grid.size()) complain("the grid has no box");
  if (team.threads < 1 || team.threads > blockThreads) complain("blocks of no or too many threads");
  tiles();
  rows();
  block(kernel.body);
  if (!kernel.arrival) return found;
  if (team.kind != Team::Group) complain("points arrive of which no group has run one");
  for (const DeviceTile &t : kernel.arrival->tiles) held.insert(t.array.name);
  block(kernel.arrival->body);
  return found;
}

} // namespace

std::vector<std::string> teamFaults(const DeviceKernel &kernel) { return TeamVerifier(kernel).run(); }

} // namespace polymend::device_room
