/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of arrays, textures and surfaces, with CUDA's numbers and layouts.
 *
 *  Formats have 1, 2 or 4 channels of 8, 16 or 32 bits.  Planar, normalized and
 *  block-compressed formats are not supported.
 */
#ifndef SOFTGPU_TEXTURE_TYPES_H
#define SOFTGPU_TEXTURE_TYPES_H

#include "memory_types.h"

/** Kind of a channel. */
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,   /**< signed integer */
    cudaChannelFormatKindUnsigned = 1, /**< unsigned integer */
    cudaChannelFormatKindFloat = 2,    /**< half or float */
    cudaChannelFormatKindNone = 3      /**< none */
};

/** Format of an element: bits of each channel, 0 for those it lacks. */
struct cudaChannelFormatDesc {
    int x;                        /**< bits of the first channel */
    int y;                        /**< of the second */
    int z;                        /**< of the third */
    int w;                        /**< of the fourth */
    enum cudaChannelFormatKind f; /**< kind of all channels */
};

#define cudaArrayDefault 0x00          /**< no flag */
#define cudaArrayLayered 0x01          /**< depth is a number of layers */
#define cudaArraySurfaceLoadStore 0x02 /**< surfaces can be made of it */
#define cudaArrayCubemap 0x04          /**< depth is 6, or 6 for each layer */
#define cudaArrayTextureGather 0x08    /**< for tex2Dgather() */
#define cudaArrayColorAttachment 0x20  /**< not supported */
#define cudaArraySparse 0x40           /**< not supported */
#define cudaArrayDeferredMapping 0x80  /**< not supported */

/** Levels of an array, each half as large as the one before. */
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
/** A constant one. */
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

/** Where the elements of a texture or surface are. */
enum cudaResourceType {
    cudaResourceTypeArray = 0,          /**< in an array */
    cudaResourceTypeMipmappedArray = 1, /**< in a mipmapped array */
    cudaResourceTypeLinear = 2,         /**< in device memory */
    cudaResourceTypePitch2D = 3         /**< in rows of device memory */
};

/** Resource of a texture or surface. */
struct cudaResourceDesc {
    enum cudaResourceType resType; /**< selects the member of res */
    /** One for each type. */
    union {
        /** An array. */
        struct {
            cudaArray_t array; /**< its handle */
        } array;               /**< cudaResourceTypeArray */
        /** A mipmapped array. */
        struct {
            cudaMipmappedArray_t mipmap; /**< its handle */
        } mipmap;                        /**< cudaResourceTypeMipmappedArray */
        /** Consecutive elements. */
        struct {
            void *devPtr;                      /**< the first */
            struct cudaChannelFormatDesc desc; /**< format */
            size_t sizeInBytes;                /**< of all */
        } linear;                              /**< cudaResourceTypeLinear */
        /** Rows of elements. */
        struct {
            void *devPtr;                      /**< the first */
            struct cudaChannelFormatDesc desc; /**< format */
            size_t width;                      /**< elements of a row */
            size_t height;                     /**< rows */
            size_t pitchInBytes;               /**< from row to row */
        } pitch2D;                             /**< cudaResourceTypePitch2D */
    } res;                                     /**< the resource */
};

/** Format of a view; only cudaResViewFormatNone is supported. */
enum cudaResourceViewFormat {
    cudaResViewFormatNone = 0 /**< that of the resource */
};

/** A view of a resource; not supported by cudaCreateTextureObject(). */
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format; /**< format */
    size_t width;                       /**< elements */
    size_t height;                      /**< rows */
    size_t depth;                       /**< slices */
    unsigned int firstMipmapLevel;      /**< first level */
    unsigned int lastMipmapLevel;       /**< last level */
    unsigned int firstLayer;            /**< first layer */
    unsigned int lastLayer;             /**< last layer */
    unsigned int reserved[16];          /**< 0 */
};

