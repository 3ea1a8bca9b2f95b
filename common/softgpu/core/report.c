/* SPDX-License-Identifier: MIT */
/** @file
 *  The line that a failed kernel leaves on stderr, and the way from a code
 *  address to a line of the student's file: addr2line is asked, when there is
 *  something to report and not before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"
#include "hooks.h"

enum { LINE = 1024 };

static char last[2 * LINE];

const char *softgpu_last_report(void)
{
    return last;
}

/* --- whose code is it? --------------------------------------------------- */

/* The archive's own text has a section of this name: see the Makefile. */
extern const char __start_softgpu_text[] __attribute__((weak));
extern const char __stop_softgpu_text[] __attribute__((weak));

static struct {
    size_t code; /* an address in the program, its bounds */
    size_t from, to;
} text;

static int look_for_code(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const size_t from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)
            || text.code - from >= part->p_memsz)
            continue;
        text.from = from;
        text.to = from + part->p_memsz;
        return 1;
    }
    return 0;
}

void softgpu_text_find(const void *code)
{
    if (text.code == (size_t)code)
        return;
    text.code = (size_t)code;
    text.from = text.to = 0;
    dl_iterate_phdr(look_for_code, NULL);
}

static bool is_own(size_t at)
{
    const size_t own = (size_t)__start_softgpu_text;
    return own && at - own < (size_t)__stop_softgpu_text - own;
}

bool softgpu_text_is_user(const void *pc)
{
    const size_t at = (size_t)pc;
    return __start_softgpu_text && at >= text.from && at < text.to
           && !is_own(at);
}

/* --- address to line ----------------------------------------------------- */

/* Run addr2line; its output, or NULL. */
static FILE *ask(const char *file, size_t address, pid_t *child)
{
    char number[32];
    int ends[2];
    posix_spawn_file_actions_t actions;
    snprintf(number, sizeof number, "0x%zx", address);
    char *arguments[] = {"addr2line", "-i", "-e", (char *)file, number, NULL};
    if (pipe(ends))
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    const int failed = posix_spawnp(child, arguments[0], &actions, NULL,
                                    arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed)
        return fdopen(ends[0], "r");
    close(ends[0]);
    return NULL;
}

/* "file:line" without what leads to the working directory. */
static const char *shorten(char *place)
{
    char here[LINE];
    const char *rest = strchr(place, ' '); /* "(discriminator 3)" */
    if (rest)
        place[rest - place] = '\0';
    place[strcspn(place, "\n")] = '\0';
    if (!getcwd(here, sizeof here))
        return place;
    const size_t length = strlen(here);
    return strncmp(place, here, length) || place[length] != '/'
               ? place
               : place + length + 1;
}

/* The innermost line that is not in a header of the software GPU. */
static bool find_line(const void *pc, char *place, size_t bytes)
{
    Dl_info info;
    struct link_map *map;
    char line[LINE];
    pid_t child;
    bool found = false;
    if (!pc || !dladdr1(pc, &info, (void **)&map, RTLD_DL_LINKMAP))
        return false;
    const char *file = map->l_name[0] ? map->l_name : "/proc/self/exe";
    char self[LINE];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!map->l_name[0] && n > 0) {
        self[n] = '\0';
        file = self;
    }
    FILE *answer = ask(file, (size_t)pc - map->l_addr, &child);
    if (!answer)
        return false;
    while (fgets(line, sizeof line, answer))
        if (!found && line[0] != '?' && !strstr(line, "/softgpu/include/")
            && !strstr(line, ":?") && !strstr(line, ":0\n")) {
            snprintf(place, bytes, "%s", shorten(line));
            found = true;
        }
    fclose(answer);
    waitpid(child, NULL, 0);
    return found;
}

/* --- the report ---------------------------------------------------------- */

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
    const size_t used = strlen(last);
    va_list args;
    va_start(args, format);
    vsnprintf(last + used, sizeof last - used, format, args);
    va_end(args);
}

static void add_place(const struct run *run, const void *pc, bool returns)
{
    char place[LINE];
    if (!pc || !find_line((const char *)pc - returns, place, sizeof place))
        return;
    if (place[0] == '-') /* clang names what it read from a pipe so */
        add(" at %s%s", run->grid->kernel->file, place + 1);
    else
        add(" at %s", place);
}

void softgpu_note(const char *text)
{
    char place[LINE];
    const char *site = softgpu_call_site;

    if (site && !is_own((size_t)site)
        && find_line(site - 1, place, sizeof place))
        fprintf(stderr, "softgpu: %s at %s\n", text,
                place + (place[0] == '-'));
    else
        fprintf(stderr, "softgpu: %s\n", text);
}

static void add_sites(const struct run *run)
{
    const struct fault *fault = &run->fault;

    for (uint32_t i = 0; i < fault->site_count; i++) {
        const struct wait_site *site = &fault->sites[i];
        add("%s%u thread%s wait%s", i ? ", " : "", site->threads,
            site->threads == 1 ? "" : "s", site->threads == 1 ? "s" : "");
        add_place(run, site->pc, true);
    }
}

static const char *summary(int error)
{
    return error == SOFTGPU_OUT_OF_MEMORY
               ? "no memory for the stacks and blocks of the grid"
               : "failed";
}

void softgpu_report(const struct run *run, int error)
{
    const struct fault *fault = &run->fault;
    const dim3 g = run->grid->grid, b = run->grid->block;
    last[0] = '\0';
    if (fault->said)
        return;
    add("softgpu: %s<<<(%u,%u,%u), (%u,%u,%u)>>>: ", run->grid->kernel->name,
        g.x, g.y, g.z, b.x, b.y, b.z);
    add("%s", fault->text[0] ? fault->text : summary(error));
    add_sites(run);
    if (fault->in_thread)
        add(" in block (%u,%u,%u) thread (%u,%u,%u)", fault->block.x,
            fault->block.y, fault->block.z, fault->thread.x, fault->thread.y,
            fault->thread.z);
    add_place(run, fault->pc, fault->returns);
    fflush(stdout);
    fprintf(stderr, "%s\n", last);
}
