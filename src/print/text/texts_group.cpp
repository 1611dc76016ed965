// Primitives of kernels whose points are run by groups of 32 to 256 threads: what a group holds of memory, how it deals
// out a run of elements in fours, and how it combines. `$` stands for the prefix of the target's runtime.
// Its length is that of the printed text.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view heldBy =
    R"cpp(/// How many elements a group of threads holds, each of them that many fours of neighbours.
__host__ __device__ constexpr int heldBy(int group, int fours) { return group * fours * 4; }
)cpp";

const std::string_view groupThreads =
    R"cpp(/// The threads of a block: groups of one warp share a block, others are alone in theirs.
__host__ __device__ constexpr int groupThreads(int group) { return group == 32 ? 256 : group; }
)cpp";

const std::string_view groupNumber =
    R"cpp(/// The number of this thread's group in the launch.
template <int group> __device__ inline std::int64_t groupNumber() {
  return blockIdx.x * std::int64_t{groupThreads(group) / group} + threadIdx.x / group;
}
)cpp";

const std::string_view groupCount = R"cpp(/// The number of groups in the launch.
template <int group> __device__ inline std::int64_t groupCount() {
  return gridDim.x * std::int64_t{groupThreads(group) / group};
}
)cpp";

const std::string_view withTerms =
    R"cpp(/// Calls `start` with the number of terms that a thread reads ahead where sums have `count` of them: at least as many, but
/// no more than it has registers for; 0: it reads them when they are needed.
template <class Start> inline $Error_t withTerms(std::int64_t count, const Start &start) {
  if (count < 1 || count > 16) return start(std::integral_constant<int, 0>());
  if (count == 1) return start(std::integral_constant<int, 1>());
  if (count <= 4) return start(std::integral_constant<int, 4>());
  return start(std::integral_constant<int, 16>());
}
)cpp";

const std::string_view withGroup =
    R"cpp(/// Calls `start` with the group that runs each of `points`: the smallest that holds `length` elements at once, as far as
/// 4096 elements; larger where there are too few points to fill a device.
template <int fours, class Start> inline $Error_t withGroup(std::int64_t points, std::int64_t length, const Start &start) {
  int group = 32;
  while (group < 256 && ((length > heldBy(group, fours) && heldBy(group, fours) < 4096) ||
                         (length > group * 4 && points < 262144 / group)))
    group *= 2;
  if (group == 32) return start(std::integral_constant<int, 32>());
  if (group == 64) return start(std::integral_constant<int, 64>());
  if (group == 128) return start(std::integral_constant<int, 128>());
  return start(std::integral_constant<int, 256>());
}
)cpp";

const std::string_view groupBlocks = R"cpp(/// As many blocks as hold a group for each point.
inline std::int64_t groupBlocks(std::int64_t points, int group) {
  const std::int64_t share = groupThreads(group) / group;
  return points / share + (points % share != 0 ? 1 : 0);
}
)cpp";

const std::string_view combineGroup =
    R"cpp(/// Combines the values of a group's threads; each of them gets the same result. A barrier of the group. `turn` is the
/// group's own: two buffers take turns, so that nobody overwrites what another still reads.
template <int group, class T, class Combine>
__device__ __forceinline__ T combineGroup(T value, Combine combine, int &turn) {
  value = combineLanes<32>(value, combine);
  if constexpr (group > 32) {
    __shared__ T parts[2][group / 32];
    turn ^= 1;
    if (threadIdx.x % 32 == 0) parts[turn][threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[turn][0];
    for (int i = 1; i < group / 32; ++i) value = combine(value, parts[turn][i]);
  }
  return value;
}
)cpp";

const std::string_view arrivesLast =
    R"cpp(/// Whether this group is the last of `count` to come here: it sees all that the others wrote before they came. A
/// barrier of the group. `arrived` is zero before the launch.
template <int group> __device__ __forceinline__ bool arrivesLast(std::uint32_t *arrived, std::uint32_t count, int &turn) {
  __threadfence();
  waitGroup<group>();
  const std::uint32_t before = threadIdx.x % group == 0 ? atomicAdd(arrived, 1u) : 0;
  const bool isLast = combineGroup<group>(before, Most(), turn) == count - 1;
  if (isLast) __threadfence();
  return isLast;
}
)cpp";

