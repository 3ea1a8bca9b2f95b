/* SPDX-License-Identifier: MIT */
/** @file
 *  The version of cuDNN whose interface this is.
 */
#ifndef CUDNN_VERSION_H_
#define CUDNN_VERSION_H_

#define CUDNN_MAJOR 9      /**< changes with the interface */
#define CUDNN_MINOR 0      /**< calls may be added */
#define CUDNN_PATCHLEVEL 0 /**< neither */
/** All in one number. */
#define CUDNN_VERSION \
    (CUDNN_MAJOR * 10000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)

#endif
