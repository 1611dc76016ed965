// What isl's scheduler is given.
#pragma once

#include "polymend/schedule.h"

#include <functional>

namespace polymend {

/// Operations that the scheduler may take: each is slow where dependences have many pieces (2,000,000 took half a
/// minute for one function of scripts/fuzz), and the classical kernels take fewer than 100,000.
constexpr unsigned long schedulerCap = 200'000;

/// The pairs of instances of all dependences that count, as one relation.
isl::union_map pairsOf(const Scop &scop, const Dependences &dependences,
                       const std::function<bool(const Dependence &)> &counts);

/// Pairs of instances that hold all of these, in pieces that the scheduler can take.
isl::union_map lighter(const isl::union_map &pairs);

/// All instances of all statements.
isl::union_set instancesOf(const Scop &scop);

/// The pairs of which both are among the instances.
isl::union_map inside(const isl::union_map &pairs, const isl::union_set &instances);

enum class Sought {
  Bands,         // of loops that may be exchanged, with as many that carry nothing as there are
  FewestCarrying // loops that carry something, each as much as it can (Feautrier, 1992)
};

/// A schedule of the instances, each strongly connected part by itself. Absent: the scheduler finds none, as it reached
/// its limit, or knows no way to carry a dependence (isl says so).
std::optional<isl::schedule> scheduleOf(const isl::union_set &instances, const isl::union_map &validity, Sought sought);

} // namespace polymend
