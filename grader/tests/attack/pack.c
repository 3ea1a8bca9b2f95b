/* SPDX-License-Identifier: MIT */
/* Making archives and folders from recipes. */
#include "pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

enum { MAX_RECIPE = 1 << 20, MAX_LARGE = 80 /* MiB of one entry */ };

/* The archive that is being made. */
struct pack {
    struct archive *archive; /* NULL: a folder */
    char path[PATH_MAX];     /* of the archive or the folder */
};

/* Replaces \n, \\ and \xHH.  @return the bytes */
static size_t unescape(char *text)
{
    char *to = text, digits[3] = "";

    for (const char *from = text; *from; from++) {
        if (*from != '\\' || !from[1]) {
            *to++ = *from;
        } else if (*++from == 'x' && from[1] && from[2]) {
            memcpy(digits, from + 1, 2);
            *to++ = (char)strtol(digits, NULL, 16);
            from += 2;
        } else {
            *to++ = *from == 'n' ? '\n' : *from;
        }
    }
    *to = 0;
    return (size_t)(to - text);
}

/* --- entries -------------------------------------------------------------- */

static bool add_to_archive(struct archive *archive, const char *name,
                           unsigned type, const char *target,
                           const char *text, size_t length)
{
    struct archive_entry *entry = archive_entry_new();
    bool ok;

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    if (target && type == AE_IFLNK)
        archive_entry_set_symlink(entry, target);
    else if (target)
        archive_entry_set_hardlink(entry, target);
    if (text)
        archive_entry_set_size(entry, (la_int64_t)length);
    ok = archive_write_header(archive, entry) >= ARCHIVE_WARN;
    if (ok && text && length > 0)
        ok = archive_write_data(archive, text, length) == (la_ssize_t)length;
    archive_entry_free(entry);
    return ok;
}

static bool add_to_folder(const char *folder, const char *name, unsigned type,
                          const char *target, const char *text, size_t length)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%.3000s/%s", folder, name);
    switch (type) {
    case AE_IFDIR: return mkdir(path, 0755) == 0;
    case AE_IFLNK: return symlink(target, path) == 0;
    case AE_IFIFO: return mkfifo(path, 0644) == 0;
    default: return write_file(path, text, length);
    }
}

static bool add(struct pack *pack, const char *name, unsigned type,
                const char *target, const char *text, size_t length)
{
    return pack->archive ? add_to_archive(pack->archive, name, type, target,
                                          text, length)
                         : add_to_folder(pack->path, name, type, target, text,
                                         length);
}

static bool add_many(struct pack *pack, long count)
{
    char name[32];

    for (long i = 0; i < count; i++)
        if (!add(pack, text_format(name, sizeof name, "f%ld", i), AE_IFREG,
                 NULL, "", 0))
            return false;
    return true;
}

static bool add_deep(struct pack *pack, long count)
{
    char name[PATH_MAX] = "d";
    bool ok = true;

    for (long i = 0; ok && i < count && strlen(name) < PATH_MAX / 2; i++) {
        ok = add(pack, name, AE_IFDIR, NULL, NULL, 0);
        strcat(name, "/d");
    }
    return ok;
}

static bool add_large(struct pack *pack, const char *name, long mib)
{
    const size_t bytes = (size_t)(mib < MAX_LARGE ? mib : MAX_LARGE) << 20;
    char *zeros = calloc(1, bytes);
    const bool ok = zeros && add(pack, name, AE_IFREG, NULL, zeros, bytes);

    free(zeros);
    return ok;
}

static bool add_case(struct pack *pack, const char *name, const char *other)
{
    char path[PATH_MAX];
    size_t length = 0;
    int line;
    char *text = attack_write_case(other, path, &line)
                 ? read_file(path, MAX_RECIPE, &length) : NULL;
    const bool ok = text && add(pack, name, AE_IFREG, NULL, text, length);

    unlink(path);
    free(text);
    return ok;
}

