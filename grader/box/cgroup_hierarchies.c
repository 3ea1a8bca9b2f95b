/* SPDX-License-Identifier: MIT */
/* Where control groups can be made.  Version 1 has a hierarchy for each
 * controller; a group of version 2 in addition, without controllers, serves to
 * kill.  Where version 2 has the controllers, one folder does it all.
 *
 * Names are warpbook.PID.NAMESPACE.N: a group of a process that no longer runs
 * was left by a grader that was killed. */
#include "cgroup_hierarchies.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cgroup_files.h"
#include "common/base/text.h"

static const char prefix[] = "warpbook.";

static struct cgroup_hierarchies places;

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || strchr(" ,\n", at[-1]))
            && (!at[length] || strchr(" ,\n", at[length])))
            return true;
    return false;
}

/* Our own group in a hierarchy: a line of /proc/self/cgroup is
 * "ID:CONTROLLERS:PATH"; version 2 has no controllers.
 *  @param controller  "" for version 2 */
static bool find_group_path(const char *controller, char *path)
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
static bool find_group_folder(const char *controller, bool at_top, char *folder)
{
    char top[GROUP_PATH], path[GROUP_PATH];

    if (!mount_of(controller, top) || !find_group_path(controller, path))
        return false;
    text_format(folder, GROUP_PATH, "%.250s%.250s", top, at_top ? "" : path);
    return cgroup_has_file(folder, "cgroup.procs");
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
        if (!find_group_folder(controllers[i], false, folder)
            && !find_group_folder(controllers[i], true, folder))
            return false;
        add_place(folder);
    }
    if ((find_group_folder("", false, folder)
         || find_group_folder("", true, folder))
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
    if (!cgroup_read(folder, "cgroup.procs", text, sizeof text)
        || strcmp(text, own))
        return false;
    text_format(path, sizeof path, "%.400s/%ssupervisor.%d", folder, prefix,
                (int)getpid());
    return (mkdir(path, 0755) == 0 || errno == EEXIST)
           && cgroup_write(path, "cgroup.procs", own);
}

static bool hands_on(const char *folder)
{
    char text[256];

    return cgroup_read(folder, "cgroup.subtree_control", text, sizeof text)
           && has_word(text, "memory") && has_word(text, "pids")
           && has_word(text, "cpu");
}

/* Our own group where it was delegated to us, or the top. */
static bool find_version_2(void)
{
    static const char all[] = "+memory +pids +cpu";
    char folder[GROUP_PATH];

    for (int top = 0; top < 2; top++) {
        if (!find_group_folder("", top, folder) || access(folder, W_OK))
            continue;
        if (hands_on(folder)
            || cgroup_write(folder, "cgroup.subtree_control", all)
            || (errno == EBUSY && make_room(folder)
                && cgroup_write(folder, "cgroup.subtree_control", all))) {
            places.is_version_2 = true;
            add_place(folder);
            return true;
        }
    }
    return false;
}

/* A process id of another namespace, as a container's, says nothing here, where
 * the same groups are: the namespace's number is a part of each group's
 * name. */
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

const struct cgroup_hierarchies *cgroup_hierarchies(void)
{
    static bool is_known;

    if (is_known)
        return &places;
    is_known = true;
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
    return &places;
}

void cgroup_name(char *path, const char *folder, unsigned number)
{
    text_format(path, GROUP_PATH, "%.400s/%s%d.%lu.%u", folder, prefix,
                (int)getpid(), process_namespace(), number);
}
