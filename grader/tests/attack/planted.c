/* SPDX-License-Identifier: MIT */
/* Planting files, a listener and a secret. */
#include "planted.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

enum { SHARED_KEY = 0x57420a77 }; /* of System V memory; see shares.cu */

static char planted[PATH_MAX], socket_name[64];
static int port;

static const struct {
    const char *name, *text;
    mode_t mode;
} files[] = {
    {"secret", "WB-SECRET: the grader's alone\n", 0600},
    {"hidden_tests.h", "/* WB-HIDDEN */\n#define HIDDEN_ANSWER 42\n", 0644},
    {"victim", "unchanged\n", 0644},
    {"cache.o", "unchanged\n", 0666},
};
enum { FILES = sizeof files / sizeof *files };

static char *planted_path(char path[PATH_MAX], const char *name)
{
    return text_format(path, PATH_MAX, "%.4000s/%s", planted, name);
}

/* A listener that nobody answers: a connection to it succeeds. */
static bool listen_on_loopback(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof here;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&here, length)
        || listen(fd, 64)
        || getsockname(fd, (struct sockaddr *)&here, &length))
        return false;
    port = ntohs(here.sin_port);
    return true;
}

static bool listen_on_abstract(void)
{
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    text_format(socket_name, sizeof socket_name, "warpbook-attack-%d",
                (int)getpid());
    strcpy(here.sun_path + 1, socket_name);
    return fd >= 0
           && bind(fd, (struct sockaddr *)&here,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1
                               + strlen(socket_name))) == 0
           && listen(fd, 64) == 0;
}

bool planted_create(const char *folder)
{
    char path[PATH_MAX];

    text_format(planted, sizeof planted, "%.4000s/planted", folder);
    if (mkdir(planted, 0711) || mkdir(planted_path(path, "open"), 0777)
        || chmod(path, 0777))
        return false;
    for (int i = 0; i < FILES; i++)
        if (!write_file(planted_path(path, files[i].name), files[i].text,
                        strlen(files[i].text))
            || chmod(path, files[i].mode))
            return false;
    return setenv("ATTACK_SECRET", "WB-SECRET", 1) == 0
           && listen_on_loopback() && listen_on_abstract();
}

char *planted_names(char *text, size_t bytes)
{
    return text_format(text, bytes,
                       "#define PLANTED \"%s\"\n"
                       "#define HIDDEN_TESTS \"%s/hidden_tests.h\"\n"
                       "#define PLANTED_PORT %d\n"
                       "#define PLANTED_SOCKET \"%s\"\n"
                       "#define PLANTED_TREE \"%s\"\n"
                       "#define PLANTED_TREE_NAME %s\n",
                       planted, planted, port, socket_name, source_root(),
                       source_root());
}

/* The text of a file, again if it was changed. */
static bool restore_planted(int i)
{
    char path[PATH_MAX];
    size_t length = 0;
    char *text = read_file(planted_path(path, files[i].name), 4096, &length);
    const bool same = text && length == strlen(files[i].text)
                      && !memcmp(text, files[i].text, length);

    if (!same && write_file(path, files[i].text, strlen(files[i].text)))
        chmod(path, files[i].mode);
    free(text);
    return same;
}

static bool is_empty(const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    int entries = 0;

    while (all && (entry = readdir(all))) {
        entries++;
        unlinkat(dirfd(all), entry->d_name, 0); /* for the next case */
    }
    if (all)
        closedir(all);
    return entries == 2;
}

bool planted_is_unchanged(char *reason, size_t bytes)
{
    static const char *const shared[] = {"/dev/shm/warpbook_attack",
                                         "/tmp/warpbook_attack",
                                         "/var/tmp/warpbook_attack",
                                         "/dev/mqueue/warpbook_attack"};
    char path[PATH_MAX];
    int segment;

    *reason = 0;
    for (int i = 0; i < FILES; i++)
        if (!restore_planted(i))
            text_format(reason, bytes, "it changed the planted %s",
                        files[i].name);
    if (!is_empty(planted_path(path, "open")))
        text_format(reason, bytes, "it wrote into the planted folder");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (unlink(shared[i]) == 0)
            text_format(reason, bytes, "it left %s", shared[i]);
    segment = shmget(SHARED_KEY, 0, 0);
    if (segment >= 0) {
        text_format(reason, bytes, "it left System V memory");
        shmctl(segment, IPC_RMID, NULL);
    }
    return !*reason;
}
