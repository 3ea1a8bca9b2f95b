/* SPDX-License-Identifier: MIT */
/* Reading an archive, in a process of its own: see archive.h. */
#include <archive.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "archive_record.h"
#include "archive_rules.h"
#include "common/base/text.h"
#include "text_clean.h"

enum { MOST_DICTIONARY = 64 << 20 }; /* bytes, of an xz file */

static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz",
                                      ".tar.bz2", ".tbz2", ".tar.xz", ".txz",
                                      ".tar.zst", NULL};

/* Endings are compared without regard to case: .ZIP is a zip file. */
static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && equals_folded(name + length - tail, ending);
}

bool is_archive_name(const char *name)
{
    for (int i = 0; endings[i]; i++)
        if (ends_with(name, endings[i]))
            return true;
    return false;
}

bool is_other_archive_name(const char *name)
{
    return ends_with(name, ".rar") || ends_with(name, ".7z");
}

/* A parent that has gone away ends this process. */
static void send_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length > 0) {
        ssize_t sent = write(fd, at, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(1);
        at += sent;
        length -= (size_t)sent;
    }
}

/* A header of fixed size, then the bytes. */
static void send_record(int fd, enum record_kind kind, size_t index,
                        const char *bytes, size_t length)
{
    struct record record = {kind, (uint32_t)index, (uint32_t)length};

    send_all(fd, &record, sizeof record);
    send_all(fd, bytes, length);
}

/* The last record: why the archive is refused, or cannot be read. */
static _Noreturn void send_reason(int fd, enum record_kind kind,
                                  const char *reason)
{
    send_record(fd, kind, 0, reason, strlen(reason));
    _exit(0);
}

/* A call of a library got no memory.  zlib then finds data damaged, libarchive
 * a name unreadable or nothing at all: what was read is not to be judged. */
static bool lacks_memory;

/* After each call of libarchive: malloc() left its error, and free() keeps it.
 */
static void note_memory(void)
{
    lacks_memory |= errno == ENOMEM;
    errno = 0;
}

/* A library that goes on without the memory that it did not get crashes. */
static void on_crash(int number)
{
    if (errno == ENOMEM || lacks_memory)
        _exit(NO_MEMORY_STATUS);
    signal(number, SIG_DFL);
    raise(number);
}

/* The last record of an archive that is refused or broken, unless memory was
 * short. */
static _Noreturn void send_fault(int fd, enum record_kind kind,
                                 const char *reason)
{
    note_memory();
    if (lacks_memory)
        send_reason(fd, FAILED, "out of memory");
    send_reason(fd, kind, reason);
}

/* The cause of libarchive's error: damaged data, or this machine. */
static _Noreturn void send_error(int fd, struct archive *archive)
{
    const int error = archive_errno(archive);
    const char *text = archive_error_string(archive);

    send_fault(fd, error == EIO || error == ENOMEM ? FAILED : BROKEN,
               text ? text : "damaged data");
}

/* Only these formats: libarchive knows others, with more code behind them. */
static struct archive *open_archive(int fd, const char *name, int out)
{
    struct archive *archive;
    bool is_ready;

    /* Names of most archives are UTF-8, whatever the language of this shell. */
    setlocale(LC_CTYPE, "C.UTF-8");
    archive = archive_read_new();
    if (!archive)
        send_reason(out, FAILED, "out of memory");
    if (ends_with(name, ".zip"))
        is_ready = archive_read_support_format_zip(archive) == ARCHIVE_OK;
    else
        is_ready = archive_read_support_format_tar(archive) == ARCHIVE_OK
                   && archive_read_support_filter_gzip(archive) == ARCHIVE_OK
                   && archive_read_support_filter_bzip2(archive) == ARCHIVE_OK
                   && archive_read_support_filter_xz(archive) == ARCHIVE_OK
                   && archive_read_support_filter_zstd(archive) == ARCHIVE_OK;
    if (!is_ready) /* else the archive would seem to have no known format */
        send_reason(out, FAILED, "libarchive lacks memory, or a format");
    if (archive_read_open_fd(archive, fd, 65536) == ARCHIVE_OK)
        return archive;
    send_error(out, archive);
}

/* A zip must begin as one: a file that is also something else is refused. */
static bool begins_right(int fd, const char *name, int out)
{
    char start[4] = "";
    ssize_t got;

    if (!ends_with(name, ".zip"))
        return true;
    while ((got = pread(fd, start, 4, 0)) < 0 && errno == EINTR)
        ;
    if (got < 0)
        send_reason(out, FAILED, strerror(errno));
    if (got == 0)
        send_fault(out, BROKEN, "it is empty");
    return got == 4
           && (!memcmp(start, "PK\3\4", 4) || !memcmp(start, "PK\5\6", 4));
}

/* A number of 7 bits a byte, the last one without the eighth; `at` moves behind
 * it, at most to the end. */
