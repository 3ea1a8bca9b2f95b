/* SPDX-License-Identifier: MIT */
/** @file
 *  A text file that is being written.  Host only. */
#ifndef TRAIN_PAGE_H
#define TRAIN_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/failure.h"

enum { PAGE_PATH = 1024 /**< bytes of a path */ };

/** An open file. */
struct page {
    FILE *file;           /**< owned */
    char path[PAGE_PATH]; /**< of it */
};

/** Begin FOLDER/NAME.  @return false with a line */
bool page_open(struct page *page, const char *folder, const char *name,
               struct failure *failure);

/** End it.  @return false with a line when something could not be written */
bool page_close(struct page *page, struct failure *failure);

#endif
