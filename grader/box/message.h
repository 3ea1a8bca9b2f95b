/* SPDX-License-Identifier: MIT */
/** @file
 *  What the first process of a box tells the grader, over a socket that the
 *  program in the box does not have.  The kernel adds the sender's process id,
 *  as the grader knows it.
 */
#ifndef GRADER_BOX_MESSAGE_H
#define GRADER_BOX_MESSAGE_H

#include <stdbool.h>
#include <sys/types.h>

/** Kinds of messages, in the order in which they come. */
enum box_message_kind {
    BOX_FOLDER,  /**< with a descriptor: the file system that it may write to */
    BOX_FIRST,   /**< sent by the box's first process */
    BOX_PROGRAM, /**< sent by the program's process, before it is executed */
    BOX_STARTED, /**< the program runs */
    BOX_ENDED,   /**< value: its wait status */
    BOX_COPIED,  /**< value: 1 when all outputs are whole, 0 when one is not
                      there, -1 when one cannot be written */
    BOX_FAILED   /**< value: errno; text: the step; nothing follows */
};

/** One message. */
struct box_message {
    int kind;       /**< enum box_message_kind */
    int value;      /**< see there */
    char text[256]; /**< see there */
};

/** Send a message with a descriptor.
 *  @param kind  enum box_message_kind
 *  @return false with errno set */
bool box_message_send_fd(int to, int kind, int fd);
/** Receive one message; never waits.
 *  @param[out] sender  its process id
 *  @param[in,out] fd  a descriptor that came with it, if this was negative
 *  @return false when none is there, or the other end is closed (errno 0) */
bool box_message_receive(int from, struct box_message *message, pid_t *sender,
                         int *fd);

#endif
