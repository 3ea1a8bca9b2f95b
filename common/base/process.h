/* SPDX-License-Identifier: MIT */
/** @file
 *  A child program under limits: started without a shell, with a deadline, its
 *  output captured up to a limit, and killed with all its descendants.
 *
 *  Why a program ended is concluded from the kernel (wait status, resident
 *  memory, processes in its tree) and from the clock of this process, never
 *  from the program's output.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "machine_use.h"

enum {
    CAPTURE_BYTES = 1 << 20, /**< captured of stdout and of stderr, unless
                                  limits.output is set */
    MAX_EXTENSION = 8,       /**< times a limit: see is_starved() */
    MAX_PROCESSES = 16,      /**< in a runner's tree; a lab needs one */
    MAX_THREADS = 512        /**< in a runner's tree */
};

/** Limits of a program; 0 means no limit, unless stated otherwise. */
struct limits {
    double seconds;       /**< wall clock of a call: see process_start_clock */
    size_t memory;        /**< resident bytes of the whole tree */
    size_t address_space; /**< RLIMIT_AS (GPU drivers need much) */
    size_t file;          /**< bytes of the largest file it may write */
    size_t output;        /**< captured of each output; 0: CAPTURE_BYTES */
    unsigned processes;   /**< in the tree; 0: orphans are not killed */
    bool drop_user;       /**< when root: run with a user id of its own and no
                               capability, or not at all */
    bool isolate;         /**< run in namespaces of its own (sandbox.h), or not
                               at all; needs a folder */
};

/** The beginning of what a program wrote to stdout or stderr. */
struct capture {
    char *text;    /**< NUL-terminated; NULL when nothing came */
    size_t length; /**< bytes of text */
    size_t room;   /**< bytes allocated */
    int fd;        /**< read end of the pipe, -1 once closed */
};

struct process;

/** A program to start. */
struct program {
    const char *path;       /**< executable, absolute */
    char *const *arguments; /**< argv, NULL-terminated */
    char *const *environment; /**< all of it, NULL-terminated; NULL: ours */
    const char *folder;     /**< its working folder; NULL: ours */
    bool channel;           /**< give it a socket as descriptor 3 */
    bool by_descriptor;     /**< it reads its own file, as the descriptor that
                                 it is executed by: the kernel tells it the
                                 number, AT_EXECFN; for no script */
    const char *input;      /**< text for its stdin; NULL: empty */
    size_t input_bytes;     /**< length of that text */
    int input_fd;           /**< a file for its stdin; 0: none */
    const struct confinement *confinement; /**< another sandbox than that of
                                 the limits; NULL: none */
};

/** A sandbox around a program, made by another module (grader/box). */
struct confinement {
    /** In the forked process, whose descriptors 0 to 3 are in place: enter the
     *  sandbox.  Descriptors from 100 on that shall reach the program lose
     *  their close-on-exec flag here.
     *  @return false with errno set: the process then ends */
    bool (*enter)(void *state);
    /** In process_stop(), when the process is to end: end all that runs in the
     *  sandbox, and remove it.
     *  @param ended  the started process has ended already, with this status
     *  @return the wait status of the confined program */
    int (*leave)(void *state, struct process *process, bool ended,
                 int status);
    void *state; /**< passed to both; outlives the process */
};

/** A running program. */
struct process {
    pid_t pid;   /**< also its process group and session; 0: none */
    pid_t program; /**< the program itself: differs from pid in a sandbox
                        that has processes of its own */
    uid_t user;  /**< user id of its own, 0: ours */
    int channel; /**< our end of the socket, or -1 */
    struct capture out;   /**< its stdout */
    struct capture err;   /**< its stderr */
    struct limits limits; /**< as given to process_start */
    struct rusage usage;  /**< after process_stop */
    size_t peak_memory;   /**< highest resident bytes seen */
    double clock_start;   /**< clock_seconds of process_start_clock; 0: none */
    double cpu_start;     /**< processor seconds used at that time */
    double delay_start;   /**< process_delay() soon after that; NaN: not read
                               yet, -1: the kernel does not count */
    double next_word;     /**< clock_seconds when process_tell_long_calls()
                               has its function called next */
    double started;       /**< clock_seconds of process_start */
    double next_check;    /**< clock_seconds when the tree is read next */
    double next_look;     /**< the same for its root alone; 0: not decided
                               yet */
    struct machine_use use; /**< when the tree was read last */
    struct confinement confinement; /**< as given to process_start */
    bool over_memory;     /**< after process_stop: the kernel ended a process of
                               the sandbox because it exceeded its memory */
    bool over_processes;  /**< the same: it refused a process or thread more */
};

