// Values do not depend on the names of points: { E[g, p] -> E[x] : x = D p + g and 0 <= g < D } is one to one for a
// constant D. Of x[first(row) + D a] rows share no element unless their firsts are a multiple of D apart, so that a
// tile of neighbouring rows would read elements of its own for each; rows of one residue by D share them as if there
// were no others.
#include "residues.h"

#include "import.h"
#include "polymend/factors.h"
#include "reindex.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <deque>

namespace polymend {
namespace {

/// The factor of a dimension in each piece of a subscript; 0 where it is no whole number.
std::vector<std::int64_t> stepsAlong(const isl::map &subscript, unsigned dim) {
  struct Asked {
    unsigned dim;
    std::vector<std::int64_t> found;
  } asked{dim, {}};
  isl_pw_multi_aff *function = isl_pw_multi_aff_from_map(subscript.copy());
  isl_pw_multi_aff_foreach_piece(
      function,
      [](isl_set *set, isl_multi_aff *value, void *user) {
        auto &into = *static_cast<Asked *>(user);
        isl_set_free(set);
        isl_aff *aff = isl_multi_aff_get_aff(value, 0);
        isl_val *factor = isl_aff_get_coefficient_val(aff, isl_dim_in, static_cast<int>(into.dim));
        into.found.push_back(isl_val_is_int(factor) == isl_bool_true ? isl_val_get_num_si(factor) : 0);
        isl_val_free(factor);
        isl_aff_free(aff);
        isl_multi_aff_free(value);
        return isl_stat_ok;
      },
      &asked);
  isl_pw_multi_aff_free(function);
  return asked.found;
}

/// A row that is to be split, and by what.
struct Sought {
  unsigned key = 0;
  std::int64_t step = 0;
  bool operator==(const Sought &) const = default;
};

/// { E[.., g, p, ..] -> E[.., step * p + g, ..] : 0 <= g < step }, where `key` is one of `dims` dimensions.
isl::map apartBy(isl_ctx *ctx, const std::string &name, unsigned dims, const Sought &sought) {
  std::string from, to;
  for (unsigned d = 0; d < dims; ++d) {
    const std::string plain = "i" + std::to_string(d);
    from += (d ? ", " : "") + (d == sought.key ? "g, p" : plain);
    to += (d ? ", " : "") + (d == sought.key ? std::to_string(sought.step) + " p + g" : plain);
  }
  const std::string bound = " : 0 <= g < " + std::to_string(sought.step) + " }";
  const isl::map map = isl::manage(isl_map_read_from_str(ctx, ("{ [" + from + "] -> [" + to + "]" + bound).c_str()));
  return setRangeTuple(setDomainTuple(map, name), name);
}

/// The map as one affine function, where it is one.
isl::map asOneFunction(const isl::map &map) {
  const isl::map hull = isl::manage(isl_map_from_basic_map(isl_map_affine_hull(map.copy())));
  return hull.is_single_valued() ? hull : map;
}

class ResidueSplitter {
public:
  explicit ResidueSplitter(System &given) : system(given) {}

  bool run() {
    for (std::size_t e = 0; e < system.equations.size(); ++e) {
      const Equation &sum = system.equations[e];
      if (sum.monoid != Monoid::Sum || factorsOf(sum.value).size() < 2) continue;
      for (const Sought &sought : soughtIn(sum))
        if (meetFrom(static_cast<int>(e), sought.key) && split(sought.step)) return true;
    }
    return false;
  }

private:
  System &system;
  std::map<int, unsigned> members; // the key that is split, by equation

  [[nodiscard]] const Equation &at(int e) const { return system.equations[static_cast<std::size_t>(e)]; }

