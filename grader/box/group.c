/* SPDX-License-Identifier: MIT */
/* Control groups.  Version 1 has a hierarchy for each controller; a group of
 * version 2 in addition, without controllers, serves to kill.  Where version 2
 * has the controllers, one folder does it all.
 *
 * Names are warpbook.PID.NAMESPACE.N: a group of a process that no longer runs
 * was left by a grader that was killed. */
#include "group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/command.h"
#include "common/base/text.h"

static const char prefix[] = "warpbook.";

/* Where groups can be made; known after find_hierarchies(). */
static struct {
    bool is_known;
    bool is_version_2;  /* the last one has all controllers */
    int count;          /* 0: nowhere */
    char folder[GROUP_FOLDERS][GROUP_PATH];
    char problem[256];
} places;

/* --- files ---------------------------------------------------------------- */

static bool write_value(const char *folder, const char *file,
                        const char *value)
{
    char path[GROUP_PATH + 64];
    ssize_t written;
    int fd;

    text_format(path, sizeof path, "%s/%s", folder, file);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    written = fd < 0 ? -1 : write(fd, value, strlen(value));
    if (fd >= 0)
        close(fd);
    return written > 0;
}

static bool write_number(const char *folder, const char *file,
                         unsigned long long value)
{
    char text[32];

    text_format(text, sizeof text, "%llu", value);
    return write_value(folder, file, text);
}

static bool read_text(const char *folder, const char *file, char *text,
                      size_t bytes)
{
    char path[GROUP_PATH + 64];
    ssize_t got;
    int fd;

    text_format(path, sizeof path, "%s/%s", folder, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd < 0 ? -1 : read(fd, text, bytes - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = 0;
    return got >= 0;
}

/* The number behind "key " in a file of lines, or of the file's only line. */
static unsigned long long read_number(const char *folder, const char *file,
                                      const char *key)
{
    char text[1024], *at = text;
    const size_t length = strlen(key);

    if (!read_text(folder, file, text, sizeof text))
        return 0;
    while (at && strncmp(at, key, length))
        if ((at = strchr(at, '\n')))
            at++;
    return at ? strtoull(at + length, NULL, 10) : 0;
}

static bool has_file(const char *folder, const char *file)
{
    char path[GROUP_PATH + 64];

    text_format(path, sizeof path, "%s/%s", folder, file);
    return access(path, F_OK) == 0;
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || strchr(" ,\n", at[-1]))
            && (!at[length] || strchr(" ,\n", at[length])))
            return true;
    return false;
}

/* --- hierarchies ---------------------------------------------------------- */

/* Our own group in a hierarchy: a line of /proc/self/cgroup is
 * "ID:CONTROLLERS:PATH"; version 2 has no controllers.
 *  @param controller  "" for version 2 */
static bool own_path(const char *controller, char *path)
{
    char line[GROUP_PATH];
    bool found = false;
    FILE *file = fopen("/proc/self/cgroup", "re");

    while (file && !found && fgets(line, sizeof line, file)) {
        char *words = strchr(line, ':');
        char *at = words ? strchr(words + 1, ':') : NULL;

        if (!at)
            continue;
        *at++ = 0;
        at[strcspn(at, "\n")] = 0;
        found = *controller ? has_word(words + 1, controller) : !words[1];
        text_format(path, GROUP_PATH, "%s", strcmp(at, "/") ? at : "");
    }
    if (file)
        fclose(file);
    return found;
}

/* Where a hierarchy is mounted: a line of /proc/self/mounts is
 * "DEVICE FOLDER TYPE OPTIONS 0 0". */
static bool mount_of(const char *controller, char *folder)
{
    char line[1024], where[GROUP_PATH], type[32], options[512];
    bool found = false;
    FILE *file = fopen("/proc/self/mounts", "re");

    while (file && !found && fgets(line, sizeof line, file))
        found = sscanf(line, "%*s %511s %31s %511s", where, type, options) == 3
                && (*controller ? !strcmp(type, "cgroup")
                                      && has_word(options, controller)
                                : !strcmp(type, "cgroup2"));
    if (file)
        fclose(file);
    if (found)
        text_format(folder, GROUP_PATH, "%s", where);
    return found;
}

