/* SPDX-License-Identifier: MIT */
/* What docs/tests/browser asks an open page.  Each function returns a list of
 * complaints, or what it is named for. */
"use strict";

/* A short name of an element for a message. */
function siteName(element) {
    var text = (element.textContent || "").trim().replace(/\s+/g, " ");

    return element.tagName.toLowerCase()
        + (element.id ? "#" + element.id : "")
        + (element.className && element.className.split
            ? "." + element.className.split(" ")[0] : "")
        + (text ? " '" + text.slice(0, 40) + "'" : "");
}

function siteVisible(element) {
    var box = element.getBoundingClientRect();

    return box.width > 1 && box.height > 1
        && getComputedStyle(element).visibility === "visible";
}

/* Images and drawings that did not load or have no text beside them. */
function siteImages() {
    var bad = [];

    document.querySelectorAll("img").forEach(function (image) {
        if (!image.offsetParent) return; /* it is not shown */
        if (!image.complete || !image.naturalWidth)
            bad.push("broken image " + image.src);
        if (!image.getAttribute("alt"))
            bad.push("no alt text: " + image.src);
    });
    document.querySelectorAll("object, svg").forEach(function (figure) {
        if (figure.closest("button, a, doxygen-awesome-dark-mode-toggle"))
            return;
        if (figure.tagName === "OBJECT" && !figure.contentDocument)
            bad.push("broken drawing " + figure.data);
        if (!figure.getAttribute("aria-label")
            && !figure.getAttribute("aria-labelledby")
            && figure.getAttribute("aria-hidden") !== "true")
            bad.push("a drawing without a name: " + (figure.data || figure.id));
    });
    return bad;
}

/* Whatever makes the page wider than its window. */
function siteTooWide() {
    var content = document.getElementById("doc-content"), bad = [];
    var limit = document.documentElement.clientWidth;

    if (document.documentElement.scrollWidth > limit)
        bad.push("the page is " + document.documentElement.scrollWidth
            + " px wide in a window of " + limit);
    if (content && content.scrollWidth > content.clientWidth + 1) {
        content.querySelectorAll(".contents *").forEach(function (part) {
            if (bad.length < 3 && part.getBoundingClientRect().right > limit + 1
                && !siteScrolls(part))
                bad.push("too wide: " + siteName(part));
        });
        if (!bad.length) bad.push("the text is too wide");
    }
    return bad;
}

/* Lines of 80 columns and tables of nine that a wide window cuts: the reader
 * would have to scroll sideways through each. */
function siteCut() {
    var bad = [];

    document.querySelectorAll(".textblock .fragment, "
        + ".textblock table.markdownTable tbody").forEach(function (part) {
        var columns = part.tagName === "TBODY" && part.rows[0].cells.length;
        var widest = Math.max.apply(null, part.innerText.split("\n").map(
            function (line) { return line.length; }));

        if (part.scrollWidth > part.clientWidth + 1
            && (columns ? columns <= 9 : widest <= 80))
            bad.push("cut at the right: " + siteName(part));
    });
    return bad;
}

/* Tables, other than folded ones, that a narrow window cuts. */
function siteTables() {
    return Array.prototype.filter.call(document.querySelectorAll("table"),
        function (table) {
            return !table.closest("details")
                && table.getBoundingClientRect().right
                > document.documentElement.clientWidth + 1;
        }).slice(0, 3).map(function (table) {
            return "columns are cut: " + siteName(table);
        });
}

/* An edge that fades, as if there were more behind it. */
function siteFaded() {
    var bad = [];

    document.querySelectorAll(".contents .more").forEach(function (part) {
        var most = 0, side = part.getBoundingClientRect().left;

        part.querySelectorAll("*").forEach(function (inner) {
            most = Math.max(most, inner.getBoundingClientRect().right);
        });
        if (siteVisible(part) && part.children.length
            && side + part.scrollWidth <= window.innerWidth
            && most <= window.innerWidth)
            bad.push("fades, and has no more: " + siteName(part));
    });
    document.querySelectorAll(".contents .more .caption").forEach(
        function (caption) {
            var words = document.createRange();

            words.selectNodeContents(caption);
            if (words.getBoundingClientRect().right
                > caption.parentElement.getBoundingClientRect().right - 36)
                bad.push("a caption that fades: " + siteName(caption));
        });
    return bad;
}