  /// What elements of a sum's products say, those along its innermost loops first.
  [[nodiscard]] static std::vector<Sought> soughtIn(const Equation &sum) {
    constexpr std::int64_t most = 64;
    std::vector<Sought> found;
    for (auto dim = static_cast<unsigned>(sum.dims.size()); dim-- > 0;)
      for (const Operand &operand : sum.operands) {
        if (operand.equation >= 0 || !operand.exact || domainDimension(operand.map) != sum.dims.size()) continue;
        for (unsigned d = 0; d < rangeDimension(operand.map); ++d) {
          const isl::map subscript = coalesced(onlyOutput(operand.map, d));
          const std::int64_t step = stepAlong(subscript, dim);
          if (step < 2 || step > most) continue;
          for (unsigned key = sum.keys; key-- > 0;)
            if (key != dim && has(stepsAlong(subscript, key), std::int64_t{1}) && !has(found, Sought{key, step}))
              found.push_back({key, step});
        }
      }
    return found;
  }

  template <class T> static bool has(const std::vector<T> &all, const T &one) {
    return std::ranges::find(all, one) != all.end();
  }

  /// Finds all equations that have the row, as one of their keys each; false where they have it otherwise.
  bool meetFrom(int start, unsigned key) {
    members.clear();
    std::deque<int> todo;
    const auto meet = [&](int e, unsigned own) {
      const auto [place, isNew] = members.emplace(e, own);
      if (isNew) todo.push_back(e);
      return place->second == own && own < at(e).keys;
    };
    if (!meet(start, key)) return false;
    while (!todo.empty()) {
      const int e = todo.front();
      todo.pop_front();
      if (!meetsProducers(e, meet) || !meetsReaders(e, meet)) return false;
    }
    return true;
  }

  template <class Meet> bool meetsProducers(int e, const Meet &meet) const {
    const unsigned key = members.at(e);
    return std::ranges::all_of(at(e).operands, [&](const Operand &operand) {
      if (operand.equation < 0 || domainDimension(operand.map) <= key || !movesAlong(operand.map, key, 1)) return true;
      for (unsigned k = 0; k < at(operand.equation).keys; ++k)
        if (alwaysEqual(operand.map, key, k)) return meet(operand.equation, k);
      return false;
    });
  }

  template <class Meet> bool meetsReaders(int e, const Meet &meet) const {
    const unsigned key = members.at(e);
    for (std::size_t r = 0; r < system.equations.size(); ++r)
      for (const Operand &operand : system.equations[r].operands) {
        if (operand.equation != e) continue;
        const unsigned dims = std::min(domainDimension(operand.map), system.equations[r].keys);
        unsigned d = 0;
        while (d < dims && !alwaysEqual(operand.map, d, key)) ++d;
        if (d == dims || !meet(static_cast<int>(r), d)) return false;
      }
    return true;
  }

  /// Splits the row in all equations that have it.
  bool split(std::int64_t step) {
    System next = system;
    for (const auto &[index, key] : members) {
      const Equation &e = next.equations[static_cast<std::size_t>(index)];
      Reindexing one{e.dims, e.keys + 1, {}};
      const std::string &row = e.dims[key];
      const auto cut = std::min(row.rfind('_'), row.size());
      one.dims.insert(one.dims.begin() + key, row.substr(0, cut) + "_residue" + row.substr(cut));
      isl_ctx *ctx = isl_set_get_ctx(e.domain.get());
      one.back = apartBy(ctx, e.name, static_cast<unsigned>(e.dims.size()), {key, step});
      one.backKeys = apartBy(ctx, e.name, e.keys, {key, step});
      if (!reindex(next, static_cast<std::size_t>(index), one)) return false;
    }
    for (Equation &e : next.equations) {
      for (Operand &operand : e.operands) operand.map = asOneFunction(coalesced(operand.map));
      e = rebuild(
          e, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, next); });
    }
    system = next;
    return true;
  }
};

} // namespace

std::int64_t stepAlong(const isl::map &subscript, unsigned dim) {
  if (!subscript.is_single_valued()) return 0;
  const std::vector<std::int64_t> steps = stepsAlong(subscript, dim);
  const bool alike = !steps.empty() && std::ranges::count(steps, steps.front()) == std::ssize(steps);
  return alike ? steps.front() : 0;
}

bool splitResidues(System &system) { return ResidueSplitter(system).run(); }

} // namespace polymend
