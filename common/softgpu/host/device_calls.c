/* SPDX-License-Identifier: MIT */
/** @file
 *  Limits, flags, cache preferences, peer access and versions of devices.
 */
#include "call.h"
#include "device.h"

enum { MAX_SYNC_DEPTH = 24 /* that of launches: device_launch.c */ };

static cudaError_t set_flags(unsigned flags)
{
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~(unsigned)cudaDeviceMask || schedule & (schedule - 1))
        return cudaErrorInvalidValue;
    softgpu_device()->flags = flags;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    SOFTGPU_CALL(set_flags(flags));
}

static cudaError_t get_flags(unsigned *flags)
{
    if (!flags)
        return cudaErrorInvalidValue;
    *flags = softgpu_device()->flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    SOFTGPU_CALL(get_flags(flags));
}

static int is_limit(enum cudaLimit limit)
{
    return (unsigned)limit < SOFTGPU_LIMITS;
}

static cudaError_t set_limit(enum cudaLimit limit, size_t value)
{
    if (!is_limit(limit))
        return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth && value > MAX_SYNC_DEPTH)
        return cudaErrorInvalidValue;
    if (limit == cudaLimitStackSize)
        value = (value + 15) / 16 * 16; /* rounded as on a GPU */
    softgpu_device()->limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    SOFTGPU_CALL(set_limit(limit, value));
}

static cudaError_t get_limit(size_t *value, enum cudaLimit limit)
{
    if (!value || !is_limit(limit))
        return cudaErrorInvalidValue;
    *value = softgpu_device()->limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    SOFTGPU_QUERY(get_limit(value, limit));
}

static cudaError_t set_cache(enum cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual)
        return cudaErrorInvalidValue;
    softgpu_device()->cache = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    SOFTGPU_CALL(set_cache(config));
}

static cudaError_t get_cache(enum cudaFuncCache *config)
{
    if (!config)
        return cudaErrorInvalidValue;
    *config = softgpu_device()->cache;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    SOFTGPU_QUERY(get_cache(config));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    SOFTGPU_CALL((unsigned)config > cudaSharedMemBankSizeEightByte
                     ? cudaErrorInvalidValue
                     : cudaSuccess);
}

static cudaError_t get_banks(enum cudaSharedMemConfig *config)
{
    if (!config)
        return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    SOFTGPU_QUERY(get_banks(config));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    SOFTGPU_CALL(cudaSuccess);
}

static cudaError_t check_devices(const int *devices, int n)
{
    if (n < 0 || (n && !devices))
        return cudaErrorInvalidValue;
    for (int i = 0; i < n; i++)
        if (!softgpu_device_at(devices[i]))
            return cudaErrorInvalidDevice;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    SOFTGPU_CALL(check_devices(devices, n));
}

static cudaError_t can_access(int *can, int device, int peer)
{
    if (!can)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(device) || !softgpu_device_at(peer))
        return cudaErrorInvalidDevice;
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    SOFTGPU_CALL(can_access(can, device, peer));
}

/* Enable or disable access from the current device to a peer. */
static cudaError_t set_peer(int peer, int open)
{
    struct softgpu_device *d = softgpu_device();
    if (!softgpu_device_at(peer) || peer == d->index)
        return cudaErrorInvalidDevice;
    const uint32_t bit = 1u << peer;
    if (((d->peers & bit) != 0) == open)
        return open ? cudaErrorPeerAccessAlreadyEnabled
                    : cudaErrorPeerAccessNotEnabled;
    d->peers ^= bit;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    SOFTGPU_CALL(flags ? cudaErrorInvalidValue : set_peer(peer, 1));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    SOFTGPU_CALL(set_peer(peer, 0));
}

static cudaError_t peer_attribute(int *value, enum cudaDeviceP2PAttr attribute,
                                  int from, int to)
{
    if (!value || attribute < cudaDevP2PAttrPerformanceRank
        || attribute > cudaDevP2PAttrCudaArrayAccessSupported)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(from) || !softgpu_device_at(to) || from == to)
        return cudaErrorInvalidDevice;
    *value = attribute == cudaDevP2PAttrAccessSupported
             || attribute == cudaDevP2PAttrNativeAtomicSupported;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value,
                                      enum cudaDeviceP2PAttr attribute,
                                      int source, int destination)
{
    SOFTGPU_CALL(peer_attribute(value, attribute, source, destination));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return softgpu_record_error(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    SOFTGPU_CALL(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    SOFTGPU_CALL(cudaSuccess);
}
