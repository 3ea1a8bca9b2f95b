/* SPDX-License-Identifier: MIT */
/** @file
 *  The Markdown of a lab's README.md as text for a terminal.
 */
#ifndef GRADER_WORKBENCH_MARKDOWN_H
#define GRADER_WORKBENCH_MARKDOWN_H

/** Drop tags and the asterisks of emphasis, and resolve entities, in place.
 *  Code, between backquotes or tags, keeps its asterisks; a summary ends in a
 *  colon.
 *
 *      **Try** 2 * 3 &lt; `n`   ->   Try 2 * 3 < `n` */
void markdown_make_plain(char *text);

#endif
