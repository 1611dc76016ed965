// Every access has an element, a thread, and the number of barriers its block has passed. Two threads at one element
// after the same barrier, one of them writing, are a race. One block runs all points of a grid, one after another, as
// blocks that live long do. Where the machine chooses which thread has a point (products, fours) it is none that has
// anything in another region.
#include "tracer.h"

namespace polymend::device_room {

namespace {

using Team = DeviceTeam::Kind;
using Form = DeviceDeal::Form;

constexpr std::int64_t ownThreads = 1 << 30; // of a region, whose threads the machine chooses

constexpr std::int64_t everyone = -1, nobody = -2;

/// What was last done to an element.
struct Last {
  struct By {
    std::int64_t epoch = -1, thread = nobody;
  };
  By write, read;
  std::int64_t severalRead = -1; // the epoch in which more than one thread did
};

using Box = std::vector<std::pair<std::int64_t, std::int64_t>>; // first and size of each dealt dimension

class TeamTracer : public Tracer {
public:
  using Tracer::Tracer;
  std::vector<std::string> run(const DeviceKernel &k);

private:
  void access(const std::string &array, std::int64_t element, bool writes) override;
  [[nodiscard]] std::int64_t numberOf(const DeviceDeal &deal, const Box &box) const;
  [[nodiscard]] std::int64_t valueOf(const DeviceDeal &deal, std::size_t dim);
  [[nodiscard]] std::optional<Box> boxOf(const DeviceDeal &deal);
  [[nodiscard]] std::int64_t threadOf(const DeviceDeal &deal, const Box &box);
  void deal(const DeviceDeal &deal);
  void together(const DeviceDeal &deal);
  void readByAll(const Expr &e) {
    thread = everyone;
    reading(e);
  }
  void barrier() { ++epoch; }
  void kernel(const DeviceKernel &k, std::size_t dim);
  bool host(const DeviceBlock &nodes, const DeviceKernel &k);
  void block(const DeviceBlock &nodes);
  void node(const DeviceAssign &a) {
    thread = isOne ? 0 : everyone;
    assign(a.what);
  }
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  void node(const std::shared_ptr<const DeviceDeal> &d) { deal(*d); }
  void node(const std::shared_ptr<const DeviceOne> &o);
  void node(const DeviceBarrier &) { barrier(); }
  template <class Node> void node(const Node &) {}

  const DeviceTeam *team = nullptr;
  std::set<std::string> held, owned;
  std::map<std::pair<std::string, std::int64_t>, Last> touched;
  std::int64_t thread = 0, epoch = 0;
  std::int64_t chosen = 0; // threads that the machine chooses in this region are numbered from here on
  bool isOne = false;
};

/// The number of a dimension's value, from its first on.
std::int64_t TeamTracer::valueOf(const DeviceDeal &deal, std::size_t dim) {
  const PointDim &d = deal.points.dims[dim];
  return env.integers.at(d.variable) - (isKnown(d.first) ? integer(d.first) : 0);
}

/// The number of a point among those that are dealt out, by the values of its variables.
std::int64_t TeamTracer::numberOf(const DeviceDeal &deal, const Box &box) const {
  const auto offset = [&](std::size_t k) {
    return env.integers.at(deal.points.dims[deal.dealt[k].dim].variable) - box[k].first;
  };
  if (deal.crossed && team->kind == Team::Block) {
    const std::int64_t fast = offset(0), slow = offset(1), squares = deal.dealt[0].size / 8;
    return 32 * (slow / 4 * squares + fast / 8) + slow % 4 * 8 + fast % 8;
  }
  std::int64_t number = 0, stride = 1;
  for (std::size_t k = 0; k < deal.dealt.size(); ++k) {
    number += offset(k) / (k + 1 == deal.dealt.size() ? deal.rows : 1) * stride;
    stride *= box[k].second;
  }
  return number;
}

std::optional<Box> TeamTracer::boxOf(const DeviceDeal &deal) {
  Box box;
  for (const DealtDim &d : deal.dealt) {
    if (deal.fixed) {
      box.emplace_back(d.low, d.size);
      continue;
    }
    if (!isKnown(d.first) || !isKnown(d.limit)) return std::nullopt;
    const std::int64_t first = integer(d.first);
    box.emplace_back(first, std::max<std::int64_t>(integer(d.limit) - first, 0));
  }
  return box;
}

/// Which thread has the point. A region of terms read ahead of which nothing is dealt out is all threads' alike.
std::int64_t TeamTracer::threadOf(const DeviceDeal &deal, const Box &box) {
  if (deal.form == Form::Blocked) return chosen + numberOf(deal, box);
  if (deal.form == Form::Fours) return chosen + valueOf(deal, 0) / 4;
  if (deal.dealt.empty() && deal.ahead) return everyone;
  const bool isChosen = team->kind == Team::Launch || team->kind == Team::Group;
  if (isChosen) return deal.dealt.empty() ? 0 : chosen + numberOf(deal, box); // no region's points are another's
  if (deal.dealt.empty()) return 0;
  const std::int64_t number = numberOf(deal, box);
  return deal.form == Form::Lanes ? number * deal.lanes : number % team->threads;
}

/// All threads read, each what its number says of blocks, and when all have met one of them writes, unless each has the
/// result for itself.
void TeamTracer::together(const DeviceDeal &deal) {
  dims(deal.points.dims, 0, [&] {
    const std::int64_t at = valueOf(deal, deal.split);
    thread = deal.form == Form::Whole && team->kind == Team::Block ? at % team->threads : chosen + at;
    for (const TileAssign &a : deal.points.body) {
      reading(a.where);
      if (!a.where || !isKnown(a.where) || holds(a.where)) reading(a.value);
    }
  });
  barrier();
  thread = 0;
  for (const TileAssign &a : deal.points.body)
    if (!held.contains(a.target.array)) touch(a.target.array, a.target.subscripts, true);
}

void TeamTracer::deal(const DeviceDeal &deal) {
  for (const PointDim &d : deal.points.dims) {
    readByAll(d.first);
    readByAll(d.limit);
  }
  const auto box = boxOf(deal);
  if (!box) return;
  chosen += ownThreads;
  const bool isFour = deal.form == Form::Fours && deal.points.dims.front().kind == PointDim::Kind::Reduced;
  if (deal.form == Form::Whole || isFour) return together(deal);
  dims(deal.points.dims, 0, [&] {
    thread = threadOf(deal, *box);
    for (const TileAssign &a : deal.points.body) assign(a);
  });
}

void TeamTracer::access(const std::string &array, std::int64_t element, bool writes) {
  if (held.contains(array)) return;
  if (owned.contains(array)) {
    if (thread != element)
      found.insert(place + ": a thread touches an element of '" + array + "' that another one holds");
    return;
  }
  Last &last = touched[{array, element}];
  const auto meets = [&](const Last::By &by) {
    return by.epoch == epoch && by.thread != nobody && (by.thread != thread || thread == everyone);
  };
  if (meets(last.write) || (writes && (meets(last.read) || last.severalRead == epoch)))
    found.insert(place + ": two threads touch one element of '" + array + "' between barriers");
  if (writes) {
    last.write = {epoch, thread};
    return;
  }
  if (meets(last.read)) last.severalRead = epoch;
  last.read = {epoch, thread};
}

void TeamTracer::node(const std::shared_ptr<const DeviceOne> &o) {
  isOne = true;
  block(o->body);
  isOne = false;
}

void TeamTracer::node(const std::shared_ptr<const DeviceLoop> &l) {
  readByAll(l->first);
  readByAll(l->limit);
  if (l->goesOn) readByAll(l->goesOn);
  iterate({l->variable, l->first, l->limit, PointDim::Kind::Serial}, l->step, [&] { block(l->body); });
}

void TeamTracer::node(const std::shared_ptr<const DeviceBranch> &b) {
  readByAll(b->condition);
  const bool known = isKnown(b->condition), isTrue = !known || holds(b->condition);
  if (isTrue) block(b->then);
  if (!known || !isTrue) block(b->otherwise);
}

void TeamTracer::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes)
    if (!isOver()) std::visit([&](const auto &x) { node(x); }, n);
}

