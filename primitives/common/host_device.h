#ifndef POLYMEND_RT_HOST_DEVICE
#define POLYMEND_RT_HOST_DEVICE

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#define POLYMEND_HOST_DEVICE __host__ __device__
#else
#define POLYMEND_HOST_DEVICE
#endif

#endif // POLYMEND_RT_HOST_DEVICE
