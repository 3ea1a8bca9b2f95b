/* SPDX-License-Identifier: MIT */
/** @file
 *  User objects: things of the program that graphs keep alive, by counting
 *  references.  The program has some of an object's, each graph its own.
 */
#ifndef SOFTGPU_USER_OBJECT_H
#define SOFTGPU_USER_OBJECT_H

#include "cuda_runtime_api.h"

/** A graph's references to one object; a list. */
struct softgpu_kept {
    struct CUuserObject_st *object;
    size_t count;
    struct softgpu_kept *next;
};

/** Let a copy of a graph keep as much.  @return 0, or -1 without memory */
int softgpu_kept_copy(struct softgpu_kept **to,
                      const struct softgpu_kept *from);
/** A graph goes away: its references, too. */
void softgpu_kept_drop(struct softgpu_kept *kept);
/** Objects whose last reference is gone, taken from the list of them; NULL
 *  when there are none.  Under the lock. */
struct CUuserObject_st *softgpu_objects_due(void);
/** Call their destroy functions; without the lock. */
void softgpu_objects_destroy(struct CUuserObject_st *due);

#endif
