/* SPDX-License-Identifier: MIT */
/* The HTML and SVG writer: what it escapes, and the markup that it writes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/svg.h"
#include "scratch.h"

static char *written; /* by the document of begin_document() */
static size_t written_bytes;

/* A document in memory. */
static struct html begin_document(void)
{
    struct html html = {.out = open_memstream(&written, &written_bytes)};

    CU_ASSERT_PTR_NOT_NULL_FATAL(html.out);
    return html;
}

/* Close the document and compare; what differs is printed. */
static void expect_written(struct html *html, const char *expected)
{
    fclose(html->out);
    CU_ASSERT_STRING_EQUAL(written, expected);
    if (strcmp(written, expected) != 0)
        printf("\n    wrote \"%s\"\n", written);
    free(written);
}

/* All five characters, in text and in formatted text. */
static void text_is_escaped(void)
{
    struct html html = begin_document();

    html_element(&html, "td", "<b>\"Tom\" & 'Jerry'</b>");
    html_text(&html, NULL);
    html_textf(&html, "%s %d%s", "<i>", 7, "&amp;");
    expect_written(&html, "<td>&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;"
                          "&lt;/b&gt;</td>&lt;i&gt; 7&amp;amp;");
}

/* No buffer cuts a long text. */
static void long_text_is_whole(void)
{
    struct html html = begin_document();
    char text[2001], expected[2001];

    memset(text, 'x', 2000);
    text[2000] = 0;
    strcpy(expected, text);
    html_textf(&html, "%s", text);
    expect_written(&html, expected);
}

/* A quote in a value cannot end the attribute. */
static void attributes_are_escaped(void)
{
    struct html html = begin_document();

    html_open_with(&html, "a", "href=#f%d-%zu title='a %s' class=%s", 3,
                   (size_t)14, "x' onclick=\"evil()", "n low");
    html_close(&html);
    html_empty(&html, "rect", "x=%.2f width=%d%% height=%lld", -0.001, 50,
               -3ll);
    expect_written(&html,
                   "<a href=\"#f3-14\" title=\"a x&#39; onclick=&quot;evil()\""
                   " class=\"n low\"></a>"
                   "<rect x=\"0\" width=\"50%\" height=\"-3\"/>");
}

/* Escape sequences of a terminal, also in UTF-8's second block. */
static void controls_are_replaced(void)
{
    struct html html = begin_document();

    html_text(&html, "a\033[2Jb\177\302\233c\r\td");
    expect_written(&html, "a?[2Jb???c?\td");
}

/* A near miss of each: the longest and the shortest forms that are valid. */
static void invalid_utf8_is_replaced(void)
{
    struct html html = begin_document();

    html_text(&html, "\303\274\342\202\254\360\237\230\200|");
    html_text(&html, "\374|\303|\300\257|\355\240\200|\357\277\277|\364\220"
                     "\200\200");
    expect_written(&html, "\303\274\342\202\254\360\237\230\200|"
                          "?|?|??|???|???|????");
}

/* A near miss of each: the characters next to those that reorder text, and a
 * letter that is written from right to left. */
static void bidi_controls_are_replaced(void)
{
    struct html html = begin_document();

    html_text(&html, "a\342\200\256b\342\201\246c\342\200\252|");
    html_text(&html,
              "\342\200\251\342\200\257\342\201\245\342\201\252\327\220");
    expect_written(&html, "a???b???c???|\342\200\251\342\200\257\342\201\245"
                          "\342\201\252\327\220");
}

/* No trailing zeros, no minus zero; NaN and infinity are no numbers of SVG. */
static void numbers_are_short(void)
{
    char text[HTML_NUMBER];

    CU_ASSERT_STRING_EQUAL(html_format_number(text, 1.50, 2), "1.5");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, 100, 2), "100");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, 100, 0), "100");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, -0.004, 2), "0");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, -0.5, 1), "-0.5");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, (double)NAN, 1), "0");
    CU_ASSERT_STRING_EQUAL(html_format_number(text, (double)INFINITY, 1), "0");
    CU_ASSERT_EQUAL(strlen(html_format_number(text, 1e308, 9)), 309);
}

