/* SPDX-License-Identifier: MIT */
/** @file
 *  Types for the properties of devices and the attributes of kernels.
 */
#ifndef SOFTGPU_DEVICE_TYPES_H
#define SOFTGPU_DEVICE_TYPES_H

#include <stddef.h>

#include "softgpu/attributes.h"

/** Identifier of a device. */
typedef struct CUuuid_st {
    char bytes[16]; /**< the identifier */
} CUuuid;
typedef struct CUuuid_st cudaUUID_t; /**< name in the runtime API */

/** A described card: CUDA 12's fields in CUDA 12's order.
 *
 *  Sizes are bytes, clocks kHz, widths bits.
 */
struct cudaDeviceProp {
    /** @cond the names are the documentation */
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
    /** @endcond */
};

/** Attributes of a pair of devices. */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,         /**< 0 is the best link */
    cudaDevP2PAttrAccessSupported = 2,         /**< peer access works */
    cudaDevP2PAttrNativeAtomicSupported = 3,   /**< atomics cross the link */
    cudaDevP2PAttrCudaArrayAccessSupported = 4 /**< arrays cross it: 0 here */
};

/** Compute mode of a device. */
enum cudaComputeMode {
    cudaComputeModeDefault = 0,         /**< any thread of any process */
    cudaComputeModeExclusive = 1,       /**< one thread */
    cudaComputeModeProhibited = 2,      /**< none */
    cudaComputeModeExclusiveProcess = 3 /**< one process */
};

/** Limits of a device. */
enum cudaLimit {
    cudaLimitStackSize = 0,                    /**< bytes per thread */
    cudaLimitPrintfFifoSize = 1,               /**< bytes of printf's buffer */
    cudaLimitMallocHeapSize = 2,               /**< bytes of device malloc */
    cudaLimitDevRuntimeSyncDepth = 3,          /**< grids that may wait */
    cudaLimitDevRuntimePendingLaunchCount = 4, /**< no effect */
    cudaLimitMaxL2FetchGranularity = 5,        /**< bytes, a hint */
    cudaLimitPersistingL2CacheSize = 6         /**< bytes, a hint */
};

/** Attributes that cudaFuncSetAttribute() sets. */
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,      /**< bytes */
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,   /**< percent or -1 */
    cudaFuncAttributeClusterDimMustBeSet = 10,            /**< clusters: no */
    cudaFuncAttributeRequiredClusterWidth = 11,           /**< clusters: no */
    cudaFuncAttributeRequiredClusterHeight = 12,          /**< clusters: no */
    cudaFuncAttributeRequiredClusterDepth = 13,           /**< clusters: no */
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,  /**< clusters: no */
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15, /**< no */
    cudaFuncAttributeMax                                  /**< one past */
};

/** Preference of L1 or shared memory: a hint without effect. */
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,   /**< no preference */
    cudaFuncCachePreferShared = 1, /**< more shared memory */
    cudaFuncCachePreferL1 = 2,     /**< more L1 */
    cudaFuncCachePreferEqual = 3   /**< equal parts */
};

/** Width of a shared-memory bank; cards since Maxwell have 4 bytes only. */
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,  /**< 4 bytes */
    cudaSharedMemBankSizeFourByte = 1, /**< 4 bytes */
    cudaSharedMemBankSizeEightByte = 2 /**< accepted, no effect */
};

/** Named values of the carve-out attribute. */
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,   /**< no preference */
    cudaSharedmemCarveoutMaxShared = 100, /**< maximum of shared memory */
    cudaSharedmemCarveoutMaxL1 = 0       /**< maximum of L1 */
};

/** Attributes of a kernel. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes;        /**< static shared memory per block */
    size_t constSizeBytes;         /**< 0: constants are plain variables */
    size_t localSizeBytes;         /**< 0: the host compiler spills */
    int maxThreadsPerBlock;        /**< from __launch_bounds__, or 1024 */
    int numRegs;                   /**< assumed: 32 */
    int ptxVersion;                /**< of the described card, 90 for 9.0 */
    int binaryVersion;             /**< the same */
    int cacheModeCA;               /**< 0 */
    int maxDynamicSharedSizeBytes; /**< maximum of a launch */
    int preferredShmemCarveout;    /**< percent, -1 unset */
    int clusterDimMustBeSet;       /**< 0: no clusters */
    int requiredClusterWidth;      /**< 0 */
    int requiredClusterHeight;     /**< 0 */
    int requiredClusterDepth;      /**< 0 */
    int clusterSchedulingPolicyPreference; /**< 0 */
    int nonPortableClusterSizeAllowed;     /**< 0 */
    int reserved[16];              /**< 0 */
};

#endif
