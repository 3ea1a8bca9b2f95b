/* SPDX-License-Identifier: MIT */
/* The rules for an archive's entries. */
#include "archive_rules.h"

#include <ctype.h>
#include <string.h>

#include "common/base/text.h"
#include "text_clean.h"

/* In an old code page a character is a byte; in UTF-8 no byte that goes on with
 * one counts. */
static size_t characters(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

bool is_allowed_part(const char *part, size_t length)
{
    if (length == 0 || characters(part, length) > ARCHIVE_NAME_PART
        || length > ARCHIVE_NAME_BYTES || *part == '-'
        || (length == 2 && !strncmp(part, "..", 2)))
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)part[i];

        if (c < 0x20 || c == 0x7f || strchr("\\$`", c))
            return false;
    }
    return true;
}

/* The path is untrusted, hence shown without control characters. @return
 * false */
static bool refuse(char *reason, const char *format, const char *path)
{
    char shown[100];

    text_format(reason, REASON_BYTES, format,
                clean_copy(shown, sizeof shown, path));
    return false;
}

/* Windows and macOS write names into a zip in the code page of their country,
 * if the zip does not say that they are UTF-8. */
static bool is_name(const struct entries *entries, const char *path)
{
    return *path && (is_clean_utf8(path)
                     || (entries->has_old_names && !is_utf8(path)));
}

/* No absolute path, no way out of the folder, no names of which a shell would
 * run a part. */
static bool path_is_allowed(const struct entries *entries, const char *path,
                            char *reason)
{
    if (!is_name(entries, path))
        return refuse(reason, "the name \"%s\" is not UTF-8, empty, or has "
                      "control characters", path);
    if (*path == '/' || strchr(path, '\\') || (*path && path[1] == ':'))
        return refuse(reason, "\"%s\" is an absolute path", path);
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/");

        if (length == 2 && !strncmp(part, "..", 2))
            return refuse(reason, "\"%s\" leaves its folder by \"..\"", path);
        if (!(length == 1 && *part == '.') && !is_allowed_part(part, length))
            return refuse(reason, "the name \"%s\" is not allowed: at most 64 "
                          "characters, no - in front, no control "
                          "characters, none of \\$`", path);
        part += length;
        part += *part == '/';
    }
    return true;
}

/* Files and folders only; links could name anything. */
static bool type_is_allowed(struct archive_entry *entry, const char *path,
                            char *reason)
{
    if (archive_entry_hardlink(entry) || archive_entry_symlink(entry)
        || archive_entry_filetype(entry) == AE_IFLNK)
        return refuse(reason, "\"%s\" is a link", path);
    if (archive_entry_filetype(entry) != AE_IFREG
        && archive_entry_filetype(entry) != AE_IFDIR)
        return refuse(reason, "\"%s\" is neither a file nor a folder", path);
    if (archive_entry_is_encrypted(entry))
        return refuse(reason, "\"%s\" needs a password", path);
    return true;
}

/* Sizes that the headers state; read_entry() counts the bytes themselves. */
static bool size_is_allowed(struct entries *entries,
                            struct archive_entry *entry, const char *path,
                            char *reason)
{
    long long size = archive_entry_size_is_set(entry)
                     ? (long long)archive_entry_size(entry) : 0;

    if (size < 0 || size > ARCHIVE_ENTRY_BYTES)
        return refuse(reason, "\"%s\" has more than 16 MiB", path);
    entries->bytes += size;
    if (entries->bytes > ARCHIVE_BYTES)
        return refuse(reason, "more than 64 MiB in all, up to \"%s\"", path);
    return true;
}

/* Folders may be named more than once. */
static bool name_is_new(struct entries *entries, struct archive_entry *entry,
                        const char *path, char *reason)
{
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return true;
    for (int i = 0; i < entries->count; i++)
        if (entries->name[i] /* a folder has none */
            && equals_folded(entries->name[i], path))
            return refuse(reason, strcmp(entries->name[i], path)
                                      ? "two files are called \"%s\", but for "
                                        "case"
                                      : "two files are called \"%s\"", path);
    entries->name[entries->count] = strdup(path);
    entries->lacks_memory = !entries->name[entries->count];
    return !entries->lacks_memory || refuse(reason, "%s", "out of memory");
}

bool archive_entry_is_allowed(struct entries *entries,
                              struct archive_entry *entry, char *reason)
{
    const char *path = archive_entry_pathname(entry);

    if (!path)
        return refuse(reason, "%s", "an entry has no readable name");
    if (entries->count == ARCHIVE_ENTRIES)
        return refuse(reason, "%s", "more than 1000 entries");
    if (!path_is_allowed(entries, path, reason)
        || !type_is_allowed(entry, path, reason)
        || !size_is_allowed(entries, entry, path, reason)
        || !name_is_new(entries, entry, path, reason))
        return false;
    entries->count++;
    return true;
}

bool is_hidden_entry(const char *path)
{
    if (!strncmp(path, "__MACOSX/", 9))
        return true;
    for (const char *part = path; *part;) {
        const size_t length = strcspn(part, "/");

        if (*part == '.' && length > 1) /* "./vector_add.cu" is not hidden */
            return true;
        part += length;
        part += *part == '/';
    }
    return false;
}
