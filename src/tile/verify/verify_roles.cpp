// The rules of roles. A channel has one role that copies into it and one that gets it; every other tile belongs to one
// role; nobody assigns what a copy of the same launch reads. Copies are whole slots from one array, contractions are
// products of tiles; what a group computes of a fragment uses its own rows of every other.
#include "faults.h"

#include "tile/filled_rows.h"
#include "tile/visit.h"

#include <algorithm>
#include <set>

namespace polymend::tile {

namespace {

bool isConstant(const Expr &e) { return e && e.op() == Op::Integer; }
bool isConstant(const Expr &e, std::int64_t value) { return isConstant(e) && e->integer == value; }
bool isIndex(const Expr &e, const std::string &variable) { return e && e.op() == Op::Symbol && e->name == variable; }

/// The read under any casts, or an absent expression.
Expr underCasts(const Expr &e) {
  if (!e) return {};
  if (e.op() == Op::Read) return e;
  return e.op() == Op::Cast ? underCasts(e.arg(0)) : Expr();
}

class RoleRules {
public:
  RoleRules(const Kernel &k, const std::map<std::string, TileArray> &all) : kernel(k), arrays(all) {}
  std::vector<std::string> run();

private:
  void complain(const std::string &what) { found.push_back(what); }
  void require(bool holds, const std::string &what) {
    if (!holds) complain(what);
  }
  [[nodiscard]] const TileArray *find(const std::string &name) const;
  [[nodiscard]] bool lives(const std::string &name, Space space) const;
  void withoutRoles();
  void collect(const TileRole &r);
  void leaf(const TileNote &) {}
  void leaf(const TileAssign &a);
  void leaf(const std::shared_ptr<const TilePoints> &p);
  void leaf(const std::shared_ptr<const TileAsync> &a);
  void leaf(const TileSync &s);
  void leaf(const std::shared_ptr<const TileLoop> &) {}
  void leaf(const std::shared_ptr<const TileBranch> &) {}
  void uses(const TileAssign &a);
  void sharesRows(const TileAssign &a);
  void copy(const TilePoints &p);
  void contract(const TilePoints &p);
  void channels();
  void owners();