/* The folder of our own group; a container may show it at the top. */
static bool own_folder(const char *controller, bool at_top, char *folder)
{
    char top[GROUP_PATH], path[GROUP_PATH];

    if (!mount_of(controller, top) || !own_path(controller, path))
        return false;
    text_format(folder, GROUP_PATH, "%.250s%.250s", top, at_top ? "" : path);
    return has_file(folder, "cgroup.procs");
}

static void add_place(const char *folder)
{
    text_format(places.folder[places.count++], GROUP_PATH, "%s", folder);
}

static bool find_version_1(void)
{
    static const char *const controllers[] = {"memory", "pids", "cpu"};
    char folder[GROUP_PATH];

    for (size_t i = 0; i < 3; i++) {
        if (!own_folder(controllers[i], false, folder)
            && !own_folder(controllers[i], true, folder))
            return false;
        add_place(folder);
    }
    if ((own_folder("", false, folder) || own_folder("", true, folder))
        && access(folder, W_OK) == 0)
        add_place(folder); /* for cgroup.kill */
    return access(places.folder[0], W_OK) == 0;
}

/* We are alone in our group: move to a group below it, since only a group
 * without processes may hand its controllers on. */
static bool make_room(const char *folder)
{
    char path[GROUP_PATH], own[32], text[64];

    text_format(own, sizeof own, "%d\n", (int)getpid());
    if (!read_text(folder, "cgroup.procs", text, sizeof text)
        || strcmp(text, own))
        return false;
    text_format(path, sizeof path, "%.400s/%ssupervisor.%d", folder, prefix,
                (int)getpid());
    return (mkdir(path, 0755) == 0 || errno == EEXIST)
           && write_number(path, "cgroup.procs", (unsigned long long)getpid());
}

static bool hands_on(const char *folder)
{
    char text[256];

    return read_text(folder, "cgroup.subtree_control", text, sizeof text)
           && has_word(text, "memory") && has_word(text, "pids")
           && has_word(text, "cpu");
}

/* Our own group where it was delegated to us, or the top. */
static bool find_version_2(void)
{
    static const char all[] = "+memory +pids +cpu";
    char folder[GROUP_PATH];

    for (int top = 0; top < 2; top++) {
        if (!own_folder("", top, folder) || access(folder, W_OK))
            continue;
        if (hands_on(folder)
            || write_value(folder, "cgroup.subtree_control", all)
            || (errno == EBUSY && make_room(folder)
                && write_value(folder, "cgroup.subtree_control", all))) {
            places.is_version_2 = true;
            add_place(folder);
            return true;
        }
    }
    return false;
}

/* --- groups of graders that were killed ----------------------------------- */

/* Process ids of another namespace, as a container's, say nothing here, where it
 * has the same groups: its number is a part of each group's name. */
static unsigned long process_namespace(void)
{
    struct stat about;

    return stat("/proc/self/ns/pid", &about) ? 0 : (unsigned long)about.st_ino;
}

/* Did the grader end that made this group?  One of another namespace is ended
 * when the group is old: it is empty for a moment only, or rmdir() fails. */
static bool is_abandoned(const char *path, const char *name)
{
    enum { OLD = 3600 }; /* seconds */
    unsigned long space = 0;
    struct stat about;
    int owner = 0;

    if (strncmp(name, prefix, sizeof prefix - 1)
        || sscanf(name + sizeof prefix - 1, "%d.%lu", &owner, &space) != 2
        || owner <= 0)
        return false;
    if (space != process_namespace())
        return stat(path, &about) == 0 && about.st_mtime + OLD < time(NULL);
    return kill((pid_t)owner, 0) != 0 && errno == ESRCH;
}

static void sweep_folder(const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    char path[GROUP_PATH];

    while (all && (entry = readdir(all))) {
        text_format(path, sizeof path, "%.240s/%.255s", folder, entry->d_name);
        if (is_abandoned(path, entry->d_name))
            rmdir(path); /* fails while a process is in it */
    }
    if (all)
        closedir(all);
}

static void find_hierarchies(void)
{
    places.is_known = true;
    if (!find_version_1()) {
        places.count = 0;
        find_version_2();
    }
    if (!places.count || access(places.folder[0], W_OK)) {
        places.count = 0;
        text_format(places.problem, sizeof places.problem,
                    "no control groups of memory, pids and cpu can be made");
    }
    for (int i = 0; i < places.count; i++)
        sweep_folder(places.folder[i]);
}

