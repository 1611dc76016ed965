// What forgetting keeps is verified as a tile program; this asks for the rest.
#include "polymend/verify.h"
#include "polymend/verify_device.h"

#include "device/depends.h"
#include "device/launches.h"
#include "device/walk.h"
#include "verify_entry.h"
#include "verify_roles.h"
#include "verify_team.h"

#include <algorithm>
#include <set>

namespace polymend {

namespace {

using device_room::dependsOn;
using device_room::usesAny;

class Verifier {
public:
  std::vector<std::string> run(const DeviceProgram &program);

private:
  using Form = DeviceSharing::Form;
  using Order = DeviceSharing::Order;
  using Place = DeviceTile::Place;

  void complain(const std::string &what) { found.push_back(place.empty() ? what : place + ": " + what); }
  void kernel(const DeviceKernel &k);
  void launch(const DeviceProgram &program, const DeviceKernel &k);
  void tile(const DeviceTile &t, const DeviceKernel &k);
  void sharing(const DeviceKernel &k);
  void block(const DeviceBlock &nodes, bool inVectors);
  void node(const TileNote &, bool) {}
  void node(const DeviceAssign &a, bool);
  void node(const DeviceLet &l, bool);
  void node(const DeviceFold &f, bool inVectors);
  void node(const DeviceMultiply &, bool inVectors) { form(inVectors, "a product"); }
  void node(const DeviceTranspose &, bool inVectors) { form(inVectors, "a transposition"); }
  void node(const std::shared_ptr<const DeviceLoop> &l, bool inVectors);
  void node(const std::shared_ptr<const DeviceBranch> &b, bool inVectors);
  template <class Node> void node(const Node &, bool) { complain("a statement of a team in a kernel of threads"); }
  void form(bool inVectors, const std::string &what) {
    if (inVectors) complain(what + " within a loop in vectors");
  }