void TeamTracer::kernel(const DeviceKernel &k, std::size_t dim) {
  if (dim < k.grid.size()) return iterate(k.grid[dim], 1, [&] { kernel(k, dim + 1); });
  block(k.body);
}

/// Each launch of the kernel, as often as loops of the host around it say; false: the nodes hold none.
bool TeamTracer::host(const DeviceBlock &nodes, const DeviceKernel &k) {
  bool isLaunched = false;
  for (const DeviceNode &n : nodes) {
    if (const auto *launch = std::get_if<DeviceLaunch>(&n); launch && &program.kernels[launch->kernel] == &k) {
      ++epoch;
      kernel(k, 0);
      isLaunched = true;
    } else if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&n)) {
      const DeviceLoop &l = **loop;
      iterate({l.variable, l.first, l.limit, PointDim::Kind::Serial}, l.step,
              [&] { isLaunched = host(l.body, k) || isLaunched; });
    } else if (const auto *branch = std::get_if<std::shared_ptr<const DeviceBranch>>(&n)) {
      const DeviceBranch &b = **branch;
      const bool known = isKnown(b.condition), isTrue = !known || holds(b.condition);
      if (isTrue) isLaunched = host(b.then, k) || isLaunched;
      if (!known || !isTrue) isLaunched = host(b.otherwise, k) || isLaunched;
    }
  }
  return isLaunched;
}

/// Groups of threads share no tile, and points of theirs that share elements are the grid's matter.
std::vector<std::string> TeamTracer::run(const DeviceKernel &k) {
  team = &*k.team;
  place = "kernel '" + k.name + "'";
  within(k);
  if (team->kind == Team::Thread) return {};
  for (const DeviceTile &t : k.tiles) {
    declare(t.array);
    if (t.place == DeviceTile::Place::Held) held.insert(t.array.name);
    if (t.place == DeviceTile::Place::Owned) owned.insert(t.array.name);
  }
  bool isLaunched = false;
  for (const DeviceStep &step : program.steps) isLaunched = host(step.host, k) || isLaunched;
  if (!isLaunched) kernel(k, 0);
  return {found.begin(), found.end()};
}

} // namespace

std::vector<std::string> teamRaces(const DeviceKernel &kernel, const DeviceProgram &program, const Memory &memory,
                                   std::size_t most) {
  return TeamTracer(program, memory, most).run(kernel);
}

} // namespace polymend::device_room
