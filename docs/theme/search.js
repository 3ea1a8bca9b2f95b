/* SPDX-License-Identifier: MIT */
/* Full-text search of the site, without a server: each section whose text has
 * all the words, the best first.  search-index.js has the sections.  In
 * JavaScript's version of 2009, which the tests can run without a browser. */
"use strict";

/* "Bank conflicts, __syncthreads()" -> ["bank", "conflict", "__syncthreads"]:
 * words without their usual endings, so that coalescing finds coalesced. */
function searchWords(query) {
    var words = query.toLowerCase().match(/[a-z0-9_]+/g) || [];

    return words.map(function (word) {
        return /_/.test(word) ? word
            : word.replace(/^(.{4,}?)(ing|ed|es|s|e)$/, "$1");
    });
}

/* What it adds that a section explains a term, again (~) or for the first time:
 * all words of the query, or some. */
function searchTerms(terms, words) {
    var best = 0;

    terms.split("|").forEach(function (term) {
        var parts = searchWords(term);
        var all = parts.length && parts.every(function (part) {
            return words.indexOf(part) >= 0;
        });

        if (all)
            best = Math.max(best, term.charAt(0) === "~" ? 20
                : parts.length === words.length ? 60 : 30);
    });
    return best;
}

/* How well a section fits; 0: it lacks a word.  A term is explained in one
 * section; titles say more than headings, headings more than text, a word more
 * than its letters within another, a lab's chapter more than other pages and
 * than questions, these more than headers and ladders. */
function searchScore(section, words) {
    var lower = section.map(function (part) { return part.toLowerCase(); });
    var address = section[0], page = lower[1], heading = lower[2];
    var text = lower[3];
    var score = 0, titled = 0;

    for (var i = 0; i < words.length; i++) {
        var found = (text.match(new RegExp("\\b" + words[i], "g")) || []).length;
        var inTitle = page.indexOf(words[i]) >= 0;
        var inHeading = heading.indexOf(words[i]);

        if (!found && text.indexOf(words[i]) < 0 && !inTitle && inHeading < 0)
            return 0;
        titled += inTitle;
        score += Math.min(found, 5) + (inTitle ? 12 : 0)
            + (inHeading < 0 ? 0 : inHeading ? 8 : 14);
    }
    score += searchTerms(section[4] || "", words);
    if (/^md_labs/.test(address) && titled === words.length
        && heading === "idea") score += 60;
    if (words.length > 1 && text.indexOf(words.join(" ")) >= 0) score += 10;
    if (/^ten q|^further r/.test(heading)) return score;
    if (/^md_labs|^chapter/.test(address)) return 2 * score + 12;
    return /_8h|^struct|^union|^ladder/.test(address) ? score : 2 * score;
}

/* The sections that fit, best first; of equal ones, in the order of reading. */
function searchFind(query, limit) {
    var words = searchWords(query), found = [];

    if (!words.length) return found;
    searchIndex.forEach(function (section, at) {
        var score = searchScore(section, words);

        if (score > 0) found.push({ section: section, score: score, at: at });
    });
    found.sort(function (a, b) { return b.score - a.score || a.at - b.at; });
    return found.slice(0, limit).map(function (one) { return one.section; });
}

/* Some text around the first word, with all words marked. */
function searchSnippet(text, words) {
    var at = Math.max(0, text.toLowerCase().indexOf(words[0]));
    var from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
    var part = document.createElement("span");
    var pieces = text.slice(from, from + 180)
        .split(new RegExp("(" + words.join("|") + ")", "gi"));

    if (from) part.appendChild(document.createTextNode("\u2026 "));
    pieces.forEach(function (piece, i) {
        var node = document.createElement(i % 2 ? "mark" : "span");

        node.textContent = piece;
        part.appendChild(node);
    });
    return part;
}

/* Fill the list with what a query finds. */
function searchShow(query, form, results) {
    var words = searchWords(query), found = searchFind(query, 25);
    var list = results.querySelector("ol"), status = results.querySelector("p");

    list.textContent = "";
    found.forEach(function (section) {
        var item = document.createElement("li");
        var link = document.createElement("a");
        var where = document.createElement("strong");

        where.textContent = section[1]
            + (section[2] && section[2] !== section[1] ? ": " + section[2]
                                                       : "");
        link.href = section[0];
        link.appendChild(where);
        link.appendChild(searchSnippet(section[3], words));
        item.appendChild(link);
        list.appendChild(item);
    });
    status.textContent =
        words.length && !found.length ? "No section has all these words." : "";
    results.hidden = !words.length;
    results.style.top = form.getBoundingClientRect().bottom + 8 + "px";
}

/* Up and down move through box and results, Escape closes them. */
function searchKeys(event, form, results) {
    var stops = [form.querySelector("input")]
        .concat(Array.prototype.slice.call(results.querySelectorAll("a")));
    var at = stops.indexOf(document.activeElement);

    if (event.key === "Escape") {
        results.hidden = true;
        stops[0].focus();
    } else if (event.key === "ArrowDown" && at >= 0 && at + 1 < stops.length)
        stops[at + 1].focus();
    else if (event.key === "ArrowUp" && at > 0)
        stops[at - 1].focus();
    else
        return;
    event.preventDefault();
}

/* The theme's switch between light and dark, which the theme itself would put
 * beside Doxygen's own search. */
function darkModeToggle() {
    var toggle = document.createElement("doxygen-awesome-dark-mode-toggle");

    toggle.title = "Light or dark";
    toggle.setAttribute("role", "button");
    toggle.tabIndex = 0;
    toggle.updateIcon();
    toggle.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") toggle.click();
    });
    return toggle;
}

/* Call then() when the index is there: it is loaded when it is first needed. */
function searchLoad(then) {
    var script = document.createElement("script");

    if (window.searchIndex) return then();
    script.src = "search-index.js";
    script.onload = then;
    document.head.appendChild(script);
}

/* Put the box into the sidebar. */
function searchInit() {
    var form = document.createElement("form");
    var box = document.createElement("input");
    var results = document.createElement("div");
    var status = document.createElement("p");
    var title = document.getElementById("titlearea");

    form.id = "search";
    form.setAttribute("role", "search");
    box.type = "search";
    box.placeholder = "Search the book  ( / )";
    box.setAttribute("aria-label", "Search the book");
    form.appendChild(box);
    form.appendChild(darkModeToggle());
    results.id = "search-results";
    results.hidden = true;
    status.setAttribute("role", "status");
    results.appendChild(status);
    results.appendChild(document.createElement("ol"));
    title.parentNode.insertBefore(form, title.nextSibling);
    title.parentNode.insertBefore(results, form.nextSibling);

    box.addEventListener("input", function () {
        searchLoad(function () { searchShow(box.value, form, results); });
    });
    form.addEventListener("submit", function (event) {
        var first = results.querySelector("a");

        event.preventDefault();
        if (first) location.href = first.href;
    });
    [form, results].forEach(function (part) {
        part.addEventListener("keydown", function (event) {
            searchKeys(event, form, results);
        });
    });
    document.addEventListener("keydown", function (event) {
        var tag = document.activeElement.tagName;
        if (event.key !== "/" || /INPUT|TEXTAREA/.test(tag))
            return;
        event.preventDefault();
        box.focus();
    });
    document.addEventListener("click", function (event) {
        if (!results.contains(event.target) && !form.contains(event.target))
            results.hidden = true;
    });
}

document.addEventListener("DOMContentLoaded", searchInit);
