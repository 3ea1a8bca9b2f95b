/* SPDX-License-Identifier: MIT */
/** @file
 *  Types for the nodes of graphs.
 */
#ifndef SOFTGPU_GRAPH_TYPES_H
#define SOFTGPU_GRAPH_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

/** Type of a node. */
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,             /**< runs a kernel */
    cudaGraphNodeTypeMemcpy = 1,             /**< copies */
    cudaGraphNodeTypeMemset = 2,             /**< fills */
    cudaGraphNodeTypeHost = 3,               /**< calls a host function */
    cudaGraphNodeTypeGraph = 4,              /**< runs a graph */
    cudaGraphNodeTypeEmpty = 5,              /**< dependencies only */
    cudaGraphNodeTypeWaitEvent = 6,          /**< waits for an event */
    cudaGraphNodeTypeEventRecord = 7,        /**< records one */
    cudaGraphNodeTypeExtSemaphoreSignal = 8, /**< not supported */
    cudaGraphNodeTypeExtSemaphoreWait = 9,   /**< not supported */
    cudaGraphNodeTypeMemAlloc = 10,          /**< allocates memory */
    cudaGraphNodeTypeMemFree = 11,           /**< frees it */
    cudaGraphNodeTypeConditional = 13,       /**< a graph that may run */
    cudaGraphNodeTypeCount                   /**< one past the last */
};

/** Parameters of a kernel node. */
struct cudaKernelNodeParams {
    void *func;                  /**< host function of the kernel */
    dim3 gridDim;                /**< blocks */
    dim3 blockDim;               /**< threads per block */
    unsigned int sharedMemBytes; /**< dynamic, per block */
    void **kernelParams;         /**< addresses of the arguments: copied */
    void **extra;                /**< must be NULL */
};

/** Parameters of a host node. */
struct cudaHostNodeParams {
    cudaHostFn_t fn; /**< function */
    void *userData;  /**< its argument */
};

/** Parameters of a node that allocates memory. */
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps; /**< kind and device */
    const struct cudaMemAccessDesc *accessDescs; /**< no effect */
    size_t accessDescCount;                      /**< no effect */
    size_t bytesize;                             /**< bytes */
    void *dptr; /**< written: the address, the same at each launch */
};

/** Memory that graph nodes use on a device: uint64_t bytes. */
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0,     /**< between alloc and free */
    cudaGraphMemAttrUsedMemHigh = 1,        /**< maximum of it; settable to 0 */
    cudaGraphMemAttrReservedMemCurrent = 2, /**< held by graphs */
    cudaGraphMemAttrReservedMemHigh = 3     /**< maximum; settable to 0 */
};

/** Parameters of a copy node for cudaGraphAddNode(). */
struct cudaMemcpyNodeParams {
    int flags;                           /**< 0 */
    int reserved[3];                     /**< 0 */
    struct cudaMemcpy3DParms copyParams; /**< the copy */
};

/** Parameters of a child-graph node for cudaGraphAddNode(). */
struct cudaChildGraphNodeParams {
    cudaGraph_t graph; /**< copied */
};

/** Parameters of an event node for cudaGraphAddNode(). */
struct cudaEventRecordNodeParams {
    cudaEvent_t event; /**< the event */
};
#define cudaEventWaitNodeParams cudaEventRecordNodeParams /**< the same */
#define cudaKernelNodeParamsV2 cudaKernelNodeParams       /**< the same */
#define cudaMemsetParamsV2 cudaMemsetParams               /**< the same */
#define cudaHostNodeParamsV2 cudaHostNodeParams           /**< the same */

/** A condition, which kernels set by cudaGraphSetConditional(). */
typedef unsigned long long cudaGraphConditionalHandle;
/** Flags of a condition. */
enum cudaGraphConditionalHandleFlags {
    cudaGraphCondAssignDefault = 1 /**< each launch sets the default value */
};
/** The kinds of conditional nodes. */
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,    /**< runs its first graph once if not 0, else
                                     its second one, if it has two */
    cudaGraphCondTypeWhile = 1, /**< runs its graph as long as not 0 */
    cudaGraphCondTypeSwitch = 2 /**< runs the graph of that number, if there is
                                     one */
};
/** Parameters of a conditional node for cudaGraphAddNode(). */
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;      /**< the condition */
    enum cudaGraphConditionalNodeType type; /**< if, while or switch */
    unsigned size;            /**< graphs: 1; if: 1 or 2; switch: 1 or more */
    cudaGraph_t *phGraph_out; /**< [out] the array of its graphs, which the
                                   program adds nodes to; CUDA's own */
};

