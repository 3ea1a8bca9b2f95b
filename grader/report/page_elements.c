/* SPDX-License-Identifier: MIT */
/* The style sheet of the pages, and elements that they share. */
#include <string.h>

#include "page_elements.h"

const char pages_style[] =
    ":root{--bg:#fcfcfa;--fg:#1c2329;--dim:#5c6873;--rule:#dce1e5;"
    "--in:#f1f3f1;--ok:#2f6f3a;--bad:#b3261e;--wait:#8a5a00;--bar:#5b7fa6;"
    "color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--bg:#15191c;--fg:#e2e6e9;"
    "--dim:#9aa6b0;--rule:#333b42;--in:#1d2327;--ok:#77c584;--bad:#ff8a80;"
    "--wait:#e0b050;--bar:#7fa8d6}}"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;padding:1.2rem;max-width:72rem;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;"
    "overflow-wrap:anywhere}"
    "h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2.2rem 0 "
    ".4rem;border-top:1px solid var(--rule);padding-top:1rem}"
    "h3{font-size:1rem;margin:1.4rem 0 .3rem}a{color:inherit}"
    ".dim,small,figcaption{color:var(--dim)}"
    ".ok{color:var(--ok)}.bad{color:var(--bad)}.wait{color:var(--wait)}"
    "b.ok,b.bad,b.wait{font-size:.85em;white-space:nowrap}"
    "code,pre,td.n,.k{font-family:ui-monospace,DejaVu Sans Mono,Menlo,"
    "Consolas,monospace;font-size:.87em}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem;"
    "width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem "
    ".3rem 0;border-bottom:1px solid var(--rule);min-width:3.5rem}"
    "th{font-size:.82rem;color:var(--dim);overflow-wrap:normal}"
    "td.n,th.n{text-align:right;white-space:nowrap}"
    "td.t{min-width:9rem}td.m{min-width:14rem;width:60%}"
    ".note{background:var(--in);border-left:4px solid var(--wait);"
    "padding:.5rem .8rem;margin:.8rem 0}"
    "pre{background:var(--in);margin:.4rem 0;padding:.5rem;line-height:1.45;"
    "white-space:pre-wrap}pre.wide{white-space:pre}pre s{text-decoration:none;color:var(--dim);"
    "user-select:none}pre b{color:var(--bad)}"
    "dl{display:grid;grid-template-columns:9rem 1fr;gap:.15rem 1rem;margin:"
    ".4rem 0}dt{color:var(--dim)}dd{margin:0}"
    "figure{margin:1rem 0}figcaption{font-size:.88rem;margin-bottom:.4rem}"
    ".charts{display:grid;gap:0 2rem;grid-template-columns:repeat(auto-fill,"
    "minmax(min(22rem,100%),1fr))}"
    "svg{display:block;max-width:100%;height:auto}"
    "svg text{font:11px system-ui,Helvetica,Arial,sans-serif;"
    "fill:var(--dim)}svg .c{text-anchor:middle}svg .e{text-anchor:end}"
    ".bar{fill:var(--bar)}.axis{stroke:var(--rule)}"
    ".dot{fill:var(--bar);fill-opacity:.45}.mark{stroke:var(--bad);"
    "stroke-width:2}.fill-ok{fill:var(--ok)}.fill-wait{fill:var(--wait)}"
    ".fill-bad{fill:var(--bad)}"
    "summary{cursor:pointer;color:var(--dim);margin:.6rem 0}"
    "@media(max-width:600px){body{padding:.7rem;font-size:14px}"
    "dl{grid-template-columns:1fr}dd{margin:0 0 .3rem}"
    "td.m{min-width:11rem}th,td{padding-right:.5rem}"
    ".s,.s tbody{display:block}.s tr{display:grid;column-gap:.8rem;"
    "grid-template-columns:1fr auto auto;padding:.4rem 0;"
    "border-bottom:1px solid var(--rule)}.s th,.s td:empty{display:none}"
    ".s td{border:0;padding:0;width:auto;min-width:0}"
    ".s td.m{grid-column:1/-1}}"
    "@media print{:root{--bg:#fff;--fg:#000;--dim:#444;--in:#f4f4f4;"
    "--rule:#bbb;--ok:#20602c;--bad:#a01010;--wait:#704800;--bar:#456}"
    "body{padding:0;max-width:none;font-size:10pt}.wide{overflow:visible}"
    "tr,figure,pre,.note{break-inside:avoid}h2,h3{break-after:avoid}"
    "summary{display:none}}";

void page_head_row(struct html *h, const char *const *names)
{
    html_open(h, "tr");
    for (; *names; names++)
        html_element(h, "th", *names);
    html_close(h);
    html_newline(h);
}

void page_fact(struct html *h, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    html_element(h, "dt", name);
    html_element(h, "dd", value);
    html_newline(h);
}

const char *verdict_class(const char *verdict)
{
    if (!strcmp(verdict, "PASS"))
        return "ok";
    return !strcmp(verdict, "NOT GRADED") || !strcmp(verdict, "UNMEASURED")
                   || !strcmp(verdict, "WAITS") || !strcmp(verdict, "-")
               ? "wait"
               : "bad";
}

void page_verdict(struct html *h, const char *verdict)
{
    html_open_with(h, "b", "class=%s", verdict_class(verdict));
    html_text(h, verdict);
    html_close(h);
}
