/* SPDX-License-Identifier: MIT */
/** @file
 *  What describes a launch made by cudaLaunchKernelExC: its shape and its
 *  attributes.  Of these, cooperative means something here; hints are taken
 *  and change nothing; clusters are refused when the launch is made.
 */
#ifndef SOFTGPU_LAUNCH_TYPES_H
#define SOFTGPU_LAUNCH_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

/** How a cache line should be treated. */
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,    /**< as any */
    cudaAccessPropertyStreaming = 1, /**< used once */
    cudaAccessPropertyPersisting = 2 /**< used often */
};

/** A hint for the L2 cache: kept, without effect. */
struct cudaAccessPolicyWindow {
    void *base_ptr;                   /**< device */
    size_t num_bytes;                 /**< from there */
    float hitRatio;                   /**< share that gets hitProp */
    enum cudaAccessProperty hitProp;  /**< for that share */
    enum cudaAccessProperty missProp; /**< for the rest */
};

/** How the host waits for a stream: kept, without effect. */
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,        /**< as the runtime likes */
    cudaSyncPolicySpin = 2,        /**< spin */
    cudaSyncPolicyYield = 3,       /**< yield */
    cudaSyncPolicyBlockingSync = 4 /**< block */
};

/** How clusters are spread. */
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,      /**< as it likes */
    cudaClusterSchedulingPolicySpread = 1,       /**< over the SMs */
    cudaClusterSchedulingPolicyLoadBalancing = 2 /**< by load */
};

/** Domain of memory order: kept, without effect. */
typedef enum cudaLaunchMemSyncDomain {
    cudaLaunchMemSyncDomainDefault = 0, /**< local */
    cudaLaunchMemSyncDomainRemote = 1   /**< other devices' */
} cudaLaunchMemSyncDomain;

/** Numbers of the two domains. */
typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_; /**< of the local one */
    unsigned char remote;   /**< of the other */
} cudaLaunchMemSyncDomainMap;

/** Which attribute it is. */
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,                /**< none */
    cudaLaunchAttributeAccessPolicyWindow = 1,    /**< hint */
    cudaLaunchAttributeCooperative = 2,           /**< grid sync allowed */
    cudaLaunchAttributeSynchronizationPolicy = 3, /**< hint */
    cudaLaunchAttributeClusterDimension = 4,      /**< 1, 1, 1 or refused */
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5, /**< hint */
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,   /**< hint */
    cudaLaunchAttributeProgrammaticEvent = 7,     /**< refused */
    cudaLaunchAttributePriority = 8,              /**< hint */
    cudaLaunchAttributeMemSyncDomainMap = 9,      /**< hint */
    cudaLaunchAttributeMemSyncDomain = 10,        /**< hint */
    cudaLaunchAttributePreferredClusterDimension = 11, /**< as 4 */
    cudaLaunchAttributeLaunchCompletionEvent = 12,     /**< refused */
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13, /**< refused */
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14 /**< hint */
} cudaLaunchAttributeID;

/** Its value: the member named for the attribute. */
typedef union cudaLaunchAttributeValue {
    char pad[64];                                     /**< its size */
    struct cudaAccessPolicyWindow accessPolicyWindow; /**< hint */
    int cooperative;                                  /**< 0 or 1 */
    enum cudaSynchronizationPolicy syncPolicy;        /**< hint */
    struct {
        unsigned int x; /**< blocks in x */
        unsigned int y; /**< blocks in y */
        unsigned int z; /**< blocks in z */
    } clusterDim;       /**< of a cluster */
    enum cudaClusterSchedulingPolicy
        clusterSchedulingPolicyPreference;        /**< hint */
    int programmaticStreamSerializationAllowed;   /**< hint */
    int priority;                                 /**< hint */
    cudaLaunchMemSyncDomainMap memSyncDomainMap;  /**< hint */
    cudaLaunchMemSyncDomain memSyncDomain;        /**< hint */
    unsigned int sharedMemCarveout;               /**< percent, hint */
} cudaLaunchAttributeValue;

/** An attribute. */
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;                    /**< which */
    char pad[8 - sizeof(cudaLaunchAttributeID)]; /**< nothing */
    cudaLaunchAttributeValue val;                /**< what */
} cudaLaunchAttribute;

#define cudaStreamAttrID cudaLaunchAttributeID       /**< of a stream */
#define cudaStreamAttrValue cudaLaunchAttributeValue /**< of a stream */
#define cudaStreamAttributeAccessPolicyWindow \
    cudaLaunchAttributeAccessPolicyWindow            /**< of a stream */
#define cudaStreamAttributeSynchronizationPolicy \
    cudaLaunchAttributeSynchronizationPolicy         /**< of a stream */
#define cudaStreamAttributePriority \
    cudaLaunchAttributePriority                      /**< of a stream */
#define cudaKernelNodeAttrID cudaLaunchAttributeID   /**< of a node */
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue /**< of a node */
#define cudaKernelNodeAttributeCooperative \
    cudaLaunchAttributeCooperative                   /**< of a node */

/** Shape of a launch. */
typedef struct cudaLaunchConfig_st {
    dim3 gridDim;               /**< blocks */
    dim3 blockDim;              /**< threads a block */
    size_t dynamicSmemBytes;    /**< bytes a block */
    cudaStream_t stream;        /**< where */
    cudaLaunchAttribute *attrs; /**< numAttrs of them, host */
    unsigned int numAttrs;      /**< how many */
} cudaLaunchConfig_t;

#endif
