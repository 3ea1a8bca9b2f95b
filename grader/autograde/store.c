/* SPDX-License-Identifier: MIT */
/* The results folder: its lock, and files that are whole or absent. */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/text.h"

static const char marker[] = "warpbook-results";
static const char lock_name[] = "warpbook-lock"; /* where flock() is missing */
static const char *const subfolders[] = {"files", "entries", "results", NULL};
enum { MAX_FILE = 64 << 20 };

char *digest(char hex[DIGEST_TEXT], const void *bytes, size_t length)
{
    SHA256Data(bytes, length, hex);
    return hex;
}

static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* @return number of files in a folder, or -1 */
static int count_files(int folder)
{
    struct dirent **list;
    int count = scandirat(folder, ".", &list, skip_dots, NULL);

    for (int i = 0; i < count; i++)
        free(list[i]);
    if (count >= 0)
        free(list);
    return count;
}

static int skip_all_but_temps(const struct dirent *entry)
{
    return !strncmp(entry->d_name, ".new-", 5);
}

/* Files that a killed process was writing. */
static void remove_temps(int folder)
{
    struct dirent **list;
    int count = scandirat(folder, ".", &list, skip_all_but_temps, NULL);

    for (int i = 0; i < count; i++) {
        unlinkat(folder, list[i]->d_name, 0);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
}

static bool prepare_subfolders(struct store *store, struct failure *failure)
{
    remove_temps(store->folder);
    for (size_t i = 0; subfolders[i]; i++) {
        int folder;

        if (mkdirat(store->folder, subfolders[i], 0700) && errno != EEXIST)
            return fail(failure, "%s/%s: %s", store->path, subfolders[i],
                        strerror(errno));
        folder = openat(store->folder, subfolders[i],
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            return fail(failure, "%s/%s: %s", store->path, subfolders[i],
                        strerror(errno));
        remove_temps(folder);
        close(folder);
    }
    fsync(store->folder);
    return true;
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, text, length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return fsync(fd) == 0;
}

/* Some network file systems have no flock().  There a file that is made once is
 * the lock; it says whose it is, for a killed process leaves it behind. */
static bool lock_by_file(struct store *store, struct failure *failure)
{
    char host[65] = "", path[PATH_MAX], text[128], *theirs;
    size_t length = 0;
    int fd = openat(store->folder, lock_name,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    text_format(path, sizeof path, "%.4000s/%s", store->path, lock_name);
    gethostname(host, sizeof host - 1);
    if (fd >= 0) {
        store->lock_owner = getpid();
        text_format(text, sizeof text, "process %d of %s", getpid(), host);
        fd = write_all(fd, text, strlen(text)) ? close(fd) : -1;
        return fd == 0 || fail(failure, "%s: %s", path, strerror(errno));
    }
    if (errno != EEXIST)
        return fail(failure, "%s: %s", path, strerror(errno));
    theirs = read_file(path, sizeof text, &length);
    fail(failure, "%s: %.120s is grading into this folder; if it no longer "
         "runs, remove that file", path, theirs ? theirs : "a process");
    free(theirs);
    return false;
}

static bool lock_store(struct store *store, enum store_mode mode,
                       struct failure *failure)
{
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

    store->lock = openat(store->folder, marker,
                         flags | (mode == STORE_CREATE ? O_CREAT : 0), 0600);
    if (store->lock < 0)
        return fail(failure, "%s/%s: %s", store->path, marker,
                    strerror(errno));
    if (flock(store->lock, LOCK_EX | LOCK_NB) == 0)
        return prepare_subfolders(store, failure);
    if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS)
        return lock_by_file(store, failure)
               && prepare_subfolders(store, failure);
    return errno == EWOULDBLOCK
           ? fail(failure, "%s: another warpbook is grading into this folder; "
                  "wait for it, or end it", store->path)
           : fail(failure, "%s: cannot be locked: %s", store->path,
                  strerror(errno));
}

/* It has the marker, or may get it. */
static bool is_store(const struct store *store, enum store_mode mode,
                     struct failure *failure)
{
    if (faccessat(store->folder, marker, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    if (mode != STORE_CREATE)
        return fail(failure, "%s: not a results folder of warpbook autograde",
                    store->path);
    return count_files(store->folder) == 0
           || fail(failure, "%s: holds other files; name a new folder, an "
                   "empty one or one of earlier results", store->path);
}

bool store_open(const char *path, enum store_mode mode, struct store *store,
                struct failure *failure)
{
    *store = (struct store){.folder = -1, .lock = -1};
    text_format(store->path, sizeof store->path, "%s", path);
    if (mode == STORE_CREATE && access(path, F_OK)
        && (!make_directories(path) || chmod(path, 0700)))
        return fail(failure, "%s: %s", path, strerror(errno));
    if (!store_open_plain(store))
        return fail(failure, "%s: %s", path, strerror(errno));
    if (is_store(store, mode, failure)
        && (mode == STORE_READ || lock_store(store, mode, failure)))
        return true;
    store_close(store);
    return false;
}

bool store_open_plain(struct store *store)
{
    store->folder = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return store->folder >= 0;
}

void store_close(struct store *store)
{
    if (store->lock_owner == getpid())
        unlinkat(store->folder, lock_name, 0);
    store->lock_owner = 0;
    store_forget_lock(store);
    if (store->folder >= 0)
        close(store->folder);
    store->folder = -1;
}

void store_forget_lock(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
}

/* --- files ---------------------------------------------------------------- */

/* Open the folder of a name.  @param[out] base  the rest of the name */
static int open_folder(const struct store *store, const char *name,
                       const char **base)
{
    char folder[STORE_NAME];
    const char *slash = strchr(name, '/');

    *base = slash ? slash + 1 : name;
    text_format(folder, sizeof folder, "%.*s",
                slash ? (int)(slash - name) : 1, slash ? name : ".");
    return openat(store->folder, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Where a file system cannot rename without replacing (NFS), by a link. */
bool store_rename_once(int from, const char *old_name, int to,
                       const char *new_name)
{
    if (renameat2(from, old_name, to, new_name, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EINVAL && linkat(from, old_name, to, new_name, 0) == 0)
        return unlinkat(from, old_name, 0) == 0;
    if (errno != EEXIST)
        return false;
    unlinkat(from, old_name, 0); /* written by an earlier run: it stays */
    return true;
}

static bool write_text(const struct store *store, const char *name,
                       const char *text, size_t length, bool once)
{
    const char *base;
    char temp[STORE_NAME];
    int folder = open_folder(store, name, &base), fd, error;
    bool ok = false;

    if (folder < 0)
        return false;
    text_format(temp, sizeof temp, ".new-%.80s", base);
    fd = openat(folder, temp,
                O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
        ok = write_all(fd, text, length);
        ok = close(fd) == 0 && ok;
        ok = ok && (once ? store_rename_once(folder, temp, folder, base)
                         : renameat(folder, temp, folder, base) == 0);
        ok = ok && fsync(folder) == 0;
    }
    error = errno;
    if (!ok)
        unlinkat(folder, temp, 0);
    close(folder);
    errno = error;
    return ok;
}

bool store_publish(const struct store *store, const char *name,
                   const char *text, size_t length)
{
    return store_has(store, name)
           || write_text(store, name, text, length, true);
}

bool store_replace(const struct store *store, const char *name,
                   const char *text, size_t length)
{
    return write_text(store, name, text, length, false);
}

bool store_write_json(const struct store *store, const char *name,
                      const json_t *json)
{
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_SORT_KEYS);
    bool ok = text && store_replace(store, name, text, strlen(text));

    if (!text)
        errno = ENOMEM;
    free(text);
    return ok;
}

bool store_has(const struct store *store, const char *name)
{
    return faccessat(store->folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool store_find(const struct store *store, const char *name, bool *found,
                struct failure *failure)
{
    *found = store_has(store, name);
    return *found || errno == ENOENT
           || fail(failure, "%s/%s: %s", store->path, name, strerror(errno));
}

bool store_remove(const struct store *store, const char *name)
{
    return unlinkat(store->folder, name, 0) == 0 || errno == ENOENT;
}

char *store_read(const struct store *store, const char *name, size_t *length)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%s/%s", store->path, name);
    return read_file(path, MAX_FILE, length);
}

json_t *store_json(const struct store *store, const char *name)
{
    size_t length = 0;
    char *text = store_read(store, name, &length);
    json_t *json = text ? json_loadb(text, length, 0, NULL) : NULL;

    free(text);
    return json;
}

bool store_get(const struct store *store, const char *name, json_t **json,
               struct failure *failure)
{
    size_t length = 0;
    char *text = store_read(store, name, &length);
    json_error_t error;

    *json = NULL;
    if (!text)
        return errno == ENOENT
               || fail(failure, "%s/%s: %s", store->path, name,
                       strerror(errno));
    *json = json_loadb(text, length, 0, &error);
    free(text);
    return *json || fail(failure, "%s/%s:%d: damaged: %s", store->path, name,
                         error.line, error.text);
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool store_list(const struct store *store, const char *folder,
                bool (*handle)(void *user, const char *name), void *user)
{
    bool is_continued = true;
    struct dirent **list;
    int count = scandirat(store->folder, folder, &list, not_hidden, by_name);

    for (int i = 0; i < count; i++) {
        char name[STORE_NAME * 3];

        text_format(name, sizeof name, "%s/%s", folder, list[i]->d_name);
        is_continued = is_continued && handle(user, name);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return count >= 0 && is_continued;
}
