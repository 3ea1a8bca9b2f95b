/* SPDX-License-Identifier: MIT */
/* The device process against a hostile host process.  Each input starts the two
 * processes of a runner; the lab that the host process calls reads the input as
 * a list of acts: runtime calls with any arguments, findings, and slots that
 * are overwritten.  The device process must go on, or end because the host
 * process did, and its own memory is neither read nor written. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz_targets.h"
#include "grader/channel/bytes.h"
#include "grader/runner/device.h"
#include "grader/runner/soft/process.h"
#include "grader/runner/submission.h"
#include "grader/runner/thunk.h"
#include "grader/runner/variant.h"
#include "softgpu/abi.h"

enum {
    SCRATCH_BYTES = 1 << 16, /* what calls read and write */
    MAX_ACTS = 400,
    SECONDS = 2,             /* a device process that waits is ended */
    HOST_ENDED = 3           /* exit status of the device process */
};
#define FIRST_ARENA ((uint64_t)1 << 45) /* where device memory often begins */

static char *scratch;       /* all processes have it */
static uint64_t secret[16]; /* set in the device process alone */
static struct reader input;

/* --- what a runner is linked with ----------------------------------------- */

const size_t runner_guard_bytes = 4096;
const bool runner_counts_launches = true;

void runner_exit(void)
{
    _exit(EXIT_SUCCESS);
}

void runner_end(int status)
{
    (void)status;
    _exit(HOST_ENDED);
}

void runner_forward_findings(void (*forward)(const struct host_finding *))
{
    (void)forward;
}

void runner_add_finding(const struct host_finding *finding)
{
    if (strnlen(finding->text, FINDING_TEXT) > FINDING_TEXT)
        abort();
}

/* The program's own part of the image, as softcc --graded makes it. */
__attribute__((section("warp_host_text"), aligned(4096), used)) static void
wiped(void)
{
}

__attribute__((section("warp_device_text"))) static void
kernel_code(const void *closure)
{
    (void)closure;
}

__attribute__((section("warp_device_text"))) static void
kernel_stub(void **args)
{
    (void)args;
}

static const uint32_t param_bytes[] = {8, 4, 0}; /* one more, as softcc has */
__attribute__((section("warp_data"))) static struct softgpu_kernel kernel = {
    .name = "kernel", .file = __FILE__, .line = 1,
    .stub = (const void *)kernel_stub, .run = kernel_code,
    .run_thread = kernel_code, .call = kernel_stub,
    .param_bytes = param_bytes, .params = 2};

/* --- the host process ----------------------------------------------------- */

/* Calls with any arguments may overwrite all memory of the host process, these
 * variables too: what then faults ends it, and is no defect of this program. */
#define OVERWRITTEN __attribute__((no_sanitize("undefined")))

OVERWRITTEN static uint64_t raw(void)
{
    return reader_u64(&input);
}

OVERWRITTEN static unsigned byte(void)
{
    uint8_t value = 0;

    if (input.left) {
        value = *(const uint8_t *)input.at;
        input.at++;
        input.left--;
    }
    return value;
}

OVERWRITTEN static char *in_scratch(void)
{
    const unsigned offset = byte() << 8;

    return scratch + (offset | byte());
}

/* A value, or an address of any kind. */
OVERWRITTEN static uint64_t argument(void)
{
    uint64_t value;

    switch (byte() % 12) {
    case 0: return 0;
    case 1: return byte();
    case 2: return raw();
    case 3: return (uint64_t)in_scratch();
    case 4: /* a handle that a call has left there */
        memcpy(&value, scratch + byte() * sizeof value, sizeof value);
        return value;
    case 5: return (uint64_t)secret + byte();
    case 6: return (uint64_t)shared + (uint64_t)byte() * 64;
    case 7: return FIRST_ARENA + (uint64_t)byte() * 256;
    case 8: return (uint64_t)1 << byte() % 64;
    case 9: return -(uint64_t)byte();
    case 10: return byte() % 2 ? (uint64_t)&kernel : (uint64_t)kernel_stub;
    default: return (uint64_t)scratch + byte() * sizeof value;
    }
}

static void call_any(void)
{
    struct remote_arguments arguments = {{0}, {0}};
    size_t count = 0;
    unsigned which = byte();

    while (remote_runtime[count].name)
        count++;
    for (unsigned i = 0; i < 8; i++)
        arguments.integer[i] = argument();
    remote_call(&remote_runtime[which % count], &arguments,
                (const void *)call_any);
}

