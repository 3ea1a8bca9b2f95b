/* SPDX-License-Identifier: MIT */
/** @file
 *  oneDNN's way of saying things, made short for the tests that ask it. */
#ifndef PROGRAMS_DNNL_RUN_H
#define PROGRAMS_DNNL_RUN_H

#include <dnnl.h>

/** One array of a primitive. */
struct part {
    int name;                       /**< DNNL_ARG_SRC, ... */
    const dnnl_memory_desc_t *desc; /**< its layout */
    void *data;                     /**< host can read and write it */
};

/** Begin with the engine on the host's cores. */
void run_open(void);
/** Release it. */
void run_close(void);
/** oneDNN's part in a test must work, or there is nothing to compare: ends
 *  the program otherwise. */
void run_need(dnnl_status_t status, const char *what);
/** A layout of floats [n][c][h][w]. */
dnnl_memory_desc_t run_layout(int n, int c, int h, int w);
/** Make what a description says; `hint` is a backward's forward, or NULL. */
dnnl_primitive_desc_t run_plan(const_dnnl_op_desc_t description,
                               const_dnnl_primitive_desc_t hint);
/** Bytes that a forward keeps for its backward. */
size_t run_kept(const_dnnl_primitive_desc_t plan);
/** Do it, and wait.  @param kept  run_kept() bytes; NULL: none wanted */
void run_parts(const_dnnl_primitive_desc_t plan, const struct part *parts,
               int count, void *kept);
/** Plan, do, and forget. */
void run_once(const_dnnl_op_desc_t description, const struct part *parts,
              int count);

#endif
