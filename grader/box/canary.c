/* SPDX-License-Identifier: MIT */
/* Running the canary: plants what it may not reach, runs it in a box of each
 * kind, and reads what it says. */
#include "canary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

/* Memory of the grader that the canary tries to read and to change. */
static volatile uint64_t target_word;

/* Planted targets, and the canary's arguments. */
struct planted {
    char folder[PATH_MAX], secret[PATH_MAX + 8], other[PATH_MAX + 8];
    char program[PATH_MAX + 16], pid[16], address[32], name[48], key[16];
    char processes[16], bytes[16], files[16];
    int listener, segment;
};

static bool listen_abstract(struct planted *planted)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    text_format(planted->name, sizeof planted->name, "warpbook-canary-%d",
                (int)getpid());
    strcpy(address.sun_path + 1, planted->name);
    planted->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return planted->listener >= 0
           && bind(planted->listener, (struct sockaddr *)&address,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1
                               + strlen(planted->name))) == 0
           && listen(planted->listener, 8) == 0;
}

static bool plant(struct planted *planted)
{
    const key_t key = 0x57420000 + getpid();

    *planted = (struct planted){.listener = -1};
    if (!temp_dir_create(planted->folder))
        return false;
    text_format(planted->secret, sizeof planted->secret, "%s/secret",
                planted->folder);
    text_format(planted->other, sizeof planted->other, "%s/other",
                planted->folder);
    text_format(planted->program, sizeof planted->program, "%s/warpbook",
                program_root());
    text_format(planted->pid, sizeof planted->pid, "%d", (int)getpid());
    text_format(planted->address, sizeof planted->address, "%lx",
                (unsigned long)&target_word);
    text_format(planted->key, sizeof planted->key, "%#x", (unsigned)key);
    text_format(planted->bytes, sizeof planted->bytes, "%d", CANARY_FOLDER);
    text_format(planted->files, sizeof planted->files, "%d",
                CANARY_FOLDER_FILES);
    planted->segment = shmget(key, 4096, IPC_CREAT | 0666);
    return write_file(planted->secret, "secret", 6)
           && chmod(planted->secret, 0600) == 0
           && write_file(planted->other, "other", 5)
           && chmod(planted->other, 0644) == 0 && planted->segment >= 0
           && listen_abstract(planted);
}

static void remove_planted(struct planted *planted)
{
    if (planted->segment >= 0)
        shmctl(planted->segment, IPC_RMID, NULL);
    if (planted->listener >= 0)
        close(planted->listener);
}

/* --- what the tiers promise ----------------------------------------------- */

/* Does such a box promise to refuse it? */
static bool is_promised(enum box_tier tier, enum box_kind kind,
                        const char *words)
{
    /* A compiler may lock files. */
    static const char *const locks[] = {"watch files that all boxes have",
                                        "lock a file that all boxes have"};
    /* Without namespaces, folders are not bounded and System V objects are
     * seen. */
    static const char *const namespaces[] = {
        "attach System V memory", "write more bytes than its folder holds",
        "make more files than its folder holds"};

    if (tier == TIER_D)
        return false;
    for (size_t i = 0; i < 2 && kind != BOX_RUN; i++)
        if (!strcmp(words, locks[i]))
            return false;
    for (size_t i = 0; i < 3 && tier == TIER_C; i++)
        if (!strcmp(words, namespaces[i]))
            return false;
    return true;
}

/* One line of the canary.  @return false when the box does not hold */
static bool check_line(enum box_tier tier, enum box_kind kind, const char *line,
                       void (*show)(enum box_kind, const char *, enum act_end),
                       char *reason)
{
    const char *words = strchr(line, ' ');
    const bool succeeded = !strncmp(line, "succeeded ", 10);
    enum act_end end = ACT_REFUSED;

    if (!words)
        return true;
    words++;
    if (succeeded)
        end = is_promised(tier, kind, words) ? ACT_SUCCEEDED : ACT_OPEN;
    if (show)
        show(kind, words, end);
    if (end == ACT_SUCCEEDED)
        text_format(reason, BOX_REASON,
                    "a box of tier %s does not hold: in it a program can %s",
                    box_tier_name(tier), words);
    return end != ACT_SUCCEEDED;
}

/* All its lines.  @param[out] acts  number of lines with an act */
static bool check_lines(enum box_tier tier, enum box_kind kind, char *text,
                        void (*show)(enum box_kind, const char *, enum act_end),
                        char *reason, int *acts)
{
    bool held = true;
    char *line;

    *acts = 0;
    while (text && (line = strsep(&text, "\n")))
        if (strchr(line, ' ')) {
            ++*acts;
            held &= check_line(tier, kind, line, show, reason);
        }
    return held;
}

