/* SPDX-License-Identifier: MIT */
/** @file
 *  The runtime API's types, with CUDA's names and numbers: errors, handles,
 *  flags; what describes devices, memory, launches and graphs is included.
 */
#ifndef SOFTGPU_DRIVER_TYPES_H
#define SOFTGPU_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__ /* programs ask for it */

#include "softgpu/errors.h"

/** What every call returns; softgpu/errors.h lists the codes. */
enum cudaError {
/** @cond the codes are explained by their texts */
#define SOFTGPU_ENUMERATOR(name, number, text) name = number,
    SOFTGPU_ERRORS(SOFTGPU_ENUMERATOR)
#undef SOFTGPU_ENUMERATOR
    softgpuErrorEnd
/** @endcond */
};
typedef enum cudaError cudaError_t; /**< what every call returns */

typedef struct CUstream_st *cudaStream_t; /**< a queue; 0: the default one */
typedef struct CUevent_st *cudaEvent_t;   /**< a mark in a queue */
typedef struct CUgraph_st *cudaGraph_t;   /**< work and its order */
typedef struct CUgraphNode_st *cudaGraphNode_t;  /**< one piece of it */
typedef struct CUgraphExec_st *cudaGraphExec_t;  /**< a graph to launch */
typedef struct CUmemPoolHandle_st *cudaMemPool_t; /**< a memory pool */
typedef struct CUuserObject_st *cudaUserObject_t; /**< what graphs keep */
typedef struct CUfunc_st *cudaFunction_t;        /**< a kernel */

#define CUDART_CB /**< calling convention of callbacks: the usual one */

/** A function that the host runs in stream order; it may call no CUDA. */
typedef void (*cudaHostFn_t)(void *userData);
/** The older kind, told how the stream fares. */
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status,
                                     void *userData);

#define cudaStreamDefault 0x00     /**< waits for, and is awaited by, stream 0 */
#define cudaStreamNonBlocking 0x01 /**< has nothing to do with stream 0 */
#define cudaStreamLegacy ((cudaStream_t)0x1)    /**< stream 0, by name */
#define cudaStreamPerThread ((cudaStream_t)0x2) /**< one a host thread */

#define cudaEventDefault 0x00        /**< with time */
#define cudaEventBlockingSync 0x01   /**< taken, changes nothing */
#define cudaEventDisableTiming 0x02  /**< without time */
#define cudaEventInterprocess 0x04   /**< refused */
#define cudaEventRecordDefault 0x00  /**< record */
#define cudaEventRecordExternal 0x01 /**< in a capture: a node */
#define cudaEventWaitDefault 0x00    /**< wait */
#define cudaEventWaitExternal 0x01   /**< in a capture: a node */

#define cudaDeviceScheduleAuto 0x00         /**< how the host waits: */
#define cudaDeviceScheduleSpin 0x01         /**< taken, changes nothing */
#define cudaDeviceScheduleYield 0x02        /**< likewise */
#define cudaDeviceScheduleBlockingSync 0x04 /**< likewise */
#define cudaDeviceBlockingSync 0x04         /**< its old name */
#define cudaDeviceScheduleMask 0x07         /**< these four */
#define cudaDeviceMapHost 0x08              /**< always so */
#define cudaDeviceLmemResizeToMax 0x10      /**< changes nothing */
#define cudaDeviceSyncMemops 0x80           /**< changes nothing */
#define cudaDeviceMask 0xff                 /**< all flags there are */
#define cudaInitDeviceFlagsAreValid 0x01    /**< for cudaInitDevice */

#define cudaOccupancyDefault 0x00                /**< as it is */
#define cudaOccupancyDisableCachingOverride 0x01 /**< changes nothing */

/** A stream's relation to a capture. */
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,       /**< not capturing */
    cudaStreamCaptureStatusActive = 1,     /**< capturing */
    cudaStreamCaptureStatusInvalidated = 2 /**< to be ended, and failed */
};

/** What else is forbidden during a capture: kept, not enforced. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,      /**< of all threads */
    cudaStreamCaptureModeThreadLocal = 1, /**< of this thread */
    cudaStreamCaptureModeRelaxed = 2      /**< nothing */
};

/** How cudaStreamUpdateCaptureDependencies changes them. */
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0, /**< add */
    cudaStreamSetCaptureDependencies = 1  /**< replace */
};

#include "softgpu/device_types.h"
#include "softgpu/memory_types.h"
#include "softgpu/launch_types.h"
#include "softgpu/graph_types.h"

#endif
