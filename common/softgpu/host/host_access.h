/* SPDX-License-Identifier: MIT */
/** @file
 *  Access of host code to device memory: refused as with a card, except while
 *  a command runs and once an algorithm of the host has begun.
 */
#ifndef SOFTGPU_HOST_ACCESS_H
#define SOFTGPU_HOST_ACCESS_H

/** Allow access to device memory: for commands and for allocation. */
void softgpu_memory_unprotect(void);
/** Let the host's accesses to device memory fault, as with a GPU; not while a
 *  command runs, and not if so much is allocated that this would be slow. */
void softgpu_memory_protect_if_idle(void);
/** The same while a command runs, which is a host function. */
void softgpu_memory_protect(void);
/** May host code access device memory, since an algorithm of the host has begun
 *  (softgpu_begin_host_algorithm())? */
int softgpu_host_has_access(void);

#endif
