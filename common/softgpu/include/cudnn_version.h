/* SPDX-License-Identifier: MIT */
/** @file
 *  The version of cuDNN that these headers implement.
 */
#ifndef CUDNN_VERSION_H_
#define CUDNN_VERSION_H_

#define CUDNN_MAJOR 9      /**< major version */
#define CUDNN_MINOR 0      /**< minor version */
#define CUDNN_PATCHLEVEL 0 /**< patch level */
/** The version as one number. */
#define CUDNN_VERSION \
    (CUDNN_MAJOR * 10000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)

#endif
