/* SPDX-License-Identifier: MIT */
/** @file
 *  Text files of results.  Host only.  A file appears, or is replaced, when it
 *  is complete: a reader never sees a part. */
#ifndef TRAIN_PAGE_H
#define TRAIN_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/base/failure.h"

enum { PAGE_PATH = 1024 /**< bytes of a path */ };

/** Style sheet of HTML pages, which fit a narrow screen. */
#define PAGE_STYLE                                                            \
    "body { font-family: sans-serif; margin: 1em } "                          \
    "svg, img { max-width: 100%; height: auto } "                             \
    ".wide { overflow-x: auto } h1, .run { overflow-wrap: anywhere } "        \
    ".run { margin: 2px 0 } "                                                 \
    "td, th { padding: 2px 6px; text-align: right; white-space: nowrap } "    \
    "th { white-space: normal } .name { overflow-wrap: anywhere; "            \
    "min-width: 5em; max-width: 40vw } "                                      \
    ".facts td, .facts th { text-align: left; vertical-align: top } "         \
    ".facts td { white-space: normal; overflow-wrap: anywhere } "             \
    ".runs td { min-width: 6em } "                                            \
    /* seven columns of an epoch in 400 pixels */                             \
    "@media (max-width: 600px) { body { margin: .5em } "                      \
    "td, th { padding: 2px; font-size: 12px } th { font-size: 11px } } "      \
    /* drawings keep their white ground, and so do numbers in their colors */ \
    "@media (prefers-color-scheme: dark) { :root { color-scheme: dark } "     \
    "body { background: #15191c; color: #e2e6e9 } a { color: #8ab4f8 } "      \
    "b[style] { background: #fff; padding: 0 .3em; border-radius: 3px } }"

/** An open output file. */
struct page {
    FILE *file;           /**< the text, in memory; owned */
    char *text;           /**< its bytes; owned */
    size_t length;        /**< number of them */
    char path[PAGE_PATH]; /**< of the file that it becomes */
};

/** Begin FOLDER/NAME.  @return false with a message: no memory */
bool page_open(struct page *page, const char *folder, const char *name,
               struct failure *failure);

/** Write the file.  @return false with a message */
bool page_close(struct page *page, struct failure *failure);

#endif