/* The first row of a table that has no words, or larger ones than the others. */
function siteHeads() {
    var bad = [];

    document.querySelectorAll(".contents tr.markdownTableHead").forEach(
        function (row) {
            var below = row.nextElementSibling;

            if (!siteVisible(row)) return;
            if (!row.textContent.trim())
                bad.push("an empty head: " + siteName(row.closest("table")));
            else if (below && getComputedStyle(row.cells[0]).fontSize
                    !== getComputedStyle(below.cells[0]).fontSize)
                bad.push("a head of another size: " + siteName(row));
        });
    return bad;
}

/* Arrows to other chapters that stand on a line of their own. */
function siteArrows() {
    var bad = [];

    document.querySelectorAll(".chapters span").forEach(function (span) {
        var range = document.createRange(), arrow = span.firstChild, at = 0;

        if (!/\u2190/.test(arrow.textContent)) {
            arrow = span.lastChild;
            at = arrow.textContent.indexOf("\u2192");
            if (at < 0) return;
        }
        range.setStart(arrow, at);
        range.setEnd(arrow, at + 1);
        var box = range.getBoundingClientRect();
        var link = span.querySelector("a").getClientRects();
        var line = link[at ? link.length - 1 : 0];

        if (Math.abs(line.top - box.top) > line.height / 2)
            bad.push("an arrow alone: " + siteName(span));
    });
    return bad;
}

/* Titles that the sidebar cuts, once its tree is there: it is loaded late. */
function siteSidebar() {
    return new Promise(function (done) {
        var side = document.getElementById("side-nav"), tries = 0;
        var timer = setInterval(function () {
            var bad = [];

            if (side && !side.querySelector(".selected") && ++tries < 100)
                return;
            clearInterval(timer);
            var links = document.querySelectorAll("#nav-tree .label a");
            links.forEach(function (a) {
                if (a.offsetParent && a.getBoundingClientRect().right
                        > side.getBoundingClientRect().right)
                    bad.push("cut by the sidebar: " + siteName(a));
            });
            done(bad);
        }, 20);
    });
}

/* A sidebar that leaves less than three fifths of the window for the text, and
 * titles in it so near to the next that they look like one. */
function siteRoom() {
    var bad = [], last = null;
    var text = document.getElementById("doc-content");
    var share = text ? text.getBoundingClientRect().width / innerWidth : 1;

    if (share < 0.6)
        bad.push("the text has " + Math.round(100 * share) + " % of the window");
    document.querySelectorAll("#nav-tree .label a").forEach(function (a) {
        var box = a.getBoundingClientRect();

        if (!a.offsetParent)
            return;
        if (last && box.top > last.top && box.top - last.bottom < 8)
            bad.push("no room above: " + siteName(a));
        last = box;
    });
    return bad;
}

/* Letters of drawings that are smaller than can be read. */
function siteSmallText() {
    var bad = [], least = 8;
    var text = document.querySelector(".contents") || document;

    text.querySelectorAll("object, svg").forEach(
        function (figure) {
            var ground = figure.tagName === "OBJECT" ? figure.contentDocument
                : figure;
            var smallest = 99;

            if (!ground || !siteVisible(figure)) return;
            ground.querySelectorAll("text").forEach(function (text) {
                var matrix = text.getScreenCTM();
                var view = text.ownerDocument.defaultView;
                var style = view.getComputedStyle(text);

                smallest = Math.min(smallest, parseFloat(style.fontSize)
                    * Math.hypot(matrix.a, matrix.b));
            });
            if (smallest < least)
                bad.push("letters of " + smallest.toFixed(1) + " px: "
                    + (figure.data || figure.getAttribute("aria-label")));
        });
    return bad;
}

/* Words of drawings that an arrow runs through. */
function siteCrossed() {
    var bad = [];

    document.querySelectorAll(".contents object").forEach(function (figure) {
        var ground = figure.contentDocument;

        if (!ground) return;
        ground.querySelectorAll("g.cluster > text, g.edge > text").forEach(
            function (text) {
                var box = text.getBBox(), hit = false;

                ground.querySelectorAll("g.edge > path").forEach(
                    function (path) {
                        var at, i, length = path.getTotalLength();

                        for (i = 0; i <= 60 && !hit; i++) {
                            at = path.getPointAtLength(length * i / 60);
                            hit = at.x > box.x + 1
                                && at.x < box.x + box.width - 1
                                && at.y > box.y + 2
                                && at.y < box.y + box.height - 2;
                        }
                    });
                if (hit)
                    bad.push("an arrow through words: " + figure.data + ": "
                        + text.textContent);
            });
    });
    return bad;
}

