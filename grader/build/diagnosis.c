/* SPDX-License-Identifier: MIT */
/* Why a submission was not built: the compiler's and linker's messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "build.h"
#include "common/base/paths.h"
#include "common/base/text.h"

/* A compiler's temporary files take about 3 MB. */
enum { MIN_FREE_BYTES = 8 << 20 };

/* A line with an error, not a warning or note whose text has the word. */
static bool is_error_line(const char *line, size_t length)
{
    static const char *const marks[] = {": error: ", ": fatal error: "};
    static const char *const others[] = {": warning: ", ": note: "};
    const char *error = NULL;

    for (size_t i = 0; i < 2 && !error; i++)
        error = memmem(line, length, marks[i], strlen(marks[i]));
    for (size_t i = 0; i < 2 && error; i++)
        if (memmem(line, (size_t)(error - line), others[i], strlen(others[i])))
            return false;
    return error != NULL;
}

/* @return NULL when there is none */
static const char *find_error_line(const char *log)
{
    for (const char *line = log; *line;) {
        const size_t length = strcspn(line, "\n");

        if (is_error_line(line, length))
            return line;
        line += length + (line[length] == '\n');
    }
    return NULL;
}

/* The first error of the log, else the first line that contains "error", else
 * its first line; without the folders of the file it names. */
