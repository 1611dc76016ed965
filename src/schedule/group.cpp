// Equations are placed in dependence order: a mended reduction joins the loop of its producers, a reduction that shares
// reads with a loop over the same rows joins it, what needs only finished rows becomes a later phase of their kernel,
// anything else opens a kernel. Last, a reduction that one kernel alone reads point by point moves into that kernel.
#include "schedule/group.h"

#include "polymend/factors.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

struct Seat {
  int kernel = -1, phase = -1;
};

class Grouper {
public:
  Grouper(const Relaxed &source, const ScheduleOptions &asked)
      : relaxed(source), options(asked), system(*source.system) {
    seats.resize(system.equations.size());
  }

  Grouping run() {
    for (std::size_t e = 0; e < system.equations.size(); ++e) place(static_cast<int>(e));
    for (std::size_t k = kernels.size(); k-- > 0;) absorb(static_cast<int>(k));
    return {ordered(), apart};
  }

private:
  const Relaxed &relaxed;
  const ScheduleOptions &options;
  const System &system;
  std::vector<KernelPlan> kernels;
  std::vector<Seat> seats;
  std::set<int> apart;

  [[nodiscard]] const Equation &at(int e) const { return system.equations[static_cast<std::size_t>(e)]; }
  [[nodiscard]] KernelPlan &kernel(int k) { return kernels[static_cast<std::size_t>(k)]; }
  [[nodiscard]] Seat &seat(int e) { return seats[static_cast<std::size_t>(e)]; }

  Member &memberOf(int e) {
    Phase &phase = kernel(seat(e).kernel).phases[static_cast<std::size_t>(seat(e).phase)];
    return *std::find_if(phase.members.begin(), phase.members.end(), [&](const Member &m) { return m.equation == e; });
  }

  [[nodiscard]] int mendedIndex(int e) const {
    for (std::size_t k = 0; k < relaxed.mended.size(); ++k)
      if (relaxed.mended[k].consumer == e) return static_cast<int>(k);
    return -1;
  }

  void place(int e) {
    if (mendedIndex(e) >= 0 && joinProducers(e)) return;
    if (at(e).monoid && joinSharing(e)) return;
    if (at(e).monoid && joinPartner(e)) return;
    if (joinRows(e)) return;
    open(e);
  }

  /// Can kernel `from` be reached from kernel `to` through other kernels or directly? Then `to` cannot wait for it.
  bool reaches(int from, int to) {
    std::vector<char> seen(kernels.size(), 0);
    std::vector<int> todo{from};
    while (!todo.empty()) {
      const int k = todo.back();
      todo.pop_back();
      if (k == to) return true;
      if (seen[static_cast<std::size_t>(k)]++) continue;
      for (std::size_t e = 0; e < system.equations.size(); ++e) {
        if (seats[e].kernel < 0) continue;
        for (const Operand &operand : system.equations[e].operands)
          if (operand.equation >= 0 && seat(operand.equation).kernel == k && seats[e].kernel != k)
            todo.push_back(seats[e].kernel);
      }
    }
    return false;
  }

  /// May e run in phase `phase` of kernel k, as far as what it reads is concerned? `inLoop` are fused producers.
  bool available(int e, int k, int phase, const std::vector<int> &inLoop) {
    for (const Operand &operand : at(e).operands) {
      if (operand.equation < 0) continue;
      const Seat &from = seat(operand.equation);
      if (from.kernel == k) {
        const bool fused = std::find(inLoop.begin(), inLoop.end(), operand.equation) != inLoop.end();
        if (from.phase >= phase && !fused) return false;
        if (from.phase < phase && !readsOwnRow(e, operand)) return false;
      } else if (reaches(k, from.kernel)) {
        return false;
      }
    }
    return true;
  }

