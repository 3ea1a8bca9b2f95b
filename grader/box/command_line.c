/* SPDX-License-Identifier: MIT */
/* The command lines of bubblewrap and box-init. */
#include "command_line.h"

#include <stdlib.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "landlock.h"
#include "layout.h"

const char *box_init_path(void)
{
    static char path[PATH_MAX];

    text_format(path, sizeof path, "%s/box-init", library_root());
    return path;
}

static void add(struct command_line *line, const char *argument)
{
    enum { MAX = sizeof line->argument / sizeof *line->argument };

    if (line->count >= MAX - 1)
        abort(); /* BOX_READABLE bounds them */
    line->argument[line->count++] = (char *)(size_t)argument;
    line->argument[line->count] = NULL;
}

static void add_all(struct command_line *line, const char *const *arguments)
{
    for (; *arguments; arguments++)
        add(line, *arguments);
}

static void add_pair(struct command_line *line, const char *name,
                     const char *value)
{
    add(line, name);
    add(line, value);
}

static void add_text(struct command_line *line, const char *name,
                     unsigned long number, const char *rest)
{
    enum { MAX = sizeof line->text / sizeof *line->text };

    if (line->texts == MAX)
        abort();
    add_pair(line, name,
             text_format(line->text[line->texts], sizeof *line->text, "%lu%s",
                         number, rest));
    line->texts++;
}

/* Inside, every box looks alike: the same ids, the same host name.  Not
 * --die-with-parent: killed between its clone() and its word to the child,
 * bubblewrap leaves a child that waits forever.  box-init ends the box. */
static void add_bubblewrap(struct command_line *line, const struct box *box)
{
    static const char *const options[] = {
        "bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid",
        "--unshare-net", "--unshare-uts", "--unshare-cgroup",
        "--disable-userns", "--uid", "1000", "--gid", "1000", "--hostname",
        "box", "--as-pid-1", "--new-session", "--cap-drop",
        "ALL", "--dev-bind", LAYOUT_ROOT, "/", "--proc", "/proc", "--chdir",
        NULL};

    add_all(line, options);
    add(line, box->folder);
    add_pair(line, "--", LAYOUT_INIT);
}

/* Files by Landlock: in tiers A and B the same that the root folder shows. */
static void add_files(struct command_line *line, const struct box *box)
{
    const char *const *devices = layout_devices(box);

    for (int i = 0; layout_system[i]; i++)
        add_pair(line, "-r", layout_system[i]);
    for (size_t i = 0; i < box->readables; i++)
        add_pair(line, "-r", box->readable[i]);
    if (box->tier >= TIER_B || box->gpu)
        add_pair(line, "-r", "/proc");
    if (box->gpu)
        add_pair(line, "-r", "/sys");
    for (int i = 0; devices[i]; i++)
        add_pair(line, "-w", devices[i]);
    add_pair(line, "-w", box->folder);
    if (box->tier >= TIER_B) {
        add_pair(line, "-w", "/tmp");
        add_pair(line, "-w", "/dev/shm");
    }
}

/* Which version of Landlock the tier cannot do without. */
static unsigned long landlock_needed(const struct box *box)
{
    return box->tier == TIER_C ? LANDLOCK_SCOPES : 0;
}

unsigned box_processes(const struct box *box, const struct limits *limits)
{
    if (box->kind != BOX_RUN)
        return limits->processes;
    return box->threads ? box->threads : MAX_THREADS;
}

void box_command_line(const struct box *box, const struct program *program,
                      const struct limits *limits, struct command_line *line)
{
    const bool counts = box->tier >= TIER_B || box->user;

    line->count = line->texts = 0;
    if (box->tier >= TIER_B)
        add_bubblewrap(line, box);
    else
        add(line, "box-init");
    add_text(line, "-s", (unsigned long)box->their_status, "");
    add_text(line, "-f", (unsigned long)box->filter, "");
    add_text(line, "-l", landlock_needed(box), "");
    add_text(line, "-c", program->channel, "");
    add_text(line, "-e", program->by_descriptor, "");
    /* a compiler then says what it could not write, and ends as usual */
    add_text(line, "-x", box->kind != BOX_RUN, "");
    add_text(line, "-u", box->user != 0, "");
    /* without an id of its own all processes of the user would count */
    add_text(line, "-n", counts ? box_processes(box, limits) : 0, "");
    add_text(line, "-a", limits->address_space, "");
    add_pair(line, "-d", box->folder);
    add_files(line, box);
    for (size_t i = 0; i < box->outputs; i++) {
        char name[60];

        text_format(name, sizeof name, ":%s", box->output[i].name);
        add_text(line, "-o", (unsigned long)box->output[i].fd, name);
    }
    add_pair(line, "--", program->path);
    add_all(line, (const char *const *)program->arguments);
}
