// The host's statements around launches: nothing is decided here.
#include "print/gpu_kernel.h"
#include "print/region.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

class HostWalk {
public:
  HostWalk(const DeviceProgram &p, DeviceFunction &f, Writer &w)
      : program(p), function(f), context(f.context), host(w) {}
  void block(const DeviceBlock &nodes) {
    for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
  }

private:
  void node(const DeviceLaunch &l) { printKernel(program.kernels[l.kernel], function, host); }
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  template <class Node> void node(const Node &) {} // of kernels

  const DeviceProgram &program;
  DeviceFunction &function;
  Context &context;
  Writer &host;
};

void HostWalk::node(const std::shared_ptr<const DeviceLoop> &l) {
  context.narrow.erase(l->variable);
  const std::string head = loopHead(l->variable, l->first, l->limit, l->step, context);
  context.signs.note({l->variable, l->first, l->limit, PointDim::Kind::Serial});
  function.hostValues.push_back(context.names.of(l->variable));
  host.block(head, [&] { block(l->body); });
  function.hostValues.pop_back();
}

void HostWalk::node(const std::shared_ptr<const DeviceBranch> &b) {
  host.block("if (" + printExpr(b->condition, context) + ")", [&] { block(b->then); });
  if (!b->otherwise.empty()) host.block("else", [&] { block(b->otherwise); });
}

} // namespace

void printHost(const DeviceBlock &nodes, const DeviceProgram &program, DeviceFunction &function, Writer &host) {
  HostWalk(program, function, host).block(nodes);
}

void beginWork(const DeviceStep &step, DeviceFunction &function, Writer &host) {
  for (const TileArray &a : step.work) {
    placeGlobal(a, function.context);
    function.work.push_back(&a);
    printScratch(a, function.context.names.of(a.name) + "Memory", "", function, host);
  }
}

void endWork(const DeviceStep &step, DeviceFunction &function) {
  function.work.resize(function.work.size() - step.work.size());
  for (const TileArray &a : step.work) function.context.places.erase(a.name);
}

} // namespace polymend::print_room
