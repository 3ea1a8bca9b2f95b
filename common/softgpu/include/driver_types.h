/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of the runtime API, with CUDA's names and numbers: errors, handles,
 *  flags; includes those for devices, memory, launches and graphs.
 */
#ifndef SOFTGPU_DRIVER_TYPES_H
#define SOFTGPU_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__ /* programs ask for it */

#include "softgpu/errors.h"

/** Error codes; softgpu/errors.h lists them. */
enum cudaError {
/** @cond the codes are explained by their texts */
#define SOFTGPU_ENUMERATOR(name, number, text) name = number,
    SOFTGPU_ERRORS(SOFTGPU_ENUMERATOR)
#undef SOFTGPU_ENUMERATOR
    softgpuErrorEnd
/** @endcond */
};
typedef enum cudaError cudaError_t; /**< result of every call */

typedef struct CUstream_st *cudaStream_t; /**< a stream; 0: the default
                                               stream */
typedef struct CUevent_st *cudaEvent_t;   /**< an event */
typedef struct CUgraph_st *cudaGraph_t;   /**< a graph */
typedef struct CUgraphNode_st *cudaGraphNode_t;   /**< a node of a graph */
typedef struct CUgraphExec_st *cudaGraphExec_t;   /**< an executable graph */
typedef struct CUmemPoolHandle_st *cudaMemPool_t; /**< a memory pool */
typedef struct CUuserObject_st *cudaUserObject_t; /**< a reference-counted
                                                       object of graphs */
typedef struct CUfunc_st *cudaFunction_t;         /**< a kernel */

#define CUDART_CB /**< calling convention of callbacks: the default */

/** A host function in stream order; it must not call CUDA. */
typedef void (*cudaHostFn_t)(void *userData);
/** The older form, with the status of the stream. */
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status,
                                     void *userData);

#define cudaStreamDefault 0x00 /**< synchronizes with the default stream */
#define cudaStreamNonBlocking 0x01 /**< does not */
#define cudaStreamLegacy ((cudaStream_t)0x1)    /**< the default stream */
#define cudaStreamPerThread ((cudaStream_t)0x2) /**< one for each host thread */
/** In a kernel: the launch runs after all else that its grid launched. */
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
/** In a kernel: the launch is not ordered with others. */
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#define cudaEventDefault 0x00        /**< with timing */
#define cudaEventBlockingSync 0x01   /**< accepted, no effect */
#define cudaEventDisableTiming 0x02  /**< without timing */
#define cudaEventInterprocess 0x04   /**< for other processes */
#define cudaEventRecordDefault 0x00  /**< record */
#define cudaEventRecordExternal 0x01 /**< in a capture: a node */
#define cudaEventWaitDefault 0x00    /**< wait */
#define cudaEventWaitExternal 0x01   /**< in a capture: a node */

#define cudaDeviceScheduleAuto 0x00         /**< how the host waits */
#define cudaDeviceScheduleSpin 0x01         /**< accepted, no effect */
#define cudaDeviceScheduleYield 0x02        /**< accepted, no effect */
#define cudaDeviceScheduleBlockingSync 0x04 /**< accepted, no effect */
#define cudaDeviceBlockingSync 0x04         /**< its old name */
#define cudaDeviceScheduleMask 0x07         /**< mask of these */
#define cudaDeviceMapHost 0x08              /**< always set */
#define cudaDeviceLmemResizeToMax 0x10      /**< no effect */
#define cudaDeviceSyncMemops 0x80           /**< no effect */
#define cudaDeviceMask 0xff                 /**< all flags */
#define cudaInitDeviceFlagsAreValid 0x01    /**< for cudaInitDevice */

#define cudaOccupancyDefault 0x00                /**< default */
#define cudaOccupancyDisableCachingOverride 0x01 /**< no effect */

/** Capture status of a stream. */
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,       /**< not capturing */
    cudaStreamCaptureStatusActive = 1,     /**< capturing */
    cudaStreamCaptureStatusInvalidated = 2 /**< the capture failed */
};

/** Where unsafe calls are errors during a capture: stored, not enforced. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,      /**< in all threads */
    cudaStreamCaptureModeThreadLocal = 1, /**< in this thread */
    cudaStreamCaptureModeRelaxed = 2      /**< none */
};

/** Mode of cudaStreamUpdateCaptureDependencies(). */
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0, /**< add */
    cudaStreamSetCaptureDependencies = 1  /**< replace */
};

/** Results of cudaGetDriverEntryPoint(). */
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,             /**< the call */
    cudaDriverEntryPointSymbolNotFound = 1,      /**< none of this name */
    cudaDriverEntryPointVersionNotSufficent = 2  /**< unused */
};
#define cudaEnableDefault 0x0                /**< by the program */
#define cudaEnableLegacyStream 0x1           /**< accepted, no effect */
#define cudaEnablePerThreadDefaultStream 0x2 /**< accepted, no effect */

#include "softgpu/device_types.h"
#include "softgpu/memory_types.h"
#include "softgpu/texture_types.h"
#include "softgpu/launch_types.h"
#include "softgpu/graph_types.h"

#endif
