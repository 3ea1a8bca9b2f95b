/* SPDX-License-Identifier: MIT */
/** @file
 *  Texture and surface objects.  A handle is the number of a slot and how many
 *  objects the slot has had, so that a destroyed object is recognized.
 */
#ifndef SOFTGPU_TEXTURE_OBJECT_H
#define SOFTGPU_TEXTURE_OBJECT_H

#include "common/softgpu/host/array.h"
#include "softgpu/texture_abi.h"

/** The object of a handle. */
enum softgpu_object_kind {
    SOFTGPU_NO_OBJECT,
    SOFTGPU_TEXTURE,
    SOFTGPU_SURFACE
};

/** A texture or surface object. */
struct softgpu_object {
    enum softgpu_object_kind kind; /**< SOFTGPU_NO_OBJECT: destroyed */
    uint32_t generation;           /**< objects that the slot has had */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc desc;
    enum softgpu_shape shape;
    struct softgpu_format format;
    const struct cudaArray *array; /**< whose elements it reads, or NULL */
    int levels;
    struct softgpu_image level[SOFTGPU_MAX_LEVELS];
};

/** The object that a kernel uses; ends the kernel if there is none.
 *  @param shape  that the function expects
 *  @param site   return address of the call in the kernel */
const struct softgpu_object *softgpu_use_object(uint64_t handle,
                                                enum softgpu_object_kind kind,
                                                enum softgpu_shape shape,
                                                const void *site);
/** End the kernel with cudaErrorLaunchFailure at a return address. */
void softgpu_texture_fail(const void *site, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/** A call of a texture function in a kernel, for messages and the tools. */
struct softgpu_caller {
    const void *site; /**< return address */
    uintptr_t frame;  /**< where the stack frame of the kernel ends */
};

/** Receives each access to an element: the tools of an instrumented program,
 *  or NULL.
 *  @param bytes  1, 2, 4, 8 or 16
 *  @param write  1: it is written */
extern void (*softgpu_texel_access)(const void *p, uint32_t bytes, int write,
                                    const struct softgpu_caller *caller);

/** The call of the function that uses this. */
#define SOFTGPU_TEXTURE_CALLER                                 \
    {__builtin_return_address(0),                              \
     (uintptr_t)__builtin_dwarf_cfa() - 2 * sizeof(void *)}

#endif
