/* SPDX-License-Identifier: MIT */
/* See metrics.h. */
#include "metrics.h"

#include <math.h>
#include <string.h>

#include "page.h"

enum { NAME_COLUMNS = 24 /* of a class name in a table on a terminal */ };

struct class_metrics class_metrics_of(const struct confusion *confusion,
                                      int label)
{
    unsigned predicted = 0, images = 0;
    const unsigned right = confusion->count[label][label];

    for (int i = 0; i < confusion->classes; i++) {
        predicted += confusion->count[i][label];
        images += confusion->count[label][i];
    }
    return (struct class_metrics){
        .precision = predicted ? (double)right / predicted : NAN,
        .recall = images ? (double)right / images : NAN, .images = images};
}

void metrics_top(const float *row, int classes, int top, int *order)
{
    for (int k = 0; k < top; k++) {
        order[k] = -1;
        for (int i = 0; i < classes; i++) {
            bool used = false;

            for (int j = 0; j < k; j++) used |= order[j] == i;
            if (!used && (order[k] < 0 || row[i] > row[order[k]])) order[k] = i;
        }
    }
}

struct metrics metrics_of(const struct dataset *set,
                          const float *probabilities, int top,
                          struct confusion *confusion)
{
    struct metrics sum = {0};
    int order[DATASET_MAX_CLASSES];
    const double count = set->count ? (double)set->count : NAN;

    confusion->classes = set->classes;
    if (top > set->classes) top = set->classes;
    for (size_t i = 0; i < set->count; i++) {
        const float *row = probabilities + i * (size_t)set->classes;
        const int label = set->labels[i];

        metrics_top(row, set->classes, top, order);
        confusion->count[label][order[0]]++;
        sum.accuracy += order[0] == label;
        for (int k = 0; k < top; k++) sum.top_accuracy += order[k] == label;
        /* A probability that float rounds to 0 has a finite loss. */
        sum.loss -= log(fmax((double)row[label], 1e-38));
    }
    return (struct metrics){sum.loss / count, sum.accuracy / count,
                            sum.top_accuracy / count};
}

/* Bytes of the UTF-8 character at `text`; 0 if it is none, or a control. */
static int character_bytes(const unsigned char *text)
{
    const int bytes = *text < 0x80   ? 1
                      : *text < 0xc2 ? 0
                      : *text < 0xe0 ? 2
                      : *text < 0xf0 ? 3
                      : *text < 0xf5 ? 4
                                     : 0;

    if (*text < ' ' || *text == 0x7f) return 0;
    if (bytes == 2 && *text == 0xc2 && text[1] < 0xa0) return 0; /* C1 */
    for (int i = 1; i < bytes; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return bytes;
}

/* Print at most `columns` characters.  @return characters printed */
static int print_characters(FILE *out, const char *name, int columns)
{
    int printed = 0;

    while (*name && printed < columns) {
        const int bytes = character_bytes((const unsigned char *)name);

        if (bytes)
            fwrite(name, 1, (size_t)bytes, out);
        else
            fputc('?', out);
        name += bytes ? bytes : 1;
        printed++;
    }
    return printed;
}

void print_name(FILE *out, const char *name)
{
    print_characters(out, name, 1 << 20);
}

void print_csv(FILE *out, const char *text)
{
    const bool formula = strchr("=+-@\t\r", *text) && *text;

    if (!formula && !text[strcspn(text, "\",\r\n")]) {
        fputs(text, out);
        return;
    }
    fputs(formula ? "\"'" : "\"", out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* A column of fixed width; a value that was not measured is a dash. */
static void print_percent(FILE *out, double value)
{
    if (isnan(value))
        fprintf(out, "  %10s", "-");
    else
        fprintf(out, "  %8.2f %%", 100 * value);
}

void print_classes(FILE *out, const struct confusion *confusion,
                   const struct dataset *set)
{
    char text[DATASET_NUMBER_BYTES];

    fprintf(out, "%-*s  images   precision      recall\n", NAME_COLUMNS,
            "class");
    for (int i = 0; i < confusion->classes; i++) {
        const struct class_metrics m = class_metrics_of(confusion, i);
        const int used = print_characters(
            out, dataset_class_name(set, i, text), NAME_COLUMNS);

        fprintf(out, "%*s  %6u", NAME_COLUMNS - used, "", m.images);
        print_percent(out, m.precision);
        print_percent(out, m.recall);
        fputc('\n', out);
    }
}

/* NaN is an empty field. */
static void print_number(FILE *out, double value)
{
    if (isnan(value))
        fputs(",", out);
    else
        fprintf(out, ",%.6g", value);
}

bool classes_write_csv(const struct confusion *confusion,
                       const struct dataset *set, const char *folder,
                       struct failure *failure)
{
    char text[DATASET_NUMBER_BYTES];
    struct page page;

    if (!page_open(&page, folder, "classes.csv", failure))
        return false;
    fprintf(page.file, "class,images,precision,recall\n");
    for (int i = 0; i < confusion->classes; i++) {
        const struct class_metrics m = class_metrics_of(confusion, i);

        print_csv(page.file, dataset_class_name(set, i, text));
        fprintf(page.file, ",%u", m.images);
        print_number(page.file, m.precision);
        print_number(page.file, m.recall);
        fputc('\n', page.file);
    }
    return page_close(&page, failure);
}
