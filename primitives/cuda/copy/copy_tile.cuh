#ifndef POLYMEND_RT_COPY_TILE
#define POLYMEND_RT_COPY_TILE

#include "for_hopper.cuh"

#include <cstdint>
#include <cuda.h>

namespace polymend_rt {
namespace {

/// Starts the copy of the box at those coordinates, innermost first, to shared memory; its bytes, those out of bounds
/// too, count towards the barrier's phase.
template <class... Coordinates>
__device__ __forceinline__ void copyTile(std::uint32_t shared, const CUtensorMap *map, std::uint32_t barrier,
                                         Coordinates... coordinates) {
  constexpr int rank = sizeof...(Coordinates);
  static_assert(2 <= rank && rank <= 5, "dimensions of a copy");
  const int at[] = {static_cast<int>(coordinates)...};
  if constexpr (forHopper && rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4}], [%2];"
                 :
                 : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1])
                 : "memory");
  else if constexpr (forHopper && rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5}], [%2];"
                 :
                 : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2])
                 : "memory");
  else if constexpr (forHopper && rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5, %6}], [%2];"
                 :
                 : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
                 : "memory");
  else if constexpr (forHopper && rank == 5)
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5, %6, %7}], [%2];"
                 :
                 : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
                 : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COPY_TILE
