/* SPDX-License-Identifier: MIT */
/* The submission's output on stdout. */
#include "printed.h"

#include <string.h>

#include "common/base/text.h"

/* Appends a line after `indent` spaces; a long one is cut. */
static void append_line(struct outcome *outcome, int indent, const char *line,
                        size_t length)
{
    enum { WIDTH = 100 };
    const size_t used = strlen(outcome->output);
    char text[WIDTH + 1];

    text_format(text, sizeof text, "%.*s",
                (int)(length < WIDTH ? length : WIDTH), line);
    make_printable(text);
    text_format(outcome->output + used, PRINTED_SIZE - used, "%*s%s\n", indent,
                "", text);
}

size_t keep_output(struct outcome *outcome, const struct capture *out,
                   size_t offset, const char *case_text)
{
    const char *at = out->text ? out->text + offset : "", *end;
    bool is_first = true;

    for (; *at; at = *end ? end + 1 : end, is_first = false) {
        end = at + strcspn(at, "\n");
        if (outcome->output_lines == PRINTED_LINES) {
            outcome->output_left_out++;
            continue;
        }
        if (is_first && *case_text)
            append_line(outcome, 4, case_text, strlen(case_text));
        append_line(outcome, 6, at,
                    (size_t)(end - at));
        outcome->output_lines++;
    }
    return out->length;
}
