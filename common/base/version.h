/* SPDX-License-Identifier: MIT */
/** @file
 *  The version of the project: of warpbook, of softcc, and of its packages
 *  (common/softgpu/packaging/debian/changelog).
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/** As the tools print it. */
#define PROJECT_VERSION "1.0"

#endif
