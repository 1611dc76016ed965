// A table of 256 values applied to every channel.
#include <array>
#include <cstdint>
#include <span>

void gamma_lut(std::span<const std::uint8_t> in, std::span<std::uint8_t> out,
               const std::array<std::uint8_t, 256> &lut) {
  for (std::size_t i = 0; i < in.size(); i++) out[i] = lut[in[i]];
}
