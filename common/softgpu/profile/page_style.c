/* SPDX-License-Identifier: MIT */
/* The style sheet of the page, and elements that several sections use. */
#include "page.h"
#include "source_file.h"
#include "text_format.h"

int page_file_index(const struct page *page, const char *file)
{
    for (size_t i = 0; file && i < page->file_count; i++)
        if (source_paths_match(page->files[i], file))
            return (int)i;
    return -1;
}

void page_source_link(const struct page *page, const char *file, int line)
{
    int number = page_file_index(page, file);

    if (number >= 0)
        html_open_with(page->html, "a", "href=#f%d-%d", number, line);
    html_textf(page->html, "%s:%d", path_basename(file), line);
    if (number >= 0)
        html_close(page->html);
}

void page_number_cell(const struct page *page, int is_low, const char *text)
{
    html_open_with(page->html, "td", "class=%s", is_low ? "n low" : "n");
    html_text(page->html, text);
    html_close(page->html);
}

void page_bar(const struct page *page, double share, const char *text)
{
    html_open_with(page->html, "i", "style=width:%.1f%%",
                   share < 1 ? 100 * share : 100);
    html_close(page->html);
    html_element(page->html, "b", text);
}

/* Words of access patterns have the same colors in dark mode: their text is
 * dark. */
