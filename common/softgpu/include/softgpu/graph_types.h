/* SPDX-License-Identifier: MIT */
/** @file
 *  What describes the nodes of a graph.
 */
#ifndef SOFTGPU_GRAPH_TYPES_H
#define SOFTGPU_GRAPH_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

/** What a node does. */
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,             /**< runs a kernel */
    cudaGraphNodeTypeMemcpy = 1,             /**< copies */
    cudaGraphNodeTypeMemset = 2,             /**< fills */
    cudaGraphNodeTypeHost = 3,               /**< calls a host function */
    cudaGraphNodeTypeGraph = 4,              /**< runs a graph */
    cudaGraphNodeTypeEmpty = 5,              /**< only orders */
    cudaGraphNodeTypeWaitEvent = 6,          /**< waits for an event */
    cudaGraphNodeTypeEventRecord = 7,        /**< records one */
    cudaGraphNodeTypeExtSemaphoreSignal = 8, /**< never here */
    cudaGraphNodeTypeExtSemaphoreWait = 9,   /**< never here */
    cudaGraphNodeTypeMemAlloc = 10,          /**< of a capture */
    cudaGraphNodeTypeMemFree = 11,           /**< likewise */
    cudaGraphNodeTypeConditional = 13,       /**< never here */
    cudaGraphNodeTypeCount                   /**< one past the last */
};

/** A kernel node: what cudaLaunchKernel is given. */
struct cudaKernelNodeParams {
    void *func;                  /**< the kernel, as the host names it */
    dim3 gridDim;                /**< blocks */
    dim3 blockDim;               /**< threads a block */
    unsigned int sharedMemBytes; /**< dynamic, a block */
    void **kernelParams;         /**< addresses of the arguments: copied */
    void **extra;                /**< must be NULL */
};

/** A host node. */
struct cudaHostNodeParams {
    cudaHostFn_t fn; /**< what to call */
    void *userData;  /**< with what */
};

/** A copy node, as cudaGraphAddNode takes it. */
struct cudaMemcpyNodeParams {
    int flags;                           /**< 0 */
    int reserved[3];                     /**< 0 */
    struct cudaMemcpy3DParms copyParams; /**< the copy */
};

/** A child-graph node, as cudaGraphAddNode takes it. */
struct cudaChildGraphNodeParams {
    cudaGraph_t graph; /**< copied */
};

/** An event node, as cudaGraphAddNode takes it. */
struct cudaEventRecordNodeParams {
    cudaEvent_t event; /**< the event */
};
#define cudaEventWaitNodeParams cudaEventRecordNodeParams /**< the same */
#define cudaKernelNodeParamsV2 cudaKernelNodeParams       /**< the same */
#define cudaMemsetParamsV2 cudaMemsetParams               /**< the same */
#define cudaHostNodeParamsV2 cudaHostNodeParams           /**< the same */

/** Any node, for cudaGraphAddNode: the member named for the type. */
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type; /**< which member counts */
    int reserved0[3];            /**< 0 */
    union {
        long long reserved1[29];              /**< its size */
        struct cudaKernelNodeParams kernel;   /**< type kernel */
        struct cudaMemcpyNodeParams memcpy;   /**< type memcpy */
        struct cudaMemsetParams memset;       /**< type memset */
        struct cudaHostNodeParams host;       /**< type host */
        struct cudaChildGraphNodeParams graph; /**< type graph */
        struct cudaEventRecordNodeParams eventWait;   /**< type wait */
        struct cudaEventRecordNodeParams eventRecord; /**< type record */
    };
    long long reserved2; /**< 0 */
};

/** Why an update was refused. */
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,                  /**< it was not */
    cudaGraphExecUpdateError = 1,                    /**< bad argument */
    cudaGraphExecUpdateErrorTopologyChanged = 2,     /**< other edges */
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,     /**< other node */
    cudaGraphExecUpdateErrorFunctionChanged = 4,     /**< other kernel */
    cudaGraphExecUpdateErrorParametersChanged = 5,   /**< fixed ones */
    cudaGraphExecUpdateErrorNotSupported = 6,        /**< not possible */
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7, /**< kernel */
    cudaGraphExecUpdateErrorAttributesChanged = 8    /**< attributes */
};

/** What cudaGraphExecUpdate says. */
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result; /**< why */
    cudaGraphNode_t errorNode;             /**< at which node, or NULL */
    cudaGraphNode_t errorFromNode;         /**< NULL */
} cudaGraphExecUpdateResultInfo;

/** Flags of instantiation: only UseNodePriority and Upload, as hints. */
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, /**< nothing to free */
    cudaGraphInstantiateFlagUpload = 2,           /**< hint */
    cudaGraphInstantiateFlagDeviceLaunch = 4,     /**< refused */
    cudaGraphInstantiateFlagUseNodePriority = 8   /**< hint */
};

/** How an instantiation went. */
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,                     /**< well */
    cudaGraphInstantiateError = 1,                       /**< badly */
    cudaGraphInstantiateInvalidStructure = 2,            /**< a cycle */
    cudaGraphInstantiateNodeOperationNotSupported = 3,   /**< a node */
    cudaGraphInstantiateMultipleDevicesNotSupported = 4, /**< devices */
    cudaGraphInstantiateConditionalHandleUnused = 5      /**< handles */
} cudaGraphInstantiateResult;

/** For cudaGraphInstantiateWithParams. */
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;              /**< as above */
    cudaStream_t uploadStream;             /**< unused */
    cudaGraphNode_t errNode_out;           /**< written: NULL or the node */
    cudaGraphInstantiateResult result_out; /**< written */
} cudaGraphInstantiateParams;

/** Data of an edge: all zero, the whole node before the whole node. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port;   /**< 0 */
    unsigned char to_port;     /**< 0 */
    unsigned char type;        /**< 0 */
    unsigned char reserved[5]; /**< 0 */
} cudaGraphEdgeData;

/** Flags of cudaUserObjectCreate: the one there is has to be given. */
enum cudaUserObjectFlags {
    cudaUserObjectNoDestructorSync = 0x1 /**< no call waits for destroy */
};

/** Flags of cudaGraphRetainUserObject. */
enum cudaUserObjectRetainFlags {
    cudaGraphUserObjectMove = 0x1 /**< the caller's references, no new ones */
};

/** What cudaGraphDebugDotPrint writes. */
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1 << 0,          /**< all */
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2, /**< kernels */
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3, /**< copies */
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4, /**< fills */
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,   /**< host calls */
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,  /**< events */
    cudaGraphDebugDotFlagsHandles = 1 << 10          /**< addresses */
};

#endif