/** Parameters of a node for cudaGraphAddNode(), in the member of its type. */
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type; /**< type of the node */
    int reserved0[3];            /**< 0 */
    union {
        long long reserved1[29];              /**< size of the union */
        struct cudaKernelNodeParams kernel;   /**< type kernel */
        struct cudaMemcpyNodeParams memcpy;   /**< type memcpy */
        struct cudaMemsetParams memset;       /**< type memset */
        struct cudaHostNodeParams host;       /**< type host */
        struct cudaChildGraphNodeParams graph; /**< type graph */
        struct cudaEventRecordNodeParams eventWait;   /**< type wait */
        struct cudaEventRecordNodeParams eventRecord; /**< type record */
        struct cudaConditionalNodeParams conditional; /**< type conditional */
    };
    long long reserved2; /**< 0 */
};

/** Why an update failed. */
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,                  /**< it did not */
    cudaGraphExecUpdateError = 1,                    /**< bad argument */
    cudaGraphExecUpdateErrorTopologyChanged = 2,     /**< edges differ */
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,     /**< node types differ */
    cudaGraphExecUpdateErrorFunctionChanged = 4,     /**< kernels differ */
    cudaGraphExecUpdateErrorParametersChanged = 5,   /**< fixed parameters */
    cudaGraphExecUpdateErrorNotSupported = 6,        /**< not possible */
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7, /**< kernel */
    cudaGraphExecUpdateErrorAttributesChanged = 8    /**< attributes */
};

/** Result of cudaGraphExecUpdate(). */
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result; /**< reason */
    cudaGraphNode_t errorNode;             /**< the node, or NULL */
    cudaGraphNode_t errorFromNode;         /**< NULL */
} cudaGraphExecUpdateResultInfo;

/** Flags of instantiation: only UseNodePriority and Upload, as hints. */
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, /**< nothing to free */
    cudaGraphInstantiateFlagUpload = 2,           /**< hint */
    cudaGraphInstantiateFlagDeviceLaunch = 4,     /**< not supported */
    cudaGraphInstantiateFlagUseNodePriority = 8   /**< hint */
};

/** Result of an instantiation. */
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,                     /**< success */
    cudaGraphInstantiateError = 1,                       /**< error */
    cudaGraphInstantiateInvalidStructure = 2,            /**< a cycle */
    cudaGraphInstantiateNodeOperationNotSupported = 3,   /**< a node */
    cudaGraphInstantiateMultipleDevicesNotSupported = 4, /**< devices */
    cudaGraphInstantiateConditionalHandleUnused = 5      /**< unused handles */
} cudaGraphInstantiateResult;

/** For cudaGraphInstantiateWithParams. */
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;              /**< as above */
    cudaStream_t uploadStream;             /**< unused */
    cudaGraphNode_t errNode_out;           /**< written: NULL or the node */
    cudaGraphInstantiateResult result_out; /**< written */
} cudaGraphInstantiateParams;

/** Data of an edge: all zero, since the dependency is between whole nodes. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port;   /**< 0 */
    unsigned char to_port;     /**< 0 */
    unsigned char type;        /**< 0 */
    unsigned char reserved[5]; /**< 0 */
} cudaGraphEdgeData;

/** Flag of cudaUserObjectCreate(); must be set. */
enum cudaUserObjectFlags {
    cudaUserObjectNoDestructorSync = 0x1 /**< no call waits for destroy */
};

/** Flags of cudaGraphRetainUserObject. */
enum cudaUserObjectRetainFlags {
    cudaGraphUserObjectMove = 0x1 /**< move the caller's references */
};

/** Flags of cudaGraphDebugDotPrint(). */
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
