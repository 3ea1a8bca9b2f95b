/* SPDX-License-Identifier: MIT */
/** @file
 *  Text files of results.  Host only. */
#ifndef TRAIN_PAGE_H
#define TRAIN_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/base/failure.h"

enum { PAGE_PATH = 1024 /**< bytes of a path */ };

/** An open output file. */
struct page {
    FILE *file;           /**< owned */
    char path[PAGE_PATH]; /**< its path */
};

/** Create FOLDER/NAME.  @return false with a message */
bool page_open(struct page *page, const char *folder, const char *name,
               struct failure *failure);

/** Close the file.  @return false with a message when a write has failed */
bool page_close(struct page *page, struct failure *failure);

#endif
