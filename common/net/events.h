/* SPDX-License-Identifier: MIT */
/** @file
 *  Curves for TensorBoard: files of scalar events.  A record is: length (8
 *  bytes), a check of those bytes, a message, a check of the message; checks
 *  are masked CRC-32C.  Messages are of the type tensorflow.Event.  Format:
 *  TensorFlow's guide to TFRecord, and event.proto.  Host only.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/failure.h"

/** An open file of events. */
struct events {
    FILE *file;      /**< owned */
    char path[1024]; /**< of it */
};

/** Open a new file "events.out.tfevents.TIME.warpbook" in a folder.
 *  @param      folder   must exist
 *  @param      time     seconds since 1970, part of the name
 *  @param[out] events   close with events_close()
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path */
bool events_open(const char *folder, double time, struct events *events,
                 struct failure *failure);

/** Add one value of a curve.
 *  @param events  open; what cannot be written shows in events_close()
 *  @param tag     name of the curve: "train/loss"
 *  @param step    place on the x axis
 *  @param value   place on the y axis
 *  @param time    seconds since 1970 */
void events_scalar(struct events *events, const char *tag, int64_t step,
                   float value, double time);

/** Close the file.  @return false when something could not be written */
bool events_close(struct events *events, struct failure *failure);

/** CRC-32C (Castagnoli) of some bytes, as RFC 3720 has it. */
uint32_t crc32c(const void *data, size_t bytes);

#endif
