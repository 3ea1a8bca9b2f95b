/* SPDX-License-Identifier: MIT */
/* Reads fixtures, and compares reports with what their comments expect. */
#include "fixture.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void parse_marker(struct fixture *f, const char *text, int line)
{
    sscanf(text, "// finds: %47[a-z_]", f->kind);
    sscanf(text, "// also: %47[a-z_]", f->also);
    sscanf(text, "// says: %79[^\n]", f->says);
    if (strstr(text, "// HERE"))
        f->here = line;
    if (strstr(text, "// OTHER"))
        f->other = line;
}

static void read_fixture(struct fixture *f, const char *folder,
                         const char *name)
{
    char text[300];
    FILE *file;

    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%.*s", (int)strcspn(name, "."), name);
    snprintf(f->family, sizeof f->family, "%.*s", (int)strcspn(name, "_."),
             name);
    snprintf(f->path, sizeof f->path, "%s/%s", folder, name);
    file = fopen(f->path, "r");
    for (int line = 1; file && fgets(text, sizeof text, file); line++)
        parse_marker(f, text, line);
    if (file)
        fclose(file);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_source(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".cu");
}

int load_fixtures(const char *folder, struct fixture *all)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_source, compare_names), found = 0;

    for (int i = 0; i < n; i++) {
        if (found < MAX_FIXTURES)
            read_fixture(&all[found++], folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

/* --- one program of a family ---------------------------------------------- */

static void write_dispatch(FILE *out, const struct fixture *f)
{
    for (int defect = 0; defect < 2; defect++)
        fprintf(out, "    if (!strcmp(argv[1], \"%s_%d\"))\n"
                "        return %s_%d::run();\n",
                f->name, defect, f->name, defect);
}

int write_family(const char *path, const struct fixture *first,
                 const struct fixture *end)
{
    FILE *out = fopen(path, "w");

    if (!out)
        return -1;
    fprintf(out, "#define TOGETHER\n#include <cstring>\n"
            "#include \"fixture.cuh\"\n%s",
            !strcmp(first->family, "library") ? "#include <cublas_v2.h>\n"
            : !strcmp(first->family, "legacy") ? "#include <cublas.h>\n" : "");
    for (const struct fixture *f = first; f < end; f++)
        for (int defect = 0; defect < 2; defect++)
            fprintf(out, "#define DEFECT %d\nnamespace %s_%d {\n"
                    "#include \"%s.cu\"\n}\n#undef DEFECT\n",
                    defect, f->name, defect, f->name);
    fprintf(out, "int main(int argc, char **argv)\n{\n");
    for (const struct fixture *f = first; f < end; f++)
        write_dispatch(out, f);
    fprintf(out, "    return argc + 1;\n}\n");
    return fclose(out);
}

/* --- the report ----------------------------------------------------------- */

static int matches_lines(const struct fixture *f, int line, int other)
{
    return line == f->here && (!f->other || other == f->other);
}

/* Compare one finding; *also is set if it is the second kind expected. */
static int compare_finding(const struct fixture *f, json_t *finding,
                           int *also, char *message, unsigned room)
{
    const char *kind, *words;
    int line, other;

    if (json_unpack(finding, "{s:s, s:i, s:i, s:s}", "kind", &kind, "line",
                    &line, "other_line", &other, "message", &words)) {
        snprintf(message, room, "a finding lacks fields");
        return 1;
    }
    if (!strcmp(kind, f->also))
        return (*also = 1) - 1;
    if (!strcmp(kind, f->kind) && matches_lines(f, line, other)
        && strstr(words, f->says))
        return 0;
    snprintf(message, room, "found %s at %d, other %d (%s); should be %s at "
             "%d, other %d", kind, line, other, words, f->kind, f->here,
             f->other);
    return 1;
}

int compare_report(const struct fixture *f, const char *json, char *message,
                   unsigned room)
{
    json_t *report = json_load_file(json, 0, NULL);
    json_t *findings = json_object_get(report, "findings"), *finding;
    size_t i;
    int wrong = 0, also = !f->also[0];
    const size_t least = 1 + !also;

    message[0] = 0;
    json_array_foreach(findings, i, finding)
        wrong = wrong || compare_finding(f, finding, &also, message, room);
    if (!wrong && (json_array_size(findings) != least || !also)) {
        snprintf(message, room, "%zu findings, should be one of %s%s",
                 json_array_size(findings), f->kind, f->also);
        wrong = 1;
    }
    json_decref(report);
    return wrong;
}

/* --- the table ------------------------------------------------------------ */

/** A row. */
struct family {
    const char *name;
    int fixtures, found, silent;
};

static void add_to_row(struct family *row, const struct fixture *f)
{
    row->fixtures++;
    row->found += !f->false_negative[0];
    row->silent += !f->false_positive[0];
}

static void write_row(FILE *out, const struct family *row)
{
    fprintf(out, "| %s | %d | %d | %d |\n", row->name, row->fixtures,
            row->found, row->silent);
}

int write_table(const char *path, const struct fixture *all, int n)
{
    struct family row = {NULL, 0, 0, 0}, sum = {"all", 0, 0, 0};
    FILE *out = fopen(path, "w");

    if (!out)
        return -1;
    fprintf(out, "| family | fixtures | found | twins silent |\n"
            "| --- | ---: | ---: | ---: |\n");
    for (int i = 0; i < n; i++) {
        if (row.name && strcmp(row.name, all[i].family)) {
            write_row(out, &row);
            row = (struct family){NULL, 0, 0, 0};
        }
        row.name = all[i].family;
        add_to_row(&row, &all[i]);
        add_to_row(&sum, &all[i]);
    }
    if (row.name)
        write_row(out, &row);
    write_row(out, &sum);
    return fclose(out);
}
