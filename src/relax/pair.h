// Which reductions read which finished reductions over an aligned loop.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The consumer's reads of the producer's final value, when their reduced loops can run together: they are aligned by
/// an array or value that both read at the same place, or through the same expression where places cannot be told. Each
/// producer key is one consumer key.
std::vector<Blocking> blockingPairs(const System &system);

/// The producers that a consumer waits for though no loop of theirs is aligned with its own, each with
/// { Consumer[dims] -> Producer[dims] } of the instances of equal keys that read a common value.
std::vector<std::pair<int, isl::map>> sharedReads(const System &system, int consumer);

/// { Consumer[dims] -> Producer[dims] }: the instance of the producer that runs with one of the consumer.
isl::map alignedInstances(const System &system, const Blocking &pair);

} // namespace polymend
