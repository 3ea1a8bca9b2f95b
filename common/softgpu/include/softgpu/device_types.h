/* SPDX-License-Identifier: MIT */
/** @file
 *  What describes a device, and what a kernel's attributes are.
 */
#ifndef SOFTGPU_DEVICE_TYPES_H
#define SOFTGPU_DEVICE_TYPES_H

#include <stddef.h>

#include "softgpu/attributes.h"

/** 16 bytes that name a device. */
typedef struct CUuuid_st {
    char bytes[16]; /**< the name */
} CUuuid;
typedef struct CUuuid_st cudaUUID_t; /**< the runtime's name for CUuuid */

/** A described card: CUDA 12's fields in CUDA 12's order.
 *
 *  Sizes are bytes, clocks kHz, widths bits.  Fields of textures and surfaces
 *  are 0: the soft device has none.
 */
struct cudaDeviceProp {
    /** @cond each is named for what it says */
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

/** What cudaDeviceGetP2PAttribute can be asked. */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,         /**< 0 is the best link */
    cudaDevP2PAttrAccessSupported = 2,         /**< peer access works */
    cudaDevP2PAttrNativeAtomicSupported = 3,   /**< atomics cross the link */
    cudaDevP2PAttrCudaArrayAccessSupported = 4 /**< arrays cross it: 0 here */
};

/** Who may use the device. */
enum cudaComputeMode {
    cudaComputeModeDefault = 0,         /**< any thread of any process */
    cudaComputeModeExclusive = 1,       /**< one thread */
    cudaComputeModeProhibited = 2,      /**< nobody */
    cudaComputeModeExclusiveProcess = 3 /**< one process */
};

/** Limits that a program may read and set. */
enum cudaLimit {
    cudaLimitStackSize = 0,                    /**< bytes a device thread */
    cudaLimitPrintfFifoSize = 1,               /**< bytes of printf's buffer */
    cudaLimitMallocHeapSize = 2,               /**< bytes of device malloc */
    cudaLimitDevRuntimeSyncDepth = 3,          /**< refused: no device launch */
    cudaLimitDevRuntimePendingLaunchCount = 4, /**< refused likewise */
    cudaLimitMaxL2FetchGranularity = 5,        /**< bytes, a hint */
    cudaLimitPersistingL2CacheSize = 6         /**< bytes, a hint */
};

/** What cudaFuncSetAttribute sets. */
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,      /**< bytes */
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,   /**< percent or -1 */
    cudaFuncAttributeClusterDimMustBeSet = 10,            /**< clusters: no */
    cudaFuncAttributeRequiredClusterWidth = 11,           /**< clusters: no */
    cudaFuncAttributeRequiredClusterHeight = 12,          /**< clusters: no */
    cudaFuncAttributeRequiredClusterDepth = 13,           /**< clusters: no */
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,  /**< clusters: no */
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15, /**< likewise */
    cudaFuncAttributeMax                                  /**< one past */
};

/** L1 against shared memory: a hint that changes nothing here. */
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
    cudaSharedMemBankSizeEightByte = 2 /**< taken and ignored */
};

/** Named values of the carve-out attribute. */
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,   /**< no preference */
    cudaSharedmemCarveoutMaxShared = 100, /**< as much shared as can be */
    cudaSharedmemCarveoutMaxL1 = 0       /**< as much L1 as can be */
};

/** What cudaFuncGetAttributes tells of a kernel. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes;        /**< static shared memory a block */
    size_t constSizeBytes;         /**< 0: constants are plain variables */
    size_t localSizeBytes;         /**< 0: the host compiler spills */
    int maxThreadsPerBlock;        /**< from __launch_bounds__, or 1024 */
    int numRegs;                   /**< declared, not measured: 32 */
    int ptxVersion;                /**< of the described card, 90 for 9.0 */
    int binaryVersion;             /**< the same */
    int cacheModeCA;               /**< 0 */
    int maxDynamicSharedSizeBytes; /**< what a launch may ask for */
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
