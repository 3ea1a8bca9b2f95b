/* SPDX-License-Identifier: MIT */
/* The HTML page: its content for a known report, and that a malicious report
 * does no harm. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "advice_fixture.h"
#include "common/softgpu/profile/report.h"
#include "common/softgpu/profile/source_file.h"

static char folder[] = "/tmp/page_test.XXXXXX";
static char place[256]; /* of the last in_folder() */

static const char *in_folder(const char *name)
{
    snprintf(place, sizeof place, "%s/%s", folder, name);
    return place;
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(in_folder(name), "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(text, out);
    fclose(out);
}

static char *read_file(const char *path)
{
    static char text[1 << 20];
    FILE *in = fopen(path, "r");
    size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;

    text[n] = 0;
    if (in)
        fclose(in);
    return text;
}

/* The page of a report, as text; "" if none could be made. */
static const char *page_of(const char *json, const char *const *roots)
{
    json_t *report = json_loads(json, 0, NULL);
    char path[256];

    snprintf(path, sizeof path, "%s/page.html", folder);
    unlink(path);
    CU_ASSERT_PTR_NOT_NULL(report);
    profile_page_write_below(path, report, roots);
    json_decref(report);
    return read_file(path);
}

#define HAS(text, words) CU_ASSERT_PTR_NOT_NULL(strstr(text, words))
#define HAS_NOT(text, words) CU_ASSERT_PTR_NULL(strstr(text, words))

/* A report of one kernel with one line and one access pattern; `lanes` is
 * JSON. */
static const char *report_of(const char *file, const char *kind, int bytes,
                             const char *lanes)
{
    static char json[4096];

    snprintf(json, sizeof json,
             "{\"card\": \"t4\", \"findings\": [{\"kind\": \"race_shared\","
             "\"kernel\": \"k\", \"file\": \"%s\", \"line\": 2, \"count\": 7,"
             "\"message\": \"read & written\"}],"
             "\"kernels\": [{\"name\": \"scale<float>\", \"file\": \"%s\","
             "\"line\": 1, \"launches\": 2, \"grid\": [8, 4, 1],"
             "\"block\": [32, 8, 1], \"blocks\": 64, \"blocks_watched\": 16,"
             "\"threads\": 16384, \"registers\": 40, \"modeled_us\": 12.5,"
             "\"limiter\": \"dram\", \"ceilings\": {\"dram\": 10.0},"
             "\"occupancy\": 0.5, \"occupancy_limiter\": \"registers\","
             "\"flop_float\": 4096, \"dram_read_bytes\": 65536,"
             "\"global_load_requests\": 512, \"global_load_sectors\": 2048,"
             "\"global_load_ideal\": 2048, \"global_load_bytes\": 65536,"
             "\"lines\": [{\"file\": \"%s\", \"line\": 2,"
             "\"global_load_requests\": 512, \"global_load_sectors\": 2048,"
             "\"global_load_ideal\": 2048, \"global_load_bytes\": 65536}],"
             "\"pictures\": [{\"kind\": \"%s\", \"file\": \"%s\", \"line\": 2,"
             "\"bytes\": %d, \"block\": [1, 2, 0], \"warp\": 3,"
             "\"lanes\": [%s]}]}]}",
             file, file, file, kind, file, bytes, lanes);
    return json;
}

/* "0, 4, 8, ...": lane i at stride * i. */
static const char *lanes_at(int stride)
{
    static char text[512];
    int n = 0;

    for (int i = 0; i < 32; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? "," : "",
                      i * stride);
    return text;
}

static void shows_report(void)
{
    const char *page;
    char json[4096];

    write_file("a.cu", "__global__ void scale(float *x)\n{ x[0] < 2; }\n");
    snprintf(json, sizeof json, "%s",
             report_of(in_folder("a.cu"), "global_load", 4, lanes_at(4)));
    page = page_of(json, NULL);
    HAS(page, "<!DOCTYPE html>");
    HAS(page, "scale&lt;float&gt;");
    HAS(page, "for Tesla T4, not measured");
    HAS(page, "2 launches, grid 8 x 4, block 32 x 8, 16,384 threads");
    HAS(page, "40 registers per thread (assumed");
    HAS(page, "Occupancy 50 %, limited by registers");
    HAS(page, "<b>16 of 64 blocks were sampled</b>");
    HAS(page, "Modeled: 12.5 us");
    HAS(page, "data-title=\"Modeled\">12.5 us</td>"); /* for phones */
    HAS(page, "data-title=\"Sectors per load\">4.0 <small>of 4.0</small>");
    HAS(page, "{ x[0] &lt; 2; }");               /* the source, escaped */
    HAS(page, "global load 4.0 of 4.0 sectors"); /* beside it */
    HAS(page, "<h3>1 finding of the checks: fix it first</h3>");
    HAS(page, "race_shared</b> <a href=\"#f0-2\">a.cu:2</a>: read &amp; "
              "written");
    HAS(page, "<b>race_shared</b> read &amp; written"); /* at the line */
    HAS(page, "aria-label=\"roofline plot\"");
    HAS(page, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    HAS(page, "</body></html>");
}

/* Rows for the host and each stream; malformed spans are ignored. */
static void shows_time_line(void)
{
    static const char spans[] =
        "[0, \"host\", \"host\", 0, 4000, 0],"
        "[7, \"to device\", \"copy\", 4000, 6000, 64],"
        "[7, \"kernels\", \"a<b>\", 6000, 9000, 0],"
        "[8, \"to host\", \"copy\", 9000, 12000, 64]";
    const char *page;
    char json[2048];

    snprintf(json, sizeof json, "{\"kernels\": [{\"name\": \"k\"}], "
             "\"timeline\": {\"spans\": [%s]}}", spans);
    page = page_of(json, NULL);
    HAS(page, "<h2>Timeline</h2>");
    HAS(page, ">stream 7</text>");
    HAS(page, ">stream 8</text>");
    HAS_NOT(page, ">stream 9</text>");
    HAS(page, "a&lt;b&gt;, kernels, from 6.00 us, for 3.00 us");
    HAS(page, ">12 us</text>");
    snprintf(json, sizeof json, "{\"kernels\": [{\"name\": \"k\"}], "
             "\"timeline\": {\"spans\": [%s, 3, [], [9, 9, 9, 9, 9], "
             "[10, \"host\", \"host\", 5000, 1000, 0]]}}", spans);
    page = page_of(json, NULL);
    HAS(page, "a&lt;b&gt;, kernels, from 6.00 us, for 3.00 us");
    HAS_NOT(page, "-4.00");
    HAS(page, "</body></html>");
    HAS_NOT(page_of("{\"kernels\": [{\"name\": \"k\"}], \"timeline\": 5}",
                    NULL), "Timeline");
}

static void check_caption(const char *kind, int bytes, const char *lanes,
                          const char *words)
{
    const char *page = page_of(report_of("a.cu", kind, bytes, lanes), NULL);

    if (!strstr(page, words))
        fprintf(stderr, "no \"%s\"\n", words);
    HAS(page, words);
}

/* Computed by hand from the rules in counters.h. */
static void counts_in_captions(void)
{
    check_caption("global_load", 4, lanes_at(4),
                  "4 sectors of 32 bytes for 128 "
                  "bytes; ideal: 4.");
    check_caption("global_store", 4, lanes_at(64),
                  "32 sectors of 32 bytes for "
                  "128 bytes; ideal: 4.");
    check_caption("global_load", 1, lanes_at(1),
                  "1 sector of 32 bytes for 32 "
                  "bytes; ideal: 1.");
    check_caption("global_load", 8, "28",
                  "2 sectors of 32 bytes for 8 bytes; "
                  "ideal: 1.");
    check_caption("shared_load", 4, lanes_at(128), "32 wavefronts; ideal: 1.");
    check_caption("shared_load", 4, lanes_at(132), "1 wavefront; ideal: 1.");
    check_caption("shared_load", 4, lanes_at(0), "1 wavefront; ideal: 1.");
    check_caption("shared_load", 4, lanes_at(8), "2 wavefronts; ideal: 1.");
    check_caption("shared_store", 8, lanes_at(8), "2 wavefronts; ideal: 2.");
    check_caption("shared_store", 16, lanes_at(16), "4 wavefronts; ideal: 4.");
    check_caption("shared_store", 16, lanes_at(128),
                  "32 wavefronts; ideal: 4.");
    check_caption("shared_load", 4, "null, 4, null",
                  "1 active lanes of 4 bytes");
}

/* Markup in names, messages, paths and sources. */
static void escapes_report_text(void)
{
    const char *page = page_of(
        "{\"findings\": [{\"kind\": \"<script>\", \"file\": \"x.cu\","
        "\"line\": 1, \"message\": \"<img src=x onerror=alert(1)>\"}],"
        "\"kernels\": [{\"name\": \"</code><script>alert(1)</script>\","
        "\"file\": \"x\\\" onclick=\\\"a.cu\", \"line\": 3,"
        "\"limiter\": \"<b>\", \"modeled_us\": 1, \"lines\": [{\"file\":"
        "\"<svg/onload=a()>.cu\", \"line\": 1, \"barriers\": 1}]}]}", NULL);

    HAS_NOT(page, "<script");
    HAS_NOT(page, "<img");
    HAS_NOT(page, "<svg/");
    HAS_NOT(page, "x\" onclick");
    HAS_NOT(page, "<b>\"");
    HAS(page, "&lt;script&gt;alert(1)");
    HAS(page, "default-src &#39;none&#39;");
    HAS_NOT(page, "http://");
    HAS_NOT(page, "https://");
    HAS_NOT(page, "url(");
}

/* A report may name any file; only sources below the root are shown. */
static void shows_sources_below_root_only(void)
{
    char json[4096], root[256], other[256];
    const char *const roots[] = {root, other, NULL};

    write_file("secret.cu", "the answers\n");
    write_file("plain.txt", "the answers\n");
    snprintf(root, sizeof root, "%s", in_folder("below"));
    mkdir(root, 0700);
    snprintf(other, sizeof other, "%s", in_folder("other"));
    mkdir(other, 0700);
    snprintf(json, sizeof json, "%s",
             report_of(in_folder("below/../secret.cu"), "global_load", 4, "0"));
    HAS_NOT(page_of(json, roots), "the answers");
    snprintf(json, sizeof json, "%s",
             report_of(in_folder("plain.txt"), "global_load", 4, "0"));
    HAS_NOT(page_of(json, NULL), "the answers");
    CU_ASSERT_EQUAL(symlink("../secret.cu", in_folder("below/link.cu")), 0);
    CU_ASSERT_PTR_NULL(source_read(in_folder("below/link.cu"), roots));
    write_file("below/mine.cu", "my own\n");
    snprintf(json, sizeof json, "%s",
             report_of(in_folder("below/mine.cu"), "global_load", 4, "0"));
    HAS(page_of(json, roots), "my own");
    write_file("other/theirs.h", "a header\n");
    snprintf(json, sizeof json, "%s",
             report_of(in_folder("other/theirs.h"), "global_load", 4, "0"));
    HAS(page_of(json, roots), "a header");
}

/* "library" is no file: nothing is to be read, and no reader is told so; nor
 * is there anything for a section of its own. */
static void libraries_have_no_source(void)
{
    static const char library[] = "{\"kernels\": [{\"name\": \"add\","
        "\"line\": 0, \"file\": \"library\", \"library\": true}]}";

    HAS_NOT(page_of(library, NULL), "cannot be read");
    HAS_NOT(page_of(library, NULL), "k1");
    HAS(page_of(library, NULL), "Library functions have no counters.");
    HAS(page_of("{\"kernels\": [{\"name\": \"k\", \"line\": 1,"
                "\"file\": \"gone.cu\"}]}", NULL),
        "cannot be read");
    HAS_NOT(page_of("{\"kernels\": [{\"name\": \"k\", \"line\": 1}]}", NULL),
            "Library functions");
}

/* A compiler may write one path in two ways. */
static void matches_paths(void)
{
    CU_ASSERT(source_paths_match("k.cu", "/home/me/k.cu"));
    CU_ASSERT(source_paths_match("/a/k.cu", "/a/k.cu"));
    CU_ASSERT_FALSE(source_paths_match("k.cu", "/home/me/ok.cu"));
    CU_ASSERT_FALSE(source_paths_match("", "/home/me/k.cu"));
}

/* Opening a pipe would wait for its writer. */
static void ignores_pipes(void)
{
    CU_ASSERT_EQUAL(mkfifo(in_folder("pipe.cu"), 0600), 0);
    CU_ASSERT_PTR_NULL(source_read(in_folder("pipe.cu"), NULL));
    CU_ASSERT_PTR_NULL(source_read(in_folder("absent.cu"), NULL));
}

/* Wrong types and numbers out of range everywhere. */
static void tolerates_malformed_reports(void)
{
    static const char *const reports[] = {
        "{\"kernels\": []}",
        "{\"kernels\": [null, 3, \"k\", [], {}]}",
        "{\"card\": 7, \"findings\": {}, \"kernels\": [{\"name\": 1, \"grid\":"
        "\"x\", \"block\": [-1, 1e9, null], \"lines\": {}, \"pictures\": 4}]}",
        "{\"findings\": [1, {\"line\": -5}, {\"file\": \"a.cu\", \"line\":"
        "999999999999}], \"kernels\": [{\"lines\": [{\"line\": -1}, {\"file\":"
        "\"a.cu\", \"line\": 1000000000, \"global_load_sectors\": -4,"
        "\"global_load_requests\": 9223372036854775807}]}]}",
        "{\"kernels\": [{\"blocks\": 9223372036854775807, \"threads\": -1,"
        "\"modeled_us\": 1e300, \"occupancy\": -4, \"pictures\": [{\"kind\":"
        "\"global_load\", \"bytes\": 1000000, \"lanes\": [1]}, {\"kind\":"
        "\"shared_load\", \"bytes\": 16, \"lanes\": [9223372036854775807, -9,"
        "0.5, \"x\"]}, {\"kind\": \"none\", \"bytes\": 4}]}]}",
        "{\"kernels\": [{\"modeled_us\": 1e-300, \"flop_float\": 1,"
        "\"l2_read_sectors\": 9223372036854775807, \"limiter\": 4,"
        "\"shared_load_requests\": 5, \"shared_load_conflicts\": 9}]}",
    };

    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        struct profile_report report;
        json_t *json = json_loads(reports[i], 0, NULL);
        FILE *out = fopen("/dev/null", "w");

        HAS(page_of(reports[i], NULL), "</body></html>");
        CU_ASSERT_EQUAL(profile_report_read(json, &report), 0);
        profile_print(out, &report);
        report.columns = 40;
        profile_print(out, &report);
        profile_report_free(&report);
        json_decref(json);
        fclose(out);
    }
}

static void leaves_no_partial_file(void)
{
    json_t *json = json_loads("{\"kernels\": []}", 0, NULL);
    json_t *none = json_object();

    CU_ASSERT_EQUAL(profile_page_write(in_folder("no/such/page.html"), json),
                    -1);
    CU_ASSERT_EQUAL(errno, ENOENT);
    mkdir(in_folder("taken"), 0700);
    CU_ASSERT_EQUAL(profile_page_write(in_folder("taken"), json), -1);
    CU_ASSERT_NOT_EQUAL(access(in_folder("taken.part"), F_OK), 0);
    CU_ASSERT_EQUAL(profile_page_write(in_folder("none.html"), none), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_NOT_EQUAL(access(in_folder("none.html"), F_OK), 0);
    json_decref(json);
    json_decref(none);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"the page shows the report", shows_report},
        {"the timeline", shows_time_line},
        {"captions of access patterns", counts_in_captions},
        {"markup in names stays text", escapes_report_text},
        {"only sources below the root", shows_sources_below_root_only},
        {"libraries have no source", libraries_have_no_source},
        {"two paths of one file", matches_paths},
        {"pipes are not read", ignores_pipes},
        {"wrong types and numbers", tolerates_malformed_reports},
        {"no partial file", leaves_no_partial_file},
        CU_TEST_INFO_NULL,
    };
    char command[64];
    int status;

    if (!mkdtemp(folder))
        return 2;
    status = run_tests("page", tests);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? status : 2;
}