/* --- one box -------------------------------------------------------------- */

static void set_arguments(struct planted *planted, enum box_kind kind,
                          const char *acts, char **argument)
{
    char *const all[CANARY_ARGUMENTS] = {
        [CANARY_NAME] = "box-canary", [CANARY_GRADER] = planted->pid,
        [CANARY_ADDRESS] = planted->address, [CANARY_SECRET] = planted->secret,
        [CANARY_OTHER] = planted->other,
        [CANARY_SOURCES] = (char *)(size_t)source_root(),
        [CANARY_PROGRAM] = planted->program, [CANARY_SOCKET] = planted->name,
        [CANARY_KEY] = planted->key,
        [CANARY_DEVICES] = kind == BOX_RUN ? "null zero full urandom" : "null",
        [CANARY_PROCESSES] = planted->processes,
        [CANARY_BYTES] = planted->bytes, [CANARY_FILES] = planted->files,
        [CANARY_ACTS] = (char *)(size_t)acts};

    text_format(planted->processes, sizeof planted->processes, "%d",
                kind == BOX_RUN ? CANARY_THREADS : CANARY_CHILDREN);
    memcpy(argument, all, sizeof all);
    argument[CANARY_ARGUMENTS] = NULL;
}

/* The grader saw the limit exceeded, and ended the box. */
static bool is_watchdog(int end, const char *acts)
{
    return (end == WAIT_MEMORY_LIMIT && !strcmp(acts, "memory"))
           || (end == WAIT_PROCESS_LIMIT && !strcmp(acts, "processes"));
}

/* @return false when the box could not be made or did not hold */
static bool run_in_box(enum box_tier tier, enum box_kind kind,
                       struct planted *planted, const char *acts,
                       void (*show)(enum box_kind, const char *, enum act_end),
                       char *reason)
{
    static struct box box;
    char path[PATH_MAX + 16], folder[PATH_MAX];
    char *argument[CANARY_ARGUMENTS + 1];
    const struct limits limits = {
        .seconds = 30, .memory = CANARY_MEMORY, .file = CANARY_FILE,
        .processes = CANARY_CHILDREN};
    struct program program = {.path = path, .arguments = argument};
    struct process process;
    int status = 0, end, count;
    bool held;

    if (!temp_dir_create(folder))
        return false;
    text_format(path, sizeof path, "%s/box-canary", library_root());
    set_arguments(planted, kind, acts, argument);
    box = (struct box){.tier = tier, .kind = kind, .folder = folder,
                       .folder_bytes = CANARY_FOLDER,
                       .folder_files = CANARY_FOLDER_FILES,
                       .threads = CANARY_THREADS};
    box_add_readable(&box, path);
    program.environment = box_environment(folder, NULL);
    end = box_run(&box, &process, &program, &limits, &status);
    if (end < 0) {
        text_format(reason, BOX_REASON, "%s", box.problem);
        return false;
    }
    if (is_watchdog(end, acts)) {
        process_free(&process);
        return check_line(tier, kind, end == WAIT_MEMORY_LIMIT
                          ? "refused take more memory than it may"
                          : "refused start more processes than it may",
                          show, reason);
    }
    held = check_lines(tier, kind, process.out.text, show, reason, &count);
    if (held && (end != WAIT_ENDED || status || target_word || !count)) {
        held = false;
        text_format(reason, BOX_REASON,
                    "the canary of a box of tier %s ended with wait status "
                    "%#x after %d acts", box_tier_name(tier),
                    end == WAIT_ENDED ? (unsigned)status : 0xffff, count);
    }
    process_free(&process);
    return held;
}

bool box_verify(enum box_tier tier,
                void (*show)(enum box_kind kind, const char *words,
                             enum act_end end),
                char *reason)
{
    static const enum box_kind kinds[] = {BOX_RUN, BOX_BUILD, BOX_UNPACK};
    struct planted planted;
    bool held;

    *reason = 0;
    target_word = 0;
    if (!plant(&planted)) {
        text_format(reason, BOX_REASON, "the canary cannot be prepared: %s",
                    strerror(errno));
        remove_planted(&planted);
        return false;
    }
    held = run_in_box(tier, BOX_RUN, &planted, "memory", show, reason)
           && run_in_box(tier, BOX_RUN, &planted, "processes", show, reason);
    for (size_t i = 0; i < 3 && held; i++)
        held = run_in_box(tier, kinds[i], &planted, "all", show, reason);
    remove_planted(&planted);
    return held;
}
