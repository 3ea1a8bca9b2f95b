/* SPDX-License-Identifier: MIT */
/* Shards and their tokens. */
#include "shard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/text.h"

/* No link is followed: tasks run as the same user on other machines. */
static int open_folder(int at, const char *path)
{
    return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The number that a folder's name is; 0 for other names. */
static int token_of(const char *name)
{
    size_t length = strspn(name, "0123456789");

    return length > 0 && length < 8 && !name[length] ? atoi(name) : 0;
}

/* A network file system may answer from its cache.  A change of ours in the
 * folder makes the client ask the server. */
static void refresh(int folder)
{
    int fd = openat(folder, ".look", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return;
    close(fd);
    unlinkat(folder, ".look", 0);
}

/* The highest token owns the shard; older owners must not publish. */
static int newest_token(int folder)
{
    struct dirent **list;
    int count = scandirat(folder, ".", &list, NULL, NULL), newest = 0;

    for (int i = 0; i < count; i++) {
        int token = token_of(list[i]->d_name);

        if (token > newest)
            newest = token;
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return newest;
}

/* Each owner of a shard has a folder of its own. */
static bool open_token_store(const char *run, int index, int token,
                             struct store *own)
{
    *own = (struct store){.lock = -1};
    text_format(own->path, sizeof own->path, "%.4000s/%d/%d", run, index,
                token);
    own->folder = open_folder(AT_FDCWD, own->path);
    return own->folder >= 0;
}

/* For scandirat(): complete results only. */
static int skip_all_but_results(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && dot && !strcmp(dot, ".json");
}

/* A result that is there already is kept, since equal keys have equal
 * results. */
static bool move_results(int from, int to, size_t *moved)
{
    struct dirent **list;
    int count = scandirat(from, ".", &list, skip_all_but_results, alphasort);
    bool ok = count >= 0;

    for (int i = 0; i < count; i++) {
        ok = ok && store_rename_once(from, list[i]->d_name, to,
                                     list[i]->d_name);
        *moved += ok;
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return ok && fsync(to) == 0;
}

/* Take what the token before has published. */
static bool adopt(const char *run, int index, struct shard *shard)
{
    struct store before;
    size_t moved = 0;
    bool ok = true;

    if (shard->token > 1
        && open_token_store(run, index, shard->token - 1, &before)) {
        refresh(before.folder);
        ok = move_results(before.folder, shard->store.folder, &moved);
        store_close(&before);
    }
    return ok;
}

bool shard_claim(const char *run, int index, struct shard *shard,
                 struct failure *failure)
{
    char path[PATH_MAX], name[16];

    *shard = (struct shard){.folder = -1, .store = {.folder = -1, .lock = -1}};
    text_format(path, sizeof path, "%.4000s/%d", run, index);
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        shard->folder = open_folder(AT_FDCWD, path);
    if (shard->folder < 0)
        return fail(failure, "%s: %s", path, strerror(errno));
    refresh(shard->folder);
    shard->token = newest_token(shard->folder);
    do {
        text_format(name, sizeof name, "%d", ++shard->token);
        errno = 0;
    } while (mkdirat(shard->folder, name, 0700) && errno == EEXIST);
    if (!errno && fsync(shard->folder) == 0
        && open_token_store(run, index, shard->token, &shard->store)
        && adopt(run, index, shard))
        return true;
    fail(failure, "%s/%s: %s", path, name, strerror(errno));
    shard_close(shard);
    return false;
}

bool shard_owns(const struct shard *shard)
{
    char name[16];

    text_format(name, sizeof name, "%d", shard->token + 1);
    return faccessat(shard->folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0
           && errno == ENOENT;
}

bool shard_move(const struct shard *shard, int folder, size_t *moved)
{
    *moved = 0;
    return move_results(shard->store.folder, folder, moved);
}

void shard_close(struct shard *shard)
{
    store_close(&shard->store);
    if (shard->folder >= 0)
        close(shard->folder);
    shard->folder = -1;
}

int shard_newest(const char *run, int index, struct store *newest)
{
    char path[PATH_MAX];
    int folder, token;

    text_format(path, sizeof path, "%.4000s/%d", run, index);
    folder = open_folder(AT_FDCWD, path);
    token = folder >= 0 ? newest_token(folder) : 0;
    if (folder >= 0)
        close(folder);
    return token && open_token_store(run, index, token, newest) ? token : 0;
}
