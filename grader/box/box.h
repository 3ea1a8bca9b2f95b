/* SPDX-License-Identifier: MIT */
/** @file
 *  Boxes: untrusted work (unpacking, compiling, running) in a sandbox of a
 *  stated strength, its tier.
 *
 *  | tier | a box has | what it needs |
 *  | --- | --- | --- |
 *  | A | a user id of its own, given up before bubblewrap; namespaces (user,
 *  process, network, IPC, host name, mount, control group); a root folder of
 *  named read-only files; bounded file systems in memory; a control group for
 *  memory, processes and processors; seccomp, Landlock where the kernel has it,
 *  rlimits, no new privileges | root, bubblewrap, control groups |
 *  | B | the same with our own user id (root gives it up), and a watchdog and
 *  rlimits in place of the control group | bubblewrap, user namespaces |
 *  | C | a user id of its own, Landlock, seccomp, rlimits, the watchdog;
 *  folders are not bounded, other processes are visible | root, Landlock 6 |
 *  | D | rlimits, seccomp, Landlock where the kernel has it; a user id of its
 *  own when root | nothing |
 *
 *  A box is never weaker than asked: what cannot be applied is an error, and
 *  nothing starts.  Results of tiers A and B are for marks, of C if that was
 *  accepted, of D never.
 *
 *  In a box of A or B only these exist: /usr, the loader's files in /etc, the
 *  files that `readable` names, /proc with the processes of the box, /dev with
 *  null (and zero, full and urandom to run), an empty /tmp and /dev/shm, and
 *  the working folder.  Only the last three can be written; together they hold
 *  `folder_bytes` and `folder_files`.  All of them end with the box.
 */
#ifndef GRADER_BOX_H
#define GRADER_BOX_H

#include <limits.h>

#include "common/base/process.h"
#include "group.h"

/** Strength of a box; a greater one is stronger. */
enum box_tier { TIER_D, TIER_C, TIER_B, TIER_A, TIERS };

/** Purposes of a box. */
enum box_kind {
    BOX_UNPACK, /**< a program of ours reads what a student sent */
    BOX_BUILD,  /**< a compiler reads it */
    BOX_RUN     /**< it runs */
};

enum {
    BOX_READABLE = 160,   /**< named files and folders at most */
    BOX_OUTPUTS = 4,      /**< files copied out at most */
    BOX_REASON = 400,     /**< bytes of a reason */
    BOX_OVERHEAD_PROCESSES = 2, /**< bubblewrap and the box's first process */
    BOX_OVERHEAD_MEMORY = 32 << 20 /**< bytes that a control group gets more */
};

/** A file that is copied out of the working folder when the program has ended
 *  and all other processes of the box have ended. */
struct box_output {
    const char *name; /**< in the working folder */
    int fd;           /**< written to; unchanged when there is no such file */
};

/** Parts of a box; to be kept until process_stop(). */
struct box {
    enum box_tier tier; /**< how strong; nothing weaker is ever used */
    enum box_kind kind; /**< for what */
    const char *readable[BOX_READABLE]; /**< files and folders, absolute, that
                                             are seen under the same names */
    size_t readables;    /**< number of them */
    const char *folder;  /**< working folder, absolute; A and B: made in the
                              box; else it must exist */
    size_t folder_bytes; /**< A, B: that all files may have together */
    unsigned folder_files; /**< A, B: files and folders */
    double processors;   /**< A: processors that it may use; 0: all */
    unsigned threads;    /**< to run: its threads at a time, those of processes
                              too; 0: MAX_THREADS */
    bool gpu;            /**< the devices of NVIDIA's driver are in the box */
    struct box_output output[BOX_OUTPUTS]; /**< files to copy out */
    size_t outputs;      /**< number of them */
    bool outputs_complete; /**< after process_stop: all were there and whole */
    bool outputs_lost; /**< after it: one could not be written where we keep it,
                            which is not the program's fault */
    /* private */
    struct box_group group; /**< control group */
    uid_t user;             /**< id of its own; 0: ours */
    int status;             /**< our end of the socket of messages, or -1 */
    int their_status, filter; /**< descriptors for the box, or -1 */
    int contents;             /**< A, B: what it may write to, or -1 */
    pid_t first;            /**< its first process, 0: not known */
    bool has_ended;         /**< `ended` is the program's wait status */
    int ended;              /**< see above */
    char problem[BOX_REASON]; /**< why it did not start */
};

/** Add a file or folder to those that can be read; NULL or "" adds nothing. */
void box_add_readable(struct box *box, const char *path);
/** Start a program in a box.  process_wait() and process_stop() are used as for
 *  any process; process_stop() ends all processes of the box and removes it.
 *  The program has descriptors 0 to 2, and 3 if it has a channel.
 *  @param program  its folder and confinement are set here; its environment
 *                  must be given
 *  @param limits   drop_user and isolate are ignored; memory and processes of 0
 *                  are errors
 *  @return false with one line in box->problem: nothing runs */
bool box_start(struct box *box, struct process *process,
               const struct program *program, const struct limits *limits);
/** Are all bytes or all files of its folder used up?  Of a running box of tier
 *  A or B; else false. */
bool box_folder_is_full(const struct box *box);
/** Run a program in a box to its end.
 *  @param[out] status  wait status, with WAIT_ENDED
 *  @return why waiting ended, or -1 with one line in box->problem */
int box_run(struct box *box, struct process *process,
            const struct program *program, const struct limits *limits,
            int *status);

/** Can this machine make boxes of a tier?  Tried once with a real box.
 *  @param[out] reason  one line when it cannot, BOX_REASON bytes; or NULL */
bool box_tier_is_offered(enum box_tier tier, char *reason);
/** Advice beside the reason why no box was made: in a chroot the kernel makes
 *  no user namespace.
 *  @return empty outside of one, or where that is not known */
const char *box_chroot_advice(void);
/** The best of A and B, or D when neither is offered. */
enum box_tier box_best_tier(void);
/** Set the tier of all untrusted work of this process and of those that it
 *  forks from now on: D, the default, means that no boxes are used, only the
 *  limits of process_start(). */
void box_use_tier(enum box_tier tier);
/** The tier that was set. */
enum box_tier box_tier_in_use(void);
/** "A" to "D". */
const char *box_tier_name(enum box_tier tier);
/** The tier of that name.  @return false when there is none */
bool box_tier_parse(const char *name, enum box_tier *tier);
/** Parts of such a box, in one line for result.json. */
const char *box_tier_words(enum box_tier tier);
/** The environment of a box's program: a PATH, HOME and TMPDIR in its folder,
 *  LC_ALL=C, a fixed SOURCE_DATE_EPOCH, and those of `names` that are set.
 *  @param names  NULL-terminated, or NULL
 *  @return static memory, valid until the next call */
char *const *box_environment(const char *folder, const char *const *names);

#endif
