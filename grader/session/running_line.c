/* SPDX-License-Identifier: MIT */
/* The source line that a runner executes: program counters and return addresses
 * on the stacks, as addresses of the executable's file, which box-lines
 * resolves. */
#include "running_line.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/command.h"
#include "common/base/paths.h"
#include "common/base/target.h"
#include "common/base/text.h"
#include "grader/channel/message.h"

enum {
    MAX_TRACED = 64,     /* threads that are looked at */
    STACK_WORDS = 2048,  /* of each */
    MAX_ADDRESSES = 1024, /* of all of them */
    STEP_BACK = 32       /* bytes; see step_back() */
};

/* The executable code of the runner in its memory: all mappings of the file
 * that can be executed.  On the software GPU a part of them is of other rights
 * in the device process. */
struct code {
    uint64_t begin, end; /* addresses */
    uint64_t to_file;    /* address + this: the address in the file */
};

struct addresses {
    uint64_t at[MAX_ADDRESSES];
    size_t count;
};

/* --- the executable ------------------------------------------------------- */

/* The address that the file gives the byte at an offset of its code. */
static bool file_address(const char *runner, uint64_t offset, uint64_t *address)
{
    int fd = open(runner, O_RDONLY | O_CLOEXEC);
    Elf64_Ehdr head;
    Elf64_Phdr part;
    bool found = false;

    if (fd < 0)
        return false;
    if (pread(fd, &head, sizeof head, 0) != sizeof head)
        head.e_phnum = 0;
    for (unsigned i = 0; i < head.e_phnum && i < 64 && !found; i++) {
        const off_t at = (off_t)(head.e_phoff + i * sizeof part);

        if (pread(fd, &part, sizeof part, at) != sizeof part)
            break;
        found = part.p_type == PT_LOAD && offset >= part.p_offset
                && offset < part.p_offset + part.p_filesz;
        *address = part.p_vaddr + (offset - part.p_offset);
    }
    close(fd);
    return found;
}

/* Adds a mapping of the runner that can be executed, which has this offset in
 * the file. */
static void add_mapping(const char *runner, uint64_t begin, uint64_t end,
                        uint64_t offset, struct code *code)
{
    uint64_t address;

    if (!code->end && !file_address(runner, offset, &address))
        return;
    if (!code->end) {
        code->begin = begin;
        code->to_file = address - begin;
    }
    code->end = end;
}

static bool find_code(pid_t pid, const char *runner, struct code *code)
{
    char line[PATH_MAX + 128], rights[8];
    uint64_t begin, end, offset;
    FILE *maps;

    *code = (struct code){0};
    text_format(line, sizeof line, "/proc/%d/maps", (int)pid);
    maps = fopen(line, "re");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64, &begin, &end,
                   rights, &offset) == 4
            && strchr(rights, 'x') && strstr(line, base_name(runner)))
            add_mapping(runner, begin, end, offset, code);
    if (maps)
        fclose(maps);
    return code->end != 0;
}

/* --- the threads ---------------------------------------------------------- */

static void add_address(const struct code *code, uint64_t address,
                        struct addresses *found)
{
    if (address >= code->begin && address < code->end
        && found->count < MAX_ADDRESSES)
        found->at[found->count++] = address + code->to_file;
}

/* Stops a thread.  @return false if it does not stop soon */
static bool stop_thread(pid_t thread)
{
    const double deadline = clock_seconds() + command_seconds(0.2);
    int status;

    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL)
        || ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
        return false;
    while (waitpid(thread, &status, __WALL | WNOHANG) != thread) {
        if (clock_seconds() >= deadline)
            return false;
        usleep(1000);
    }
    return WIFSTOPPED(status);
}

/* Program counter and stack pointer of a stopped thread. */
static bool read_registers(pid_t thread, uint64_t *counter, uint64_t *stack)
{
    struct user_regs_struct registers;
    struct iovec all = {&registers, sizeof registers};

    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &all))
        return false;
#if defined __x86_64__
    *counter = registers.rip;
    *stack = registers.rsp;
#else
    *counter = registers.pc;
    *stack = registers.sp;
#endif
    return true;
}

static void read_thread(pid_t thread, const struct code *code,
                        struct addresses *counters, struct addresses *callers)
{
    static uint64_t words[STACK_WORDS];
    uint64_t counter, stack;
    ssize_t got;

    if (!stop_thread(thread) || !read_registers(thread, &counter, &stack))
        return;
    add_address(code, counter, counters);
    got = process_vm_readv(
        thread, &(struct iovec){words, sizeof words}, 1,
        &(struct iovec){(void *)(uintptr_t)stack, sizeof words}, 1, 0);
    for (ssize_t i = 0; i < got / (ssize_t)sizeof *words; i++)
        add_address(code, words[i] - 1, callers); /* in the call, not after */
}

static void read_threads(pid_t pid, const struct code *code,
                         struct addresses *counters, struct addresses *callers)
{
    struct dirent *entry;
    char path[64];
    int count = 0;
    DIR *threads;