const char page_style[] =
    ":root{--bg:#fcfcfa;--fg:#1c2329;--dim:#56626d;--rule:#dce1e5;--in:#f2f4f2;"
    "--ok:#3a7d44;--hot:#b03f12;--bad:#b3261e;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--bg:#15191c;--fg:#e2e6e9;"
    "--dim:#94a0aa;--rule:#333b42;--in:#1d2327;--ok:#77c584;--hot:#f0895c;"
    "--bad:#ff8a80}}"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;padding:1.2rem;max-width:1180px;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,Helvetica,Arial,sans-serif}"
    "h1{font-size:1.6rem;margin:.2rem 0}"
    "h2{font-size:1.25rem;margin:2.6rem 0 .3rem;border-top:1px solid "
    "var(--rule);"
    "padding-top:1.2rem}"
    "h3{font-size:1rem;margin:1.4rem 0 .4rem}h2,h3{overflow-wrap:anywhere}"
    "a{color:var(--ok)}.dim,caption,figcaption,small{color:var(--dim)}"
    "code,.src,td.n,.bar b{font-family:ui-monospace,DejaVu Sans Mono,Menlo,"
    "Consolas,monospace;font-size:.87em}"
    /* an edge behind which there is more is shaded; it scrolls out of sight */
    ".wide,figure{overflow-x:auto;background:linear-gradient(to left,"
    "var(--bg) 30%,transparent) right/4rem 100% no-repeat local,"
    "linear-gradient(to left,var(--rule),transparent) right/1.2rem 100% "
    "no-repeat scroll}table{border-collapse:collapse;font-size:.92rem}"
    "th,td{text-align:left;padding:.25rem .7rem .25rem 0;vertical-align:top;"
    "border-bottom:1px solid var(--rule)}"
    "th{font-weight:600;font-size:.82rem;color:var(--dim);vertical-align:"
    "bottom}"
    "th[title]{text-decoration:underline dotted;text-underline-offset:3px}"
    "td.n,td:first-child{white-space:nowrap}td.n,th.n{text-align:right}"
    "td.low{color:var(--hot);font-weight:600}"
    "ol.advice{background:var(--in);border-left:4px solid var(--ok);"
    "padding:.7rem 1rem .7rem 2.2rem;margin:1rem 0;max-width:52rem}"
    "ol.advice li+li{margin-top:.5rem}"
    ".bar{display:grid;grid-template-columns:13rem 1fr 5rem;gap:.7rem;"
    "max-width:44rem;align-items:center;font-size:.88rem}"
    ".bar i{display:block;height:.65rem;background:var(--dim);opacity:.55;"
    "min-width:1px}.bar.top i{background:var(--hot);opacity:1}"
    ".bar b{font-weight:400;text-align:right}"
    ".key{display:inline-block;width:1.4em;height:1em;vertical-align:-.1em;"
    "margin:0 .4em 0 .8em}.named{white-space:nowrap}"
    ".timeline svg{min-width:44rem}"
    "figure{margin:1rem 0}figcaption{font-size:.88rem;"
    "max-width:52rem}svg{display:block;max-width:100%;min-width:34rem;"
    "height:auto}svg text{font:11px system-ui,Helvetica,Arial,sans-serif;"
    "fill:var(--dim)}svg .name{fill:var(--fg);font-weight:600}"
    ".grid{stroke:var(--rule)}.roof{stroke:var(--fg);fill:none;stroke-width:1."
    "6}"
    ".roof2{stroke:var(--dim);fill:none;stroke-dasharray:5 4}"
    ".dot{fill:var(--hot)}.ring{fill:var(--bg);stroke:var(--hot)}"
    ".row{fill:var(--in)}.used{fill:#b9dfbf}.conflict{fill:#f2ad8c}"
    ".unused{fill:#f6ddd0}.frame{fill:none;stroke:var(--dim)}"
    "svg text.lane,svg text.lanes{font-size:9px;fill:#1a2a1d;"
    "text-anchor:middle}svg text.lanes{font-size:8px;letter-spacing:-.4px}"
    ".src{background:var(--in);padding:.5rem 0;line-height:1.45}"
    ".src>div{display:grid;grid-template-columns:3.2rem 3.2rem minmax(0,1fr) "
    "fit-content(60%);column-gap:.7rem;padding-right:.7rem;"
    "scroll-margin-top:3rem;"
    "background:rgba(226,96,34,calc(var(--c,0)*.55))}"
    ".src>div:target{outline:2px solid var(--ok)}"
    ".src u{color:var(--fg);text-align:right;text-decoration:none}"
    ".src s{text-align:right;text-decoration:none}"
    ".src "
    "pre{margin:0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".src .w{text-align:right;font-size:.93em}.src .w span{white-space:nowrap;"
    "display:inline-block;margin-left:.8rem}.low{color:var(--hot)}"
    ".src .low,.src small{color:var(--fg)}.src .low{font-weight:600}"
    ".src p{grid-column:3/-1;margin:.15rem 0 .4rem;padding:.25rem .6rem;"
    "border-left:4px solid "
    "var(--bad);background:var(--bg);font-family:system-ui,"
    "sans-serif}.src p b{color:var(--bad)}"
    ".src .gap{border-left:0;color:var(--dim);padding:.1rem 0 .1rem 7rem}"
    "details{margin:.8rem 0}summary{cursor:pointer;color:var(--dim)}"
    "@media(max-width:760px){body{padding:.8rem}.src>div{grid-template-columns:"
    "2.2rem 2.6rem minmax(0,1fr);column-gap:.4rem}.src .w{grid-column:3;"
    "text-align:left}.src .w span{margin:0 .8rem 0 0;white-space:normal}"
    ".bar{grid-template-columns:8.5rem 1fr 4.4rem}svg{min-width:44rem}"
    ".timeline svg text{font-size:15px}td:first-child{white-space:normal}"
    ".kernels,.kernels tbody,.kernels tr{display:block}.kernels "
    "th{display:none}.kernels tr{display:flex;flex-wrap:wrap;gap:0 1rem;"
    "padding:.3rem 0;border-bottom:1px solid var(--rule)}"
    ".kernels td{border:0;padding:0;font-size:.8rem}"
    ".kernels td:first-child{flex-basis:100%}"
    ".kernels td[data-title]::before{content:attr(data-title) ': ';"
    "color:var(--dim);font:.82rem system-ui,Helvetica,Arial,sans-serif}}"
    "@media print{.src,figure,ol{break-inside:avoid}}";
