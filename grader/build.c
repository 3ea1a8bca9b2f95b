/* SPDX-License-Identifier: MIT */
/* Making a runner, and saying why a student's file cannot be one. */
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "house.h"
#include "text.h"

/* A compilation takes about 3 MB for a while. */
enum { SPACE_NEEDED = 8 << 20 };

/* The first line of a compiler's log that says "error", without folders. */
static void first_error(const char *log, char *text, size_t bytes)
{
    const char *line = log, *error = NULL;

    for (; line && *line && !error; line = strchr(line, '\n')) {
        line += *line == '\n';
        error = strstr(line, "error");
        if (error && error > line + strcspn(line, "\n"))
            error = NULL;
        if (error)
            break;
    }
    if (!error)
        line = log;
    for (const char *at = line; at < line + strcspn(line, " \n"); at++)
        if (*at == '/')
            line = at + 1;
    text_put(text, bytes, "%.*s", (int)strcspn(line, "\n"), line);
}

/* What a linker says when the lab's function is not there, or too much is.
 *  @return false when the log says neither */
static bool explain_link(const struct lab *lab, const char *file,
                         const char *log, struct built *built)
{
    static const char missing[] = "undefined reference to `";
    const char *name = strstr(log, missing);
    char undefined[96];

    text_put(undefined, sizeof undefined, "undefined reference to `%s'",
             lab->function);
    if (strstr(log, undefined))
        text_put(built->message, MESSAGE_TEXT,
                 "%s does not define `%s` (and does it still include "
                 "\"%s.h\"?)",
                 file, lab->prototype, lab->name);
    else if (strstr(log, "multiple definition of `main'"))
        text_put(built->message, MESSAGE_TEXT,
                 "%s defines main(); the grader has its own: remove it", file);
    else if (name)
        text_put(built->message, MESSAGE_TEXT,
                 "`%.*s' is called but defined nowhere: is it in %s, named and "
                 "declared as %s.h says?",
                 (int)strcspn(name + sizeof missing - 1, "'\n"),
                 name + sizeof missing - 1, file, lab->name);
    else
        return false;
    return true;
}

/* A compiler without room to write is no fault of the file it compiles. */
static bool disk_is_full(struct built *built)
{
    const char *other = getenv("TMPDIR");
    char folder[PATH_MAX];
    const char *const places[] = {folder, other && *other ? other : "/tmp"};
    struct statvfs about;

    text_put(folder, sizeof folder, "%s", built->runner);
    *strrchr(folder, '/') = 0;
    for (size_t i = 0; i < 2; i++) {
        if (statvfs(places[i], &about) != 0
            || (double)about.f_bavail * (double)about.f_bsize >= SPACE_NEEDED)
            continue;
        built->verdict = INTERNAL;
        text_put(built->message, MESSAGE_TEXT,
                 "no space left to compile in %.400s: make room there, or set "
                 "TMPDIR", places[i]);
        return true;
    }
    return false;
}

/* softcc cannot work: no C++ compiler, no headers, a library that stands in
 * for one of the Toolkit's is not installed.  Its own words. */
static bool compiler_is_missing(const char *log, struct built *built)
{
    static const char *const words[] = {"softcc: cannot run ",
                                        "softcc: no headers in ",
                                        "softcc: -l"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *line = strstr(log, words[i]);

        if (!line || (line != log && line[-1] != '\n'))
            continue;
        built->verdict = INTERNAL;
        text_put(built->message, MESSAGE_TEXT, "%.*s",
                 (int)strcspn(line, "\n"), line);
        printable(built->message);
        return true;
    }
    return false;
}

void build_explain(const struct lab *lab, const char *source, const char *log,
                   struct built *built)
{
    if (disk_is_full(built) || compiler_is_missing(log, built))
        return;
    if (!explain_link(lab, base_name(source), log, built))
        first_error(log, built->message, MESSAGE_TEXT);
    if (!*built->message)
        text_put(built->message, MESSAGE_TEXT,
                 "the compiler failed or took too long, and said nothing");
    printable(built->message);
}

void build_options(const struct target *target, const struct lab *lab,
                   struct compiler *compiler)
{
    struct command *command = &compiler->command;

