// What printed primitives of a warp stand on in tests that run them on this machine: the thread, shared memory, and
// copies of chunks into it.
#pragma once

namespace polymend::testing_print {

/// Begins a text and an unnamed namespace, which the caller closes.
constexpr const char *warpMachine = R"cpp(
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>
#define __device__
#define __forceinline__ inline
namespace {
struct { unsigned x; } threadIdx;
std::vector<unsigned char> memory(1 << 20);

/// Where chunks were copied to since it was cleared, whether two to one place, and how many threads said that they had.
std::set<std::uint32_t> chunks;
bool twice = false;
int arrivals = 0;
void copyChunk(std::uint32_t shared, const void *from, bool inside) {
  twice = twice || !chunks.insert(shared).second;
  if (inside) std::memcpy(&memory[shared], from, 16);
  else std::memset(&memory[shared], 0, 16);
}
void mbarrierArriveCopied(std::uint32_t) { ++arrivals; }
void forgetCopies() {
  chunks.clear();
  twice = false;
  arrivals = 0;
}
)cpp";

constexpr const char *warpFlags = "-std=c++20 -O1 -Wno-unknown-pragmas -Wno-pass-failed -Wno-unused-function";

} // namespace polymend::testing_print
