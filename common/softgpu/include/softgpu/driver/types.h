/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of the driver API, with CUDA's names and numbers.
 */
#ifndef SOFTGPU_DRIVER_TYPES_OF_H
#define SOFTGPU_DRIVER_TYPES_OF_H

#include "attributes.h"
#include "errors.h"

/** Error codes. */
typedef enum cudaError_enum {
/** @cond the texts explain the codes */
#define SOFTGPU_ENUMERATOR(name, number) name = number,
    SOFTGPU_DRIVER_ERRORS(SOFTGPU_ENUMERATOR)
#undef SOFTGPU_ENUMERATOR
    softgpuDriverErrorEnd
/** @endcond */
} CUresult;

/** Which threads may use a device. */
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

/** Parameters of a context; those that ask for a part of a device are not
 *  supported. */
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;  /**< NULL */
    int numExecAffinityParams; /**< 0 */
    void *cigParams;           /**< NULL */
} CUctxCreateParams;

typedef unsigned long long CUdeviceptr; /**< address in device memory */
typedef int CUdevice;                   /**< number of a device */
typedef struct CUctx_st *CUcontext;     /**< a context */
typedef struct CUmod_st *CUmodule;      /**< a loaded module */
typedef cudaFunction_t CUfunction;      /**< a kernel */
typedef cudaStream_t CUstream;          /**< a stream of the runtime */
typedef cudaEvent_t CUevent;            /**< an event of the runtime */
typedef cudaArray_t CUarray;            /**< an array of the runtime */
typedef cudaMipmappedArray_t CUmipmappedArray; /**< as the runtime's */
typedef cudaTextureObject_t CUtexObject; /**< a texture of the runtime */
typedef cudaSurfaceObject_t CUsurfObject; /**< a surface of the runtime */
typedef cudaHostFn_t CUhostFn;          /**< a function of the host */
/** A function of the host with the status of its stream. */
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);

#define CU_STREAM_LEGACY ((CUstream)0x1)     /**< the default stream */
#define CU_STREAM_PER_THREAD ((CUstream)0x2) /**< one for each thread */

#define CU_MEMHOSTALLOC_PORTABLE 0x01      /**< for every context */
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02     /**< mapped for kernels */
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04 /**< no effect */
#define CU_MEMHOSTREGISTER_PORTABLE 0x01   /**< for every context */
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02  /**< mapped for kernels */

#define CU_LAUNCH_PARAM_END ((void *)0x00) /**< end of `extra` */
/** Next in `extra`: the arguments, laid out as in a struct. */
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
/** Next in `extra`: address of their size in bytes (size_t). */
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

/** Flags of contexts: without effect here. */
typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0x00,          /**< how the host waits */
    CU_CTX_SCHED_SPIN = 0x01,          /**< by polling */
    CU_CTX_SCHED_YIELD = 0x02,         /**< by yielding */
    CU_CTX_SCHED_BLOCKING_SYNC = 0x04, /**< by blocking */
    CU_CTX_BLOCKING_SYNC = 0x04,       /**< its old name */
    CU_CTX_SCHED_MASK = 0x07,          /**< mask of these */
    CU_CTX_MAP_HOST = 0x08,            /**< always set */
    CU_CTX_LMEM_RESIZE_TO_MAX = 0x10   /**< keep local memory */
} CUctx_flags;

/** Flags of streams. */
typedef enum CUstream_flags_enum {
    CU_STREAM_DEFAULT = 0x0,     /**< synchronizes with the default stream */
    CU_STREAM_NON_BLOCKING = 0x1 /**< does not */
} CUstream_flags;

/** Flags of events. */
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0x0,        /**< with timing */
    CU_EVENT_BLOCKING_SYNC = 0x1,  /**< no effect */
    CU_EVENT_DISABLE_TIMING = 0x2, /**< without timing */
    CU_EVENT_INTERPROCESS = 0x4    /**< for other processes */
} CUevent_flags;

/** Flags of managed memory. */
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 0x1, /**< for every stream */
    CU_MEM_ATTACH_HOST = 0x2,   /**< for the host */
    CU_MEM_ATTACH_SINGLE = 0x4  /**< for one stream */
} CUmemAttach_flags;

