#include "device/named_places.h"

#include "device/depends.h"
#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

struct Place {
  Expr value;
  int uses = 0;
  bool isInTurn = false; // it depends on the loop's variable
};

class PlaceNamer {
public:
  PlaceNamer(std::set<std::string> names, std::set<std::string> inRegisters, std::set<std::string> inRuns)
      : taken(std::move(names)), tiles(std::move(inRegisters)), gathered(std::move(inRuns)) {}

  /// `variable`: the loop's whose turn this is; empty: it is none's.
  DeviceBlock block(DeviceBlock nodes, std::set<std::string> known, const std::string &variable) {
    if (!variable.empty()) known.insert(variable);
    for (DeviceNode &node : nodes) {
      const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node);
      const std::string inner = loop ? (*loop)->variable : std::string();
      node = withBlocks(node, [&](const DeviceBlock &body) { return block(body, known, inner); });
    }
    std::vector<Place> places;
    for (const DeviceNode &node : nodes)
      if (isPlaced(node)) eachExpr(node, [&](const Expr &e) { note(e, known, variable, places); });
    for (const Place &place : places) {
      if (!place.isInTurn && place.uses < 2) continue;
      const std::string name = fresh();
      const Expr symbol = Expr::symbol(name, Type::Int64);
      const auto uses = [&](const DeviceNode &node) {
        bool found = false;
        if (isPlaced(node))
          eachExpr(node,
                   [&](const Expr &e) { visit(e, [&](const Expr &x) { found = found || equal(x, place.value); }); });
        return found;
      };
      const auto first = std::find_if(nodes.begin(), nodes.end(), uses);
      std::transform(first, nodes.end(), first, [&](const DeviceNode &node) {
        if (!isPlaced(node)) return node;
        return withExprs(node, [&](const Expr &e) {
          return !e ? e : rewrite(e, [&](const Expr &x) { return equal(x, place.value) ? symbol : x; });
        });
      });
      nodes.insert(first, DeviceLet{name, place.value});
    }
    return nodes;
  }

private:
  /// Where data choose a fill's rows it reads where they are itself, ahead of its turn.
  [[nodiscard]] bool isPlaced(const DeviceNode &node) const {
    const auto *fill = std::get_if<DeviceFill>(&node);
    return fill ? !gathered.contains(fill->channel) : std::holds_alternative<DeviceRegisters>(node);
  }

  [[nodiscard]] bool isPlace(const Expr &e, const std::set<std::string> &known) const {
    if ((e.op() != Op::Select && e.op() != Op::Read) || !isInteger(e.type()) || e.type() == Type::Bool) return false;
    const std::set<std::string> used = symbols(e);
    if (used.empty() || !std::includes(known.begin(), known.end(), used.begin(), used.end())) return false;
    bool found = false;
    visit(e, [&](const Expr &x) { found = found || (x.op() == Op::Read && tiles.contains(x->name)); });
    return !found;
  }

  void note(const Expr &e, const std::set<std::string> &known, const std::string &variable,
            std::vector<Place> &places) const {
    if (!e) return;
    if (!isPlace(e, known)) {
      for (const Expr &arg : e->args) note(arg, known, variable, places);
      return;
    }
    auto at = std::find_if(places.begin(), places.end(), [&](const Place &p) { return equal(p.value, e); });
    if (at == places.end()) at = places.insert(at, {e, 0, !variable.empty() && dependsOn(e, variable)});
    ++at->uses;
  }

  std::string fresh() {
    std::string name = "place";
    for (int k = 2; !taken.insert(name).second; ++k) name = "place_" + std::to_string(k);
    return name;
  }

  std::set<std::string> taken, tiles, gathered; // names; in registers or channels; channels whose rows data choose
};

} // namespace

void namePlaces(DeviceRoles &roles, const std::vector<PointDim> &grid, const std::vector<std::string> &sizes) {
  std::set<std::string> known(sizes.begin(), sizes.end());
  for (const PointDim &d : grid) known.insert(d.variable);
  for (const auto &[name, value] : roles.lets) known.insert(name);
  std::set<std::string> tiles, gathered;
  for (const TileArray &tile : roles.tiles) tiles.insert(tile.name);
  for (const DeviceChannel &c : roles.channels) tiles.insert(c.tile.name);
  for (const DeviceChannel &c : roles.channels)
    if (c.run > 0) gathered.insert(c.tile.name);
  std::set<std::string> taken = known;
  taken.insert(tiles.begin(), tiles.end());
  taken.merge(usedIn(roles.copies));
  taken.merge(usedIn(roles.computes));
  PlaceNamer namer(taken, tiles, gathered);
  roles.copies = namer.block(std::move(roles.copies), known, "");
  roles.computes = namer.block(std::move(roles.computes), known, "");
}

} // namespace polymend::device_room