    *command = (struct command){0};
    command_add(command, target->compiler);
    command_add(command, "-O3");
    command_add(command, "-lineinfo");
    if (target->kind == DEVICE_GPU)
        command_add(command, target->arch);
    command_add(command, "-I");
    command_add(command, house_path(compiler->folder[0], "labs/%s",
                                    lab->stem));
    command_add(command, "-I");
    command_add(command, house_path(compiler->folder[1], "common"));
    if (!*lab->with)
        return;
    command_add(command, "-I");
    command_add(command, text_put(compiler->folder[2], PATH_MAX, "%s",
                                  house_root()));
}

void build_libraries(const struct lab *lab, struct command *command)
{
    static char words[sizeof lab->libraries]; /* until the command has run */
    char *rest = words, *word;

    memcpy(words, lab->libraries, sizeof words);
    while ((word = strsep(&rest, " ")))
        if (*word)
            command_add(command, word);
}

static bool compile(const struct target *target, const struct lab *lab,
                    const char *source, const char *object, char **log)
{
    struct compiler compiler;

    build_options(target, lab, &compiler);
    command_add(&compiler.command, "-c");
    command_add(&compiler.command, "-o");
    command_add(&compiler.command, object);
    command_add(&compiler.command, source);
    return command_run(&compiler.command, house_root(), log);
}

/* What the runner counts: launch_*.c by device_kind, traffic.c, held.c. */
static const char *const launches[][7] = {
    {"--wrap=cudaLaunchKernel", "--wrap=__cudaLaunchKernel",
     "--wrap=cudaMemcpyFromSymbol", "--wrap=cudaMemcpyFromSymbolAsync",
     "--wrap=cudaMemcpyToSymbol", "--wrap=cudaMemcpyToSymbolAsync", NULL},
    {"--wrap=cudaLaunchKernel", "--wrap=softgpu_push",
     "--wrap=softgpu_copy_symbol", "--wrap=softgpu_copy_symbol_async", NULL}};
static const char *const traffic[] = {
    "--wrap=cudaMemcpy",       "--wrap=cudaMemcpyAsync",
    "--wrap=cudaMemcpy2D",     "--wrap=cudaMemcpy2DAsync",
    "--wrap=cudaMemcpy3D",     "--wrap=cudaMemcpy3DAsync",
    "--wrap=cudaGraphAddMemcpyNode", "--wrap=cudaGraphAddMemcpyNode1D",
    "--wrap=cudaGraphMemcpyNodeSetParams",
    "--wrap=cudaGraphExecMemcpyNodeSetParams",
    "--wrap=cudaGraphExecMemcpyNodeSetParams1D",
    "--wrap=cudaGraphAddNode", "--wrap=cudaGraphAddNode_v2",
    "--wrap=cudaGraphNodeSetParams", "--wrap=cudaGraphExecNodeSetParams",
    "--wrap=cudaMemcpyBatchAsync", "--wrap=cudaMemcpy3DBatchAsync", NULL};
static const char *const held[] = {
    "--wrap=cudaMalloc",        "--wrap=cudaMallocAsync",
    "--wrap=cudaMallocPitch",
    "--wrap=cudaMallocManaged", "--wrap=cudaHostAlloc",
    "--wrap=cudaMallocHost",    "--wrap=cudaHostRegister",
    "--wrap=cudaFreeHost",      "--wrap=cudaHostUnregister",
    "--wrap=cudaStreamCreate",  "--wrap=cudaStreamCreateWithFlags",
    "--wrap=cudaStreamCreateWithPriority", "--wrap=cudaStreamDestroy",
    "--wrap=cudaEventCreate",   "--wrap=cudaEventCreateWithFlags",
    "--wrap=cudaEventDestroy",  "--wrap=cudaGraphCreate",
    "--wrap=cudaGraphClone",    "--wrap=cudaStreamBeginCaptureToGraph",
    "--wrap=cudaStreamEndCapture", "--wrap=cudaGraphDestroy",
    "--wrap=cudaGraphInstantiate", "--wrap=cudaGraphInstantiateWithFlags",
    "--wrap=cudaGraphInstantiateWithParams",
    "--wrap=cudaGraphExecDestroy", "--wrap=cudaGraphLaunch", NULL};

