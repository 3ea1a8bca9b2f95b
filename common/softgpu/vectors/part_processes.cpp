/* SPDX-License-Identifier: MIT */
/* A child goes on as the same compiler, with the same options: only what it
 * writes to the object goes to another file.  clang opens the object before it
 * parses, and writes to it last of all. */
#include "common/softgpu/vectors/part_processes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace vectors {

struct child {
    pid_t process;
    FILE *messages;
};
static SmallVector<child, 4> children;

const char *object_of_parts()
{
    const char *object = std::getenv("SOFTCC_PARTS");
    return object && *object ? object : nullptr;
}

/* The descriptor by which this process writes the object, or -1. */
static int find_output(const char *object)
{
    enum { MOST_FILES = 256 };
    struct stat wanted, s;
    if (stat(object, &wanted) != 0 || !S_ISREG(wanted.st_mode))
        return -1;
    for (int fd = 3; fd < MOST_FILES; fd++)
        if (fstat(fd, &s) == 0 && s.st_dev == wanted.st_dev
            && s.st_ino == wanted.st_ino)
            return fd;
    return -1;
}

/* In a child: the object and the messages go to files of their own. */
static void redirect(int output, unsigned part, FILE *messages)
{
    const std::string path
        = object_of_parts() + (".part" + std::to_string(part));
    const int own = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (own < 0 || dup2(own, output) < 0
        || dup2(fileno(messages), STDERR_FILENO) < 0) {
        errs() << "softcc: cannot write " << path << "\n";
        _exit(EXIT_FAILURE);
    }
    close(own);
}

/* All but the count of messages, which the first process prints, too. */
static void print_messages(FILE *messages)
{
    char line[4096];
    std::rewind(messages);
    while (std::fgets(line, sizeof line, messages))
        if (!StringRef(line).ends_with(" generated.\n"))
            std::fputs(line, stderr);
    std::fclose(messages);
}

/* @return did all end well? */
static bool wait_for_children()
{
    bool good = true;
    for (const child &c : children) {
        int status = 0;
        good &= waitpid(c.process, &status, 0) == c.process && status == 0;
        print_messages(c.messages);
    }
    children.clear();
    return good;
}

static void wait_at_exit()
{
    if (wait_for_children())
        return;
    std::fflush(nullptr);
    _exit(EXIT_FAILURE);
}

/* Not all could be made: end those that were. */
static int give_up()
{
    for (const child &c : children) {
        kill(c.process, SIGKILL);
        waitpid(c.process, nullptr, 0);
        std::fclose(c.messages);
    }
    children.clear();
    return -1;
}

int fork_parts(unsigned parts)
{
    const int output = find_output(object_of_parts());
    if (output < 0)
        return -1;
    for (unsigned part = 1; part < parts; part++) {
        FILE *messages = std::tmpfile();
        const pid_t process = messages ? fork() : -1;
        if (process == 0) {
            children.clear(); /* those of the first process */
            redirect(output, part, messages);
            return static_cast<int>(part);
        }
        if (process < 0) {
            if (messages)
                std::fclose(messages);
            return give_up();
        }
        children.push_back({ process, messages });
    }
    std::atexit(wait_at_exit);
    return 0;
}

} // namespace vectors
