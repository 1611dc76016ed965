// A tile of rows sees as many keys along each dimension as its rows do together, in whole chunks: rows that lie close
// together see few, chunks that divide what they see leave few over.
#include "boxes.h"

#include <algorithm>
#include <tuple>

namespace polymend {
namespace {

/// How many elements a copy takes along a dimension at most.
constexpr std::int64_t longestSide = 256;
/// Neighbours in a thread's registers lie beside each other in so many columns.
constexpr std::int64_t columnsOfThread = 8;

/// By what boxes are preferred. Each side of several keys is two questions about each key; at borders, where a tile's
/// rows see fewer keys, chunks that are short along the outermost side are fewer, too.
std::tuple<double, std::int64_t, std::int64_t> orderOf(const std::vector<BoxSide> &sides, double cost) {
  const auto asked = std::ranges::count_if(sides, [](const BoxSide &side) { return side.keys > 1; });
  return {cost, asked, sides.front().keys};
}

class BoxChoice {
public:
  BoxChoice(const std::vector<SlidingWindow> &w, std::int64_t shortest, std::int64_t longest)
      : windows(w), least(shortest), most(longest), sides(w.size()) {
    for (std::size_t k = 0; k < windows.size(); ++k) {
      const SlidingWindow &window = windows[k];
      sides[k] = {window.row, 1, 1, 1, window.first, window.last, window.count, window.at};
    }
  }

  std::optional<Boxes> run(std::int64_t rows) {
    takeRows(0, rows);
    const auto isWide = [](const BoxSide &side) { return side.rows > 1 || side.keys > 1; };
    const bool isLine = best && std::ranges::count_if(best->sides, isWide) < 2;
    return isLine ? std::nullopt : best;
  }

private:
  void takeRows(std::size_t at, std::int64_t rows);
  void takeKeys(std::size_t at, std::int64_t keys);
  void weigh(std::int64_t keys);

  const std::vector<SlidingWindow> &windows;
  const std::int64_t least, most;
  std::vector<BoxSide> sides;
  std::optional<Boxes> best;
};

/// All ways to share rows out among the dimensions from `at` on.
void BoxChoice::takeRows(std::size_t at, std::int64_t rows) {
  if (at + 1 == sides.size()) {
    if (rows > longestSide) return;
    sides[at].rows = rows;
    return takeKeys(sides.size() - 1, 1);
  }
  for (std::int64_t own = 1; own <= std::min(rows, longestSide); own *= 2) {
    sides[at].rows = own;
    takeRows(at + 1, rows / own);
  }
}

/// All chunks that are longer by the dimensions up to `at`, where the others have so many keys.
void BoxChoice::takeKeys(std::size_t at, std::int64_t keys) {
  const bool isInnermost = at + 1 == sides.size();
  const std::int64_t seen = windows[at].seen.at(sides[at].rows), step = isInnermost ? columnsOfThread : 1;
  for (std::int64_t own = step; own * keys <= most && own < seen + step && own <= longestSide; own += step) {
    sides[at].keys = own;
    sides[at].turns = (seen + own - 1) / own;
    if (at > 0)
      takeKeys(at - 1, keys * own);
    else
      weigh(keys * own);
  }
}

void BoxChoice::weigh(std::int64_t keys) {
  if (keys < least || keys % 16 != 0) return;
  double cost = static_cast<double>(keys) + costOfChunk;
  for (const BoxSide &side : sides) {
    cost *= static_cast<double>(side.turns);
    const std::int64_t count = constant(side.count), tiles = (count + side.rows - 1) / side.rows;
    if (count > 0) cost *= static_cast<double>(tiles * side.rows) / static_cast<double>(count);
  }
  if (!best || orderOf(sides, cost) < orderOf(best->sides, best->cost))
    best = Boxes{sides, 0, cost, windows.front().sizes};
}

} // namespace

std::optional<Boxes> boxesFor(const std::vector<SlidingWindow> &windows, std::int64_t rows, std::int64_t least,
                              std::int64_t most) {
  return BoxChoice(windows, least, most).run(rows);
}

} // namespace polymend
