/* SPDX-License-Identifier: MIT */
/* Tables and code that are wider than the page scroll sideways: they can be
 * reached by the Tab key, so that arrow keys scroll them. */
"use strict";

function scrollingReach() {
    document.querySelectorAll(".contents tbody, .contents .fragment").forEach(
        function (part) {
            if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
            else part.removeAttribute("tabindex");
        });
}

document.addEventListener("DOMContentLoaded", scrollingReach);
window.addEventListener("load", scrollingReach);
window.addEventListener("resize", scrollingReach);
