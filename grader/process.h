/* SPDX-License-Identifier: MIT */
/** @file
 *  Another program under limits: started without a shell, watched by the
 *  clock, its output capped, and ended with all its descendants.
 *
 *  Evidence of why it ended comes from the kernel (wait status, resident
 *  memory, processes in its tree) and from this side's clock, never from what
 *  the program says.
 */
#ifndef GRADER_PROCESS_H
#define GRADER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

enum {
    CAPTURE_BYTES = 1 << 20, /**< most that is read of stdout, of stderr */
    PROCESSES_MOST = 16,     /**< in a runner's tree; an honest one has 1 */
    THREADS_MOST = 512       /**< in a runner's tree */
};

/** What a program may use. */
struct limits {
    double seconds;       /**< of a call: wall clock, see process_mark */
    size_t memory;        /**< resident bytes of the whole tree; 0: no limit */
    size_t address_space; /**< RLIMIT_AS; 0: none (a GPU driver needs much) */
    size_t file;          /**< largest file it may write */
    unsigned processes;   /**< most processes in the tree */
    bool drop_user;       /**< as root: run as a user id of its own */
};

/** The beginning of what a program wrote. */
struct capture {
    char *text;    /**< NUL-terminated; NULL when nothing came */
    size_t length; /**< at most CAPTURE_BYTES */
    int fd;        /**< read end, -1 once closed */
};

/** What to start. */
struct program {
    const char *path;       /**< executable, absolute */
    char *const *arguments; /**< argv, NULL-terminated */
    char *const *environment; /**< the whole of it, NULL-terminated */
    const char *folder;     /**< its working folder */
    bool channel;           /**< give it a socket as descriptor 3 */
};

/** A running program. */
struct process {
    pid_t pid;   /**< also its process group and session; 0: none */
    uid_t user;  /**< user id of its own, 0: ours */
    int channel; /**< our end, or -1 */
    struct capture out;   /**< its stdout */
    struct capture err;   /**< its stderr */
    struct limits limits; /**< as it was started */
    struct rusage usage; /**< after process_stop */
    size_t peak_memory;  /**< highest resident bytes seen */
    double since;        /**< clock_seconds of process_mark; 0: not marked */
    double cpu_since;    /**< processor seconds it had used by then */
    unsigned tick;       /**< how often it was looked at */
};

/** Why waiting ended. */
enum waited {
    WAIT_READY,       /**< the channel can be read or written, or closed */
    WAIT_ENDED,       /**< no channel: both outputs are closed */
    WAIT_TIME,        /**< the deadline passed */
    WAIT_FLOOD,       /**< more than CAPTURE_BYTES of output */
    WAIT_MEMORY,      /**< more memory than allowed */
    WAIT_CROWD,       /**< more processes or threads than allowed */
    WAIT_INTERRUPTED  /**< the user pressed ctrl-C */
};

/** Set by SIGINT and SIGTERM once interrupt_catch was called. */
bool interrupted(void);
/** Catch SIGINT and SIGTERM, ignore SIGPIPE, become the reaper of orphans, and
 *  close our memory to other processes of our user. */
void interrupt_catch(void);
/** Seconds on a clock that only rises. */
double clock_seconds(void);

/** Start a program.  @return 0, or an errno. */
int process_start(struct process *process, const struct program *program,
                  const struct limits *limits);
/** Wait until the channel is ready for `events` (poll's), taking in output.
 *  `deadline` is on clock_seconds. */
enum waited process_wait(struct process *process, short events,
                         double deadline);
/** Processor seconds that all threads of a process have used; 0 if unknown. */
double process_cpu(const struct process *process);
/** From now on a deadline that passes is put off while the program was kept
 *  from running: see kept_waiting. */
void process_mark(struct process *process);
/** Was a program, that has had `cpu` processor seconds in `wall` seconds and
 *  may take `limit`, kept from running by others?  So it was if it runs, has
 *  not had its limit's worth yet, and was not put off three times as long
 *  already; a program that sleeps was not. */
bool kept_waiting(double wall, double cpu, double limit);
/** Take in what is still in the output pipes, without waiting. */
void process_drain(struct process *process);
/** End it and all its descendants.
 *  It gets `patience` seconds to end by itself.
 *  @return the wait status; SIGKILL's when it had to be killed. */
int process_stop(struct process *process, double patience);
/** Free the captures. */
void process_free(struct process *process);

/** Run a program to its end.  @return WAIT_ENDED with the wait status in
 *  `status`, or why it was stopped, or -errno when it did not start. */
int process_run(struct process *process, const struct program *program,
                const struct limits *limits, int *status);

/* process_tree.c: what the kernel says of a process and its descendants. */

/** A process tree at one moment. */
struct tree {
    unsigned processes; /**< in it */
    unsigned threads;   /**< of all of them */
    size_t resident;    /**< bytes, shared pages counted for each */
};
/** Look at one process only (cheap). */
bool tree_root(pid_t pid, struct tree *tree);
/** Look at a process, its session and all descendants. */
void tree_all(pid_t pid, struct tree *tree);
/** Note that a program of ours runs, or no longer does. */
void tree_know(pid_t pid, bool running);
/** Kill what is left of the session or user id of an ended process, and reap
 *  what became ours. */
void tree_sweep(pid_t session, uid_t user);

#endif
