/* SPDX-License-Identifier: MIT */
/** @file
 *  Types for cudaLaunchKernelExC(): the launch configuration and its
 *  attributes. The attribute "cooperative" has an effect; hints are accepted
 *  without effect; a launch with clusters fails.
 */
#ifndef SOFTGPU_LAUNCH_TYPES_H
#define SOFTGPU_LAUNCH_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

/** Caching of an access. */
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,    /**< normal */
    cudaAccessPropertyStreaming = 1, /**< used once */
    cudaAccessPropertyPersisting = 2 /**< used often */
};

/** A hint for the L2 cache: stored, no effect. */
struct cudaAccessPolicyWindow {
    void *base_ptr;                   /**< device */
    size_t num_bytes;                 /**< from there */
    float hitRatio;                   /**< fraction with hitProp */
    enum cudaAccessProperty hitProp;  /**< for that fraction */
    enum cudaAccessProperty missProp; /**< for the rest */
};

/** How the host waits for a stream: stored, no effect. */
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,        /**< automatic */
    cudaSyncPolicySpin = 2,        /**< spin */
    cudaSyncPolicyYield = 3,       /**< yield */
    cudaSyncPolicyBlockingSync = 4 /**< block */
};

/** Scheduling of clusters. */
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,      /**< automatic */
    cudaClusterSchedulingPolicySpread = 1,       /**< over the SMs */
    cudaClusterSchedulingPolicyLoadBalancing = 2 /**< by load */
};

/** Memory synchronization domain: stored, no effect. */
typedef enum cudaLaunchMemSyncDomain {
    cudaLaunchMemSyncDomainDefault = 0, /**< local */
    cudaLaunchMemSyncDomainRemote = 1   /**< of other devices */
} cudaLaunchMemSyncDomain;

/** Numbers of the two domains. */
typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_; /**< of the local one */
    unsigned char remote;   /**< of the other */
} cudaLaunchMemSyncDomainMap;

/** Launch attributes. */
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,                /**< none */
    cudaLaunchAttributeAccessPolicyWindow = 1,    /**< hint */
    cudaLaunchAttributeCooperative = 2,           /**< grid sync allowed */
    cudaLaunchAttributeSynchronizationPolicy = 3, /**< hint */
    cudaLaunchAttributeClusterDimension = 4,      /**< 1, 1, 1 only */
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5, /**< hint */
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,   /**< hint */
    cudaLaunchAttributeProgrammaticEvent = 7,     /**< not supported */
    cudaLaunchAttributePriority = 8,              /**< hint */
    cudaLaunchAttributeMemSyncDomainMap = 9,      /**< hint */
    cudaLaunchAttributeMemSyncDomain = 10,        /**< hint */
    cudaLaunchAttributePreferredClusterDimension = 11, /**< as 4 */
    cudaLaunchAttributeLaunchCompletionEvent = 12,     /**< not supported */
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13, /**< not supported */
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14 /**< hint */
} cudaLaunchAttributeID;

/** Value of an attribute, in the member of that name. */
typedef union cudaLaunchAttributeValue {
    char pad[64];                                     /**< size of the union */
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
    cudaLaunchAttributeID id;                    /**< the attribute */
    char pad[8 - sizeof(cudaLaunchAttributeID)]; /**< unused */
    cudaLaunchAttributeValue val;                /**< its value */
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

/** Launch configuration. */
typedef struct cudaLaunchConfig_st {
    dim3 gridDim;               /**< blocks */
    dim3 blockDim;              /**< threads per block */
    size_t dynamicSmemBytes;    /**< bytes per block */
    cudaStream_t stream;        /**< stream of the launch */
    cudaLaunchAttribute *attrs; /**< numAttrs of them, host */
    unsigned int numAttrs;      /**< how many */
} cudaLaunchConfig_t;

#endif
