// Primitives of the entry: which elements of an argument a call touches, in integers that cannot wrap. `@` stands
// before functions that a device calls too, where it does.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view interval =
    R"cpp(/// The integers from least to most; where a bound would leave 64 bits, nobody knows which.
template <class Integer> struct IntervalOf {
  using Interval = IntervalOf;
  Integer least = 0, most = -1;
  bool known = true;
  IntervalOf() = default;
  @explicit IntervalOf(Integer value) : least(value), most(value) {}
  @static Interval from(std::int64_t first, std::int64_t last) {
    Interval result;
    result.least = first;
    result.most = last;
    return result;
  }
  @static Interval unknown() {
    Interval result;
    result.known = false;
    return result;
  }
  @static Interval upTo(std::int64_t count) { return from(0, count > 0 ? count - 1 : -1); }
  @static Interval between(const Interval &first, const Interval &limit) {
    if (!first.known || !limit.known) return unknown();
    return first.empty() || limit.empty() || limit.most <= first.least ? Interval() : from(first.least, limit.most - 1);
  }
  @bool empty() const { return known && least > most; }
  @std::int64_t count() const {
    std::int64_t steps = 0;
    if (!known || least > most) return 0;
    return __builtin_sub_overflow(most, least, &steps) || steps == INT64_MAX ? INT64_MAX : steps + 1;
  }
  @Interval plus(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    Interval result;
    const bool wraps = __builtin_add_overflow(least, other.least, &result.least) ||
                       __builtin_add_overflow(most, other.most, &result.most);
    result.known = known && other.known && !wraps;
    return result;
  }
  @Interval negated() const {
    if (empty()) return Interval();
    Interval result;
    const bool wraps = __builtin_sub_overflow(std::int64_t{0}, most, &result.least) ||
                       __builtin_sub_overflow(std::int64_t{0}, least, &result.most);
    result.known = known && !wraps;
    return result;
  }
  @Interval minus(const Interval &other) const { return plus(other.negated()); }
  @Interval with(const Interval &other) const {
    if (empty()) return other;
    if (other.empty()) return *this;
    if (!known || !other.known) return unknown();
    return from(least < other.least ? least : other.least, most > other.most ? most : other.most);
  }
  @Interval lower(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    return from(least < other.least ? least : other.least, most < other.most ? most : other.most);
  }
  @Interval higher(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    return from(least > other.least ? least : other.least, most > other.most ? most : other.most);
  }
  @Interval times(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    Interval result;
    for (int corner = 0; corner < 4; ++corner) {
      std::int64_t product = 0;
      if (__builtin_mul_overflow(corner < 2 ? least : most, corner % 2 == 0 ? other.least : other.most, &product))
        return unknown();
      result = result.with(Interval(product));
    }
    return result;
  }
  @Interval over(const Interval &other, bool floors) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known || (other.least <= 0 && other.most >= 0)) return unknown();
    Interval result;
    for (int corner = 0; corner < 4; ++corner) {
      const std::int64_t a = corner < 2 ? least : most, b = corner % 2 == 0 ? other.least : other.most;
      if (b == -1 && a == INT64_MIN) return unknown();
      const bool below = floors && a % b != 0 && (a < 0) != (b < 0);
      result = result.with(Interval(a / b - (below ? 1 : 0)));
    }
    return result;
  }
  @Interval rest(const Interval &other, bool floors) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known || other.least <= 0) return unknown();
    const std::int64_t limit = other.most - 1;
    if (least >= 0) return most < other.least ? *this : from(0, most < limit ? most : limit);
    return from(floors ? 0 : (least > -limit ? least : -limit), floors || most > limit ? limit : (most > 0 ? most : 0));
  }
  @Interval narrow() const {
    return known && (least > most || (least >= INT32_MIN && most <= INT32_MAX)) ? *this : unknown();
  }
};
using Interval = IntervalOf<std::int64_t>;
)cpp";

const std::string_view meets = R"cpp(/// Whether elements of one array may share a byte with elements of another.
@inline bool meets(const void *a, std::int64_t aSize, const Interval &aElements, const void *b, std::int64_t bSize,
                  const Interval &bElements) {
  if (aElements.empty() || bElements.empty()) return false;
  const auto apart = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a));
  const Interval p = aElements.times(Interval(aSize)).plus(Interval::from(0, aSize - 1));
  const Interval q = bElements.times(Interval(bSize)).plus(Interval::from(0, bSize - 1)).plus(Interval(apart));
  return !p.known || !q.known || (p.least <= q.most && q.least <= p.most);
}
)cpp";

