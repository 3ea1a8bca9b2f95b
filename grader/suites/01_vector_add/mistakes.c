/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 01: operands, indices and copies. */
#include "mistakes.h"

#include <string.h>

/* An operand of every sum has a neighbor's index. */
static void wrong_index(struct hypotheses *h, const struct vectors *v,
                        ptrdiff_t a_offset, ptrdiff_t b_offset)
{
    double *values = hypothesis_values(h);

    for (ptrdiff_t i = 0; i < (ptrdiff_t)v->n; i++) {
        const ptrdiff_t j = i + a_offset, k = i + b_offset;

        values[i] = j < 0 || k < 0 || j >= (ptrdiff_t)v->n
                            || k >= (ptrdiff_t)v->n
                        ? HYPOTHESIS_ANY : (double)v->a[j] + v->b[k];
    }
    hypothesis_try(h, "Both operands of c[i] have the index i.",
                   "a sum with the %s element of `%c`",
                   a_offset + b_offset > 0 ? "next" : "previous",
                   a_offset ? 'a' : 'b');
}

/* From an element on, an operand is memory that nothing was copied to: the
 * software GPU fills it with a pattern.  The first element may be half copied.
 */
static void not_copied(struct hypotheses *h, const struct vectors *v,
                       bool is_b, size_t from)
{
    const float *other = is_b ? v->a : v->b;
    double *values = hypothesis_values(h);
    float fill;

    memset(&fill, 0xCB, sizeof fill);
    for (size_t i = from; i < v->n; i++)
        values[i] = (float)((double)other[i] + fill);
    if (from * sizeof fill < v->n)
        values[from] = HYPOTHESIS_ANY;
    if (from == 0)
        hypothesis_try(h, "Both inputs are copied to the device.",
                       "a sum with memory that nothing was copied to, in place "
                       "of `%c`", is_b ? 'b' : 'a');
    else
        hypothesis_try(h, "cudaMemcpy counts bytes: n * sizeof(float).",
                       "a sum with memory that nothing was copied to: of `%c` "
                       "n bytes were copied, not n floats", is_b ? 'b' : 'a');
}

void vector_add_mistakes(struct hypotheses *h, const void *context)
{
    static const struct {
        const char *text;
        int a, b; /* factors */
    } sums[] = {{"a - b", 1, -1},
                {"b - a", -1, 1},
                {"a alone: b is not added", 1, 0},
                {"b alone: a is not added", 0, 1},
                {"a + a: b is not read, or not copied", 2, 0},
                {"b + b: a is not read, or not copied", 0, 2}};
    const struct vectors *v = context;
    double *values;

    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        values = hypothesis_values(h);
        for (size_t i = 0; i < v->n; i++)
            values[i] = (double)sums[k].a * v->a[i]
                        + (double)sums[k].b * v->b[i];
        hypothesis_try(h, sums[k].a && sums[k].b ? "c[i] = a[i] + b[i]."
                          : "c[i] = a[i] + b[i]: does the kernel read both, "
                            "and is each copied to the device from its own "
                            "array?", "%s", sums[k].text);
    }
    values = hypothesis_values(h);
    for (size_t i = 0; i < v->n; i++)
        values[i] = (double)v->a[i] * v->b[i];
    hypothesis_try(h, "c[i] = a[i] + b[i].", "the product a * b");
    for (int k = 0; k < 4; k++)
        not_copied(h, v, k % 2, k < 2 ? 0 : v->n / sizeof(float));
    for (int offset = -1; offset <= 1; offset += 2) {
        wrong_index(h, v, offset, 0);
        wrong_index(h, v, 0, offset);
    }
}
