/* SPDX-License-Identifier: MIT */
/** @file
 *  See failure.h. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* The message may quote a file: control characters are replaced, so that it
 * stays on one line and cannot command a terminal. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = *text == '\n' && text[1] ? ' ' : '?';
}

bool error_is_ours(int error)
{
    return error == EIO || error == EMFILE || error == ENFILE
           || error == ENOMEM || error == EINTR || error == EAGAIN
           || error == ENOSPC;
}

bool fail(struct failure *failure, const char *format, ...)
{
    va_list args;

    if (failure) {
        va_start(args, format);
        vsnprintf(failure->text, sizeof failure->text, format, args);
        va_end(args);
        make_one_line(failure->text);
    }
    return false;
}
