/* SPDX-License-Identifier: MIT */
/* The names of the pages. */
#include <string.h>

#include "common/base/text.h"
#include "pages.h"

char *page_name(char name[PAGE_NAME], const char *stem, const char *id)
{
    char hex[DIGEST_TEXT];
    size_t n;

    digest(hex, id, strlen(id));
    text_format(name, PAGE_NAME, "%.40s-%.40s", stem, id);
    n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789_-", name[i]))
            name[i] = '_';
    text_format(name + n, PAGE_NAME - n, "-%.8s.html", hex);
    return name;
}

bool has_page(const struct cell *cell)
{
    return cell->entry != NULL;
}