/** Limits of a context. */
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE = 0,                       /**< of a thread */
    CU_LIMIT_PRINTF_FIFO_SIZE = 1,                 /**< buffer of printf */
    CU_LIMIT_MALLOC_HEAP_SIZE = 2,                 /**< heap of malloc */
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,           /**< nesting */
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4, /**< launches */
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,         /**< bytes */
    CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6          /**< bytes */
} CUlimit;

/** Preference between L1 and shared memory: without effect here. */
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0,   /**< none */
    CU_FUNC_CACHE_PREFER_SHARED = 1, /**< shared memory */
    CU_FUNC_CACHE_PREFER_L1 = 2,     /**< L1 */
    CU_FUNC_CACHE_PREFER_EQUAL = 3   /**< both */
} CUfunc_cache;

/** Attributes of a kernel. */
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, /**< threads */
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,     /**< static shared memory */
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,      /**< 0 here */
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,      /**< 0 here */
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,              /**< registers */
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,           /**< 10 * major + minor */
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,        /**< 10 * major + minor */
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,         /**< 0 */
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,     /**< settable */
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,  /**< settable */
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14 /**< settable */
} CUfunction_attribute;

/** Kind of a pointer's memory. */
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,   /**< of the host */
    CU_MEMORYTYPE_DEVICE = 2, /**< of a device */
    CU_MEMORYTYPE_ARRAY = 3,  /**< an array */
    CU_MEMORYTYPE_UNIFIED = 4 /**< any: told by the address */
} CUmemorytype;

/** Attributes of a pointer. */
typedef enum CUpointer_attribute_enum {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1,        /**< CUcontext */
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,    /**< CUmemorytype */
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3, /**< CUdeviceptr */
    CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,   /**< void * */
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,     /**< int */
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9  /**< int */
} CUpointer_attribute;

/** Options of cuModuleLoadDataEx(); accepted, without effect. */
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,               /**< registers */
    CU_JIT_THREADS_PER_BLOCK = 1,           /**< threads */
    CU_JIT_WALL_TIME = 2,                   /**< time */
    CU_JIT_INFO_LOG_BUFFER = 3,             /**< text */
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,  /**< bytes */
    CU_JIT_ERROR_LOG_BUFFER = 5,            /**< text */
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6, /**< bytes */
    CU_JIT_OPTIMIZATION_LEVEL = 7,          /**< 0 to 4 */
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,       /**< the device's */
    CU_JIT_TARGET = 9,                      /**< an architecture */
    CU_JIT_FALLBACK_STRATEGY = 10,          /**< unused */
    CU_JIT_GENERATE_DEBUG_INFO = 11,        /**< 0 or 1 */
    CU_JIT_LOG_VERBOSE = 12,                /**< 0 or 1 */
    CU_JIT_GENERATE_LINE_INFO = 13          /**< 0 or 1 */
} CUjit_option;

/** Format of an array's channels. */
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,  /**< 8 bits */
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02, /**< 16 bits */
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03, /**< 32 bits */
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,    /**< 8 bits */
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,   /**< 16 bits */
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,   /**< 32 bits */
    CU_AD_FORMAT_HALF = 0x10,           /**< half */
    CU_AD_FORMAT_FLOAT = 0x20           /**< float */
} CUarray_format;

/** An array of up to two dimensions. */
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width;             /**< elements */
    size_t Height;            /**< rows; 0: one dimension */
    CUarray_format Format;    /**< of a channel */
    unsigned int NumChannels; /**< 1, 2 or 4 */
} CUDA_ARRAY_DESCRIPTOR;

/** A copy of rows. */
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes;         /**< first byte in the row */
    size_t srcY;                /**< first row */
    CUmemorytype srcMemoryType; /**< selects one of the next three */
    const void *srcHost;        /**< of the host */
    CUdeviceptr srcDevice;      /**< of the device */
    CUarray srcArray;           /**< an array */
    size_t srcPitch;            /**< from row to row; 0: WidthInBytes */
    size_t dstXInBytes;         /**< first byte in the row */
    size_t dstY;                /**< first row */
    CUmemorytype dstMemoryType; /**< selects one of the next three */
    void *dstHost;              /**< of the host */
    CUdeviceptr dstDevice;      /**< of the device */
    CUarray dstArray;           /**< an array */
    size_t dstPitch;            /**< from row to row; 0: WidthInBytes */
    size_t WidthInBytes;        /**< of each row */
    size_t Height;              /**< rows */
} CUDA_MEMCPY2D;

#endif
