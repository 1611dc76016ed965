// The instructions that translate.py knows, as functions; a name says which instruction.
#pragma once

#include "machine.h"
#include "races.h"
#include "warps.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace emulated {

void mbarrier_init(std::uint32_t address, std::uint32_t count);
void fence_mbarrier_init();
void mbarrier_arrive(std::uint32_t address);
void mbarrier_arrive_expect_tx(std::uint32_t address, std::uint32_t bytes);
/// The loop around mbarrier.try_wait.parity.
void mbarrier_wait_parity(std::uint32_t address, std::uint32_t parity);
/// A copy brought its bytes.
void mbarrier_complete(std::uint32_t address, Block &block, std::uint32_t bytes, const Clock &told);

/// cp.async.cg from global to shared memory: `read` of the bytes, then zeros.
void copy_chunk(std::uint32_t shared, const void *from, unsigned bytes, unsigned read);
/// cp.async.mbarrier.arrive.noinc: an arrival once the thread's chunks are there.
void chunks_arrive(std::uint32_t barrier);
/// That arrival.
void mbarrier_arrive_copied(std::uint32_t address, Block &block, const Clock &told);

/// cp.async.bulk.tensor from global to shared memory: coordinates innermost first.
void copy_tensor(std::uint32_t shared, const void *map, std::uint32_t barrier, int rank, std::array<int, 5> at);
void prefetch_tensormap(const void *map);
void fence_proxy_async();

void wgmma_fence();
void wgmma_commit_group();
void wgmma_wait_group(int pending);
void setmaxnreg(bool more, int count);
void bar_sync(unsigned number, unsigned threads);

inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
/// ex2.approx.ftz, rcp.approx.ftz, tanh.approx and div.full are as exact here as floats are.
inline float ex2_approx_ftz(float x) { return flushed(::exp2f(flushed(x))); }
inline float rcp_approx_ftz(float x) { return flushed(1.0f / flushed(x)); }
inline float tanh_approx(float x) { return ::tanhf(x); }
inline float div_full(float a, float b) { return a / b; }
inline float min_nan(float a, float b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b); }

} // namespace emulated
