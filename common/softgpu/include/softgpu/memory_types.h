/* SPDX-License-Identifier: MIT */
/** @file
 *  Types for memory: memory spaces, extents, pools, locations.
 */
#ifndef SOFTGPU_MEMORY_TYPES_H
#define SOFTGPU_MEMORY_TYPES_H

#include <stddef.h>

#define cudaHostAllocDefault 0x00       /**< pinned */
#define cudaHostAllocPortable 0x01      /**< pinned for every device */
#define cudaHostAllocMapped 0x02        /**< mapped for kernels */
#define cudaHostAllocWriteCombined 0x04 /**< accepted, no effect */
#define cudaHostRegisterDefault 0x00    /**< pinned */
#define cudaHostRegisterPortable 0x01   /**< pinned for every device */
#define cudaHostRegisterMapped 0x02     /**< mapped for kernels */
#define cudaHostRegisterIoMemory 0x04   /**< not supported */
#define cudaHostRegisterReadOnly 0x08   /**< accepted, no effect */
#define cudaPeerAccessDefault 0x00      /**< the only value */
#define cudaMemAttachGlobal 0x01        /**< accessible by any stream */
#define cudaMemAttachHost 0x02          /**< accessible by the host */
#define cudaMemAttachSingle 0x04        /**< accessible by one stream */
#define cudaCpuDeviceId ((int)-1)       /**< the host, as a location */
#define cudaInvalidDeviceId ((int)-2)   /**< no location */

/** Memory space of a pointer. */
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0, /**< pageable host memory */
    cudaMemoryTypeHost = 1,         /**< pinned host memory */
    cudaMemoryTypeDevice = 2,       /**< device memory */
    cudaMemoryTypeManaged = 3       /**< managed memory */
};

/** Direction of a copy. */
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,     /**< within the host */
    cudaMemcpyHostToDevice = 1,   /**< to the device */
    cudaMemcpyDeviceToHost = 2,   /**< from the device */
    cudaMemcpyDeviceToDevice = 3, /**< within or between devices */
    cudaMemcpyDefault = 4         /**< by the memory spaces */
};

/** Attributes of a pointer. */
struct cudaPointerAttributes {
    enum cudaMemoryType type; /**< memory space */
    int device;               /**< owner, or the current device */
    void *devicePointer;      /**< for kernels, or NULL */
    void *hostPointer;        /**< for the host, or NULL */
    long reserved[8];         /**< 0 */
};

/** Rows of `pitch` bytes. */
struct cudaPitchedPtr {
    void *ptr;    /**< first byte */
    size_t pitch; /**< bytes from one row to the next */
    size_t xsize; /**< bytes of a row in use */
    size_t ysize; /**< rows of a slice */
};

/** Size of a box: width in bytes for plain memory. */
struct cudaExtent {
    size_t width;  /**< bytes */
    size_t height; /**< rows */
    size_t depth;  /**< slices */
};

/** A corner of a box. */
struct cudaPos {
    size_t x; /**< bytes */
    size_t y; /**< row */
    size_t z; /**< slice */
};

typedef struct cudaArray *cudaArray_t; /**< an array: api_array.h */
/** A constant array. */
typedef const struct cudaArray *cudaArray_const_t;

/** A copy of a box.  If one side is an array, the width of the extent and the
 *  position in the array count elements. */
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;         /**< array, or NULL for srcPtr */
    struct cudaPos srcPos;        /**< corner in the source */
    struct cudaPitchedPtr srcPtr; /**< source */
    cudaArray_t dstArray;         /**< array, or NULL for dstPtr */
    struct cudaPos dstPos;        /**< corner in the destination */
    struct cudaPitchedPtr dstPtr; /**< destination */
    struct cudaExtent extent;     /**< size */
    enum cudaMemcpyKind kind;     /**< direction */
};

/** A copy of a box between devices. */
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;         /**< array, or NULL for srcPtr */
    struct cudaPos srcPos;        /**< corner in the source */
    struct cudaPitchedPtr srcPtr; /**< source */
    int srcDevice;                /**< its device */
    cudaArray_t dstArray;         /**< array, or NULL for dstPtr */
    struct cudaPos dstPos;        /**< corner in the destination */
    struct cudaPitchedPtr dstPtr; /**< destination */
    int dstDevice;                /**< its device */
    struct cudaExtent extent;     /**< size */
};

