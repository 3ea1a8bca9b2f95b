/* SPDX-License-Identifier: MIT */
/** @file
 *  Which layers a file of kernels computes.  Host only. */
#ifndef LAYER_KINDS_H
#define LAYER_KINDS_H

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of layers that train_step() computes, as bits 1 << LAYER_....
 *  A file of kernels need not define it: it then has NETWORK_BASIC_KINDS, those
 *  of lab 16. */
unsigned train_layer_kinds(void) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
