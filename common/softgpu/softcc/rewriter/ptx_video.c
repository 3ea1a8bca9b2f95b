/* SPDX-License-Identifier: MIT */
/* Inline PTX: video instructions, as vabsdiff4.u32.u32.u32.add: an operation of
 * one word, two halves or four bytes, perhaps saturated, perhaps followed by a
 * second operation with the operand c. */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

/* Does the text begin with a word?  Then step over it. */
static bool take(const char **text, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(*text, word, n) != 0)
        return false;
    *text += n;
    return true;
}

bool append_video(const char *name, const char *const *types,
                  struct buffer *to)
{
    static const char *const operations[] = { "add", "sub", "avrg", "absdiff",
                                              "min", "max", NULL };
    static const char *const seconds[] = { "add", "min", "max", NULL };
    const char *const *first = operations, *second = "none";
    if (!take(&name, "v"))
        return false;
    while (*first && !take(&name, *first))
        first++;
    const int parts = take(&name, "4") ? 4 : take(&name, "2") ? 2 : 1;
    const bool saturates = take(&name, ".sat");
    if (take(&name, "."))
        for (const char *const *i = seconds; *i; i++)
            if (take(&name, *i))
                second = *i;
    if (!*first || *name || (parts > 1 && second[0] == 'm')
        || (parts == 1 && strcmp(*first, "avrg") == 0))
        return false;
    buffer_printf(to, "softgpu::ptx::video<softgpu::ptx::video_%s,"
                      "softgpu::ptx::video_%s,%d,%s,%s,%s,%s>(",
                  *first, second, parts, saturates ? "true" : "false",
                  types[0], types[1], types[2]);
    return true;
}
