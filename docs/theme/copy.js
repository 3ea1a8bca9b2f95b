/* SPDX-License-Identifier: MIT */
/* A button on each block of code copies it: commands, programs, output.  Diffs
 * have none, as nobody would paste their signs. */
"use strict";

/* The text of a block as it was written: without numbers of lines, and without
 * the space that Doxygen puts into an empty line. */
function copyText(block) {
    var part = block.cloneNode(true), lines = part.querySelectorAll(".line");

    part.querySelectorAll(".lineno, .ttc").forEach(function (node) {
        node.remove();
    });
    return (lines.length ? Array.prototype.map.call(lines, function (line) {
        return line.textContent;
    }).join("\n") : part.textContent)
        .replace(/\u00a0/g, " ").replace(/ +$/gm, "").replace(/\n*$/, "\n");
}

/* By the clipboard, which a page has that comes from a file or by https; else
 * by the command that older browsers have. */
function copyPut(text) {
    var box = document.createElement("textarea");

    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    box.value = text;
    document.body.appendChild(box);
    box.select();
    document.execCommand("copy");
    box.remove();
    return Promise.resolve();
}

function copyButton(block) {
    var frame = document.createElement("div");
    var button = document.createElement("button");

    frame.className = "copied";
    button.type = "button";
    button.className = "copy screen";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
        copyPut(copyText(block)).then(function () {
            button.textContent = "Copied";
            setTimeout(function () { button.textContent = "Copy"; }, 1500);
        });
    });
    block.parentNode.replaceChild(frame, block);
    frame.appendChild(block);
    frame.appendChild(button);
}

document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".contents .fragment:not(.diff)")
        .forEach(copyButton);
});