/* --- the archive, once it is written -------------------------------------- */

static bool change(const char *path, const char *word, char *value)
{
    size_t length = 0, added = 0;
    const long number = strtol(value, NULL, 0);
    char *bytes = read_file(path, MAX_RECIPE, &length), *whole;
    bool ok = bytes;

    if (bytes && !strcmp(word, "cut") && number <= (long)length) {
        length -= (size_t)number;
    } else if (bytes && !strcmp(word, "flip")) {
        bytes[(number < 0 ? length - (size_t)-number : (size_t)number)
              % length] ^= 0x55;
    } else if (bytes) {
        added = unescape(value);
        whole = malloc(added + length);
        ok = whole;
        if (ok) {
            memcpy(whole, value, added);
            memcpy(whole + added, bytes, length);
        }
        free(bytes);
        bytes = whole;
    }
    ok = ok && write_file(path, bytes, added + length);
    free(bytes);
    return ok;
}

static void close_archive(struct pack *pack)
{
    if (pack->archive)
        archive_write_free(pack->archive);
    pack->archive = NULL;
}

/* --- recipes -------------------------------------------------------------- */

static bool start(struct pack *pack, const char *word, char *name,
                  const char *folder)
{
    unescape(name);
    text_format(pack->path, sizeof pack->path, "%.3000s/%s", folder, name);
    if (!strcmp(word, "folder"))
        return mkdir(pack->path, 0755) == 0;
    pack->archive = archive_write_new();
    return archive_write_set_format_filter_by_ext(pack->archive, name)
               == ARCHIVE_OK
           && archive_write_open_filename(pack->archive, pack->path)
                  == ARCHIVE_OK;
}

static bool follow(struct pack *pack, const char *word, char *name,
                   char *value)
{
    size_t length = unescape(value);

    if (!strcmp(word, "cut") || !strcmp(word, "flip")
        || !strcmp(word, "before")) {
        close_archive(pack);
        return change(pack->path, word, name);
    }
    unescape(name);
    if (!strcmp(word, "file"))
        return add(pack, name, AE_IFREG, NULL, value, length);
    if (!strcmp(word, "case"))
        return add_case(pack, name, value);
    if (!strcmp(word, "dir"))
        return add(pack, name, AE_IFDIR, NULL, NULL, 0);
    if (!strcmp(word, "link"))
        return add(pack, name, AE_IFLNK, value, NULL, 0);
    if (!strcmp(word, "hard"))
        return add(pack, name, AE_IFREG, value, NULL, 0);
    if (!strcmp(word, "fifo"))
        return add(pack, name, AE_IFIFO, NULL, NULL, 0);
    if (!strcmp(word, "many"))
        return add_many(pack, atol(name));
    if (!strcmp(word, "deep"))
        return add_deep(pack, atol(name));
    return !strcmp(word, "large") && add_large(pack, name, atol(value));
}

bool pack_make(const char *recipe, const char *folder)
{
    struct pack pack = {NULL, ""};
    char path[PATH_MAX], *next;
    size_t length = 0;
    char *text = read_file(
        root_path(path, "grader/tests/attack/cases/%s.pack", recipe),
        MAX_RECIPE, &length);
    bool ok = text;

    for (char *line = text; ok && line; line = next) {
        char *name, *value;

        if ((next = strchr(line, '\n')))
            *next++ = 0;
        if (!*line || *line == '#')
            continue;
        name = line + strcspn(line, " ");
        name += *name ? (*name = 0, 1) : 0;
        value = name + strcspn(name, " ");
        value += *value ? (*value = 0, 1) : 0;
        ok = *pack.path ? follow(&pack, line, name, value)
                        : start(&pack, line, name, folder);
        if (!ok)
            fprintf(stderr, "%s: \"%s\": %s\n", path, line, strerror(errno));
    }
    close_archive(&pack);
    free(text);
    return ok;
}
