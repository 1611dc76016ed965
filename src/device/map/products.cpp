// A product into a cleared matrix overwrites it: the clearing is left out. Where products run beside the threads, what
// was computed beside them must not be put off until after they are awaited. One lane gives a slot back for its warp:
// the lanes must have met since they last read it, which products and votes of a warp see to.
#include "products.h"

#include "device/rings.h"
#include "polymend/atoms.h"
#include "polymend/contraction.h"
#include "polymend/machine.h"
#include "registers.h"
#include "tile/visit.h"

#include <algorithm>
#include <utility>

namespace polymend::device_room {

namespace {

/// Sets a matrix to zero, whole.
bool clears(const TileNode &node, const std::string &array) {
  const auto *p = as<TilePoints>(node);
  if (!p || p->body.size() != 1) return false;
  const TileAssign &a = p->body[0];
  return a.target.array == array && a.update == Update::Set && !a.where && a.value.op() == Op::Real &&
         a.value->real == 0;
}

void noteReads(const TilePoints &points, std::set<std::string> &read) {
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) read.insert(e->name);
    });
}

/// The arrays that regions of the block read after node number `at`.
std::set<std::string> readAfter(const TileBlock &nodes, std::size_t at) {
  std::set<std::string> read;
  for (std::size_t k = at + 1; k < nodes.size(); ++k)
    if (const auto *p = as<TilePoints>(nodes[k])) noteReads(*p, read);
  return read;
}

class ProductMapper {
public:
  ProductMapper(const Kernel &k, const TileProgram &p, const DeviceRoles &r, bool approximates)
      : kernel(k), roles(r), registers(k, p, r, approximates) {}
  Result<DeviceBlock> run();

private:
  [[nodiscard]] const TileArray *fragment(const std::string &name) const;
  [[nodiscard]] bool isMatrix(const std::string &name) const;
  [[nodiscard]] std::optional<Refusal> misplaced() const;
  [[nodiscard]] std::optional<Refusal> leftLies(const TileArray &left, std::int64_t terms) const;
  void note(std::optional<Refusal> refusal, const TileNode &node);
  DeviceBlock block(const TileBlock &nodes);
  void issue(const TileAsync &async, bool fresh, const TileNode &node, DeviceBlock &out);
  void sync(const TileSync &sync, const std::set<std::string> &readLater, DeviceBlock &out);
  void await(const std::string &name, const std::set<std::string> &readLater, DeviceBlock &out);
  void loop(const TileLoop &loop, const TileNode &node, DeviceBlock &out);
  void branch(const TileBranch &branch, DeviceBlock &out);

  const Kernel &kernel;
  const DeviceRoles &roles;
  RegisterMapper registers;
  TileLayout matrix;              // of the first tile of two dimensions
  std::int64_t warpsN = 1;        // warps of a group beside each other
  bool together = false;          // since the last wait for a channel a warp's lanes met
  std::vector<DeviceIssue> going; // issued and not awaited, oldest first
  std::optional<Refusal> failure; // the first
};