    text_format(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (threads && (entry = readdir(threads)) && count < MAX_TRACED)
        if (*entry->d_name != '.') {
            read_thread((pid_t)atoi(entry->d_name), code, counters, callers);
            count++;
        }
    if (threads)
        closedir(threads);
}

/* --- the lines ------------------------------------------------------------ */

/* Is this a file of the submission, not of the project or the system?  The tree
 * may lie elsewhere than when an object was compiled: only the folders inside
 * of it are compared. */
static bool is_submission(const char *file)
{
    static const char *const ours[] = {"/common/base/", "/common/include/",
                                       "/common/softgpu/", "/grader/channel/",
                                       "/grader/runner/", "_thunk.c:"};

    if (*file != '/' || !strncmp(file, "/usr/", 5))
        return false;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strstr(file, ours[i]))
            return false;
    return true;
}

/* The first line of the output of box-lines that is the submission's. */
static void pick_line(char *printed, char *text, size_t bytes)
{
    char *rest = NULL;

    for (char *line = strtok_r(printed, "\n", &rest); line && !*text;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *colon = strrchr(line, ':');
        const int number = colon ? atoi(colon + 1) : 0;

        if (number > 0 && is_submission(line))
            text_format(text, bytes, "%.*s:%d",
                        (int)(colon - base_name(line)), base_name(line),
                        number);
    }
    make_printable(text);
}

/* The addresses a few instructions earlier, nearest first.  A loop that does
 * nothing is one jump to itself, behind the code of the function, and has the
 * line of whatever the compiler put before it. */
static void step_back(const struct addresses *from, struct addresses *earlier)
{
    earlier->count = 0;
    for (size_t i = 0; i < from->count; i++)
        for (uint64_t back = 1; back <= STEP_BACK
                                && earlier->count < MAX_ADDRESSES; back++)
            earlier->at[earlier->count++] = from->at[i] - back;
}

/* Resolves addresses in a process of its own. */
static void resolve(const struct addresses *found, const char *runner,
                    const char *folder, char *text, size_t bytes)
{
    static char input[MAX_ADDRESSES * 20];
    char path[PATH_MAX];
    char *const arguments[] = {"box-lines", (char *)runner, NULL};
    char *const environment[] = {NULL};
    struct program program = {.path = path, .arguments = arguments,
                              .environment = environment, .folder = folder,
                              .input = input};
    const struct limits limits = {.seconds = command_seconds(10),
                                  .memory = (size_t)1 << 30,
                                  .processes = 2, .drop_user = true};
    struct process process;
    int status;

    for (size_t i = 0; i < found->count; i++)
        program.input_bytes += (size_t)snprintf(
            input + program.input_bytes, 20, "%" PRIx64 "\n", found->at[i]);
    text_format(path, sizeof path, "%s/box-lines", library_root());
    if (!found->count
        || process_run(&process, &program, &limits, &status) < 0)
        return;
    if (process.out.text)
        pick_line(process.out.text, text, bytes);
    process_free(&process);
}

/* Message of the child: when it ends, the threads are no longer traced. */
struct sample {
    struct addresses counters, callers;
};

/* Reads the threads of a runner, of its host process at last (runner/soft), in
 * a child, which gets a second, more on a busy machine. */
static bool take_sample(pid_t pid, const struct code *code,
                        struct sample *sample)
{
    const pid_t host = tree_first_child(pid);
    const double deadline = clock_seconds() + command_seconds(1);
    size_t got = 0;
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return false;
    child = fork();
    if (child == 0) {
        fcntl(ends[1], F_SETFL, 0);
        read_threads(pid, code, &sample->counters, &sample->callers);
        if (host)
            read_threads(host, code, &sample->counters, &sample->callers);
        _exit(write(ends[1], sample, sizeof *sample) < 0);
    }
    close(ends[1]);
    tree_register(child, true);
    while (child > 0 && got < sizeof *sample && clock_seconds() < deadline) {
        ssize_t n = read(ends[0], (char *)sample + got, sizeof *sample - got);

        if (n == 0)
            break;
        got += n > 0 ? (size_t)n : 0;
        if (n < 0)
            usleep(1000);
    }
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    tree_register(child, false);
    return got == sizeof *sample;
}

/* A runner on the software GPU denies access to its memory, also to us where we
 * are no more than its user, until it gets this signal (runner/soft).
 *  @return false when it is not to be read */
static bool open_runner(pid_t pid, const char *runner, struct code *code)
{
    const double deadline = clock_seconds() + command_seconds(0.25);

    kill(pid, ACCESS_SIGNAL); /* ignored by any other program */
    while (!find_code(pid, runner, code)) {
        if (clock_seconds() >= deadline)
            return false;
        usleep(1000);
    }
    return true;
}

void find_running_line(const struct process *process, const char *runner,
                       const char *folder, char *text, size_t bytes)
{
    static struct sample sample;
    static struct addresses earlier;
    struct code code;

    *text = 0;
    sample.counters.count = sample.callers.count = 0;
    if (process->program <= 0 || !open_runner(process->program, runner, &code)
        || !take_sample(process->program, &code, &sample))
        return;
    resolve(&sample.counters, runner, folder, text, bytes);
    step_back(&sample.counters, &earlier);
    if (!*text)
        resolve(&earlier, runner, folder, text, bytes);
    if (!*text)
        resolve(&sample.callers, runner, folder, text, bytes);
}