/* The page allows no script and nothing from elsewhere. */
static void page_is_closed(void)
{
    struct html html = begin_document();

    html_begin(&html, "a <title>", "b{margin:0}");
    html_open_with(&html, "p", "class=dim");
    html_end(&html);
    fclose(html.out);
    CU_ASSERT_EQUAL(strncmp(written, "<!DOCTYPE html>\n", 16), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "<title>a &lt;title&gt;</title>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "<style>b{margin:0}</style>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "content=\"default-src &#39;none"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(written, "<p class=\"dim\"></p></main></body></html>\n"));
    free(written);
}

/* Zero to four bytes: each number of padding characters. */
static void png_is_base64(void)
{
    struct html html = begin_document();

    for (size_t n = 0; n <= 4; n++)
        html_png(&html, (const unsigned char *)"Man!", n, "<");
    expect_written(
        &html,
        "<img src=\"data:image/png;base64,\" alt=\"&lt;\"/>"
        "<img src=\"data:image/png;base64,TQ==\" alt=\"&lt;\"/>"
        "<img src=\"data:image/png;base64,TWE=\" alt=\"&lt;\"/>"
        "<img src=\"data:image/png;base64,TWFu\" alt=\"&lt;\"/>"
        "<img src=\"data:image/png;base64,TWFuIQ==\" alt=\"&lt;\"/>");
}

/* A drawing has a label; an empty text is not written. */
static void drawing_in_page(void)
{
    struct html html = begin_document();

    svg_open(&html, 40, 30.5, "a & b");
    svg_textf(&html, 1.25, 2, "text-anchor=end", "<%d>", 4);
    svg_textf(&html, -1, 2, "", "%s", "");
    html_close(&html);
    expect_written(&html,
                   "<svg viewBox=\"0 0 40 30.5\" width=\"40\" role=\"img\" "
                   "aria-label=\"a &amp; b\">"
                   "<text x=\"1.25\" y=\"2\" text-anchor=\"end\">&lt;4&gt;"
                   "</text>\n"
                   "<text x=\"-1\" y=\"2\"></text>\n</svg>");
}

/* Only drawings are copied into a page, whatever a path names. */
static void only_drawings_are_inserted(void)
{
    char path[PATH_BYTES], other[PATH_BYTES];
    struct html html = {.out = fopen(scratch_path(path, "drawing.svg"), "w")};

    CU_ASSERT_PTR_NOT_NULL_FATAL(html.out);
    svg_begin(&html, 10, 20, 12, "a & b");
    html_end(&html);
    fclose(html.out);
    scratch_file(other, "page.html", "<script>alert(1)</script>", 25);
    html = begin_document();
    svg_insert(&html, path);
    svg_insert(&html, other);
    svg_insert(&html, scratch_path(other, "absent.svg"));
    fclose(html.out);
    CU_ASSERT_EQUAL(strncmp(written, "<svg xmlns=", 11), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "</svg>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "aria-label=\"a &amp; b\""));
    CU_ASSERT_PTR_NULL(strstr(written, "script"));
    free(written);
}

CU_TestInfo html_tests[] = {
    {"text is escaped", text_is_escaped},
    {"long text is not cut", long_text_is_whole},
    {"attribute values are escaped and quoted", attributes_are_escaped},
    {"control characters are replaced", controls_are_replaced},
    {"controls of bidirectional text are replaced", bidi_controls_are_replaced},
    {"invalid UTF-8 is replaced", invalid_utf8_is_replaced},
    {"numbers have no trailing zeros", numbers_are_short},
    {"a page is closed", page_is_closed},
    {"PNG images are base64", png_is_base64},
    {"drawings in pages", drawing_in_page},
    {"only drawings are inserted", only_drawings_are_inserted},
    CU_TEST_INFO_NULL,
};