/** Why waiting ended. */
enum wait_result {
    WAIT_READY,         /**< the channel can be read or written, or closed */
    WAIT_ENDED,         /**< no channel: both outputs are closed */
    WAIT_TIMEOUT,       /**< the deadline passed */
    WAIT_OUTPUT_LIMIT,  /**< more output than allowed */
    WAIT_MEMORY_LIMIT,  /**< more memory than allowed */
    WAIT_PROCESS_LIMIT, /**< more processes or threads than allowed */
    WAIT_INTERRUPTED    /**< SIGINT or SIGTERM arrived */
};

/** The signal that arrived since install_signal_handlers; 0: none. */
int interrupted(void);
/** Replace that signal, for work that has to be done after it: 0 forgets it.
 *  @return the one before */
int interrupt_set(int signal);
/** Catch SIGINT, SIGTERM and SIGHUP, which then end process_wait, and ignore
 *  SIGPIPE. */
void install_signal_handlers(void);
/** Guard against untrusted programs: become a subreaper (their orphans become
 *  our children), and deny other processes of our user access to our memory. */
void isolate_process(void);
/** Seconds of a monotonic clock. */
double clock_seconds(void);

/** Start a program.  @return 0, or an errno. */
int process_start(struct process *process, const struct program *program,
                  const struct limits *limits);
/** Are there user ids to give to programs: is this process root, and not root
 *  of a container whose only users are an ordinary user's?  Without them a
 *  program runs as our own user, in namespaces. */
bool process_has_users(void);
/** A user id that no other runner on this machine has now. */
uid_t process_choose_user(void);
/** In a forked process: give up root for another user, without groups, and
 *  every capability.
 *  @param user  0: stay the user, give up capabilities
 *  @return false with errno set when some privilege is left: the process must
 *  then do nothing but end */
bool process_drop_privileges(uid_t user);
/** Wait until the channel is ready, capturing output meanwhile.
 *  @param events    of poll(): POLLIN, POLLOUT; 0 without a channel
 *  @param deadline  on clock_seconds */
enum wait_result process_wait(struct process *process, short events,
                              double deadline);
/** Processor seconds that all threads of a process have used; 0 if unknown. */
double process_cpu(const struct process *process);
/** Start the clock of a call.  From now on a deadline is extended while the
 *  program is starved: see is_starved. */
void process_start_clock(struct process *process);
/** Have a function called about once a second while a call takes longer than
 *  two.
 *  @param tell  gets the seconds of the call without those for which it was
 *               starved, and its limit; NULL: none */
void process_tell_long_calls(void (*tell)(double seconds, double limit));
/** Has a program time left because others used the processors?  True when the
 *  time that passed, without the time for which it was ready and had to wait,
 *  is below its limit, and the deadline was not yet extended to MAX_EXTENSION
 *  times the limit.  A program that sleeps or spins does not wait.
 *  @param wall     seconds that passed
 *  @param starved  seconds of them, of process_starved()
 *  @param limit    seconds that it may take */
bool is_starved(double wall, double starved, double limit);
/** Seconds that the thread of a process that waited longest was ready to run
 *  and had no processor (/proc/PID/task/TID/schedstat), and the same of its
 *  first child, since the two processes of a runner run in turns; -1 if the
 *  kernel does not count them (process_delay.c). */
double process_delay(const struct process *process);
/** The same since process_start_clock(); estimated from the processor time
 *  where the kernel does not count. */
double process_starved(const struct process *process);
/** Read what is left in the output pipes, without waiting. */
void process_drain(struct process *process);
/** End a program and all its descendants.
 *  @param grace_seconds  time it gets to end by itself
 *  @return the wait status; SIGKILL's when it had to be killed */
int process_stop(struct process *process, double grace_seconds);
/** Free the captured output. */
void process_free(struct process *process);

/** Run a program to its end.
 *  @param[out] status  wait status, with WAIT_ENDED
 *  @return WAIT_ENDED, why it was stopped, or -errno if it did not start */
int process_run(struct process *process, const struct program *program,
                const struct limits *limits, int *status);

/* process_tree.c: a process and its descendants. */

/** A process tree at one moment. */
struct tree {
    unsigned processes; /**< in the tree */
    unsigned threads;   /**< of all of them */
    size_t resident;    /**< bytes; shared pages count in each process */
};
/** Read the root of a program's tree alone. */
bool tree_read_root(const struct process *process, struct tree *tree);
/** Read a process, its descendants, and orphans of its session. */
void tree_read(pid_t pid, struct tree *tree);
/** The first child that a process's first thread started: on the software GPU
 *  the host process of a runner (grader/runner/soft/process.h).
 *  @return 0 without a child */
pid_t tree_first_child(pid_t pid);
/** Register a program that we started, or that no longer runs. */
void tree_register(pid_t pid, bool is_running);
/** Kill and reap our orphans: children that are not registered.
 *  @param user  also kill all processes of this user id, unless 0 */
void tree_kill_orphans(uid_t user);

#endif