#define cudaTextureType1D 0x01             /**< one dimension */
#define cudaTextureType2D 0x02             /**< two */
#define cudaTextureType3D 0x03             /**< three */
#define cudaTextureTypeCubemap 0x0C        /**< six faces */
#define cudaTextureType1DLayered 0xF1      /**< layers of one dimension */
#define cudaTextureType2DLayered 0xF2      /**< layers of two */
#define cudaTextureTypeCubemapLayered 0xFC /**< layers of six faces */
#define cudaSurfaceType1D 0x01             /**< one dimension */
#define cudaSurfaceType2D 0x02             /**< two */
#define cudaSurfaceType3D 0x03             /**< three */
#define cudaSurfaceTypeCubemap 0x0C        /**< six faces */
#define cudaSurfaceType1DLayered 0xF1      /**< layers of one dimension */
#define cudaSurfaceType2DLayered 0xF2      /**< layers of two */
#define cudaSurfaceTypeCubemapLayered 0xFC /**< layers of six faces */

/** Addressing mode: the element of a coordinate outside of the texture. */
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,   /**< the texture repeats; as Clamp without
                                    normalized coordinates */
    cudaAddressModeClamp = 1,  /**< the nearest element */
    cudaAddressModeMirror = 2, /**< it repeats mirrored; as Clamp without
                                    normalized coordinates */
    cudaAddressModeBorder = 3  /**< the border color */
};

/** How elements become the result. */
enum cudaTextureFilterMode {
    cudaFilterModePoint = 0, /**< the element that the coordinate is in */
    cudaFilterModeLinear = 1 /**< interpolated between neighbors */
};

/** How a channel becomes a component of the result. */
enum cudaTextureReadMode {
    cudaReadModeElementType = 0,    /**< unchanged */
    cudaReadModeNormalizedFloat = 1 /**< an integer of 8 or 16 bits: to [0, 1]
                                         or [-1, 1] */
};

/** How a texture is read. */
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3]; /**< by dimension */
    enum cudaTextureFilterMode filterMode;      /**< within a level */
    enum cudaTextureReadMode readMode;          /**< of each channel */
    int sRGB;                                   /**< must be 0 */
    float borderColor[4];                       /**< for Border */
    int normalizedCoords;        /**< 1: the texture is [0, 1) wide */
    unsigned int maxAnisotropy;  /**< 0 or 1 */
    enum cudaTextureFilterMode mipmapFilterMode; /**< between levels */
    float mipmapLevelBias;       /**< added to each level of detail */
    float minMipmapLevelClamp;   /**< minimum of the sum */
    float maxMipmapLevelClamp;   /**< maximum of the sum */
    int disableTrilinearOptimization; /**< no effect */
    int seamlessCubemap;         /**< must be 0 with linear filtering */
};

/** A texture object: a number that kernels take; 0 is none. */
typedef unsigned long long cudaTextureObject_t;
/** A surface object: a number that kernels take; 0 is none. */
typedef unsigned long long cudaSurfaceObject_t;

/** What a texture reference, `texture<T, dim, mode> name;`, is bound to, and
 *  how it is read.  A change counts from the next binding on. */
struct textureReference {
    int normalized;                             /**< coordinates: 1 in [0, 1) */
    enum cudaTextureFilterMode filterMode;      /**< within a level */
    enum cudaTextureAddressMode addressMode[3]; /**< by dimension */
    struct cudaChannelFormatDesc channelDesc;   /**< format of an element */
    int sRGB;                                   /**< must be 0 */
    unsigned int maxAnisotropy;                 /**< 0 or 1 */
    enum cudaTextureFilterMode mipmapFilterMode; /**< between levels */
    float mipmapLevelBias;           /**< added to each level of detail */
    float minMipmapLevelClamp;       /**< minimum of the sum */
    float maxMipmapLevelClamp;       /**< maximum of the sum */
    int disableTrilinearOptimization; /**< no effect */
    enum cudaTextureReadMode softgpu_mode;  /**< of the template */
    cudaTextureObject_t softgpu_object;     /**< bound, or 0 */
};

/** Boundary mode: the effect of an access outside of a surface. */
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,  /**< a read gives 0, a write does nothing */
    cudaBoundaryModeClamp = 1, /**< the nearest element */
    cudaBoundaryModeTrap = 2   /**< the kernel fails */
};

/** Format of surface accesses. */
enum cudaSurfaceFormatMode {
    cudaFormatModeForced = 0, /**< bytes */
    cudaFormatModeAuto = 1    /**< converted; not supported */
};

/** Memory that an array takes. */
struct cudaArrayMemoryRequirements {
    size_t size;              /**< bytes */
    size_t alignment;         /**< bytes */
    unsigned int reserved[4]; /**< 0 */
};

#endif
