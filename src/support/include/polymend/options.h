// Choices of the user that more than one room needs.
#pragma once

namespace polymend {

/// --target: C++ with OpenMP, CUDA, HIP.
enum class Target { Cpp, Cuda, Hip };

/// --relax: which way of mending a dropped dependence may be used.
enum class RelaxMode { Auto, None, Rolling, SplitK };

/// --fp: whether results have the source's bits, may differ by the laws of real numbers, or by approximations too.
enum class FloatMode { Strict, Algebraic, Approx };

} // namespace polymend