/* Overwrite a part of the slot, and give the device process the turn. */
static void overwrite_slot(void)
{
    struct slot *slot = &shared->slot[0];
    const size_t first = offsetof(struct slot, request);
    char *at = (char *)slot + first;
    const size_t room = sizeof *slot - first;

    for (unsigned n = byte() % 64; n > 0; n--) {
        const size_t offset = (byte() << 8 | byte()) % room;

        at[offset] = (char)byte();
    }
    slot_pass(slot, 1);
    slot_wait(slot, 2);
}

static void report_finding(void)
{
    struct slot *slot = &shared->slot[0];

    slot->request = SLOT_FINDING;
    slot->finding.kind = (uint32_t)argument();
    memset(slot->finding.text, (int)byte(), sizeof slot->finding.text);
    slot_pass(slot, 1);
    slot_wait(slot, 2);
}

OVERWRITTEN static void fill_scratch(void)
{
    char *to = in_scratch();

    for (unsigned n = byte(); n > 0 && to < scratch + SCRATCH_BYTES; n--)
        *to++ = (char)byte();
}

int64_t runner_call(const struct frame *frame)
{
    (void)frame;
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would report it */
    for (int i = 0; i < MAX_ACTS && input.left; i++)
        switch (byte() % 8) {
        case 0: overwrite_slot(); break;
        case 1: report_finding(); break;
        case 2: fill_scratch(); break;
        case 3: atomic_store(&shared->threads, byte()); break;
        default: call_any(); break;
        }
    return 0;
}

/* Change the record of the kernel, and register it. */
static void register_kernel(void)
{
    for (unsigned n = byte() % 8; n > 0; n--) {
        const unsigned at = byte() % sizeof kernel;

        ((char *)&kernel)[at] ^= (char)byte();
    }
    kernel.next = NULL;
    softgpu_register_kernel(&kernel);
}

typedef void initializer(void);
__attribute__((section("warp_host_init"), used)) static initializer
    *const initialize = register_kernel;

/* --- the device process --------------------------------------------------- */

static bool is_secret_kept(void)
{
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        if (secret[i] != 0x5ec7e70000000001 * (i + 1)
            || memmem(scratch, SCRATCH_BYTES, &secret[i], sizeof *secret))
            return false;
    return true;
}

/* Host memory of a call with an input and an output. */
static void place(struct frame *frame, struct arrays *arrays)
{
    static char message[4096];
    const struct arg in = {.kind = ARG_IN, .bytes = sizeof message,
                           .data = message};

    frame->count = 2;
    frame->arg[0] = in;
    frame->arg[1] = (struct arg){.kind = ARG_OUT, .bytes = sizeof message};
    if (arrays_place(arrays, frame, 1))
        abort();
}

static void run_device(void)
{
    struct frame sent = {.count = 2}, frame = {.count = 2};
    struct facts facts = {0};
    struct arrays arrays;
    bool kept;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(SECONDS);
    setenv("SOFTGPU_THREADS", "1", 1);
    device_init();
    submission_start();
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        secret[i] = 0x5ec7e70000000001 * (i + 1);
    place(&frame, &arrays);
    sent = frame;
    device_reset_counters(0);
    submission_observe(&sent, &frame, &arrays);
    submission_call(&frame);
    arrays_copy_host_outputs(&arrays, &frame);
    submission_report(&facts);
    kept = is_secret_kept();
    submission_end();
    _exit(kept ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void begin(void)
{
    scratch = mmap(NULL, 2 * SCRATCH_BYTES, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (scratch == MAP_FAILED)
        abort();
}

static bool serve(const unsigned char *data, size_t length)
{
    pid_t device;
    int status = 0;
    bool ok;

    fflush(NULL);
    memset(scratch, 0, SCRATCH_BYTES);
    input = (struct reader){.at = data, .left = length};
    device = fork();
    if (device == 0)
        run_device();
    if (device < 0 || waitpid(device, &status, 0) != device)
        abort();
    ok = (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
         || (WIFEXITED(status) && (WEXITSTATUS(status) == EXIT_SUCCESS
                                   || WEXITSTATUS(status) == HOST_ENDED));
    if (!ok)
        printf("device: wait status %#x\n", (unsigned)status);
    return ok;
}

const struct fuzz_target fuzz_device = {"device", begin, serve, NULL,
                                        .on_demand = true};