  /// Rows of a prospective member, through one read of a placed member at its own rows.
  std::optional<std::vector<int>> rowsThrough(int e, const Operand &operand) {
    const Member &from = memberOf(operand.equation);
    if (domainDimension(operand.map) != at(e).dims.size()) return std::nullopt;
    std::vector<int> rows;
    for (int dim : from.rows) {
      int found = -1;
      for (unsigned d = 0; d < at(e).keys && found < 0; ++d)
        if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) == rows.end() &&
            dim < static_cast<int>(at(operand.equation).keys) &&
            alwaysEqual(operand.map, d, static_cast<unsigned>(dim)))
          found = static_cast<int>(d);
      if (found < 0) return std::nullopt;
      rows.push_back(found);
    }
    return rows;
  }

  bool readsOwnRow(int e, const Operand &operand) {
    const auto rows = rowsThrough(e, operand);
    return rows && (pending.empty() || *rows == pending);
  }

  std::vector<int> pending; // the rows assumed for the equation being placed

  /// Is e a product of matrices with more columns than one tile holds, were these its rows? In a kernel of its own the
  /// columns come in tiles too.
  [[nodiscard]] bool isWideProduct(int e, const std::vector<int> &rows) const {
    if (options.narrowFactors == 0 || at(e).monoid != Monoid::Sum) return false;
    if (!hasNarrowFactors(at(e).value) && !hasOwnFactors(at(e))) return false;
    const std::int64_t widest = at(e).type == Type::Float64 ? 128 : 256;
    for (unsigned d = 0; d < at(e).keys; ++d) {
      if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) != rows.end()) continue;
      if (constantExtent(at(e).keyDomain, d).value_or(widest + 1) > widest) return true;
    }
    return false;
  }

  /// Are all factors widened from 16 bits? With one allowed to be rounded: is one?
  [[nodiscard]] bool hasNarrowFactors(const Expr &value) const {
    const std::vector<Expr> factors = factorsOf(value);
    const auto narrow = std::count_if(factors.begin(), factors.end(), [](const Expr &e) { return bool(narrowOf(e)); });
    const bool all = narrow == static_cast<std::ptrdiff_t>(factors.size());
    return narrow >= options.narrowFactors && (options.narrowFactors == 1 || all);
  }

  /// Are the factors of the sum's own type, one that matrix units multiply?
  [[nodiscard]] bool hasOwnFactors(const Equation &e) const {
    const bool taken = e.type == Type::Float64 || (e.type == Type::Float32 && options.narrowFactors == 1);
    return taken && e.value.op() == Op::Mul && e.value.arg(0).op() != Op::Cast && e.value.arg(1).op() != Op::Cast;
  }

  bool joinProducers(int e) {
    const Mended &mended = relaxed.mended[static_cast<std::size_t>(mendedIndex(e))];
    const Seat target = seat(mended.producers.front());
    std::vector<Member> aligned;
    Member member{e, mendedIndex(e), Member::Role::Reduce, {}, {}};
    for (int producer : mended.producers) {
      if (seat(producer).kernel != target.kernel || seat(producer).phase != target.phase) return false;
      const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(),
                                     [&](const Blocking &b) { return b.consumer == e && b.producer == producer; });
      if (pair == relaxed.fused.end()) return false;
      const Member &host = memberOf(producer);
      if (host.rows.size() != at(producer).keys) return false;
      Member one = member;
      for (int row : host.rows) one.rows.push_back(pair->rows[static_cast<std::size_t>(row)]);
      for (int rolled : host.rolled) {
        const auto k = std::find(pair->alignment.begin(), pair->alignment.end(),
                                 static_cast<unsigned>(rolled) - at(producer).keys) -
                       pair->alignment.begin();
        one.rolled.push_back(static_cast<int>(at(e).keys + static_cast<unsigned>(k)));
      }
      aligned.push_back(one);
    }
    for (const Member &one : aligned)
      if (one.rows != aligned[0].rows || one.rolled != aligned[0].rolled) return false;
    if (isWideProduct(e, aligned[0].rows)) {
      apart.insert(e);
      return false;
    }
    pending = aligned[0].rows;
    const bool ok = available(e, target.kernel, target.phase, mended.producers);
    pending.clear();
    if (!ok) return false;
    kernel(target.kernel).phases[static_cast<std::size_t>(target.phase)].members.push_back(aligned[0]);
    seat(e) = target;
    return true;
  }

  /// Has e more keys than another reduction whose loop it might join, so few that they are columns of one tile?
  [[nodiscard]] bool hasColumns(int e, const std::vector<int> &rows) const {
    std::int64_t columns = 1;
    for (unsigned d = 0; d < at(e).keys; ++d) {
      if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) != rows.end()) continue;
      const auto extent = constantExtent(at(e).keyDomain, d);
      if (!extent || *extent > tileColumns / columns) return false;
      columns *= *extent;
    }
    return true;
  }

  /// Joins the loop of an earlier reduction over the same rows that reads the same elements at the same time; one that
  /// has further keys does, where both read the same finished reduction, which then is computed once and in the loop.
  bool joinSharing(int e) {
    for (std::size_t other = 0; other < system.equations.size() && static_cast<int>(other) < e; ++other) {
      const Equation &host = system.equations[other];
      if (!host.monoid || seats[other].kernel < 0 || host.keys > at(e).keys || host.reduced() != at(e).reduced())
        continue;
      if (memberOf(static_cast<int>(other)).role != Member::Role::Reduce) continue;
      const auto together = shared(e, static_cast<int>(other));
      if (!together) continue;
      const Member &from = memberOf(static_cast<int>(other));
      Member member{e, -1, Member::Role::Reduce, {}, {}};
      for (int row : from.rows) member.rows.push_back((*together)[static_cast<std::size_t>(row)]);
      for (int rolled : from.rolled) member.rolled.push_back((*together)[static_cast<std::size_t>(rolled)]);
      if (!hasColumns(e, member.rows)) continue;
      pending = member.rows;
      const bool ok = available(e, seats[other].kernel, seats[other].phase, {});
      pending.clear();
      if (!ok) continue;
      kernel(seats[other].kernel).phases[static_cast<std::size_t>(seats[other].phase)].members.push_back(member);
      seat(e) = seats[other];
      return true;
    }
    return false;
  }

  /// Dimension of e that equals each dimension of `other` whenever both read a common element. Keys along which the
  /// common elements do not move run together where one equation reads both values at the same one.
  std::optional<std::vector<int>> shared(int e, int other) {
    for (const Operand &a : at(e).operands)
      for (const Operand &b : at(other).operands) {
        if (a.equation != b.equation || a.array != b.array || !a.exact || !b.exact) continue;
        if (at(e).keys > at(other).keys && (a.equation < 0 || !at(a.equation).monoid)) continue;
        if (domainDimension(a.map) != at(e).dims.size() || domainDimension(b.map) != at(other).dims.size()) continue;
        const isl::map together = a.map.apply_range(b.map.reverse());
        if (together.is_empty()) continue;
        std::vector<int> dims;
        for (unsigned o = 0; o < at(other).dims.size(); ++o) {
          int found = -1;
          for (unsigned d = 0; d < at(e).dims.size(); ++d)
            if (found < 0 && (d < at(e).keys) == (o < at(other).keys) && alwaysEqual(together, d, o))
              found = static_cast<int>(d);
          if (found < 0 && o < at(other).keys && !movesAlong(b.map, o, 1)) found = readTogether(e, other, o);
          if (found < 0 || std::find(dims.begin(), dims.end(), found) != dims.end()) break;
          dims.push_back(found);
        }
        if (dims.size() == at(other).dims.size()) return dims;
      }
    return std::nullopt;
  }

  /// The key of e that equals key `o` of `other` in every equation that reads both, -1: none does, or not always.
  [[nodiscard]] int readTogether(int e, int other, unsigned o) const {
    int common = -1;
    for (const Equation &reader : system.equations)
      for (const Operand &a : reader.operands)
        for (const Operand &b : reader.operands) {
          if (a.equation != e || b.equation != other || domainDimension(a.map) != domainDimension(b.map)) continue;
          const isl::map together = a.map.reverse().apply_range(b.map);
          int found = -1;
          for (unsigned d = 0; d < at(e).keys && found < 0; ++d)
            if (alwaysEqual(together, d, o)) found = static_cast<int>(d);
          if (found < 0 || (common >= 0 && common != found)) return -1;
          common = found;
        }
    return common;
  }

  /// The pair of a blocked consumer with one of its producers, or nothing.
  [[nodiscard]] const Blocking *pairOf(int consumer, int producer) const {
    const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(),
                                   [&](const Blocking &b) { return b.consumer == consumer && b.producer == producer; });
    return pair == relaxed.fused.end() ? nullptr : &*pair;
  }

  /// The seat of `e` beside another producer of the same mended consumer, at the positions at which that one reads
  /// both.
  std::optional<Member> besidePartner(int e, const Blocking &own, const Blocking &partner) {
    const Member &from = memberOf(partner.producer);
    Member member{e, -1, Member::Role::Reduce, {}, {}};
    for (int row : from.rows) {
      if (row >= static_cast<int>(partner.rows.size())) return std::nullopt;
      const auto key = std::find(own.rows.begin(), own.rows.end(), partner.rows[static_cast<std::size_t>(row)]);
      if (key == own.rows.end()) return std::nullopt;
      member.rows.push_back(static_cast<int>(key - own.rows.begin()));
    }
    for (int rolled : from.rolled) {
      const unsigned dim = static_cast<unsigned>(rolled) - at(partner.producer).keys;
      const auto k = std::find(partner.alignment.begin(), partner.alignment.end(), dim) - partner.alignment.begin();
      if (k == static_cast<std::ptrdiff_t>(partner.alignment.size())) return std::nullopt;
      member.rolled.push_back(static_cast<int>(at(e).keys + own.alignment[static_cast<std::size_t>(k)]));
    }
    return member;
  }

  /// Joins the loop of an earlier producer of a mended reduction that waits for both.
  bool joinPartner(int e) {
    for (const Mended &mended : relaxed.mended)
      for (int other : mended.producers) {
        const Blocking *own = pairOf(mended.consumer, e), *partner = pairOf(mended.consumer, other);
        if (other >= e || !own || !partner || seat(other).kernel < 0 || memberOf(other).role != Member::Role::Reduce)
          continue;
        if (at(other).keys != at(e).keys || at(other).reduced() != at(e).reduced()) continue;
        const auto member = besidePartner(e, *own, *partner);
        if (!member) continue;
        pending = member->rows;
        const bool ok = available(e, seat(other).kernel, seat(other).phase, {});
        pending.clear();
        if (!ok) continue;
        kernel(seat(other).kernel).phases[static_cast<std::size_t>(seat(other).phase)].members.push_back(*member);
        seat(e) = seat(other);
        return true;
      }
    return false;
  }

  /// Becomes a later phase of a kernel whose finished rows it reads.
  bool joinRows(int e) {
    if (!at(e).monoid && at(e).stores.empty()) return false;
    for (const Operand &operand : at(e).operands) {
      if (operand.equation < 0) continue;
      const int k = seat(operand.equation).kernel;
      if (kernel(k).rows.empty() != (at(e).keys == 0)) continue;
      const auto rows = rowsThrough(e, operand);
      if (!rows || isWideProduct(e, *rows)) continue;
      pending = *rows;
      const bool ok = available(e, k, static_cast<int>(kernel(k).phases.size()), {});
      pending.clear();
      if (!ok) continue;
      append(e, k, *rows);
      return true;
    }
    return false;
  }

  void append(int e, int k, const std::vector<int> &rows) {
    Phase phase;
    Member member{e, -1, at(e).monoid ? Member::Role::Reduce : Member::Role::Map, rows, {}};
    for (unsigned d = at(e).keys; d < at(e).dims.size(); ++d) {
      member.rolled.push_back(static_cast<int>(d));
      phase.rolled.push_back(at(e).dims[d]);
    }
    phase.members.push_back(member);
    kernel(k).phases.push_back(phase);
    seat(e) = {k, static_cast<int>(kernel(k).phases.size()) - 1};
  }

  void open(int e) {
    KernelPlan plan;
    plan.domain = at(e).keyDomain;
    std::vector<int> rows;
    for (unsigned d = 0; d < at(e).keys; ++d) {
      plan.rows.push_back(at(e).dims[d]);
      rows.push_back(static_cast<int>(d));
    }
    kernels.push_back(plan);
    append(e, static_cast<int>(kernels.size()) - 1, rows);
  }

  /// Moves the only reduction of kernel k into the kernel that alone reads it.
  void absorb(int k) {
    if (kernel(k).phases.size() != 1 || kernel(k).phases[0].members.size() != 1) return;
    const Member own = kernel(k).phases[0].members[0];
    if (own.role != Member::Role::Reduce) return;
    const int s = own.equation;
    std::vector<std::pair<int, const Operand *>> readers;
    for (std::size_t e = 0; e < system.equations.size(); ++e)
      for (const Operand &operand : system.equations[e].operands)
        if (operand.equation == s) readers.emplace_back(static_cast<int>(e), &operand);
    if (readers.empty()) return;
    const int host = seat(readers[0].first).kernel;
    if (host == k || kernel(host).rows.empty()) return;
    Member member = own;
    member.rows.clear();
    std::vector<std::size_t> across; // rows of the host that the reduction is the same along
    for (std::size_t r = 0; r < kernel(host).rows.size(); ++r) {
      const int key = commonKey(readers, host, [&](const Member &m) { return m.rows[r]; });
      if (key < 0)
        across.push_back(r);
      else
        member.rows.push_back(key);
    }
    int first = seat(readers[0].first).phase;
    bool onePhase = true;
    for (const auto &[e, operand] : readers) {
      onePhase = onePhase && seat(e).phase == seat(readers[0].first).phase;
      first = std::min(first, seat(e).phase);
    }
    const auto inner = onePhase ? innerOf(member, readers, host, first) : std::nullopt;
    if (!across.empty()) {
      if (!inner || !becomeColumns(host, across)) return;
      leaveRows(host, across);
    }
    if (inner)
      placeInner(*inner, host, first, k);
    else
      placeBefore(member, host, first, k);
  }

  /// May these rows of a kernel be columns of its tiles? They may where they fit one and other rows remain.
  bool becomeColumns(int k, const std::vector<std::size_t> &rows) {
    if (rows.size() >= kernel(k).rows.size()) return false;
    for (const Phase &phase : kernel(k).phases)
      for (const Member &member : phase.members) {
        if (member.role == Member::Role::Inner) return false;
        std::int64_t columns = 1;
        for (unsigned d = 0; d < at(member.equation).keys; ++d) {
          const auto row = std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d));
          const auto r = static_cast<std::size_t>(row - member.rows.begin());
          if (row != member.rows.end() && std::find(rows.begin(), rows.end(), r) == rows.end()) continue;
          const auto extent = constantExtent(at(member.equation).keyDomain, d);
          if (!extent || *extent > tileColumns / columns) return false;
          columns *= *extent;
        }
      }
    return true;
  }

  void leaveRows(int k, const std::vector<std::size_t> &rows) {
    for (auto r = rows.rbegin(); r != rows.rend(); ++r) {
      const auto at = static_cast<std::ptrdiff_t>(*r);
      kernel(k).rows.erase(kernel(k).rows.begin() + at);
      for (Phase &phase : kernel(k).phases)
        for (Member &member : phase.members) member.rows.erase(member.rows.begin() + at);
    }
  }

  /// The key of the read equation that equals a given dimension in every reader, or -1.
  template <class Dim>
  int commonKey(const std::vector<std::pair<int, const Operand *>> &readers, int host, Dim dimension) {
    int common = -2;
    for (const auto &[e, operand] : readers) {
      if (seat(e).kernel != host || domainDimension(operand->map) != at(e).dims.size()) return -1;
      const int dim = dimension(memberOf(e));
      int found = -1;
      for (unsigned key = 0; key < rangeDimension(operand->map) && found < 0; ++key)
        if (alwaysEqual(operand->map, static_cast<unsigned>(dim), key)) found = static_cast<int>(key);
      if (found < 0 || (common >= 0 && common != found)) return -1;
      common = found;
    }
    return common;
  }

  /// The reduction as one that the phase's loop computes at each of its points; absent: its keys are not those.
  std::optional<Member> innerOf(Member member, const std::vector<std::pair<int, const Operand *>> &readers, int host,
                                int phase) {
    const Phase &target = kernel(host).phases[static_cast<std::size_t>(phase)];
    if (target.rolled.empty()) return std::nullopt;
    member.rolled.clear();
    for (std::size_t r = 0; r < target.rolled.size(); ++r) {
      const int key = commonKey(readers, host, [&](const Member &m) { return m.rolled[r]; });
      if (key < 0) return std::nullopt;
      member.rolled.push_back(key);
    }
    if (member.rows.size() + member.rolled.size() != at(member.equation).keys) return std::nullopt;
    member.role = Member::Role::Inner;
    return member;
  }

  void placeInner(const Member &member, int host, int phase, int k) {
    Phase &target = kernel(host).phases[static_cast<std::size_t>(phase)];
    const auto before = std::find_if(target.members.begin(), target.members.end(),
                                     [&](const Member &m) { return m.equation > member.equation; });
    target.members.insert(before, member);
    vacate(k, member.equation, {host, phase});
  }

  void placeBefore(const Member &member, int host, int phase, int k) {
    Phase own = kernel(k).phases[0];
    own.members[0] = member;
    KernelPlan &plan = kernel(host);
    plan.phases.insert(plan.phases.begin() + phase, own);
    for (Seat &other : seats)
      if (other.kernel == host && other.phase >= phase) ++other.phase;
    vacate(k, member.equation, {host, phase});
  }

  void vacate(int k, int e, Seat now) {
    kernel(k).phases.clear();
    seat(e) = now;
  }

  /// Kernels in an order in which every value is computed before it is read.
  std::vector<KernelPlan> ordered() {
    std::vector<KernelPlan> result;
    std::vector<char> done(kernels.size(), 0);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        if (done[k] || !readyKernel(static_cast<int>(k), done)) continue;
        done[k] = 1;
        progress = true;
        if (!kernels[k].phases.empty()) result.push_back(kernels[k]);
      }
    }
    return result;
  }

  bool readyKernel(int k, const std::vector<char> &done) {
    for (std::size_t e = 0; e < system.equations.size(); ++e)
      if (seats[e].kernel == k)
        for (const Operand &operand : system.equations[e].operands)
          if (operand.equation >= 0 && seat(operand.equation).kernel != k &&
              !done[static_cast<std::size_t>(seat(operand.equation).kernel)])
            return false;
    return true;
  }
};

} // namespace

Grouping group(const Relaxed &relaxed, const ScheduleOptions &options) { return Grouper(relaxed, options).run(); }

} // namespace polymend
