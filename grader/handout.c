/* SPDX-License-Identifier: MIT */
/* See handout.h.  The handout is cut anew each time: there is no copy that
 * could be of another age than the reference. */
#include "handout.h"

#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "house.h"
#include "text.h"

bool handout_untouched(const char *path, const char *folder,
                       const char *marked)
{
    char place[PATH_MAX], error[256], *own, *text, *handout = NULL;
    size_t length;
    bool same;

    text_put(place, sizeof place, "%s/%s", folder, marked);
    own = read_whole(path, 1 << 20, &length);
    text = read_whole(place, 1 << 20, &length);
    if (own && text)
        handout = cut(text, folder, error);
    same = handout && !strcmp(own, handout);
    free(own);
    free(text);
    free(handout);
    return same;
}
