/* SPDX-License-Identifier: MIT */
/* Compares our counters of a program with those of Nsight Compute, for
 * gpu-report.
 *
 *     gpu_compare --metrics             metrics for ncu, separated by commas
 *     gpu_compare TITLE REPORT CSV      a Markdown table, one row per kernel
 *
 * REPORT is a file of SOFTGPU_JSON, CSV the output of `ncu --csv --print-units
 * base`.  Kernels are matched by name; launches of a kernel are summed.  A cell
 * is one number if both are equal, else "ours / ncu's". */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME "gpu__time_duration.sum"

enum { FIELDS = 64, LINE = 1 << 16, KERNELS = 512 };

/** A counter in both reports. */
static const struct counter_pair {
    const char *ours, *metric, *head;
} pairs[] = {
    {"global_load_sectors",
         "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "load sectors"},
    {"global_store_sectors",
         "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "store sectors"},
    {"shared_load_wavefronts",
         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
         "shared load wavefronts"},
    {"shared_store_wavefronts",
         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
         "shared store wavefronts"},
    {"shared_load_conflicts",
         "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
         "load conflicts"},
    {"shared_store_conflicts",
         "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
         "store conflicts"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/** ncu's values of one kernel, summed over its launches. */
struct ncu_kernel {
    char name[200];
    double value[PAIRS];
    double ns;
};

static struct ncu_kernel kernels[KERNELS];
static int kernel_count;

/* "void k<3>(int *, int)" -> "k<3>" */
static void kernel_base_name(const char *text, char *name, size_t bytes)
{
    const char *end = strrchr(text, ')');
    int depth = 0;

    if (!strncmp(text, "void ", 5))
        text += 5;
    for (; end && end > text; end--) {
        depth += (*end == ')') - (*end == '(');
        if (depth == 0)
            break;
    }
    snprintf(name, bytes, "%.*s",
             end ? (int)(end - text) : (int)strlen(text), text);
}

static struct ncu_kernel *kernel_named(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i].name, name))
            return &kernels[i];
    if (kernel_count == KERNELS)
        return NULL;
    snprintf(kernels[kernel_count].name, sizeof kernels->name, "%s", name);
    return &kernels[kernel_count++];
}

/* Split a line of CSV in place.  @return number of fields */
static int split_csv(char *line, char **field)
{
    int count = 0;

    while (*line && *line != '\n' && count < FIELDS) {
        int quoted = *line == '"';

        line += quoted;
        field[count++] = line;
        line += strcspn(line, quoted ? "\"" : ",\r\n");
        if (quoted && *line)
            *line++ = 0;
        if (*line)
            *line++ = 0;
    }
    return count;
}

/* "1,234" -> 1234 */
static double parse_number(const char *text)
{
    char digits[64];
    size_t n = 0;

    for (; *text && n < sizeof digits - 1; text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = 0;
    return strtod(digits, NULL);
}

static void add_measurement(const char *kernel, const char *metric,
                            double value)
{
    char name[200];
    struct ncu_kernel *m;

    kernel_base_name(kernel, name, sizeof name);
    m = kernel_named(name);
    if (!m)
        return;
    if (!strcmp(metric, TIME))
        m->ns += value;
    for (int i = 0; i < PAIRS; i++)
        if (!strcmp(metric, pairs[i].metric))
            m->value[i] += value;
}

static int column(char **field, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(field[i], name))
            return i;
    return -1;
}

/* @return 1 if the file has a table */
static int read_csv(const char *path)
{
    static char line[LINE];
    char *field[FIELDS];
    int kernel = -1, metric = -1, value = -1, count;
    FILE *file = fopen(path, "r");

    while (file && fgets(line, sizeof line, file)) {
        count = split_csv(line, field);
        if (value < 0 || kernel < 0 || metric < 0) {
            kernel = column(field, count, "Kernel Name");
            metric = column(field, count, "Metric Name");
            value = column(field, count, "Metric Value");
        } else if (count > value && count > metric && count > kernel) {
            add_measurement(field[kernel], field[metric],
                            parse_number(field[value]));
        }
    }
    if (file)
        fclose(file);
    return value >= 0;
}

/* Print one cell.  @return 1 if both are equal */
static int print_cell(double ours, double theirs)
{
    if (ours == theirs)
        printf(" %.0f |", ours);
    else
        printf(" **%.0f / %.0f** |", ours, theirs);
    return ours == theirs;
}

static int print_row(const json_t *kernel, const struct ncu_kernel *m)
{
    int equal = 0;

    printf("| `%s` |", m->name);
    for (int i = 0; i < PAIRS; i++)
        equal += print_cell(
            json_number_value(json_object_get(kernel, pairs[i].ours)),
            m->value[i]);
    printf(" %.2f | %.2f |\n",
           json_number_value(json_object_get(kernel, "modeled_us")),
           m->ns / 1000);
    return equal;
}

static void print_table(const char *title, const json_t *report)
{
    const json_t *list = json_object_get(report, "kernels"), *kernel;
    int rows = 0, equal = 0;
    size_t i;

    printf("## %s\n\n| kernel |", title);
    for (i = 0; i < PAIRS; i++)
        printf(" %s |", pairs[i].head);
    printf(" modeled us | measured us |\n|");
    for (i = 0; i < PAIRS + 3; i++)
        printf(" --- |");
    printf("\n");
    json_array_foreach(list, i, kernel) {
        const char *name = json_string_value(json_object_get(kernel, "name"));

        for (int k = 0; name && k < kernel_count; k++)
            if (!strcmp(kernels[k].name, name)) {
                equal += print_row(kernel, &kernels[k]);
                rows++;
            }
    }
    printf("\n%d of %d counts of %d kernels agree; where not, ours stands "
           "first.\n\n", equal, rows * PAIRS, rows);
}

static void print_metrics(void)
{
    printf(TIME);
    for (int i = 0; i < PAIRS; i++)
        printf(",%s", pairs[i].metric);
    printf("\n");
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *report;

    if (argc == 2 && !strcmp(argv[1], "--metrics")) {
        print_metrics();
        return 0;
    }
    if (argc != 4) {
        fprintf(stderr, "gpu_compare: --metrics, or TITLE REPORT CSV\n");
        return 2;
    }
    report = json_load_file(argv[2], 0, &error);
    if (!report || !read_csv(argv[3])) {
        fprintf(stderr, "gpu_compare: %s: %s\n", report ? argv[3] : argv[2],
                report ? "no table of ncu's" : error.text);
        return 1;
    }
    print_table(argv[1], report);
    json_decref(report);
    return 0;
}