  const Kernel &kernel;
  const std::map<std::string, TileArray> &arrays;
  const TileRole *role = nullptr;
  std::vector<std::string> found;
  std::map<std::string, std::set<std::string>> producers, getters, users; // roles by array
  std::set<std::string> contractions;                                     // of this role, by name
  std::set<std::string> sources, assigned;                                // of copies; by anyone
};

const TileArray *RoleRules::find(const std::string &name) const {
  const auto at = arrays.find(name);
  return at == arrays.end() ? nullptr : &at->second;
}

bool RoleRules::lives(const std::string &name, Space space) const {
  const TileArray *array = find(name);
  return array && array->space == space;
}

void RoleRules::withoutRoles() {
  for (const TileArray &a : kernel.tiles)
    require(a.space != Space::Shared && a.space != Space::Fragment, "'" + a.name + "' needs a kernel with roles");
  const auto always = [](const auto &) { return true; };
  require(!any<TileAsync>(kernel.body, always) && !any<TileSync>(kernel.body, always),
          "a copy, contraction or wait stands outside of a role");
}

/// Each group of the role has its own rows of a fragment: those of one assignment must be the same rows.
void RoleRules::sharesRows(const TileAssign &a) {
  Expr row, extent;
  const auto add = [&](const std::string &name, const std::vector<Expr> &subscripts) {
    const TileArray *array = find(name);
    if (!array || array->space != Space::Fragment || array->extents.empty() || subscripts.empty()) return;
    if (!row) {
      row = subscripts.front();
      extent = array->extents.front();
    }
    require(equal(row, subscripts.front()) && equal(extent, array->extents.front()),
            "'" + a.target.array + "' is assigned from other rows of the fragment '" + name + "'");
  };
  add(a.target.array, a.target.subscripts);
  const auto addRead = [&](const Expr &e) {
    if (e.op() == Op::Read) add(e->name, e->args);
  };
  if (a.value) visit(a.value, addRead);
  if (a.where) visit(a.where, addRead);
}

void RoleRules::uses(const TileAssign &a) {
  const auto add = [&](const Expr &e) {
    if (e.op() == Op::Read) users[e->name].insert(role->name);
  };
  if (a.value) visit(a.value, add);
  if (a.where) visit(a.where, add);
  sharesRows(a);
}

void RoleRules::leaf(const TileAssign &a) {
  require(!lives(a.target.array, Space::Shared), "'" + a.target.array + "' is assigned by something else than a copy");
  assigned.insert(a.target.array);
  users[a.target.array].insert(role->name);
  uses(a);
}

void RoleRules::leaf(const std::shared_ptr<const TilePoints> &p) {
  if (!p) return;
  for (const TileAssign &a : p->body) leaf(a);
}

/// The box of a copy is its slot: each dimension of the tile is indexed by one dimension of the points, or is one.
void RoleRules::copy(const TilePoints &p) {
  const TileAssign &a = p.body.front();
  const TileArray *target = find(a.target.array), *source = nullptr;
  if (!target || target->space != Space::Shared) return complain("a copy assigns '" + a.target.array + "', no channel");
  producers[target->name].insert(role->name);
  std::set<std::string> indexed;
  for (std::size_t i = 0; i < target->extents.size() && i < a.target.subscripts.size(); ++i) {
    const Expr &subscript = a.target.subscripts[i], &extent = target->extents[i];
    const auto dim =
        std::find_if(p.dims.begin(), p.dims.end(), [&](const PointDim &d) { return isIndex(subscript, d.variable); });
    const bool one = isConstant(extent, 1) && isConstant(subscript, 0);
    const bool whole = dim != p.dims.end() && isConstant(extent) && isConstant(dim->first, 0) &&
                       isConstant(dim->limit, extent->integer) && indexed.insert(dim->variable).second;
    require(one || whole, "the copy into '" + target->name + "' does not fill its slot");
  }
  require(indexed.size() == p.dims.size(), "the copy into '" + target->name + "' fills an element twice");
  require(a.update == Update::Set && (!a.where || filledRows(a)),
          "the copy into '" + target->name + "' is no plain assignment of its first rows");
  if (a.value && a.value.op() == Op::Read) source = find(a.value->name);
  if (!source || (source->space != Space::Argument && source->space != Space::Work))
    return complain("the copy into '" + target->name + "' reads no single array of the program");
  sources.insert(source->name);
  require(source->type == target->type, "the copy into '" + target->name + "' converts");
  require(a.value->args.size() == source->extents.size() && staysWithin(a, *source),
          "the copy into '" + target->name + "' reads an array without known extents");
}

void RoleRules::contract(const TilePoints &p) {
  const TileAssign &a = p.body.front();
  const std::string what = "the contraction into '" + a.target.array + "'";
  require(lives(a.target.array, Space::Fragment), what + " assigns no fragment");
  require(a.update == Update::Sum && !a.where, what + " is no plain sum");
  for (const PointDim &d : p.dims)
    require(isConstant(d.first) && isConstant(d.limit), what + " has no constant extent along '" + d.variable + "'");
  if (!a.value || a.value.op() != Op::Mul) return complain(what + " is no sum of products");
  for (const Expr &factor : a.value->args) {
    const Expr read = underCasts(factor);
    require(read && (lives(read->name, Space::Shared) || lives(read->name, Space::Fragment)),
            what + " has a factor that is no tile of roles");
  }
  users[a.target.array].insert(role->name);
  uses(a);
}

void RoleRules::leaf(const std::shared_ptr<const TileAsync> &a) {
  if (!a) return;
  if (a->points.body.size() != 1) return complain("a copy or contraction has not one assignment");
  if (a->kind == TileAsync::Kind::Copy) return copy(a->points);
  require(!a->name.empty(), "a contraction has no name to wait for");
  contract(a->points);
}

void RoleRules::leaf(const TileSync &s) {
  if (s.kind == TileSync::Kind::Await)
    return require(contractions.contains(s.name), "role '" + role->name + "' awaits '" + s.name + "', issued nowhere");
  if (s.kind == TileSync::Kind::Combine) {
    users[s.name].insert(role->name);
    return require(lives(s.name, Space::Fragment), "role '" + role->name + "' combines '" + s.name + "', no fragment");
  }
  require(lives(s.name, Space::Shared), "role '" + role->name + "' gets or releases '" + s.name + "', no channel");
  users[s.name].insert(role->name);
  if (s.kind == TileSync::Kind::Get) getters[s.name].insert(role->name);
}

void RoleRules::collect(const TileRole &r) {
  role = &r;
  require(r.groups >= 1, "role '" + r.name + "' has no groups");
  require(r.registers >= 0, "role '" + r.name + "' has less than no registers");
  contractions.clear();
  each<TileAsync>(r.body, [&](const TileAsync &async) {
    if (async.kind == TileAsync::Kind::Contract) contractions.insert(async.name);
  });
  allNodes(r.body, [&](const TileNode &node) {
    std::visit([&](const auto &x) { leaf(x); }, node);
    return true;
  });
}

void RoleRules::channels() {
  for (const TileArray &a : kernel.tiles) {
    if (a.space != Space::Shared) continue;
    require(producers[a.name].size() == 1, "the channel '" + a.name + "' is not filled by one role");
    require(getters[a.name].size() == 1 && users[a.name] == getters[a.name],
            "the channel '" + a.name + "' is not got, read and released by one role");
  }
}

/// A tile that is no channel lives in its role: rows of fragments are divided among the groups of that role.
void RoleRules::owners() {
  for (const TileArray &a : kernel.tiles) {
    if (a.space == Space::Shared) continue;
    require(users[a.name].size() <= 1, "'" + a.name + "' is used by more than one role");
    if (a.space != Space::Fragment) continue;
    const bool rows = !a.extents.empty() && isConstant(a.extents.front());
    for (const TileRole &r : kernel.roles)
      if (users[a.name].contains(r.name) && r.groups >= 1)
        require(rows && a.extents.front()->integer % (groupRows(atomOf(kernel)) * r.groups) == 0,
                "the rows of the fragment '" + a.name + "' are no multiple of 64 for each group of '" + r.name + "'");
  }
}

std::vector<std::string> RoleRules::run() {
  if (kernel.roles.empty()) {
    withoutRoles();
    return found;
  }
  require(kernel.body.empty(), "a kernel with roles has a body of its own");
  std::set<std::string> names;
  for (const TileRole &r : kernel.roles) {
    require(names.insert(r.name).second, "two roles are called '" + r.name + "'");
    collect(r);
  }
  channels();
  owners();
  for (const std::string &source : sources)
    require(!assigned.contains(source), "'" + source + "' is assigned in the kernel that copies it");
  return found;
}

} // namespace

std::vector<std::string> roleFaults(const Kernel &k, const std::map<std::string, TileArray> &arrays) {
  return RoleRules(k, arrays).run();
}

} // namespace polymend::tile
