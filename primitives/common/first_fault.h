#ifndef POLYMEND_RT_FIRST_FAULT
#define POLYMEND_RT_FIRST_FAULT

#include "index_fault.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// What `ask` finds at the first number of [first, limit) at which it finds anything. Threads look whether there is
/// any; which is the first is found out only then.
template <class Ask> IndexFault firstFault(std::int64_t first, std::int64_t limit, const Ask &ask) {
  int any = 0;
#if defined(_OPENMP)
#pragma omp parallel for schedule(guided) reduction(| : any) if (limit - first > 1024)
#endif
  for (std::int64_t i = first; i < limit; ++i) any |= ask(i).check != 0 ? 1 : 0;
  if (any == 0) return {};
  for (std::int64_t i = first; i < limit; ++i)
    if (const IndexFault found = ask(i); found.check != 0) return found;
  return {};
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FIRST_FAULT
