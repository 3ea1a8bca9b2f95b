/* SPDX-License-Identifier: MIT */
/* Optimal string alignment: row i of the table has the distances of the first
 * i characters of `a` to each beginning of `b`; only three rows are needed. */
#include "closest.h"

#include <string.h>

enum { LONGEST = 40, FAR = 99 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    int rows[3][LONGEST + 1] = {{0}};

    if (m > LONGEST || n > LONGEST)
        return FAR;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *now = rows[i % 3];
        const int *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        now[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
                           least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *closest_name(const char *word, const char *const *names,
                         size_t count)
{
    const char *found = NULL;
    int best = least(2, (int)strlen(word) / 2) + 1;

    for (size_t i = 0; i < count; i++) {
        const int far = distance(word, names[i]);

        if (far < best) {
            best = far;
            found = names[i];
        }
    }
    return found;
}