bool group_is_available(char *reason, size_t bytes)
{
    if (!places.is_known)
        find_hierarchies();
    text_format(reason, bytes, "%s", places.problem);
    return places.count > 0;
}

/* --- a group -------------------------------------------------------------- */

static bool limit_memory(const struct box_group *group, size_t memory)
{
    const char *folder = group->folder[0];

    if (places.is_version_2)
        return write_number(folder, "memory.max", memory)
               && (!has_file(folder, "memory.swap.max")
                   || write_value(folder, "memory.swap.max", "0"));
    return write_number(folder, "memory.limit_in_bytes", memory)
           && (!has_file(folder, "memory.memsw.limit_in_bytes")
               || write_number(folder, "memory.memsw.limit_in_bytes", memory));
}

static bool limit_processors(const struct box_group *group, double processors)
{
    enum { PERIOD = 100000 }; /* microseconds */
    char text[64];

    if (processors <= 0)
        return true;
    if (!places.is_version_2)
        return write_number(group->folder[2], "cpu.cfs_quota_us",
                            (unsigned long long)(processors * PERIOD));
    text_format(text, sizeof text, "%lld %d",
                (long long)(processors * PERIOD), PERIOD);
    return write_value(group->folder[0], "cpu.max", text);
}

bool group_create(struct box_group *group, size_t memory, unsigned processes,
                  double processors, char *reason, size_t bytes)
{
    static unsigned made;
    const unsigned number = made++;

    group->count = 0;
    if (!group_is_available(reason, bytes))
        return false;
    for (int i = 0; i < places.count; i++) {
        text_format(group->folder[i], GROUP_PATH, "%.400s/%s%d.%lu.%u",
                    places.folder[i], prefix, (int)getpid(),
                    process_namespace(), number);
        if (mkdir(group->folder[i], 0755) && errno != EEXIST) {
            text_format(reason, bytes, "%s: %s", group->folder[i],
                        strerror(errno));
            group_remove(group);
            return false;
        }
        group->count++;
    }
    if (limit_memory(group, memory)
        && write_number(group->folder[places.is_version_2 ? 0 : 1], "pids.max",
                        processes)
        && limit_processors(group, processors))
        return true;
    text_format(reason, bytes, "%s: its limits cannot be set: %s",
                group->folder[0], strerror(errno));
    group_remove(group);
    return false;
}

bool group_enter(const struct box_group *group)
{
    for (int i = 0; i < group->count; i++)
        if (!write_value(group->folder[i], "cgroup.procs", "0"))
            return false;
    return true;
}

/* Without cgroup.kill: one by one, until none is left. */
static bool kill_listed(const char *folder)
{
    char text[8192], *at = text, *end;

    if (!read_text(folder, "cgroup.procs", text, sizeof text) || !*text)
        return false;
    for (long pid; (pid = strtol(at, &end, 10)) > 0 && end > at; at = end)
        kill((pid_t)pid, SIGKILL);
    return true;
}

void group_kill(const struct box_group *group)
{
    const double end = clock_seconds() + command_seconds(1);

    if (!group->count)
        return;
    write_value(group->folder[group->count - 1], "cgroup.kill", "1");
    while (kill_listed(group->folder[0]) && clock_seconds() < end)
        usleep(1000);
}

void group_read(const struct box_group *group, struct group_counts *counts)
{
    const char *memory = group->folder[0];
    const bool two = places.is_version_2;

    *counts = (struct group_counts){0};
    if (!group->count)
        return;
    counts->oom_kills = (unsigned long)read_number(
        memory, two ? "memory.events" : "memory.oom_control", "oom_kill ");
    counts->refused = (unsigned long)read_number(
        group->folder[two ? 0 : 1], "pids.events", "max ");
    counts->peak_memory = (size_t)read_number(
        memory, two ? "memory.peak" : "memory.max_usage_in_bytes", "");
}

void group_remove(struct box_group *group)
{
    const double end = clock_seconds() + command_seconds(0.5);

    for (int i = 0; i < group->count; i++)
        while (rmdir(group->folder[i]) && errno == EBUSY
               && clock_seconds() < end)
            usleep(1000);
    group->count = 0;
}