const std::string_view valuesIn = R"cpp(/// From the least to the greatest value of some elements of an array.
template <class T> Interval valuesIn(const T *array, const Interval &elements) {
  if (!elements.known || elements.empty()) return elements;
  std::int64_t least = INT64_MAX, most = INT64_MIN;
#if defined(_OPENMP)
#pragma omp parallel for simd reduction(min : least) reduction(max : most) if (elements.count() > 65536)
#endif
  for (std::int64_t i = elements.least; i <= elements.most; ++i) {
    const auto value = static_cast<std::int64_t>(array[i]);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  return Interval::from(least, most);
}
)cpp";

const std::string_view exactIntegers =
    R"cpp(/// Whether a result leaves 64 bits; else it is what is asked for.
__host__ __device__ inline bool add_overflow(std::int64_t a, std::int64_t b, std::int64_t *result) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return true;
  *result = a + b;
  return false;
}
__host__ __device__ inline bool sub_overflow(std::int64_t a, std::int64_t b, std::int64_t *result) {
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) return true;
  *result = a - b;
  return false;
}
__host__ __device__ inline bool mul_overflow(std::int64_t a, std::int64_t b, std::int64_t *result) {
  const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  if ((a == -1 && b == INT64_MIN) || (a != 0 && a != -1 && product / a != b)) return true;
  *result = product;
  return false;
}
)cpp";

const std::string_view noteValues =
    R"cpp(/// Notes the least and the greatest value of some elements of an array in two words that were 0, all blocks of a launch
/// together: numbers of the order of the values, the first the greatest's, the second the complement of the least's.
template <class T>
__device__ inline void noteValues(const T *array, const Interval &elements, unsigned long long *words) {
  constexpr int threads = 256;
  __shared__ unsigned long long greatest[threads];
  __shared__ unsigned long long complement[threads];
  if (!elements.known || elements.empty()) return;
  unsigned long long most = 0, least = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * threads;
  const std::int64_t first = elements.least + static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  for (std::int64_t i = first; i <= elements.most; i += step) {
    const auto number = static_cast<unsigned long long>(static_cast<std::int64_t>(array[i])) ^ (1ull << 63);
    most = number > most ? number : most;
    least = ~number > least ? ~number : least;
  }
  greatest[threadIdx.x] = most;
  complement[threadIdx.x] = least;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < threads; ++i) {
    most = greatest[i] > most ? greatest[i] : most;
    least = complement[i] > least ? complement[i] : least;
  }
  atomicMax(words, most);
  atomicMax(words + 1, least);
}
)cpp";

const std::string_view valuesNoted =
    R"cpp(/// From the least to the greatest value that was noted of these elements.
__device__ inline Interval valuesNoted(const unsigned long long *words, const Interval &elements) {
  if (!elements.known || elements.empty()) return elements;
  const unsigned long long sign = 1ull << 63;
  return Interval::from(static_cast<std::int64_t>(~words[1] ^ sign), static_cast<std::int64_t>(words[0] ^ sign));
}
)cpp";

const std::string_view mirrorOf =
    R"cpp(/// A copy of some elements of one of the caller's arrays on the device; data points to its first, copied or not.
template <class T> class MirrorOf {
public:
  MirrorOf(const void *host, const Interval &elements)
      : offset(elements.count() > 0 ? elements.least * static_cast<std::int64_t>(sizeof(T)) : 0),
        bytes(static_cast<std::size_t>(elements.count()) * sizeof(T)) {
    if (bytes == 0) return;
    const std::int64_t lead = (offset % 256 + 256) % 256;
    expect($Malloc(&memory, bytes + static_cast<std::size_t>(lead)), "memory on the device");
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(lead);
    copied = reinterpret_cast<void *>(begin);
    data = reinterpret_cast<T *>(begin - static_cast<std::uintptr_t>(offset));
    const $Error_t error = $Memcpy(copied, static_cast<const char *>(host) + offset, bytes, $MemcpyHostToDevice);
    if (error != $Success) static_cast<void>($Free(memory));
    expect(error, "copy to the device");
  }
  MirrorOf(const MirrorOf &) = delete;
  MirrorOf &operator=(const MirrorOf &) = delete;
  ~MirrorOf() {
    if (memory) static_cast<void>($Free(memory));
  }
  void copyBack(void *host) const {
    if (bytes != 0) expect($Memcpy(static_cast<char *>(host) + offset, copied, bytes, $MemcpyDeviceToHost), "copy from the device");
  }
  T *data = nullptr;

private:
  std::int64_t offset;
  std::size_t bytes;
  void *memory = nullptr, *copied = nullptr;
};
)cpp";

} // namespace polymend::print_room::texts
