// Channels and barriers lie apart; every tile in registers lies as its units leave sums and take factors; nothing
// touches what a product that goes on writes, or writes what it reads; one lane speaks for its warp only after the
// lanes met.
#include "verify_roles.h"

#include "device/rings.h"
#include "device/walk.h"
#include "polymend/atoms.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace polymend::device_room {

namespace {

class RoleVerifier {
public:
  explicit RoleVerifier(const DeviceKernel &k) : kernel(k), roles(*k.roles) {}
  std::vector<std::string> run();

private:
  void require(bool holds, const std::string &what) {
    if (!holds) found.push_back("kernel '" + kernel.name + "': " + what);
  }
  [[nodiscard]] const DeviceChannel *channel(const std::string &name) const;
  [[nodiscard]] const TileArray *held(const std::string &name) const;
  void threads();
  void channels();
  void layouts();
  void marks();
  void copies(const DeviceBlock &nodes);
  void computes(const DeviceBlock &nodes);
  void node(const TileNote &) {}
  void node(const DeviceLet &) {}
  void node(const DeviceTake &take);
  void node(const DeviceGive &give);
  void node(const DeviceIssue &issue);
  void node(const DeviceAwait &await);
  void node(const DeviceCombine &combine) { touched({combine.sum}, {combine.sum}); }
  void node(const DeviceVote &vote);
  void node(const DeviceRegisters &registers);
  void node(const std::shared_ptr<const DeviceShares> &shares);
  void node(const std::shared_ptr<const DeviceLoop> &loop);
  void node(const std::shared_ptr<const DeviceBranch> &branch);
  template <class Node> void node(const Node &) { require(false, "a statement of another machine in a role"); }
  void touched(const std::set<std::string> &used, const std::set<std::string> &written);
  void factors(const DeviceIssue &issue);

