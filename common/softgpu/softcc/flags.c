/* SPDX-License-Identifier: MIT */
#include "tokens.h"
void find_flags(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++)
        u->functions[i].flags = FLAG_MAY_BLOCK | FLAG_NEEDS_IDS;
}
