/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime calls of the host process, performed by the device process.
 *
 *  The linker sends each call of the submission (--wrap) to a function that
 *  passes the registers of its arguments on.  The device process replays them
 *  on the runtime's function.  Tables (remote_*.def.h) say which arguments are
 *  pointers, one letter for each argument:
 *
 *      v  a value; a pointer that the runtime checks itself
 *      f  a float or double
 *      D  a dim3, which takes two registers
 *      h  a handle that the device process gave out, or NULL; the next letter
 *         is its type
 *      H  out: a handle; 8 bytes; likewise
 *      b  in and out: as many bytes as the table says next
 *      i  in: likewise
 *      a  in: an array; the table says the bytes of an element and which
 *         argument is its length (in registers, from 0)
 *      A  in and out: likewise
 *      n  in: an array of graph nodes; the table says which argument its length
 *         is
 *      c  in: a scalar of at most 16 bytes, in device memory as well
 *      r  out: likewise
 *      k  a kernel's record
 *      l  arguments of a kernel; the table says which argument is the function
 *      K  a cudaKernelNodeParams
 *      N  a cudaGraphNodeParams
 *      m  out: an array of graph nodes; the next argument points to its length
 *      u  out: a cudaGraphExecUpdateResultInfo
 *      x  a cudaLaunchConfig_t
 *
 *  Types of handles: e event, g graph, n graph node, x executable graph, p
 *  memory pool, r generator of cuRAND; b cuBLAS, l cuBLASLt, m product, f
 *  preference, y layout; c cuDNN and its descriptors: t tensor, w filter, v
 *  convolution, a activation, o pooling, d dropout, q tensor operation, s
 *  reduction, k local response normalization.
 */
#ifndef GRADER_RUNNER_SOFT_REMOTE_CALL_H
#define GRADER_RUNNER_SOFT_REMOTE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __aarch64__
#define REMOTE_REGISTERS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define REMOTE_STACK(X)                                                       \
    X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)     \
    X(20) X(21) X(22) X(23)
#else
/** Arguments in integer registers. */
#define REMOTE_REGISTERS(X) X(0) X(1) X(2) X(3) X(4) X(5)
/** Arguments on the stack, or the bytes that lie there. */
#define REMOTE_STACK(X)                                                       \
    X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17)       \
    X(18) X(19) X(20) X(21) X(22) X(23)
#endif
/** Parameters of every call: integer registers, floating-point registers, the
 *  stack. */
#define REMOTE_PARAMETERS                                                     \
    REMOTE_REGISTERS(REMOTE_INTEGER) double f0, double f1, double f2,         \
        double f3 REMOTE_STACK(REMOTE_STACKED)
#define REMOTE_INTEGER(n) uint64_t i##n, /**< a parameter */
#define REMOTE_STACKED(n) , uint64_t i##n /**< likewise */
#define REMOTE_NAME(n) i##n,         /**< its name */
#define REMOTE_STACKED_NAME(n) , i##n /**< likewise */

enum {
    REMOTE_INTEGERS = 24, /**< integer arguments that are passed on */
    REMOTE_REALS = 4,     /**< floating-point arguments, likewise */
    REMOTE_SIZES = 10     /**< numbers that a table may give for a call */
};

/** Arguments of a call. */
struct remote_arguments {
    uint64_t integer[REMOTE_INTEGERS]; /**< and pointers */
    double real[REMOTE_REALS];         /**< floating-point registers */
};

/** A function of a table. */
struct remote_function {
    const char *name;                      /**< "cudaMalloc" */
    uint64_t (*call)(REMOTE_PARAMETERS);   /**< the runtime's function */
    uint64_t (*counted)(REMOTE_PARAMETERS); /**< the same, counted; or NULL */
    const char *letters;                   /**< one for each argument */
    uint32_t size[REMOTE_SIZES];           /**< what the letters ask for */
};

/** The functions of the runtime, and of the libraries where the lab may call
 *  them; each table ends with a NULL name. */
extern const struct remote_function remote_runtime[];
extern const struct remote_function remote_libraries[];

/** In the host process: make a call.
 *  @param site  return address in the submission
 *  @return what the function returns */
uint64_t remote_call(const struct remote_function *function,
                     const struct remote_arguments *arguments,
                     const void *site);
/** Is this the host process? */
extern bool remote_is_host;

/** In the device process: perform a call (remote_perform.c).
 *  @param arguments  copied from the host process; changed */
uint64_t remote_perform(const struct remote_function *function,
                        struct remote_arguments *arguments);
/** Name of the call that this thread performs; NULL: none. */
const char *remote_performed(void);

#endif