  const DeviceKernel &kernel;
  const DeviceRoles &roles;
  std::vector<DeviceIssue> going; // issued and not awaited, oldest first
  std::set<std::string> votes;    // what the names of votes stand for is unchanged since
  bool together = false;          // have the lanes of each warp met since they last waited for a channel or read one?
  std::vector<std::string> found;
};

const DeviceChannel *RoleVerifier::channel(const std::string &name) const {
  const auto at = std::find_if(roles.channels.begin(), roles.channels.end(),
                               [&](const DeviceChannel &c) { return c.tile.name == name; });
  return at == roles.channels.end() ? nullptr : &*at;
}

const TileArray *RoleVerifier::held(const std::string &name) const {
  const auto at =
      std::find_if(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == roles.tiles.end() ? nullptr : &*at;
}

void RoleVerifier::threads() {
  const std::int64_t group = groupThreads(roles.atom);
  const std::int64_t copying =
      roles.atom.asynchronous ? group : lanesOf(roles.atom) * roles.copierWarps * roles.copiers;
  require(roles.groups >= 1 && roles.threads == group * roles.groups + copying, "a block of so many threads");
  require(roles.copiers >= 1 && roles.copierWarps >= 1 && roles.drawing >= 0 && roles.drawing < roles.copiers,
          "tickets are drawn by no copier");
}

/// Slots and barriers of each channel, in ranges that no other has.
void RoleVerifier::channels() {
  std::vector<std::pair<std::int64_t, std::int64_t>> bytes, barriers;
  for (const DeviceChannel &c : roles.channels) {
    const std::int64_t size = slotBytes(c.tile) * c.tile.ring;
    require(size > 0 && c.offset % 1024 == 0, "'" + c.tile.name + "' does not lie as its units read it");
    bytes.emplace_back(c.offset, c.offset + size);
    barriers.emplace_back(c.barriers, c.barriers + std::int64_t{2} * c.tile.ring);
    require(c.copier >= 0 && c.copier < roles.copiers, "'" + c.tile.name + "' is filled by no copier");
    require(!c.joined || roles.atom.asynchronous, "'" + c.tile.name + "' needs a copy engine");
    require(c.step == 1 || (c.run == 0 && !c.joined), "'" + c.tile.name + "' takes rows that no copy does");
    const std::int64_t rows = std::accumulate(c.box.begin(), c.box.end(), std::int64_t{1}, std::multiplies<>());
    require(c.box.empty() || (roles.atom.asynchronous && rows == constant(c.tile.extents[0]) && c.box.back() == 1 &&
                              c.step == 1 && c.run == 0 && !c.joined),
            "'" + c.tile.name + "' takes a box that no copy does");
  }
  for (auto &[ranges, end, what] :
       {std::tuple(&bytes, roles.bytes, "slots"), std::tuple(&barriers, roles.barriers, "barriers")}) {
    std::sort(ranges->begin(), ranges->end());
    std::int64_t last = 0;
    for (const auto &[first, limit] : *ranges) {
      require(first >= last, std::string("two channels share ") + what);
      last = limit;
    }
    require(last <= end, std::string("the block has fewer ") + what + " than its channels");
  }
}

/// Every tile lies as sums do.
void RoleVerifier::layouts() {
  const TileLayout matrix = layoutOfMatrices(roles);
  const std::int64_t warpsN = matrix ? sharesOf(matrix).warpsN : 1;
  for (const TileArray &tile : roles.tiles) {
    const bool vector = tile.extents.size() == 1;
    const WarpShares shares{constant(tile.extents[0]) / groupRows(roles.atom), warpsN};
    const TileLayout sums = sumsOf(roles.atom, vector ? roles.atom.columns : constant(tile.extents[1]), shares);
    const TileLayout wanted = vector ? sliced(sums, 1, !tile.layout.parts.empty()) : sums;
    require(tile.layout == wanted, "'" + tile.name + "' lies as " + show(tile.layout) + ", not as " + show(wanted));
  }
}

void RoleVerifier::marks() {
  require(!kernel.fallback.empty() || roles.marks == DeviceMarks::Nowhere, "marks of no array");
  require((roles.marks == DeviceMarks::Chain) == !roles.again.empty(), "it is not told what a chain computes again");
  for (const DevicePoints &p : roles.again) {
    const bool isOwn = std::any_of(kernel.grid.begin(), kernel.grid.end(),
                                   [&](const PointDim &d) { return d.variable == p.coordinate; });
    require(isOwn && p.count >= 1, "points along '" + p.coordinate + "', which is no coordinate");
  }
}

void RoleVerifier::copies(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes) {
    const std::vector<const DeviceBlock *> inside = blocksOf(n);
    for (const DeviceBlock *block : inside) copies(*block);
    if (const auto *fill = std::get_if<DeviceFill>(&n)) {
      const DeviceChannel *c = channel(fill->channel);
      require(c && fill->first.size() >= 2 && c->rowsAlong + 1 < fill->first.size(),
              "'" + fill->channel + "' is no channel that could be filled so");
    } else {
      const bool isNamed = std::holds_alternative<TileNote>(n) || std::holds_alternative<DeviceLet>(n);
      require(!inside.empty() || isNamed, "a copying warp does something else than copy");
    }
  }
}

void RoleVerifier::touched(const std::set<std::string> &used, const std::set<std::string> &written) {
  for (const DeviceIssue &issue : going) {
    require(!used.contains(issue.target.array),
            "'" + issue.target.array + "' is touched before '" + issue.name + "' is awaited");
    require(!written.contains(issue.left.array),
            "'" + issue.left.array + "' is written before '" + issue.name + "' is awaited");
  }
}

void RoleVerifier::node(const DeviceVote &vote) {
  touched(usedIn({vote}), {});
  votes.insert(vote.name);
}

void RoleVerifier::node(const DeviceRegisters &registers) {
  using Form = DeviceRegisters::Form;
  const DeviceBlock alone{registers};
  touched(usedIn(alone), writtenIn(alone));
  require(registers.vote.empty() || votes.contains(registers.vote), "'" + registers.vote + "' was not voted on");
  require(registers.form == Form::Row || registers.column.has_value(), "elements of no column");
  require(registers.divisions.empty() || registers.form == Form::Fours, "divisions that no four elements share");
  const bool isHeld = held(registers.what.target.array) != nullptr;
  const bool stores = registers.form == Form::Stored || registers.form == Form::Words;
  require(registers.form == Form::Row || isHeld != stores,
          "'" + registers.what.target.array + "' is assigned otherwise than where it lies");
}

/// What a warp reads of a slot its lanes may still read.
void RoleVerifier::node(const std::shared_ptr<const DeviceShares> &shares) {
  for (const DeviceShares::Tile &t : shares->tiles)
    require(channel(t.name) != nullptr, "'" + t.name + "' is no channel");
  together = false;
  computes(shares->body);
}

void RoleVerifier::node(const DeviceTake &take) {
  require(channel(take.channel) != nullptr, "'" + take.channel + "' is no channel");
  together = false;
}

void RoleVerifier::node(const DeviceGive &give) {
  require(channel(give.channel) != nullptr, "'" + give.channel + "' is no channel");
  require(!roles.atom.asynchronous || together || give.meets,
          "'" + give.channel + "' is given back by one lane while others may read it");
  for (const DeviceIssue &issue : going)
    require(issue.left.array != give.channel && issue.right.array != give.channel,
            "'" + give.channel + "' is given back while '" + issue.name + "' reads it");
  together = true;
}

/// Where the factors lie.
void RoleVerifier::factors(const DeviceIssue &issue) {
  require(channel(issue.right.array) != nullptr, "the right factor of '" + issue.name + "' is no channel");
  const TileArray *left = held(issue.left.array);
  require(left || channel(issue.left.array), "the left factor of '" + issue.name + "' is no tile");
  const std::int64_t terms = constant(issue.sum.limit);
  require(terms > 0 && terms % (roles.atom.paired ? 16 : 8) == 0, "'" + issue.name + "' has so many terms");
  if (!left) return;
  const WarpShares shares{roles.groups, 1};
  const bool lies = roles.atom.asynchronous ? left->layout == leftOf(roles.atom, terms, shares)
                                            : termsOrder(roles.atom, left->layout, terms, shares).has_value();
  require(lies, "the left factor of '" + issue.name + "' lies as " + show(left->layout));
}

void RoleVerifier::node(const DeviceIssue &issue) {
  require(held(issue.target.array) != nullptr, "the target of '" + issue.name + "' is in no registers");
  factors(issue);
  for (const DeviceIssue &other : going)
    require(other.target.array != issue.left.array, "'" + issue.name + "' reads what '" + other.name + "' writes");
  if (roles.atom.asynchronous) going.push_back(issue);
  together = false;
}

void RoleVerifier::node(const DeviceAwait &await) {
  const auto at =
      std::find_if(going.rbegin(), going.rend(), [&](const DeviceIssue &i) { return i.name == await.name; });
  if (at == going.rend()) return require(false, "'" + await.name + "' is awaited, and does not go on");
  require(at - going.rbegin() == await.pending, "the wait for '" + await.name + "' leaves others pending");
  const auto last = at.base();
  const auto stands = [&](const std::string &array) {
    return std::find(await.after.begin(), await.after.end(), array) != await.after.end();
  };
  for (auto issue = going.begin(); issue != last; ++issue)
    require(stands(issue->target.array),
            "'" + issue->target.array + "' may be read before '" + await.name + "' is done");
  going.erase(going.begin(), last);
  together = true;
}

/// What goes on at the beginning of a turn goes on at its end.
void RoleVerifier::node(const std::shared_ptr<const DeviceLoop> &loop) {
  const auto names = [&] {
    std::vector<std::string> all;
    for (const DeviceIssue &issue : going) all.push_back(issue.name);
    return all;
  };
  const std::vector<std::string> before = names();
  together = false;
  computes(loop->body);
  together = false;
  require(names() == before, "a turn of '" + loop->variable + "' leaves products that the next does not expect");
}

void RoleVerifier::node(const std::shared_ptr<const DeviceBranch> &branch) {
  const std::vector<DeviceIssue> before = going;
  const bool met = together;
  computes(branch->then);
  const std::size_t after = going.size();
  const bool metThen = std::exchange(together, met);
  going = before;
  computes(branch->otherwise);
  require(going.size() == after, "one side of a branch leaves products that the other does not");
  together = together && metThen;
}

void RoleVerifier::computes(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

std::vector<std::string> RoleVerifier::run() {
  threads();
  channels();
  layouts();
  marks();
  copies(roles.copies);
  computes(roles.computes);
  require(going.empty(), "products go on when a point is done");
  return std::move(found);
}

} // namespace

std::vector<std::string> roleFaults(const DeviceKernel &kernel) { return RoleVerifier(kernel).run(); }

} // namespace polymend::device_room
