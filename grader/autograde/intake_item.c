/* SPDX-License-Identifier: MIT */
/* Taking the labs' files out of one student's files. */
#include "intake_item.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/text.h"
#include "grader/lab/suite_table.h"
#include "text_clean.h"

/* Names from outside are shown without control characters. */
static void refuse(struct refusal *refusal, enum verdict verdict,
                   const char *format, const char *name)
{
    char shown[128];

    refusal->verdict = verdict;
    text_format(refusal->reason, REASON_BYTES, format,
                clean_copy(shown, sizeof shown, name));
}

/* Of the attempts at one file the highest counts.
 *  @return false: the item has no other attempt at it */
static bool replace_attempt(struct item *item, const char *path,
                            const char *name, int attempt)
{
    for (size_t i = 0; i < item->files; i++) {
        struct item_file *file = &item->file[i];
        char *copy;

        if (file->attempt == attempt || strcmp(file->name, name))
            continue;
        if (file->attempt > attempt)
            return true;
        copy = strdup(path);
        if (!copy) {
            refuse(&item->refusal, INTERNAL, "out of memory%s", "");
            return true;
        }
        free(file->path);
        file->path = copy;
        file->attempt = attempt;
        return true;
    }
    return false;
}

bool item_add(struct item *item, const char *path, const char *name,
              int attempt)
{
    struct item_file *more;

    if (replace_attempt(item, path, name, attempt))
        return true;
    if (item->files == INTAKE_FILES) {
        refuse(&item->refusal, REJECTED, "more than 1000 files%s", "");
        return false;
    }
    more = realloc(item->file, (item->files + 1) * sizeof *more);
    if (!more) {
        refuse(&item->refusal, INTERNAL, "out of memory%s", "");
        return false;
    }
    item->file = more;
    more += item->files++;
    *more = (struct item_file){.path = strdup(path), .name = strdup(name),
                                .attempt = attempt};
    if (!more->path || !more->name)
        refuse(&item->refusal, INTERNAL, "out of memory%s", "");
    return more->path && more->name;
}

void item_free(struct item *item)
{
    for (size_t i = 0; i < item->files; i++) {
        free(item->file[i].path);
        free(item->file[i].name);
    }
    free(item->file);
    *item = (struct item){0};
}

/* A lab's file, where it was found, and what the marker is told. */
struct found {
    struct source source;
    const struct item_file *from;
    char note[REASON_BYTES];
};

static void write_note(char *note, const char *format,
                       const struct item_file *file,
                       const struct item_file *other)
{
    char first[80], second[80];

    text_format(note, REASON_BYTES, format,
                clean_copy(first, sizeof first, file->name),
                clean_copy(second, sizeof second, other->name));
}

/* A lab's file was found in `file`, too.  Of equal texts one is taken, of two
 * attempts the later one; between other texts no rule could choose.
 *  @param source  takes or frees its text */
static void found_again(struct found *found, struct source *source,
                        const struct item_file *file, struct refusal *refusal)
{
    const bool equal =
        found->source.length == source->length
        && !memcmp(found->source.text, source->text, source->length);

    if (equal) {
        write_note(found->note, "%s and %s hold the same text", found->from,
                   file);
    } else if (found->from->attempt == file->attempt) {
        refuse(refusal, REJECTED, "it holds two files %s", source->name);
    } else if (found->from->attempt > file->attempt) {
        write_note(found->note, "%s counts, not the earlier %s", found->from,
                   file);
    } else {
        struct source earlier = found->source;

        write_note(found->note, "%s counts, not the earlier %s", file,
                   found->from);
        found->source = *source;
        found->from = file;
        *source = earlier;
    }
    free(source->text);
}

/* A lab's file was found in `file`. */
static void found_in(struct found *found, struct source *source,
                     const struct item_file *file, struct refusal *refusal)
{
    if (found->source.text) {
        found_again(found, source, file, refusal);
        return;
    }
    found->source = *source;
    found->from = file;
}

