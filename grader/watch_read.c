/* SPDX-License-Identifier: MIT */
/* Reading a watched runner's report, as text of unknown origin. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/softgpu/watch/findings.h"
#include "house.h"
#include "text.h"
#include "watch.h"

enum { REPORT_BYTES = 16 << 20 };

static const struct {
    const char *name, *words;
} kinds[] = {
#define X(name, text, words) {text, words},
    SOFTGPU_FINDING_KINDS(X)
#undef X
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A plain file of bounded size: the folder is the student's code's too, which
 * may have left a link, a pipe or a device there. */
static int open_plain(const char *path, size_t *bytes, char *why)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;

    if (fd < 0) {
        text_put(why, 256, "no report: %s", strerror(errno));
        return -1;
    }
    if (fstat(fd, &about) || !S_ISREG(about.st_mode)
        || about.st_size > REPORT_BYTES) {
        text_put(why, 256, "its report is no file of at most %d MiB",
                 REPORT_BYTES >> 20);
        close(fd);
        return -1;
    }
    *bytes = (size_t)about.st_size;
    return fd;
}

static char *read_bytes(int fd, size_t *bytes)
{
    char *text = malloc(*bytes + 1);
    size_t at = 0;

    while (text && at < *bytes) {
        ssize_t got = read(fd, text + at, *bytes - at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        at += (size_t)got;
    }
    *bytes = at;
    return text;
}

json_t *watch_read(const char *path, char *why)
{
    size_t bytes;
    int fd = open_plain(path, &bytes, why);
    json_t *report = NULL;
    char *text;

    if (fd < 0)
        return NULL;
    text = read_bytes(fd, &bytes);
    close(fd);
    if (text)
        report = json_loadb(text, bytes, 0, NULL);
    free(text);
    if (json_is_array(json_object_get(report, "findings"))
        && json_is_array(json_object_get(report, "kernels")))
        return report;
    text_put(why, 256, "its report is not one of the watchers");
    json_decref(report);
    return NULL;
}

static void take_text(const json_t *object, const char *key, char *text,
                      size_t bytes)
{
    const char *value = json_string_value(json_object_get(object, key));

    text_put(text, bytes, "%s", value ? value : "");
    printable(text);
    for (; *text; text++)
        if (*text == '\n')
            *text = ' ';
}

/* A file of the house that is nobody's submission is told with its folder:
 * which of all the 3_wide.cu? */
static const char *short_name(const char *file)
{
    static const char *const folders[] = {"solutions/", "common/"};
    const size_t root = strlen(house_root());
    const char *inside = file;

    if (!strncmp(file, house_root(), root) && file[root] == '/')
        inside += root + 1;
    for (size_t i = 0; i < 2; i++)
        if (!strncmp(inside, folders[i], strlen(folders[i])))
            return inside;
    return base_name(file);
}

/* "vector_add.cu:31:5" from the members file, line and column. */
static void take_place(const json_t *object, const char *const keys[3],
                       char *place)
{
    json_int_t line = json_integer_value(json_object_get(object, keys[1]));
    json_int_t column = json_integer_value(json_object_get(object, keys[2]));
    char file[512];

    take_text(object, keys[0], file, sizeof file);
    *place = 0;
    if (!*file || line <= 0 || line > 1 << 24)
        return;
    if (column > 0 && column < 1 << 16)
        text_put(place, PLACE_TEXT, "%.90s:%d:%d", short_name(file), (int)line,
                 (int)column);
    else
        text_put(place, PLACE_TEXT, "%.90s:%d", short_name(file), (int)line);
}

static void take_index(const json_t *object, const char *key,
                       unsigned index[3])
{
    const json_t *list = json_object_get(object, key);

    for (size_t i = 0; i < 3; i++)
        index[i] = (unsigned)json_integer_value(json_array_get(list, i));
}

/* One member of `findings`; false when it is none. */
static bool take(const json_t *from, struct finding *finding)
{
    static const char *const here[] = {"file", "line", "column"};
    static const char *const there[] = {"other_file", "other_line",
                                        "other_column"};
    const char *kind = json_string_value(json_object_get(from, "kind"));
    json_int_t count = json_integer_value(json_object_get(from, "count"));
    int rank = 0;

    while (kind && rank < KINDS && strcmp(kind, kinds[rank].name))
        rank++;
    if (!kind || rank == KINDS)
        return false;
    *finding = (struct finding){.rank = rank, .kind = kinds[rank].name,
                                .words = kinds[rank].words,
                                .count = count > 0 ? (double)count : 1};
    take_text(from, "kernel", finding->kernel, sizeof finding->kernel);
    take_text(from, "message", finding->message, sizeof finding->message);
    take_place(from, here, finding->place);
    take_place(from, there, finding->other);
    take_index(from, "block", finding->block);
    take_index(from, "thread", finding->thread);
    return true;
}

static bool same(const struct finding *a, const struct finding *b)
{
    return a->rank == b->rank && !strcmp(a->place, b->place)
           && !strcmp(a->other, b->other) && !strcmp(a->kernel, b->kernel);
}

/* Adds to those of earlier cases. */
static void add(const struct finding *finding, struct watch *watch)
{
    for (size_t i = 0; i < watch->findings; i++)
        if (same(&watch->finding[i], finding)) {
            watch->finding[i].count += finding->count;
            return;
        }
    if (watch->findings < FINDINGS_MOST)
        watch->finding[watch->findings++] = *finding;
}

static int by_rank(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int places = strcmp(a->place, b->place);

    return a->rank != b->rank ? a->rank - b->rank
           : places          ? places
                              : strcmp(a->other, b->other);
}

void watch_collect(const json_t *report, struct watch *watch)
{
    const json_t *list = json_object_get(report, "findings"), *from;
    struct finding finding;
    size_t i;

    json_array_foreach(list, i, from)
        if (take(from, &finding))
            add(&finding, watch);
    qsort(watch->finding, watch->findings, sizeof *watch->finding, by_rank);
}
