/* SPDX-License-Identifier: MIT */
/* The device process: it starts the host process and performs its calls. */
#include "process.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/core/hooks.h"
#include "common/softgpu/core/source_line.h"
#include "common/softgpu/host/device.h"
#include "common/softgpu/host/remote.h"
#include "grader/channel/message.h"
#include "grader/runner/submission.h"
#include "grader/runner/variant.h"
#include "calls_gate.h"
#include "indirect_calls.h"
#include "transfers.h"

enum { DEVICE = 1, HOST = 2 /* whose turn it is */, PAGE = 4096 };
/* Modeled time of host code between two calls: no more is believed. */
#define MAX_HOST_NS ((uint64_t)1000 * 1000 * 1000 * 1000)
/* Address space for the arrays of a call in host memory, and if sparse. */
#define ARRAYS_BYTES (FRAME_MAX_BYTES + ((size_t)64 << 20))
#define SPARSE_BYTES ((size_t)80 << 30)
/* Pages of so many bytes stay mapped in both processes, and for the next call:
 * to fault them in costs more than to overwrite them. */
#define KEPT_BYTES ((size_t)32 << 20)

struct shared *shared;
pid_t host_pid;
static pid_t grader_pid;
static atomic_bool ending; /* the host process's end is not its own doing */
static char *arrays;        /* host memory of the frames' arrays */
static size_t arrays_most;  /* bytes that it may have */
static size_t arrays_bytes; /* in use */
static size_t kept_bytes;   /* whose pages stay for the next call */

/* --- the host process's memory ------------------------------------------- */

/* The arrays of a call, which this process maps, too. */
static bool is_mapped(const void *host, size_t bytes)
{
    const size_t offset = (size_t)((const char *)host - arrays);

    return offset < arrays_bytes && bytes <= arrays_bytes - offset;
}