/** Parameters of a memset node: rows of elements of 1, 2 or 4 bytes. */
struct cudaMemsetParams {
    void *dst;                /**< device */
    size_t pitch;             /**< bytes from row to row; unused for one row */
    unsigned int value;       /**< value of an element */
    unsigned int elementSize; /**< 1, 2 or 4 bytes */
    size_t width;             /**< elements of a row */
    size_t height;            /**< rows */
};

/** Hints on managed memory. */
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,          /**< mostly loads */
    cudaMemAdviseUnsetReadMostly = 2,        /**< unset */
    cudaMemAdviseSetPreferredLocation = 3,   /**< preferred location */
    cudaMemAdviseUnsetPreferredLocation = 4, /**< unset */
    cudaMemAdviseSetAccessedBy = 5,          /**< a device accesses it */
    cudaMemAdviseUnsetAccessedBy = 6         /**< unset */
};

/** Attributes of managed memory. */
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,          /**< 0 or 1 */
    cudaMemRangeAttributePreferredLocation = 2,   /**< a device, or -2 */
    cudaMemRangeAttributeAccessedBy = 3,          /**< devices */
    cudaMemRangeAttributeLastPrefetchLocation = 4 /**< a device, or -2 */
};

/** Kind of a location. */
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,        /**< none */
    cudaMemLocationTypeNone = 0,           /**< none */
    cudaMemLocationTypeDevice = 1,         /**< a device */
    cudaMemLocationTypeHost = 2,           /**< the host */
    cudaMemLocationTypeHostNuma = 3,       /**< a NUMA node */
    cudaMemLocationTypeHostNumaCurrent = 4 /**< the nearest one */
};

/** A location. */
struct cudaMemLocation {
    enum cudaMemLocationType type; /**< its kind */
    int id;                        /**< the device */
};

/** Access of a device to the memory of a pool. */
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,     /**< no access */
    cudaMemAccessFlagsProtRead = 1,     /**< read */
    cudaMemAccessFlagsProtReadWrite = 3 /**< read and write */
};

/** A location and its access. */
struct cudaMemAccessDesc {
    struct cudaMemLocation location; /**< a device */
    enum cudaMemAccessFlags flags;   /**< its access */
};

/** Kind of a pool's memory. */
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,     /**< none */
    cudaMemAllocationTypePinned = 1,      /**< pinned */
    cudaMemAllocationTypeManaged = 2,     /**< migrates */
    cudaMemAllocationTypeMax = 0x7FFFFFFF /**< width of the enum */
};

/** How a pool is shared with other processes: not supported. */
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,                /**< none */
    cudaMemHandleTypePosixFileDescriptor = 1, /**< not supported */
    cudaMemHandleTypeWin32 = 2,               /**< not supported */
    cudaMemHandleTypeWin32Kmt = 4,            /**< not supported */
    cudaMemHandleTypeFabric = 8               /**< not supported */
};

/** Properties of a new pool. */
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;         /**< pinned */
    enum cudaMemAllocationHandleType handleTypes; /**< none */
    struct cudaMemLocation location;              /**< a device */
    void *win32SecurityAttributes;                /**< NULL */
    size_t maxSize;                               /**< bytes; 0: no limit */
    unsigned short usage;                         /**< 0 */
    unsigned char reserved[54];                   /**< 0 */
};

/** Attributes of a pool: int for the first three, uint64_t for the others. */
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,   /**< stored, no effect */
    cudaMemPoolReuseAllowOpportunistic = 2,        /**< stored, no effect */
    cudaMemPoolReuseAllowInternalDependencies = 3, /**< stored, no effect */
    cudaMemPoolAttrReleaseThreshold = 4,           /**< bytes kept at a sync */
    cudaMemPoolAttrReservedMemCurrent = 5,         /**< bytes reserved */
    cudaMemPoolAttrReservedMemHigh = 6,            /**< maximum of it */
    cudaMemPoolAttrUsedMemCurrent = 7,             /**< bytes allocated */
    cudaMemPoolAttrUsedMemHigh = 8                 /**< maximum of it */
};

#endif
