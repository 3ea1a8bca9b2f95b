/* SPDX-License-Identifier: MIT */
/* Tables, code and plots that are wider than the page scroll sideways: they can
 * be reached by the Tab key, so that arrow keys scroll them, and their right
 * edge fades (warpbook.css) as long as there is more to see.  A table is set
 * tighter first, where that saves it from scrolling. */
"use strict";

/* The first of three sizes that fits; the first of all, if none does. */
function scrollingTighten(table) {
    var body = table.querySelector("tbody");
    var sizes = ["", "tight", "tight tighter"];

    sizes.concat("").some(function (size) {
        table.classList.remove("tight", "tighter");
        if (size) table.classList.add.apply(table.classList, size.split(" "));
        return body.scrollWidth <= body.clientWidth;
    });
}

/* Behind the longest line is the padding of the box: nothing to see. */
function scrollingFade(part) {
    var padding = parseFloat(getComputedStyle(part).paddingRight) || 0;

    part.classList.toggle("more", part.scrollLeft + part.clientWidth
        < part.scrollWidth - Math.max(1, padding));
}

function scrollingReach() {
    document.querySelectorAll(".contents table.markdownTable")
        .forEach(scrollingTighten);
    // lists of names break their lines, and reach into the margins
    document.querySelectorAll(".contents table:not(.memberdecls) > tbody, "
        + ".contents .fragment, .contents .image").forEach(
        function (part) {
            if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
            else part.removeAttribute("tabindex");
            scrollingFade(part);
            part.onscroll = function () { scrollingFade(part); };
        });
}

document.addEventListener("DOMContentLoaded", scrollingReach);
window.addEventListener("load", scrollingReach);
window.addEventListener("resize", scrollingReach);