  std::vector<std::string> found;
  std::string place;
  std::set<std::string> lets;
  std::set<std::string> pending; // tiles that an assignment declares, which none around has
};

void Verifier::sharing(const DeviceKernel &k) {
  const DeviceSharing &s = k.sharing;
  if (k.grid.empty() != (s.order == Order::Alone)) complain("a grid is shared exactly where it has dimensions");
  if (s.turn && s.order != Order::Dynamic) complain("turns of a grid that is not handed out in turns");
  for (const PointDim &d : k.grid) {
    if (d.kind != PointDim::Kind::Parallel) complain("the grid's '" + d.variable + "' is not parallel");
    const bool moves = usesAny(d.first, k.grid) || usesAny(d.limit, k.grid);
    if (moves && s.form == Form::Collapsed) complain("a collapsed grid whose bounds use '" + d.variable + "'");
    if (s.turn && dependsOn(s.turn, d.variable)) complain("a turn that uses '" + d.variable + "'");
  }
}

void Verifier::tile(const DeviceTile &t, const DeviceKernel &k) {
  if (t.place == Place::Assignment && !t.array.extents.empty()) complain("'" + t.array.name + "' is no scalar");
  for (const Expr &extent : t.array.extents) {
    if (t.place == Place::Stack && simplify(extent).op() != Op::Integer)
      complain("'" + t.array.name + "' on the stack has an extent that is not constant");
    if (t.place == Place::Heap && usesAny(extent, k.grid))
      complain("'" + t.array.name + "' is allocated before its extents are known");
  }
  if (t.place == Place::Stack && t.array.space == Space::Row && !t.array.extents.empty())
    complain("the row '" + t.array.name + "' is on the stack");
}

void Verifier::node(const DeviceLet &l, bool) {
  if (!l.value) return complain("'" + l.name + "' has no value");
  if (!lets.insert(l.name).second) complain("'" + l.name + "' is named twice");
}

/// The element must be the same for all points, and none of them may read it but to update it.
void Verifier::node(const DeviceFold &f, bool inVectors) {
  form(inVectors, "a fold");
  if (f.what.update == Update::Set) complain("a fold that updates nothing");
  if (f.what.where) complain("a fold of some points alone");
  if (reads(f.what.value, f.what.target.array)) complain("a fold that reads '" + f.what.target.array + "'");
  for (const Expr &subscript : f.what.target.subscripts)
    if (dependsOn(subscript, f.along.variable)) complain("a fold into more than one element");
  if (f.what.value && f.what.value.type() != f.carrier) complain("a fold of values of another type than its parts");
}

void Verifier::node(const std::shared_ptr<const DeviceLoop> &l, bool inVectors) {
  const bool isWritten = l->kind == DeviceLoop::Kind::Unroll; // out: no loop is left
  form(inVectors && !isWritten, "a loop");
  if (l->step <= 0) complain("the step of '" + l->variable + "' is not positive");
  if (l->goesOn && l->kind != DeviceLoop::Kind::Serial) complain("a loop that data end, but not in order");
  block(l->body, l->kind == DeviceLoop::Kind::Vector || (isWritten && inVectors));
}

void Verifier::node(const std::shared_ptr<const DeviceBranch> &b, bool inVectors) {
  block(b->then, inVectors);
  block(b->otherwise, inVectors);
}

void Verifier::node(const DeviceAssign &a, bool) {
  if (!a.declares) return;
  if (a.what.update != Update::Set || a.what.where) complain("a declaration without a first value");
  if (pending.erase(a.what.target.array) == 0)
    complain("'" + a.what.target.array + "' is declared here, and elsewhere too");
}

/// What is declared in a block is known to its end.
void Verifier::block(const DeviceBlock &nodes, bool inVectors) {
  const std::set<std::string> before = pending;
  for (const DeviceNode &n : nodes) {
    for (const std::string &tile : std::set<std::string>(pending)) {
      const auto *assign = std::get_if<DeviceAssign>(&n);
      const bool declares = assign && assign->declares && assign->what.target.array == tile;
      const bool within = !device_room::blocksOf(n).empty();
      bool reads = false;
      device_room::eachExpr(n, [&](const Expr &e) { reads = reads || polymend::reads(e, tile); });
      if (reads || (!declares && !within && device_room::touches(n, tile)))
        complain("'" + tile + "' is touched before it is declared");
    }
    std::visit([&](const auto &x) { node(x, inVectors); }, n);
  }
  pending = before;
}

void Verifier::kernel(const DeviceKernel &k) {
  place = "kernel '" + k.name + "'";
  sharing(k);
  pending.clear();
  for (const DeviceTile &t : k.tiles) {
    tile(t, k);
    if (t.place == Place::Assignment) pending.insert(t.array.name);
  }
  block(k.body, false);
  place.clear();
}

/// A kernel whose points come in another's launch.
void Verifier::launch(const DeviceProgram &program, const DeviceKernel &k) {
  const auto first = std::find_if(program.kernels.begin(), program.kernels.end(),
                                  [&](const DeviceKernel &other) { return other.name == k.launch; });
  if (first == program.kernels.end() ||
      !device_room::canFollow(program, static_cast<std::size_t>(first - program.kernels.begin()),
                              static_cast<std::size_t>(&k - program.kernels.data())))
    found.push_back("kernel '" + k.name + "' cannot come in the launch of '" + k.launch + "'");
}

std::vector<std::string> Verifier::run(const DeviceProgram &program) {
  found = verify(forget(program));
  for (const std::string &fault : device_room::entryFaults(program)) found.push_back(fault);
  for (const DeviceKernel &k : program.kernels) {
    if (!k.team && !k.roles) kernel(k);
    if (k.team)
      for (const std::string &fault : device_room::teamFaults(k)) found.push_back(fault);
    if (k.roles)
      for (const std::string &fault : device_room::roleFaults(k)) found.push_back(fault);
    if (!k.launch.empty()) launch(program, k);
  }
  return found;
}

} // namespace

std::vector<std::string> verify(const DeviceProgram &program) { return Verifier().run(program); }

} // namespace polymend
