#ifndef POLYMEND_RT_THREADS
#define POLYMEND_RT_THREADS

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace polymend_rt {
namespace {

/// How many threads a parallel region may have.
inline int threads() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_THREADS
