#ifndef POLYMEND_RT_APART
#define POLYMEND_RT_APART

// Products that the source rounds stay rounded: Clang is told within a function, GCC around it, which would also warn
// of functions within a body whose parameters are named as those around them.
#if defined(__clang__)
#define POLYMEND_ROUNDED_PRODUCTS _Pragma("clang fp contract(off)")
#define POLYMEND_APART_BEGIN
#define POLYMEND_APART_END
#else
#define POLYMEND_ROUNDED_PRODUCTS
#define POLYMEND_APART_BEGIN                                                                                           \
  _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")") _Pragma("GCC diagnostic push")              \
      _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define POLYMEND_APART_END _Pragma("GCC diagnostic pop") _Pragma("GCC pop_options")
#endif

#endif // POLYMEND_RT_APART