static void add_wraps(struct command *command, const char *const *wraps)
{
    for (; *wraps; wraps++) {
        command_add(command, "-Xlinker");
        command_add(command, *wraps);
    }
}

static bool link_runner(const struct target *target, const struct lab *lab,
                        const char *object, char parts[][PATH_MAX],
                        size_t count, struct built *built, char **log)
{
    struct command command = {0};

    command_add(&command, target->compiler);
    if (target->kind == DEVICE_GPU)
        command_add(&command, target->arch);
    add_wraps(&command, launches[target->kind]);
    add_wraps(&command, traffic);
    add_wraps(&command, held);
    command_add(&command, "-o");
    command_add(&command, built->runner);
    command_add(&command, object);
    for (size_t i = 0; i < count; i++)
        command_add(&command, parts[i]);
    build_libraries(lab, &command);
    return command_run(&command, house_root(), log);
}

void build_runner(const struct target *target, const struct lab *lab,
                  const char *source, const char *folder, struct built *built)
{
    static char parts[BUILD_OBJECTS][PATH_MAX];
    char object[PATH_MAX], *log = NULL;
    size_t count = 0;

    *built = (struct built){.verdict = PASS};
    if (!build_is_there(source, built))
        return;
    built->verdict = INTERNAL;
    if (!build_parts(target, lab, parts, &count, built->message))
        return;
    built->verdict = BUILD;
    text_put(object, sizeof object, "%s/student.o", folder);
    text_put(built->runner, PATH_MAX, "%s/runner", folder);
    if (compile(target, lab, source, object, &log)) {
        free(log);
        log = NULL;
        if (link_runner(target, lab, object, parts, count, built, &log))
            built->verdict = PASS;
    }
    if (built->verdict != PASS)
        build_explain(lab, source, log ? log : "", built);
    text_put(built->log, sizeof built->log, "%s", log ? log : "");
    printable(built->log);
    free(log);
}

/* When the newest thing a step of the ladder is made of changed. */
static double ingredients(const struct target *target, const struct lab *lab)
{
    char solutions[PATH_MAX], labs[PATH_MAX], runner[PATH_MAX];
    char channel[PATH_MAX], common[PATH_MAX], library[PATH_MAX];
    const char *const folders[][2] = {
        {house_path(solutions, "solutions/%s", lab->stem), ""},
        {house_path(labs, "labs/%s", lab->stem), ".h"},
        {house_path(runner, "grader/runner"), ""},
        {house_path(channel, "grader/channel"), ""},
        {house_path(common, "common"), ".h"},
        {text_put(library, PATH_MAX, "%s/lib", house_build()), ".a"}};
    double latest = changed_at(target->compiler);

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        double at = newest(folders[i][0], folders[i][1]);

        latest = at > latest ? at : latest;
    }
    return with_changed(lab) > latest ? with_changed(lab) : latest;
}

const char *build_kind(const struct target *target)
{
    static const char *const kinds[] = {"", "-checked", "-counted",
                                        "-watched"};

    return kinds[target->watch];
}

void build_step(const struct target *target, const struct lab *lab,
                const char *step, struct built *built)
{
    char folder[PATH_MAX], source[PATH_MAX], kept[PATH_MAX];

    text_put(folder, sizeof folder, "%s/runner/%s%s/%s", house_build(),
             device_name(target->kind), build_kind(target), lab->stem);
    text_put(kept, sizeof kept, "%s/%s.run", folder, step);
    if (changed_at(kept) > ingredients(target, lab)) {
        *built = (struct built){.verdict = PASS};
        strcpy(built->runner, kept);
        return;
    }
    *built = (struct built){.verdict = INTERNAL};
    if (!make_folders(folder) || !make_temporary(folder)) {
        text_put(built->message, MESSAGE_TEXT, "%.500s: %s", folder,
                 strerror(errno));
        return;
    }
    house_path(source, "solutions/%s/%s", lab->stem, step);
    if (target->watch)
        build_now(target, lab, source, folder, built);
    else
        build_runner(target, lab, source, folder, built);
    if (built->verdict == PASS && rename(built->runner, kept) == 0)
        strcpy(built->runner, kept);
}