static void first_error(const char *log, char *text, size_t bytes)
{
    const char *error = strstr(log, "error"), *line = find_error_line(log);

    if (!line && error)
        for (line = error; line > log && line[-1] != '\n';)
            line--;
    line = line ? line : log;
    for (const char *at = line; at < line + strcspn(line, " \n"); at++)
        if (*at == '/')
            line = at + 1;
    text_format(text, bytes, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Put gcc's message about a process that a limit ended into plain words. */
static void explain_stop(struct build_result *result)
{
    static const char *const stops[][2] = {
        {"Killed signal terminated program",
         "more memory than a compiler may use"},
        {"File size limit exceeded signal terminated program",
         "a larger program than allowed: is a huge array initialized?"},
        {"Segmentation fault signal terminated program",
         "more than the compiler can do: is it nested very deeply?"}};
    const size_t used = strlen(result->message);

    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (strstr(result->message, stops[i][0])) {
            text_format(result->message + used, MESSAGE_SIZE - used,
                        "\nthe file needs %s", stops[i][1]);
            return;
        }
}

/* The linker's errors: the lab's function is missing, or another one, or
 * main() is defined twice.
 *  @return false when the log has none of them */
static bool explain_link_error(const struct lab *lab, const char *file,
                               const char *log, struct build_result *result)
{
    static const char missing[] = "undefined reference to `";
    const char *name = strstr(log, missing);
    char undefined[96];

    text_format(undefined, sizeof undefined, "undefined reference to `%s'",
                lab->function);
    if (strstr(log, undefined))
        text_format(result->message, MESSAGE_SIZE,
                    "%s does not define `%s` (does it include \"%s.h\"?)",
                    file, lab->prototype, lab->name);
    else if (strstr(log, "multiple definition of `main'"))
        text_format(result->message, MESSAGE_SIZE,
                    "%s defines main(), which the grader defines: remove it",
                    file);
    else if (name)
        text_format(result->message, MESSAGE_SIZE,
                    "`%.*s' is called but not defined: is it in %s, with the "
                    "name and parameters that %s.h declares?",
                    (int)strcspn(name + sizeof missing - 1, "'\n"),
                    name + sizeof missing - 1, file, lab->name);
    else
        return false;
    return true;
}

/* Compilers list types; what is missing is often one character of CUDA's. */
static void explain_cuda_error(struct build_result *result)
{
    static const char address[] =
        "cudaMalloc stores an address in your pointer, so it needs the address "
        "of that: cudaMalloc(&d_x, bytes)";
    static const char dimension[] =
        "threadIdx, blockIdx, blockDim and gridDim have three members: write "
        "threadIdx.x, or .y, or .z";
    static const char member[] =
        "CUDA's vector types have members, not an index: v.x, v.y, v.z, v.w";
    static const struct {
        const char *mark, *with, *words;
    } mistakes[] = {
        {"no matching function for call to 'cudaMalloc(", "", address},
        {"no matching function for call to 'cudaMalloc'", "", address},
        {"no matching function for call to 'atomic", "",
         "an atomic function needs the address of the element: "
         "atomicAdd(&d_x[i], 1u)"},
        {"operator<<'", "void(", "a launch has three of them: "
                                 "kernel<<<blocks, threads>>>(...)"},
        {"operator", "'const uint3'", dimension},
        {"operator", "'const dim3'", dimension},
        {"invalid cast from type", "'const uint3'", dimension},
        {"invalid cast from type", "'const dim3'", dimension},
        {"cannot convert", "'const uint3'", dimension},
        {"cannot convert", "'const dim3'", dimension},
        {"invalid 'static_cast' from type", "to type 'void (*)(",
         "a kernel returns nothing: __global__ void name(...)"},
        {"invalid types", "for array subscript",
         "a pointer has one index: d_x[row * columns + column]"},
        {"invalid conversion from 'const void*' to 'void*'", "",
         "of cudaMemcpy and memcpy the first argument is the destination"},
        {"expected ',' or ';' before", "",
         "does the line before end with a semicolon?"},
        {"no match for 'operator[]'", "4' and '", member},
        {"no match for 'operator[]'", "2' and '", member},
    };
    const size_t used = strlen(result->message);

    make_printable(result->message);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        if (!strstr(result->message, mistakes[i].mark)
            || !strstr(result->message, mistakes[i].with))
            continue;
        text_format(result->message + used, MESSAGE_SIZE - used, "\n%s",
                    mistakes[i].words);
        return;
    }
}

/* A header of the ladder that the file includes, as a step does that was
 * copied from there: a second line says how to grade the step. */
static void explain_ladder_header(const struct lab *lab, const char *file,
                                  struct build_result *result)
{
    static const char mark[] = "fatal error: ";
    const char *at = strstr(result->message, mark);
    char name[96], path[PATH_MAX];
    size_t used;

    at = at ? at + strlen(mark) : "";
    at += strspn(at, "'"); /* clang's */
    text_format(name, sizeof name, "%.*s", (int)strcspn(at, ":'"), at);
    if (!*name || strchr(name, '/')
        || access(root_path(path, "solutions/%s/%s", lab->stem, name), R_OK))
        return;
    used = strlen(result->message);
    text_format(result->message + used, MESSAGE_SIZE - used,
                "\nsolutions/%s/%s is there, not beside %s: to grade a step of "
                "the ladder, type build/warpbook grade %02d --from "
                "solutions/%s/STEP.cu", lab->stem, name, file, lab->number,
                lab->stem);
}

/* A compiler that has no room for its files, which all lie in one folder of
 * ours: not the submission's fault. */
static bool disk_is_full(struct build_result *result)
{
    char folder[PATH_MAX];
    struct statvfs about;

    text_format(folder, sizeof folder, "%s", result->runner);
    *strrchr(folder, '/') = 0;
    if (statvfs(folder, &about) != 0
        || (double)about.f_bavail * (double)about.f_bsize >= MIN_FREE_BYTES)
        return false;
    result->verdict = INTERNAL;
    text_format(result->message, MESSAGE_SIZE,
                "no space left to compile in %.400s: free some", folder);
    return true;
}

/* A fault of the machine, and the last line of the log: softcc's own. */
static void explain_fault(const struct execution_end *end,
                          struct build_result *result)
{
    const char *log = end->log ? end->log : "", *last = log;

    for (const char *at = log; *at; at++)
        if (at[0] == '\n' && at[1])
            last = at + 1;
    result->verdict = INTERNAL;
    text_format(result->message, MESSAGE_SIZE, "%s%s%.*s", end->fault,
                *last ? ": " : "", (int)strcspn(last, "\n"), last);
}

void diagnose_build(const struct lab *lab, const char *source,
                    const struct execution_end *end,
                    struct build_result *result)
{
    const char *log = end->log ? end->log : "";

    result->verdict = BUILD;
    if (disk_is_full(result))
        return;
    if (end->fault)
        explain_fault(end, result);
    else if (!explain_link_error(lab, base_name(source), log, result)) {
        first_error(log, result->message, MESSAGE_SIZE);
        explain_ladder_header(lab, base_name(source), result);
        explain_cuda_error(result);
        explain_stop(result);
    }
    if (!*result->message)
        text_format(result->message, MESSAGE_SIZE, "%s",
                    end->is_limit
                        ? "the compiler took longer, or needed more memory, "
                          "than it may: does the file make it compute, as "
                          "templates and constexpr can?"
                        : "the compiler failed without a message");
    make_printable(result->message);
}