/* A regular file, no link, no pipe.  @return a descriptor, or -1 */
static int open_file(int root, const struct item_file *file,
                     struct refusal *refusal)
{
    int fd = openat(root, file->path,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    bool is_known = fd >= 0 && fstat(fd, &about) == 0;

    if (is_known && S_ISREG(about.st_mode))
        return fd;
    if (is_known || (fd < 0 && (errno == ELOOP || errno == ENXIO)))
        refuse(refusal, REJECTED, "%s is not a regular file", file->name);
    else
        refuse(refusal, INTERNAL, "%s cannot be opened", file->name);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Read a file as a source. */
static void read_source(int root, const struct item_file *file,
                        struct found *found, struct refusal *refusal)
{
    struct source source = {.name = found->source.name};
    int fd = open_file(root, file, refusal);
    char *text = fd >= 0 ? malloc(SOURCE_BYTES + 2) : NULL;
    size_t length = 0;
    ssize_t got = 1;

    while (text && got > 0 && length <= SOURCE_BYTES) {
        do
            got = read(fd, text + length, SOURCE_BYTES + 1 - length);
        while (got < 0 && errno == EINTR);
        length += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0 && (!text || got < 0))
        refuse(refusal, INTERNAL, "%s cannot be read", file->name);
    if (fd >= 0)
        close(fd);
    if (!text || refusal->verdict != PASS) {
        free(text);
        return;
    }
    text[length] = 0;
    source.text = text;
    source.length = length;
    found_in(found, &source, file, refusal);
}

/* Files of the archive count as if they lay beside it. */
static void read_archive(int root, const struct item_file *file,
                         struct found *wanted, size_t count,
                         struct refusal *refusal)
{
    struct source inside[SOURCES];
    int fd = open_file(root, file, refusal);

    if (fd < 0)
        return;
    for (size_t i = 0; i < count; i++)
        inside[i] = (struct source){.name = wanted[i].source.name};
    archive_extract(fd, file->name, inside, count, refusal);
    close(fd);
    for (size_t i = 0; i < count; i++)
        if (inside[i].text)
            found_in(&wanted[i], &inside[i], file, refusal);
}

/* Endings are compared without regard to case. */
static bool is_cu(const char *name)
{
    size_t length = strlen(name);

    return length > 3 && equals_folded(name + length - 3, ".cu");
}

/* Is it named as the file of any lab? */
static bool is_lab_file(const char *name)
{
    char own[64];

    for (size_t i = 0; suites[i]; i++)
        if (!strcmp(text_format(own, sizeof own, "%.50s.cu",
                                strchr(suites[i]->stem, '_') + 1), name))
            return true;
    return false;
}

/* The only .cu file of a student, for a known lab: its name is then not asked
 * for, unless it is another lab's, or an archive in the same folder may have
 * the file.  Browsers and editors make "vector_add (1).cu". */
static const struct item_file *find_only_cu(const struct item *item)
{
    const struct item_file *found = NULL;

    for (size_t i = 0; i < item->files; i++) {
        if (!item->is_single && is_archive_name(item->file[i].name))
            return NULL;
        if (is_cu(item->file[i].name)) {
            if (found)
                return NULL;
            found = &item->file[i];
        }
    }
    return found && !is_lab_file(found->name) ? found : NULL;
}

/* @return count if the lab does not ask for the file */
static size_t find_source(const struct found *wanted, size_t count,
                          const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(wanted[i].source.name, name))
        i++;
    return i;
}

/* A single .cu file is taken for the lab's file under any name. */
static void read_sources(const struct intake *intake, int root,
                         const struct item *item, struct found *wanted,
                         size_t count, struct refusal *refusal)
{
    const struct item_file *only = intake->stem ? find_only_cu(item) : NULL;

    for (size_t i = 0; i < item->files && refusal->verdict == PASS; i++) {
        const struct item_file *file = &item->file[i];
        size_t index = file == only ? 0
                       : find_source(wanted, count, file->name);

        if (index < count)
            read_source(root, file, &wanted[index], refusal);
        else if (is_archive_name(file->name))
            read_archive(root, file, wanted, count, refusal);
    }
}

/* The entry that is there instead of a lab's file. */
static void explain_missing(const struct intake *intake,
                            const struct item *item, struct refusal *refusal)
{
    const char *other = "nothing", *within = "";
    char shown[100];

    for (size_t i = 0; i < item->files; i++)
        if (i == 0 || is_cu(item->file[i].name))
            other = item->file[i].name;
    clean_copy(shown, sizeof shown, other);
    refusal->verdict = MISSING;
    if (is_archive_name(other))
        within = ", with none in it";
    else if (is_other_archive_name(other))
        within = ", which is not read: ask for a .zip";
    if (intake->stem)
        text_format(refusal->reason, REASON_BYTES, "no %s.cu; found: %s%s",
                    strchr(intake->stem, '_') + 1, shown, within);
    else
        text_format(refusal->reason, REASON_BYTES,
                    "no file named as a lab's; found: %s%s", shown, within);
}

/* Hand a submission to the caller, with its text or the reason why there is
 * none. */
static bool hand_over(const struct intake *intake, const struct item *item,
                      const char *stem, const struct found *found,
                      const struct refusal *refusal)
{
    struct submission submission = {
        .student = item->student, .stem = stem, .is_late = item->is_late,
        .submitted = item->submitted, .read = intake->began,
        .first = intake->first ? intake->first : intake->began,
        .whole = intake->whole,
        .needs_lab = refusal->verdict == MISSING && !intake->stem
                     && find_only_cu(item),
        .attempt = item->attempt,
        .refusal = *refusal};

    const struct source *source = found ? &found->source : NULL;

    name_copy(submission.from, sizeof submission.from, item->from);
    if (found && refusal->verdict == PASS)
        text_format(submission.refusal.reason, REASON_BYTES, "%s",
                    found->note);
    if (source
        && source_is_text(source->name, source->text, source->length,
                          &submission.refusal)) {
        submission.text = source->text;
        submission.length = source->length;
    }
    return intake->handle(intake->user, &submission);
}

/* The labs whose files are wanted. */
static size_t list_wanted(const struct intake *intake, struct found *wanted,
                          const char **stems, char names[][64])
{
    size_t count = 0;

    for (size_t i = 0; suites[i] && count < SOURCES; i++) {
        const char *stem = suites[i]->stem;

        if (intake->stem && strcmp(intake->stem, stem))
            continue;
        text_format(names[count], 64, "%.50s.cu", strchr(stem, '_') + 1);
        stems[count] = stem;
        wanted[count] = (struct found){.source.name = names[count]};
        count++;
    }
    return count;
}

bool item_read(const struct intake *intake, int root, struct item *item)
{
    struct found wanted[SOURCES];
    const char *stems[SOURCES], *lab = intake->stem ? intake->stem : "";
    char names[SOURCES][64];
    size_t count = list_wanted(intake, wanted, stems, names);
    struct refusal refusal = item->refusal;
    bool any = false, more = true;

    if (refusal.verdict == PASS)
        read_sources(intake, root, item, wanted, count, &refusal);
    for (size_t i = 0; i < count; i++) {
        if (wanted[i].source.text && refusal.verdict == PASS && more) {
            more = hand_over(intake, item, stems[i], &wanted[i], &refusal);
            any = true;
        }
        free(wanted[i].source.text);
    }
    if (any)
        return more;
    if (refusal.verdict == PASS)
        explain_missing(intake, item, &refusal);
    return hand_over(intake, item, lab, NULL, &refusal);
}