const std::string_view waitGroupCuda = R"cpp(/// All threads of a group wait for one another.
template <int group> __device__ inline void waitGroup() {
  if constexpr (group > 32)
    __syncthreads();
  else
    __syncwarp();
}
)cpp";

const std::string_view waitGroupHip = R"cpp(/// All threads of a group wait for one another.
template <int group> __device__ inline void waitGroup() {
  if constexpr (group > 32) {
    __syncthreads();
  } else {
    __threadfence_block();
    static_cast<void>(neighbour(0, 1));
    __threadfence_block();
  }
}
)cpp";

const std::string_view four =
    R"cpp(/// Four neighbours in memory, as one access of up to 16 bytes.
template <class T> struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) Four {
  T of[4];
};

template <class T> __device__ inline bool isAligned(const T *at) {
  return reinterpret_cast<std::uintptr_t>(at) % alignof(Four<T>) == 0;
}
)cpp";

const std::string_view storeFour = R"cpp(/// to[k] = from[k] for k < count, at most four.
template <class T> __device__ __forceinline__ void storeFour(T *to, const T *from, int count) {
  if (count == 4 && isAligned(to)) {
    Four<T> four;
#pragma unroll
    for (int k = 0; k < 4; ++k) four.of[k] = from[k];
    *reinterpret_cast<Four<T> *>(to) = four;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (k < count) to[k] = from[k];
  }
}
)cpp";

const std::string_view held =
    R"cpp(/// What a group holds of a run of memory: its threads take the fours of the run in turn.
template <int group, int fours, class T> class Held {
public:
  /// Holds the elements from[0], ..., count of them or as many as there is room for; reads none that it holds already.
  __device__ __forceinline__ void hold(const T *from, std::int64_t count) {
    const int wanted = count < heldBy(group, fours) ? static_cast<int>(count) : heldBy(group, fours);
    if (from == start && wanted == length) return;
    start = from;
    length = wanted;
    const int first = static_cast<int>(threadIdx.x % group) * 4;
    const bool aligned = isAligned(from);
    if (aligned) {
#pragma unroll
      for (int four = 0; four < fours; ++four) {
        const int at = first + four * group * 4;
        if (at + 4 > wanted) continue;
        const Four<T> read = *reinterpret_cast<const Four<T> *>(from + at);
#pragma unroll
        for (int k = 0; k < 4; ++k) values[4 * four + k] = read.of[k];
      }
    }
    if (aligned && wanted % 4 == 0) return;
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const int at = first + four * group * 4;
      if (aligned && at + 4 <= wanted) continue;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (at + k < wanted) values[4 * four + k] = from[at + k];
    }
  }
  T values[4 * fours];

protected:
  const T *start = nullptr;
  int length = 0;
};
)cpp";

const std::string_view windowPieces =
    R"cpp(/// The largest group, whose runs may be longer than its registers hold: what it reads again it keeps in shared memory.
constexpr int largestGroup = 256;

/// As many blocks of the largest group as are to share a multiprocessor.
__host__ __device__ constexpr int groupResidents(int group) { return group == largestGroup ? 3 : 0; }

/// How many pieces of a run of `length` elements a group keeps in shared memory, where an element has `size` bytes.
template <int fours> inline std::int64_t windowPieces(int group, std::int64_t length, std::int64_t size) {
  if (group < largestGroup || length <= heldBy(group, fours)) return 0;
  int device = 0, most = 0;
  if ($GetDevice(&device) != $Success ||
      $DeviceGetAttribute(&most, $DevAttrMaxSharedMemoryPerBlockOptin, device) != $Success)
    return 0;
  const std::int64_t room = (most / groupResidents(group) - 2048) / (heldBy(group, fours) * size);
  const std::int64_t pieces = (length - 1) / heldBy(group, fours) + 1;
  return pieces < room ? pieces : room < 0 ? 0 : room;
}
)cpp";

const std::string_view window =
    R"cpp(/// What a group holds of a run that it reads again. The run's first pieces stay in shared memory, each thread's fours
