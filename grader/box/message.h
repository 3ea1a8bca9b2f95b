/* SPDX-License-Identifier: MIT */
/** @file
 *  What the first process of a box tells the grader, over a socket that the
 *  program in the box does not have.  The kernel adds the sender's process id,
 *  as the grader knows it.
 */
#ifndef GRADER_BOX_MESSAGE_H
#define GRADER_BOX_MESSAGE_H

/** Kinds of messages, in the order in which they come. */
enum box_message_kind {
    BOX_FIRST,   /**< sent by the box's first process */
    BOX_PROGRAM, /**< sent by the program's process, before it is executed */
    BOX_STARTED, /**< the program runs */
    BOX_ENDED,   /**< value: its wait status */
    BOX_COPIED,  /**< value: 1 when all outputs are whole, else 0 */
    BOX_FAILED   /**< value: errno; text: the step; nothing follows */
};

/** One message. */
struct box_message {
    int kind;      /**< enum box_message_kind */
    int value;     /**< see there */
    char text[64]; /**< see there */
};

#endif