size_t host_read_some(void *to, const void *host, size_t bytes)
{
    size_t done = 0;

    while (done < bytes) {
        const struct iovec local = {(char *)to + done, bytes - done};
        const struct iovec remote = {(char *)(uintptr_t)host + done,
                                     bytes - done};
        const ssize_t got =
            process_vm_readv(host_pid, &local, 1, &remote, 1, 0);

        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

/* Can the host process read it? */
static bool is_host_memory(const void *p)
{
    char byte;

    return host_read_some(&byte, p, 1) == 1;
}

/* The host process ends as if it had accessed the address itself. */
static void fail_access(void)
{
    kill(host_pid, SIGSEGV);
    for (;;)
        pause(); /* watch_host() ends this process */
}

void host_read(void *to, const void *host, size_t bytes)
{
    if (is_mapped(host, bytes))
        memcpy(to, host, bytes);
    else if (host_read_some(to, host, bytes) != bytes)
        fail_access();
}

void host_write(void *host, const void *from, size_t bytes)
{
    size_t done = 0;

    if (is_mapped(host, bytes)) {
        memcpy(host, from, bytes);
        return;
    }
    while (done < bytes) {
        const struct iovec local = {(char *)(uintptr_t)from + done,
                                    bytes - done};
        const struct iovec remote = {(char *)host + done, bytes - done};
        const ssize_t put =
            process_vm_writev(host_pid, &local, 1, &remote, 1, 0);

        if (put <= 0)
            fail_access();
        done += (size_t)put;
    }
}

void *submission_alloc(size_t bytes)
{
    void *block = arrays + arrays_bytes;

    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    if (bytes > arrays_most - arrays_bytes)
        return NULL;
    arrays_bytes += bytes;
    if (arrays_bytes > kept_bytes) {
        if (bytes <= FRAME_MAX_BYTES) /* else it is sparse */
            madvise(block, bytes, MADV_POPULATE_WRITE); /* if the kernel can */
        kept_bytes = arrays_bytes;
    }
    return block;
}

void release_mapping(void)
{
    if (arrays_bytes > KEPT_BYTES)
        madvise(arrays, arrays_bytes, MADV_DONTNEED);
}

void submission_free_all(void)
{
    if (kept_bytes > KEPT_BYTES) {
        madvise(arrays, kept_bytes, MADV_REMOVE);
        kept_bytes = 0;
    }
    arrays_bytes = 0;
}

/* --- calls ---------------------------------------------------------------- */

/* The entry of a table that begins at this address, or NULL. */
static const struct remote_function *find_in(
    const struct remote_function *table, uint64_t address)
{
    for (; table->name; table++)
        if ((uint64_t)table == address)
            return table;
    return NULL;
}

/* Only functions of these tables are performed. */
static const struct remote_function *find_function(uint64_t address)
{
    const struct remote_function *found = find_in(remote_runtime, address);

    return found ? found : find_in(remote_libraries, address);
}

/* Make the call of a slot, with arguments that were copied and checked. */
static void perform(struct slot *slot)
{
    const struct remote_function *function =
        slot->request == SLOT_CALL ? find_function(slot->function) : NULL;
    struct remote_arguments arguments = slot->arguments;
    const uint64_t ns = slot->host_ns;

    softgpu_remote_site = (const void *)slot->site;
    if (ns < MAX_HOST_NS) /* of calls that take no time, too */
        softgpu_remote_ns += ns;
    slot->host_ns = 0;
    if (function)
        slot->result = remote_perform(function, &arguments);
    softgpu_remote_site = NULL;
    if (slot->request == SLOT_FINDING) {
        const struct host_finding finding = slot->finding;

        runner_add_finding(&finding);
    }
    slot->request = SLOT_RETURN;
}

uint64_t serve_until_done(struct slot *slot)
{
    for (;;) {
        slot_pass(slot, HOST);
        slot_wait(slot, DEVICE);
        if (slot->request == SLOT_DONE)
            return slot->result;
        perform(slot);
    }
}

/* The slot whose call this thread performs. */
static _Thread_local struct slot *served;

/* A host function of a stream runs in the thread that waits for it. */
static void call_host_function(const struct softgpu_host_command *call,
                               cudaError_t failure)
{
    const void *site = softgpu_remote_site;

    served->host = *call;
    served->failure = (uint32_t)failure;
    served->request = SLOT_RUN_HOST;
    serve_until_done(served);
    softgpu_remote_site = site;
}

/* Perform the calls of a thread that the submission started.  A constructor may
 * have started it, and it may outlive a call of the lab: see calls_gate.h. */
static void *serve_thread(void *slot)
{
    served = slot;
    if (served->request == SLOT_NEW_THREAD)
        slot_pass(served, HOST);
    for (;;) {
        slot_wait(served, DEVICE);
        if (served->request == SLOT_NEW_THREAD) { /* gets no last error */
            start_thread(serve_thread, slot);
            return NULL;
        }
        calls_enter();
        perform(served);
        calls_leave();
        slot_pass(served, HOST);
    }
    return NULL;
}

/* A thread for each slot that the host process takes. */
static void *watch_slots(void *unused)
{
    uint32_t served_count = 1;

    for (;;) {
        const uint32_t now = atomic_load(&shared->threads);

        for (; served_count < now && served_count < SLOTS; served_count++)
            start_thread(serve_thread, &shared->slot[served_count]);
        syscall(SYS_futex, &shared->threads, FUTEX_WAIT, now, NULL, NULL, 0);
    }
    return unused;
}

/* The host process has ended: so does this one, in the same way. */
static void *watch_host(void *unused)
{
    int status = 0;

    TEMP_FAILURE_RETRY(waitpid(host_pid, &status, 0));
    if (!atomic_load(&ending)) {
        submission_end();
        runner_end(status);
    }
    return unused;
}

/* --- start and end -------------------------------------------------------- */

static const struct softgpu_remote remote = {
    .read = transfer_up, .write = transfer_down, .fetch = transfer_fetch,
    .send = transfer_send, .call = call_host_function,
    .is_program_data = is_program_data,
    .is_host_memory = is_host_memory};

/* Pages are committed when they are used. */
static void *map_shared(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* The grader asks for access (session/running_line.c): the call is over.  The
 * sender is named, and 0 is outside of our namespace; or too many signals wait
 * to say it, so the runtime has others.  The submission stops first. */
static void allow_tracing(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (info->si_code != SI_USER
        || (info->si_pid && info->si_pid != grader_pid))
        return;
    kill(host_pid, SIGSTOP);
    prctl(PR_SET_DUMPABLE, 1);
}

/* The submission cannot read our memory. */
static void close_memory(void)
{
    struct sigaction action = {.sa_sigaction = allow_tracing,
                               .sa_flags =
                                   SA_SIGINFO | SA_RESTART | SA_ONSTACK};

    grader_pid = getppid();
    sigaction(ACCESS_SIGNAL, &action, NULL);
    prctl(PR_SET_DUMPABLE, 0);
}

/* Containers may forbid process_vm_readv(): reported once, at the start. */
static void check_access(void)
{
    uint64_t probe;

    if (host_read_some(&probe, &shared->threads, sizeof probe))
        return;
    fprintf(stderr, "warpbook: a process cannot read its child's memory on "
                    "this machine (process_vm_readv: %s)\n", strerror(errno));
    _exit(EXIT_FAILURE);
}

void submission_start(void)
{
    shared = map_shared(sizeof *shared);
    arrays_most = softgpu_is_sparse() ? SPARSE_BYTES : ARRAYS_BYTES;
    arrays = map_shared(arrays_most);
    if (!shared || !arrays)
        _exit(EXIT_FAILURE);
    softgpu_memory_reserve();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    indirect_calls_read();
    softgpu_source_line_open(NULL);
    close_memory();
    fflush(NULL);
    if ((host_pid = fork()) < 0)
        _exit(EXIT_FAILURE);
    if (host_pid == 0)
        host_main();
    start_thread(watch_host, NULL);
    served = &shared->slot[0];
    softgpu_remote = &remote;
    softgpu_hides_host_time = 1;
    slot_wait(served, DEVICE);
    check_access();
    start_thread(watch_slots, NULL); /* constructors may start threads */
    while (served->request != SLOT_DONE) {
        perform(served);
        slot_pass(served, HOST);
        slot_wait(served, DEVICE);
    }
    calls_hold(); /* until the first call of the lab */
    import_image();
    wipe_host_text();
    indirect_calls_close();
}

int64_t submission_call(const struct frame *frame)
{
    shared->frame = *frame;
    served->request = SLOT_RUN_LAB;
    return (int64_t)serve_until_done(served);
}

/* Kill the children that there are. */
static void kill_children(void)
{
    long pid;
    char path[64];
    FILE *list;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    list = fopen(path, "r");
    while (list && fscanf(list, "%ld", &pid) == 1 && pid > 1)
        kill((pid_t)pid, SIGKILL);
    if (list)
        fclose(list);
}

/* Processes that the host process started become our children when it ends. */
void submission_end(void)
{
    enum { ROUNDS = 1000 };

    atomic_store(&ending, true);
    kill(host_pid, SIGKILL);
    waitpid(host_pid, NULL, 0);
    for (int i = 0; i < ROUNDS && waitpid(-1, NULL, WNOHANG) >= 0; i++) {
        kill_children();
        waitpid(-1, NULL, 0);
    }
}
