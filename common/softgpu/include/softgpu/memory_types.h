/* SPDX-License-Identifier: MIT */
/** @file
 *  What describes memory: kinds, extents, pools, places.
 */
#ifndef SOFTGPU_MEMORY_TYPES_H
#define SOFTGPU_MEMORY_TYPES_H

#include <stddef.h>

#define cudaHostAllocDefault 0x00       /**< pinned, no more */
#define cudaHostAllocPortable 0x01      /**< pinned for every device */
#define cudaHostAllocMapped 0x02        /**< kernels may use it */
#define cudaHostAllocWriteCombined 0x04 /**< taken, changes nothing */
#define cudaHostRegisterDefault 0x00    /**< pinned, no more */
#define cudaHostRegisterPortable 0x01   /**< pinned for every device */
#define cudaHostRegisterMapped 0x02     /**< kernels may use it */
#define cudaHostRegisterIoMemory 0x04   /**< refused */
#define cudaHostRegisterReadOnly 0x08   /**< taken, changes nothing */
#define cudaPeerAccessDefault 0x00      /**< the only value */
#define cudaMemAttachGlobal 0x01        /**< any stream may use it */
#define cudaMemAttachHost 0x02          /**< the host only, for now */
#define cudaMemAttachSingle 0x04        /**< one stream */
#define cudaCpuDeviceId ((int)-1)       /**< the host, as a place */
#define cudaInvalidDeviceId ((int)-2)   /**< no place */

/** Whose memory a pointer points to. */
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0, /**< plain host memory */
    cudaMemoryTypeHost = 1,         /**< pinned or registered */
    cudaMemoryTypeDevice = 2,       /**< a device's */
    cudaMemoryTypeManaged = 3       /**< both sides' */
};

/** From where to where a copy goes. */
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,     /**< within the host */
    cudaMemcpyHostToDevice = 1,   /**< to the device */
    cudaMemcpyDeviceToHost = 2,   /**< from the device */
    cudaMemcpyDeviceToDevice = 3, /**< within or between devices */
    cudaMemcpyDefault = 4         /**< as the pointers say */
};

/** What cudaPointerGetAttributes tells. */
struct cudaPointerAttributes {
    enum cudaMemoryType type; /**< whose memory */
    int device;               /**< whose, or the current device */
    void *devicePointer;      /**< for kernels; NULL if they may not */
    void *hostPointer;        /**< for the host; NULL if it may not */
    long reserved[8];         /**< 0 */
};

/** Rows of `pitch` bytes. */
struct cudaPitchedPtr {
    void *ptr;    /**< first byte */
    size_t pitch; /**< bytes from row to row */
    size_t xsize; /**< bytes of a row that count */
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

typedef struct cudaArray *cudaArray_t; /**< arrays do not exist here: NULL */
/** A constant array: NULL likewise. */
typedef const struct cudaArray *cudaArray_const_t;

/** A copy of a box. */
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;         /**< must be NULL */
    struct cudaPos srcPos;        /**< corner in the source */
    struct cudaPitchedPtr srcPtr; /**< source */
    cudaArray_t dstArray;         /**< must be NULL */
    struct cudaPos dstPos;        /**< corner in the destination */
    struct cudaPitchedPtr dstPtr; /**< destination */
    struct cudaExtent extent;     /**< size */
    enum cudaMemcpyKind kind;     /**< direction */
};

/** A copy of a box between devices. */
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;         /**< must be NULL */
    struct cudaPos srcPos;        /**< corner in the source */
    struct cudaPitchedPtr srcPtr; /**< source */
    int srcDevice;                /**< its device */
    cudaArray_t dstArray;         /**< must be NULL */
    struct cudaPos dstPos;        /**< corner in the destination */
    struct cudaPitchedPtr dstPtr; /**< destination */
    int dstDevice;                /**< its device */
    struct cudaExtent extent;     /**< size */
};

/** Parameters of a memset node: rows of elements of 1, 2 or 4 bytes. */
struct cudaMemsetParams {
    void *dst;                /**< device */
    size_t pitch;             /**< bytes a row; unused for one row */
    unsigned int value;       /**< what to write */
    unsigned int elementSize; /**< 1, 2 or 4 bytes */
    size_t width;             /**< elements a row */
    size_t height;            /**< rows */
};

/** Hints on managed memory. */
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,          /**< mostly read */
    cudaMemAdviseUnsetReadMostly = 2,        /**< no longer */
    cudaMemAdviseSetPreferredLocation = 3,   /**< where it should be */
    cudaMemAdviseUnsetPreferredLocation = 4, /**< anywhere */
    cudaMemAdviseSetAccessedBy = 5,          /**< who will use it */
    cudaMemAdviseUnsetAccessedBy = 6         /**< who will not */
};

/** What cudaMemRangeGetAttribute tells of managed memory. */
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,          /**< 0 or 1 */
    cudaMemRangeAttributePreferredLocation = 2,   /**< a device, or -2 */
    cudaMemRangeAttributeAccessedBy = 3,          /**< devices */
    cudaMemRangeAttributeLastPrefetchLocation = 4 /**< a device, or -2 */
};

/** A kind of place. */
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,        /**< none */
    cudaMemLocationTypeNone = 0,           /**< none */
    cudaMemLocationTypeDevice = 1,         /**< a device */
    cudaMemLocationTypeHost = 2,           /**< the host */
    cudaMemLocationTypeHostNuma = 3,       /**< a node of it */
    cudaMemLocationTypeHostNumaCurrent = 4 /**< the nearest node */
};

/** A place. */
struct cudaMemLocation {
    enum cudaMemLocationType type; /**< its kind */
    int id;                        /**< the device */
};

/** What a device may do with a pool's memory. */
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,     /**< nothing */
    cudaMemAccessFlagsProtRead = 1,     /**< read */
    cudaMemAccessFlagsProtReadWrite = 3 /**< read and write */
};

/** A place and what it may do. */
struct cudaMemAccessDesc {
    struct cudaMemLocation location; /**< who */
    enum cudaMemAccessFlags flags;   /**< what */
};

/** Kind of a pool's memory. */
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,     /**< none */
    cudaMemAllocationTypePinned = 1,      /**< stays where it is */
    cudaMemAllocationTypeManaged = 2,     /**< moves */
    cudaMemAllocationTypeMax = 0x7FFFFFFF /**< width of the enum */
};

/** How a pool may be shared with other processes: not at all here. */
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,                /**< not */
    cudaMemHandleTypePosixFileDescriptor = 1, /**< refused */
    cudaMemHandleTypeWin32 = 2,               /**< refused */
    cudaMemHandleTypeWin32Kmt = 4,            /**< refused */
    cudaMemHandleTypeFabric = 8               /**< refused */
};

/** What a new pool shall be. */
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
    cudaMemPoolReuseFollowEventDependencies = 1,   /**< kept, no effect */
    cudaMemPoolReuseAllowOpportunistic = 2,        /**< kept, no effect */
    cudaMemPoolReuseAllowInternalDependencies = 3, /**< kept, no effect */
    cudaMemPoolAttrReleaseThreshold = 4,           /**< bytes kept at a sync */
    cudaMemPoolAttrReservedMemCurrent = 5,         /**< bytes held */
    cudaMemPoolAttrReservedMemHigh = 6,            /**< most ever held */
    cudaMemPoolAttrUsedMemCurrent = 7,             /**< bytes handed out */
    cudaMemPoolAttrUsedMemHigh = 8                 /**< most ever */
};

#endif