/* Is the element in a box with a scroll bar of its own? */
function siteScrolls(element) {
    for (var up = element; up && up.id !== "doc-content"; up = up.parentElement)
        if (/auto|scroll|hidden/.test(getComputedStyle(up).overflowX))
            return true;
    return false;
}

/* "rgb(1, 2, 3)" -> [1, 2, 3, 1] */
function siteColor(text) {
    var parts = text.match(/[\d.]+/g).map(Number);

    if (parts.length < 4) parts.push(1);
    return parts;
}

/* The color over others that are partly seen through. */
function siteGround(element) {
    var layers = [], color;

    for (var up = element; up; up = up.parentElement) {
        color = siteColor(getComputedStyle(up).backgroundColor);
        if (color[3] > 0) layers.push(color);
        if (color[3] === 1) break;
    }
    color = [255, 255, 255];
    layers.reverse().forEach(function (over) {
        color = color.map(function (c, i) {
            return over[3] * over[i] + (1 - over[3]) * c;
        });
    });
    return color;
}

/* WCAG 2's relative luminance. */
function siteLuminance(color) {
    var part = color.slice(0, 3).map(function (c) {
        c /= 255;
        return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    });

    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}

/* Text with less than WCAG's contrast: 4.5, large text 3. */
function siteContrast() {
    var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    var seen = {}, bad = [], node;

    while ((node = walker.nextNode())) {
        var element = node.parentElement;

        if (!node.textContent.trim() || !siteVisible(element)
            || element.closest("svg, script, style, [aria-hidden=true]"))
            continue;
        var style = getComputedStyle(element);
        var front = siteColor(style.color), ground = siteGround(element);
        var front_seen = front.slice(0, 3).map(function (c, i) {
            return front[3] * c + (1 - front[3]) * ground[i];
        });
        var a = siteLuminance(front_seen), b = siteLuminance(ground);
        var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        var size = parseFloat(style.fontSize);
        var large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        var key = style.color + ground + large;

        if (ratio < (large ? 3 : 4.5) - 0.005 && !seen[key]) {
            seen[key] = true;
            bad.push("contrast " + ratio.toFixed(2) + ": " + siteName(element));
        }
    }
    return bad;
}

/* Landmarks, one title, headings that skip no level, names of controls.  A page
 * without the site around it has nothing to navigate or to search. */
function siteStructure() {
    var bad = [], level = 1;
    var text = document.getElementById("doc-content") || document;
    var roles = text === document ? ["main"] : ["main", "navigation", "search"];

    if (document.documentElement.lang !== "en") bad.push("no language");
    if (!document.title) bad.push("no title");
    roles.forEach(function (role) {
        var count = document.querySelectorAll("[role=" + role + "], "
            + (text === document ? role : "none")).length;

        if (count !== 1) bad.push(count + " landmarks of role " + role);
    });
    text.querySelectorAll("[role=heading], h1, h2, h3").forEach(function (
        heading) {
        var now = Number(heading.getAttribute("aria-level")
            || heading.tagName.slice(1));

        if (now > level + 1) bad.push("level skipped: " + siteName(heading));
        level = now;
    });
    document.querySelectorAll("input, button, select, [role=button]")
        .forEach(function (control) {
            var name = control.getAttribute("aria-label") || control.title
                || (control.labels && control.labels.length)
                || control.textContent.trim();

            if (!name)
                bad.push("a control without a name: " + siteName(control));
            if (control.tabIndex < 0)
                bad.push("not reached by Tab: " + siteName(control));
        });
    return bad;
}

/* Where the page's links lead, and what its own anchors are. */
function siteLinks() {
    var to = [], ids = [];

    document.querySelectorAll("a[href], area[href]").forEach(function (link) {
        if (/^file:/.test(link.href)) to.push(link.href);
    });
    document.querySelectorAll("[id]").forEach(function (e) { ids.push(e.id); });
    document.querySelectorAll("a[name]").forEach(function (e) {
        ids.push(e.name);
    });
    return { to: to, ids: ids };
}
