#include "own_copies.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace polymend {

std::vector<TileArray> OwnCopies::forThread(const std::vector<std::string> &arrays) {
  std::vector<TileArray> copies;
  for (const std::string &name : arrays) {
    const Array &array = scop.array(name);
    TileArray mine;
    mine.name = freshName(name + "_own");
    mine.type = array.type;
    mine.extents = array.extents;
    mine.written = true;
    mine.space = Space::Thread;
    here[name] = std::make_shared<Copy>(Copy{{mine.name, {}}, {}});
    copied.insert(name);
    copies.push_back(std::move(mine));
  }
  return copies;
}

bool OwnCopies::forPoints(const std::vector<std::string> &arrays, const PointDim &dim) {
  const Expr turns = simplify(Expr::make(Op::Max, Type::Int64, {Expr::integer(0), dim.limit - dim.first}));
  const auto isSize = [&](const std::string &name) {
    return std::ranges::find(scop.parameters, name) != scop.parameters.end();
  };
  if (!arrays.empty() && !std::ranges::all_of(symbols(turns), isSize)) return false;
  const Expr turn = simplify(Expr::symbol(dim.variable, Type::Int64) - dim.first);
  for (const std::string &name : arrays) {
    const auto outer = here.find(name);
    Copy copy = outer == here.end() ? Copy() : *outer->second;
    copy.first.array.clear();
    copy.first.subscripts.push_back(turn);
    copy.turns.push_back(turns);
    here[name] = std::make_shared<Copy>(std::move(copy));
    copied.insert(name);
  }
  return true;
}

Ref OwnCopies::standingFor(const std::string &array) {
  const auto found = here.find(array);
  if (found == here.end()) {
    inMemory.insert(array);
    return {array, {}};
  }
  Copy &copy = *found->second;
  if (copy.first.array.empty()) {
    const Array &model = scop.array(array);
    TileArray all;
    all.name = copy.first.array = freshName(array + "_of_each");
    all.type = model.type;
    all.extents = copy.turns;
    all.extents.insert(all.extents.end(), model.extents.begin(), model.extents.end());
    all.written = true;
    all.space = Space::Work;
    program.arrays.push_back(std::move(all));
  }
  return copy.first;
}

std::set<std::string> OwnCopies::halfShared() const {
  std::set<std::string> both;
  std::ranges::set_intersection(copied, inMemory, std::inserter(both, both.end()));
  return both;
}

std::string OwnCopies::freshName(std::string name) const {
  const auto isNamed = [&](const auto &one) { return one.name == name; };
  const auto isTaken = [&] {
    return std::ranges::any_of(scop.arrays, isNamed) || std::ranges::any_of(program.arrays, isNamed) ||
           std::ranges::find(scop.parameters, name) != scop.parameters.end() ||
           std::ranges::any_of(program.scalars, [&](const auto &one) { return one.first == name; });
  };
  while (isTaken()) name += "_";
  return name;
}

} // namespace polymend
