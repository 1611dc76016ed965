// order: what the schedule tree says about two statements: which instances run before which, and by which loop.
#pragma once

#include "polymend/deps.h"

#include <optional>

namespace polymend {

/// One way in which an instance of A runs before one of B.
struct Level {
  std::string loop;      // source name of the loop that decides; empty: the textual order
  std::size_t depth = 0; // common loops outside that have equal iterations
  isl::map earlier;      // { A[x] -> B[y] : the same iteration of the outer loops, then x first }
  std::string variable;  // of that loop, which no other has
};

class Order {
public:
  explicit Order(const Scop &scop);
  /// All ways, outermost loop first; they are disjoint, and together mean "A[x] runs before B[y]".
  [[nodiscard]] const std::vector<Level> &levels(int from, int to);
  /// Number of loops around both statements.
  [[nodiscard]] std::size_t commonLoops(int from, int to) const;
  /// The distance of `relation` over the common loops, of which the outer `depth` are known to agree, in the direction
  /// in which they run; when it is constant.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> distance(int from, int to, const isl::map &relation,
                                                                  std::size_t depth) const;
  /// The least and the largest distance of `relation` over each common loop, in the direction in which it runs.
  [[nodiscard]] std::vector<Step> steps(int from, int to, const isl::map &relation) const;

private:
  struct Row {
    isl::pw_aff value;
    std::optional<long> constant; // a textual position
    int iterator = -1;            // the row is this iterator, or its negation
    bool up = true;
    std::string loop, variable;
  };
  [[nodiscard]] std::vector<std::size_t> commonRows(int from, int to) const;
  [[nodiscard]] std::vector<Level> compare(int from, int to) const;
  static isl::map equal(const isl::map &pairs, const Row &a, const Row &b);
  static isl::map before(const isl::map &pairs, const Row &a, const Row &b);

  std::vector<isl::set> domains;      // per statement
  std::vector<std::vector<Row>> rows; // per statement
  std::map<std::pair<int, int>, std::vector<Level>> known;
};

} // namespace polymend
