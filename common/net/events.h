/* SPDX-License-Identifier: MIT */
/** @file
 *  TensorBoard event files with scalar summaries.  A record is: length (8
 *  bytes), masked CRC-32C of the length, message, masked CRC-32C of the
 *  message.  Messages have the type tensorflow.Event.  Format: TensorFlow's
 *  guide to TFRecord, and event.proto.  Host only. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/failure.h"

/** An open event file. */
struct events {
    FILE *file;      /**< owned */
    char path[1024]; /**< its path */
};

/** Create the file "events.out.tfevents.TIME.NUMBER.warpbook" in a folder.  The
 *  number is the first one whose file does not exist, so that no two runs share
 *  a file.
 *  @param      folder   must exist
 *  @param      time     seconds since 1970, part of the name
 *  @param[out] events   close with events_close()
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path */
bool events_open(const char *folder, double time, struct events *events,
                 struct failure *failure);

/** Add one scalar value.
 *  @param events  open; events_close() reports write errors
 *  @param tag     name of the scalar: "train/loss"
 *  @param step    training step
 *  @param value   the value
 *  @param time    seconds since 1970 */
void events_scalar(struct events *events, const char *tag, int64_t step,
                   float value, double time);

/** Close the file.
 *  @return false with a message when a write has failed */
bool events_close(struct events *events, struct failure *failure);

/** CRC-32C (Castagnoli), as in RFC 3720. */
uint32_t crc32c(const void *data, size_t bytes);

#endif
