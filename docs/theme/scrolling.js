/* SPDX-License-Identifier: MIT */
/* Tables, code and plots that are wider than the page scroll sideways: they can
 * be reached by the Tab key, so that arrow keys scroll them, and their right
 * edge fades (warpbook.css) as long as there is more to see. */
"use strict";

function scrollingFade(part) {
    part.classList.toggle("more",
        part.scrollLeft + part.clientWidth < part.scrollWidth - 1);
}

function scrollingReach() {
    document.querySelectorAll(".contents tbody, .contents .fragment, "
        + ".contents .image").forEach(
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
