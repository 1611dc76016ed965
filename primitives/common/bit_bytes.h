#ifndef POLYMEND_RT_BIT_BYTES
#define POLYMEND_RT_BIT_BYTES

#include <algorithm>
#include <cstddef>
#include <memory>

namespace polymend_rt {
namespace {

/// A byte for each bit of a container of such. Once it is told so, the bits are what the bytes are in the end.
template <class Bits> class BitBytes {
public:
  explicit BitBytes(Bits &container) : bits(container), bytes(new bool[container.size()]) {
    std::copy(bits.begin(), bits.end(), bytes.get());
  }
  BitBytes(const BitBytes &) = delete;
  BitBytes &operator=(const BitBytes &) = delete;
  ~BitBytes() {
    if (gives) std::copy(bytes.get(), bytes.get() + bits.size(), bits.begin());
  }
  bool *data() const { return bytes.get(); }
  void give() { gives = true; }

private:
  Bits &bits;
  std::unique_ptr<bool[]> bytes;
  bool gives = false;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BIT_BYTES
