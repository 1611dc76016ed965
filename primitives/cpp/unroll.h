#ifndef POLYMEND_RT_UNROLL
#define POLYMEND_RT_UNROLL

#if defined(__clang__)
#define POLYMEND_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define POLYMEND_UNROLL _Pragma("GCC unroll 64")
#else
#define POLYMEND_UNROLL
#endif

#endif // POLYMEND_RT_UNROLL