/// where no other thread looks; all of them are on their way from the first piece that is asked for.
template <int group, int fours, class T> class Window : public Held<group, fours, T> {
public:
  __device__ __forceinline__ Window(void *begin, int pieces) : kept(static_cast<T *>(begin)), room(pieces) {}
  /// The next piece begins another run.
  __device__ __forceinline__ void forget() { run = nullptr; }
  /// As Held, in a run of which `more` elements are left at `from`.
  __device__ __forceinline__ void hold(const T *from, std::int64_t count, std::int64_t more) {
    if constexpr (group == largestGroup) {
      if (run == nullptr && room > 0) begin(from, more);
      const int wanted = count < heldBy(group, fours) ? static_cast<int>(count) : heldBy(group, fours);
      const std::int64_t at = run == nullptr ? -1 : from - run;
      if (0 <= at && at + wanted <= filled && at % heldBy(group, fours) == 0) {
        if (from == this->start && wanted == this->length) return;
        this->start = from;
        this->length = wanted;
        return fetch(static_cast<int>(at) / heldBy(group, fours));
      }
    }
    Held<group, fours, T>::hold(from, count);
  }

private:
  __device__ __forceinline__ void begin(const T *from, std::int64_t more) {
    __pipeline_wait_prior(0);
    run = from;
    const std::int64_t all = (more - 1) / heldBy(group, fours) + 1;
    pieces = all < room ? static_cast<int>(all) : room;
    filled = pieces * heldBy(group, fours);
    if (more < filled) filled = static_cast<int>(more);
    const bool aligned = isAligned(from);
    constexpr int neighbours = sizeof(Four<T>) < 16 ? 4 : 16 / sizeof(T);
    for (int piece = 0; piece < pieces; ++piece) {
#pragma unroll
      for (int four = 0; four < fours; ++four) {
        const int at = place(piece, four);
        if (aligned && at + 4 <= filled) {
#pragma unroll
          for (int k = 0; k < 4; k += neighbours)
            __pipeline_memcpy_async(kept + at + k, from + at + k, neighbours * sizeof(T));
        } else {
#pragma unroll
          for (int k = 0; k < 4; ++k)
            if (at + k < filled) kept[at + k] = from[at + k];
        }
      }
      __pipeline_commit();
    }
  }
  __device__ __forceinline__ void fetch(int piece) {
    const int later = pieces - 1 - piece;
    if (later >= 3)
      __pipeline_wait_prior(3);
    else if (later == 2)
      __pipeline_wait_prior(2);
    else if (later == 1)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const Four<T> read = *reinterpret_cast<const Four<T> *>(kept + place(piece, four));
#pragma unroll
      for (int k = 0; k < 4; ++k) this->values[4 * four + k] = read.of[k];
    }
  }
  __device__ __forceinline__ int place(int piece, int four) const {
    return piece * heldBy(group, fours) + (four * group + static_cast<int>(threadIdx.x % group)) * 4;
  }
  T *const kept;
  const int room;
  const T *run = nullptr;
  int pieces = 0, filled = 0;
};
)cpp";

const std::string_view deal =
    R"cpp(/// Calls f(four, at, count) for each four of this thread in [piece, limit), as far as a group holds it: its elements
/// are those from `at`, `count` of them.
template <int group, int fours, class Index, class F>
__device__ __forceinline__ void deal(Index piece, Index limit, const F &f) {
  const Index first = piece + static_cast<int>(threadIdx.x % group) * 4;
  if (limit - piece >= heldBy(group, fours)) {
#pragma unroll
    for (int four = 0; four < fours; ++four) f(four, static_cast<Index>(first + four * group * 4), 4);
  } else if ((limit - piece) % 4 == 0) {
#pragma unroll
    for (int four = 0; four < fours; ++four)
      if (first + four * group * 4 < limit) f(four, static_cast<Index>(first + four * group * 4), 4);
  } else {
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const Index at = first + four * group * 4;
      if (at < limit) f(four, at, limit - at < 4 ? static_cast<int>(limit - at) : 4);
    }
  }
}
)cpp";

const std::string_view lastPiece =
    R"cpp(/// Where the last piece of [first, limit) begins; before `first` where there is none.
template <int group, int fours> __device__ inline std::int64_t lastPiece(std::int64_t first, std::int64_t limit) {
  if (limit <= first) return first - heldBy(group, fours);
  return first + (limit - first - 1) / heldBy(group, fours) * heldBy(group, fours);
}
)cpp";

} // namespace polymend::print_room::texts
