#include "device/plain_names.h"

#include "device/walk.h"

#include <algorithm>
#include <cctype>

namespace polymend::device_room {

namespace {

/// The name without "_2" at its end or before "_block".
std::string withoutNumber(const std::string &name) {
  constexpr std::string_view ending = "_block";
  const bool isBlock = name.ends_with(ending);
  std::string stem = isBlock ? name.substr(0, name.size() - ending.size()) : name;
  for (std::size_t cut = stem.rfind('_'); cut != std::string::npos && cut > 0; cut = stem.rfind('_')) {
    const bool isNumber =
        cut + 1 < stem.size() && std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(cut) + 1, stem.end(),
                                             [](unsigned char c) { return std::isdigit(c); });
    if (!isNumber) break;
    stem.erase(cut);
  }
  return stem + (isBlock ? std::string(ending) : "");
}

DeviceNode renamed(const DeviceNode &node, const std::string &from, const std::string &to);

DeviceBlock renamed(const DeviceBlock &block, const std::string &from, const std::string &to) {
  DeviceBlock result;
  for (const DeviceNode &n : block) result.push_back(renamed(n, from, to));
  return result;
}

/// The node with another symbol in the place of one.
DeviceNode renamed(const DeviceNode &node, const std::string &from, const std::string &to) {
  const DeviceNode own = withExprs(node, [&](const Expr &e) {
    if (!e) return e;
    return rewrite(e, [&](const Expr &part) {
      return part.op() == Op::Symbol && part->name == from ? Expr::symbol(to, part.type()) : part;
    });
  });
  return withBlocks(own, [&](const DeviceBlock &inner) { return renamed(inner, from, to); });
}

/// The names that a node binds itself.
std::vector<std::string> boundBy(const DeviceNode &node) {
  if (const auto *let = std::get_if<DeviceLet>(&node)) return {let->name};
  if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node)) return {(*loop)->variable};
  if (const auto *fold = std::get_if<DeviceFold>(&node)) return {fold->along.variable};
  if (const auto *m = std::get_if<DeviceMultiply>(&node)) return {m->row.variable, m->column.variable, m->sum.variable};
  if (const auto *t = std::get_if<DeviceTranspose>(&node)) return {t->row.variable, t->column.variable};
  return {};
}

/// The names that a node's expressions mention, and those that it and what it holds bind.
void noteNames(const DeviceNode &node, std::set<std::string> &names) {
  eachExpr(node, [&](const Expr &e) {
    if (!e) return;
    visit(e, [&](const Expr &part) {
      if (part.op() == Op::Symbol || part.op() == Op::Read) names.insert(part->name);
    });
  });
  for (const std::string &name : boundBy(node)) names.insert(name);
  for (const DeviceBlock *inner : blocksOf(node))
    for (const DeviceNode &n : *inner) noteNames(n, names);
}

class Renamer {
public:
  explicit Renamer(std::set<std::string> taken) : around(std::move(taken)) {}
  DeviceBlock block(const DeviceBlock &nodes);

private:
  DeviceNode node(DeviceNode n);
  /// Gives the node's own dimension `variable` a plain name; its text is replaced by `set`.
  std::string plain(const std::string &variable, const std::set<std::string> &others, DeviceNode &n) const;

  std::set<std::string> around; // names that are visible
};

std::string Renamer::plain(const std::string &variable, const std::set<std::string> &others, DeviceNode &n) const {
  std::string name = withoutNumber(variable);
  std::set<std::string> mentioned;
  noteNames(n, mentioned);
  if (name == variable || around.contains(name) || others.contains(name) || mentioned.contains(name)) return variable;
  n = renamed(n, variable, name);
  return name;
}

DeviceNode Renamer::node(DeviceNode n) {
  if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&n)) {
    const std::string name = plain((*loop)->variable, {}, n);
    DeviceLoop copy = *std::get<std::shared_ptr<const DeviceLoop>>(n);
    copy.variable = name;
    const bool isNew = around.insert(name).second;
    copy.body = block(copy.body);
    if (isNew) around.erase(name);
    return std::make_shared<const DeviceLoop>(std::move(copy));
  }
  if (auto *fold = std::get_if<DeviceFold>(&n)) {
    const std::string name = plain(fold->along.variable, {}, n);
    std::get<DeviceFold>(n).along.variable = name;
    return n;
  }
  const auto dims = [&](auto &&dimsOf) {
    std::set<std::string> others;
    for (const PointDim *d : dimsOf(n)) others.insert(d->variable);
    for (std::size_t k = 0; k < dimsOf(n).size(); ++k) {
      const std::string old = dimsOf(n)[k]->variable, name = plain(old, others, n);
      dimsOf(n)[k]->variable = name;
      others.insert(name);
    }
  };
  if (std::holds_alternative<DeviceMultiply>(n))
    dims([](DeviceNode &node) {
      auto &m = std::get<DeviceMultiply>(node);
      return std::vector<PointDim *>{&m.row, &m.column, &m.sum};
    });
  if (std::holds_alternative<DeviceTranspose>(n))
    dims([](DeviceNode &node) {
      auto &t = std::get<DeviceTranspose>(node);
      return std::vector<PointDim *>{&t.row, &t.column};
    });
  return withBlocks(n, [&](const DeviceBlock &inner) { return block(inner); });
}

DeviceBlock Renamer::block(const DeviceBlock &nodes) {
  std::set<std::string> lets;
  for (const DeviceNode &n : nodes)
    if (const auto *let = std::get_if<DeviceLet>(&n))
      if (around.insert(let->name).second) lets.insert(let->name);
  DeviceBlock result;
  for (const DeviceNode &n : nodes) result.push_back(node(n));
  for (const std::string &name : lets) around.erase(name);
  return result;
}

} // namespace

DeviceKernel withPlainNames(DeviceKernel kernel, std::set<std::string> names) {
  names.merge(usedIn(kernel.body));
  for (const PointDim &d : kernel.grid) names.insert(d.variable);
  for (const DeviceTile &tile : kernel.tiles) names.insert(tile.array.name);
  kernel.body = Renamer(std::move(names)).block(kernel.body);
  return kernel;
}

} // namespace polymend::device_room