const TileArray *ProductMapper::fragment(const std::string &name) const {
  const auto at =
      std::find_if(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == roles.tiles.end() ? nullptr : &*at;
}

bool ProductMapper::isMatrix(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile && tile->extents.size() == 2;
}

/// Keeps the first refusal, with the node's place where it has none.
void ProductMapper::note(std::optional<Refusal> refusal, const TileNode &node) {
  if (failure || !refusal) return;
  if (!refusal->where.valid()) refusal->where = placeOf({node});
  failure = std::move(refusal);
}

/// A tile that lies otherwise than the sums of products do.
std::optional<Refusal> ProductMapper::misplaced() const {
  for (const TileArray &tile : roles.tiles) {
    const bool vector = tile.extents.size() == 1;
    const WarpShares shares{constant(tile.extents[0]) / groupRows(roles.atom), warpsN};
    const TileLayout sums = sumsOf(roles.atom, vector ? roles.atom.columns : constant(tile.extents[1]), shares);
    const bool whole = warpsN == 1 || (!vector && registersOf(tile.layout) == registersOf(matrix));
    if (!whole || tile.layout != (vector ? sliced(sums, 1, !tile.layout.parts.empty()) : sums))
      return Refusal{"'" + tile.name + "', which lies as " + show(tile.layout), placeOf(kernel, tile.name)};
  }
  return std::nullopt;
}

/// Does a left factor in registers lie as the units take its terms?
std::optional<Refusal> ProductMapper::leftLies(const TileArray &left, std::int64_t terms) const {
  const WarpShares shares{roles.groups, 1};
  bool lies = false;
  if (roles.atom.asynchronous) {
    lies = left.layout == leftOf(roles.atom, terms, shares);
  } else {
    if (warpsN > 1) return Refusal{"a left factor that several warps hold", {}};
    using Order = std::vector<std::size_t>;
    lies = termsOrder(roles.atom, left.layout, terms, shares) == (roles.atom.paired ? Order{0, 1, 2} : Order{1, 0});
  }
  if (lies) return std::nullopt;
  return Refusal{"a left factor that lies as " + show(left.layout), {}};
}

void ProductMapper::issue(const TileAsync &async, bool fresh, const TileNode &node, DeviceBlock &out) {
  const auto parts = contractionOf(async.points, kernel.tiles);
  if (!parts) return note(Refusal{"a contraction that is none", {}}, node);
  DeviceIssue issue{async.name, {}, {}, {}, parts->target, parts->a, parts->b, fresh};
  for (const PointDim &d : async.points.dims)
    (d.variable == parts->k ? issue.sum : d.variable == parts->m ? issue.row : issue.column) = d;
  const std::int64_t terms = constant(issue.sum.limit), step = roles.atom.paired ? 16 : 8;
  if (terms % step != 0) return note(Refusal{"a contraction of so many terms", {}}, node);
  if (const TileArray *left = fragment(parts->a.array)) note(leftLies(*left, terms), node);
  if (roles.atom.asynchronous) going.push_back(issue);
  out.emplace_back(std::move(issue));
  together = false;
}

void ProductMapper::await(const std::string &name, const std::set<std::string> &readLater, DeviceBlock &out) {
  std::size_t last = going.size();
  for (std::size_t k = 0; k < going.size(); ++k)
    if (going[k].name == name) last = k;
  if (last == going.size()) return;
  DeviceAwait await{name, static_cast<std::int64_t>(going.size() - last - 1), {}, {}};
  std::set<std::string> ofProducts, done;
  for (const DeviceIssue &issue : going) ofProducts.insert({issue.target.array, issue.left.array});
  for (const std::string &array : readLater)
    if (isMatrix(array) && !ofProducts.contains(array)) await.before.push_back(array);
  for (std::size_t k = 0; k <= last; ++k) {
    done.insert(going[k].target.array);
    if (fragment(going[k].left.array)) done.insert(going[k].left.array);
  }
  going.erase(going.begin(), going.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  await.after.assign(done.begin(), done.end());
  out.emplace_back(std::move(await));
  together = true;
}

void ProductMapper::sync(const TileSync &s, const std::set<std::string> &readLater, DeviceBlock &out) {
  switch (s.kind) {
  case TileSync::Kind::Await: return await(s.name, readLater, out);
  case TileSync::Kind::Combine:
    registers.combine(s.name);
    out.emplace_back(DeviceCombine{s.name});
    return;
  case TileSync::Kind::Get:
    out.emplace_back(DeviceTake{s.name});
    together = false;
    return;
  case TileSync::Kind::Release:
    out.emplace_back(DeviceGive{s.name, roles.atom.asynchronous && !together});
    together = true;
    return;
  }
}

void ProductMapper::loop(const TileLoop &loop, const TileNode &node, DeviceBlock &out) {
  const bool inside = !going.empty();
  together = false; // as the turn before may have left it
  out.emplace_back(std::make_shared<const DeviceLoop>(
      DeviceLoop{loop.variable, loop.first, loop.limit, loop.step, DeviceLoop::Kind::Serial, block(loop.body)}));
  together = false;
  if (inside == going.empty()) note(Refusal{"a loop leaves products that it does not wait for", {}}, node);
}

void ProductMapper::branch(const TileBranch &branch, DeviceBlock &out) {
  const bool before = together;
  DeviceBlock then = block(branch.then);
  const bool afterThen = std::exchange(together, before);
  DeviceBlock otherwise = block(branch.otherwise);
  together = together && afterThen;
  out.emplace_back(
      std::make_shared<const DeviceBranch>(DeviceBranch{branch.condition, std::move(then), std::move(otherwise)}));
}

DeviceBlock ProductMapper::block(const TileBlock &nodes) {
  std::set<std::size_t> left;
  std::set<const TileAsync *> fresh;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto *a = as<TileAsync>(nodes[k]);
    if (!a || a->kind != TileAsync::Kind::Contract) continue;
    for (std::size_t before = k; before-- > 0;) {
      const bool harmless = as<TileSync>(nodes[before]) || as<TileNote>(nodes[before]);
      if (clears(nodes[before], a->points.body[0].target.array)) {
        left.insert(before);
        fresh.insert(a);
      }
      if (!harmless) break;
    }
  }
  DeviceBlock result;
  registers.forgetVote();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const TileNode &node = nodes[k];
    if (left.contains(k)) continue;
    if (const auto *remark = as<TileNote>(node)) result.emplace_back(*remark);
    if (const auto *s = as<TileSync>(node)) sync(*s, readAfter(nodes, k), result);
    if (const auto *a = as<TileAsync>(node)) issue(*a, fresh.contains(a), node, result);
    if (const auto *l = as<TileLoop>(node)) loop(*l, node, result);
    if (const auto *b = as<TileBranch>(node)) branch(*b, result);
    if (const auto *p = as<TilePoints>(node)) {
      std::set<std::string> read;
      noteReads(*p, read);
      for (const DeviceChannel &c : roles.channels) together = together && !read.contains(c.tile.name);
      note(registers.region(*p, result), node);
    }
  }
  registers.forgetVote();
  return result;
}

Result<DeviceBlock> ProductMapper::run() {
  matrix = layoutOfMatrices(roles);
  if (matrix) warpsN = sharesOf(matrix).warpsN;
  if (auto refusal = misplaced()) return *refusal;
  DeviceBlock result = block(kernel.roles[1].body);
  if (failure) return *failure;
  return result;
}

} // namespace

Result<DeviceBlock> mapProducts(const Kernel &kernel, const TileProgram &program, const DeviceRoles &roles,
                                bool approximates) {
  return ProductMapper(kernel, program, roles, approximates).run();
}

} // namespace polymend::device_room
