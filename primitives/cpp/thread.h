#ifndef POLYMEND_RT_THREAD
#define POLYMEND_RT_THREAD

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace polymend_rt {
namespace {

/// Which thread of a parallel region this is.
inline int thread() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_THREAD
