/* SPDX-License-Identifier: MIT */
/** @file
 *  User objects (cudaUserObject_t): objects of the program that graphs keep
 *  alive by counted references.  The program and each graph own references.
 */
#ifndef SOFTGPU_USER_OBJECT_H
#define SOFTGPU_USER_OBJECT_H

#include "cuda_runtime_api.h"

/** A graph's references to one object; a linked list. */
struct softgpu_object_reference {
    struct CUuserObject_st *object;
    size_t count;
    struct softgpu_object_reference *next;
};

/** Copy the references of a graph to its copy.  @return 0, or -1 without
 *  memory */
int softgpu_references_copy(struct softgpu_object_reference **to,
                            const struct softgpu_object_reference *from);
/** Drop all references of a graph. */
void softgpu_references_release(struct softgpu_object_reference *references);
/** Take the list of objects without references; NULL if there are none.  Under
 *  the lock. */
struct CUuserObject_st *softgpu_objects_to_destroy(void);
/** Call the destroy functions of such a list and free it; without the lock. */
void softgpu_objects_destroy(struct CUuserObject_st *list);

#endif