static uint64_t read_number(const unsigned char *bytes, size_t size, size_t *at)
{
    uint64_t number = 0;

    for (int shift = 0; *at < size && shift < 63; shift += 7) {
        number |= (uint64_t)(bytes[*at] & 0x7f) << shift;
        if (!(bytes[(*at)++] & 0x80))
            break;
    }
    return number;
}

/* The dictionary for which the first block of an xz file asks, in bytes (The .xz
 * File Format 1.2.0, 3.1 and 5.3.1); 0: it is none, or asks for none. */
static uint64_t xz_dictionary(int fd)
{
    enum { FLAGS = 13, SIZES = 0xc0, LZMA2 = 0x21 };
    unsigned char h[64];
    const ssize_t got = pread(fd, h, sizeof h, 0);
    size_t at = FLAGS + 1;

    if (got <= FLAGS || memcmp(h, "\xfd" "7zXZ", 6))
        return 0;
    for (int sizes = h[FLAGS] & SIZES; sizes; sizes &= sizes - 1)
        read_number(h, (size_t)got, &at);
    for (int filters = (h[FLAGS] & 3) + 1; filters > 0; filters--) {
        const uint64_t id = read_number(h, (size_t)got, &at);
        const uint64_t bytes = read_number(h, (size_t)got, &at);

        if (id == LZMA2 && bytes == 1 && at < (size_t)got)
            return (uint64_t)(2 | (h[at] & 1)) << ((h[at] & 63) / 2 + 11);
        if (bytes >= sizeof h)
            break;
        at += (size_t)bytes;
    }
    return 0;
}

/* Folders in the archive do not matter, only the name of the file. @return
 * count if none */
static size_t find_source(const struct source *sources, size_t count,
                          const char *path)
{
    size_t i = 0;

    while (i < count && strcmp(base_name(path), sources[i].name))
        i++;
    return i;
}

/* Read an entry's bytes whether they are wanted or not: what an entry declares
 * and what it holds may differ. */
static size_t read_entry(struct archive *archive, char *text, size_t room,
                         long long *total, int out)
{
    static char block[65536];
    size_t length = 0;
    ssize_t got;

    while ((got = archive_read_data(archive, block, sizeof block)) > 0) {
        *total += got;
        if (*total > ARCHIVE_BYTES)
            send_fault(out, REFUSED, "more than 64 MiB, uncompressed");
        if (text && length + (size_t)got > room)
            send_fault(out, REFUSED, "a lab's file has more than 1 MiB");
        if (text)
            memcpy(text + length, block, (size_t)got);
        length += (size_t)got;
    }
    if (got < 0)
        send_error(out, archive);
    return length;
}

/* Every entry is read to its end, so that sizes are counted even of files that
 * nobody wants. */
static void extract_entry(struct archive *archive, struct archive_entry *entry,
                          struct source *sources, size_t count, int out)
{
    static long long total;
    static char text[SOURCE_BYTES];
    const char *path = archive_entry_pathname(entry);
    size_t index = archive_entry_filetype(entry) == AE_IFREG
                   && !is_hidden_entry(path)
                   ? find_source(sources, count, path) : count;
    char reason[REASON_BYTES];
    size_t length;

    if (index == count) {
        read_entry(archive, NULL, 0, &total, out);
        return;
    }
    if (sources[index].length) {
        text_format(reason, sizeof reason, "it holds two files %s",
                    sources[index].name);
        send_fault(out, REFUSED, reason);
    }
    length = read_entry(archive, text, sizeof text, &total, out);
    sources[index].length = 1; /* seen; in the child's copy alone */
    send_record(out, TAKEN, index, text, length);
}

_Noreturn void archive_send(int fd, const char *name, struct source *sources,
                            size_t count, int out)
{
    static struct entries entries;
    struct archive *archive;
    struct archive_entry *entry;
    char reason[REASON_BYTES];
    int status;

    signal(SIGSEGV, on_crash);
    signal(SIGBUS, on_crash);
    signal(SIGABRT, on_crash);
    errno = 0;
    if (!begins_right(fd, name, out))
        send_fault(out, BROKEN, "not a zip file");
    if (xz_dictionary(fd) > MOST_DICTIONARY)
        send_fault(out, REFUSED, "its dictionary has more than 64 MiB, which "
                   "is that of xz -9");
    archive = open_archive(fd, name, out);
    entries.has_old_names = ends_with(name, ".zip");
    while ((status = archive_read_next_header(archive, &entry))
           == ARCHIVE_OK) {
        if (!archive_entry_is_allowed(&entries, entry, reason))
            send_fault(out, entries.lacks_memory ? FAILED : REFUSED, reason);
        extract_entry(archive, entry, sources, count, out);
        note_memory();
    }
    if (status != ARCHIVE_EOF)
        send_error(out, archive);
    if (!entries.count)
        send_fault(out, BROKEN, "it is empty");
    send_fault(out, DONE, "");
}
