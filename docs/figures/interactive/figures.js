/* SPDX-License-Identifier: MIT */
/* The interactive figures: each draws itself as SVG from the values of its
 * controls.  docs/make-chapters calls figureStatic() once, so that a reader
 * without JavaScript, and the printed book, has the figure with its first
 * values; in a browser figureStart() adds the controls.  The numbers are those
 * of counts.js. */
"use strict";

/* A figure is 360 wide, so that a phone shows it 1:1. */
function svgBox(x, y, width, height, kind, title) {
    return "<rect x='" + x + "' y='" + y + "' width='" + width + "' height='"
        + height + "' class='f-" + kind + "'>"
        + (title ? "<title>" + title + "</title>" : "") + "</rect>";
}

function svgText(x, y, text, kind) {
    return "<text x='" + x + "' y='" + y + "'"
        + (kind ? " class='f-" + kind + "'" : "") + ">" + text + "</text>";
}

function svgAll(height, label, parts) {
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 360 " + height
        + "' role='img' aria-label='" + label + "'>" + parts.join("")
        + "</svg>";
}

/* 12345 -> "12,345" */
function figureNumber(n) {
    return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/* 1 -> "1 lane", 3 -> "3 lanes" */
function figureCount(n, word) {
    return figureNumber(n) + " " + word + (n === 1 ? "" : "s");
}

var figures = {};

figures.coalescing = {
    title: "One request of a warp: which sectors does it touch?",
    tallest: 181, /* so that the page does not move under the slider */
    controls: [
        { name: "stride", label: "Stride (floats)", min: 1, max: 32,
          first: 3 },
        { name: "offset", label: "Offset (floats)", min: 0, max: 7 }
    ],
    words: function (v) {
        var sectors = countSectors(v.stride, v.offset);

        return "Lane i loads float " + v.offset + " + " + v.stride + " i. The "
            + "request touches " + figureCount(sectors, "sector") + ", "
            + figureNumber(32 * sectors)
            + " bytes, of which the warp uses 128: "
            + Math.round(400 / sectors) + " %.";
    },
    draw: function (v) {
        var used = [], touched = [], rows, parts = [];

        countRange(32).forEach(function (lane) {
            var word = v.offset + lane * v.stride;

            used[word] = lane;
            touched[word >> 3] = true;
        });
        rows = (used.length + 63) >> 6;
        parts.push(svgText(0, 10,
            "Memory, 64 floats a row; 8 floats are a sector"),
            svgBox(0, 17, 10, 8, "on"), svgText(15, 25, "used"),
            svgBox(60, 17, 10, 8, "paid"),
            svgText(75, 25, "transferred, not used"),
            svgBox(220, 17, 10, 8, "off"), svgText(235, 25, "not touched"));
        countRange(64 * rows).forEach(function (word) {
            var kind = used[word] !== undefined ? "on"
                : touched[word >> 3] ? "paid" : "off";
            var column = word & 63, x = 5.25 * column + 2 * (column >> 3);

            parts.push(svgBox(x, 32 + 9 * (word >> 6), 4.5, 8, kind,
                kind === "on" ? "lane " + used[word] : ""));
        });
        return svgAll(34 + 9 * rows, this.words(v), parts);
    }
};

figures.banks = {
    title: "A column of a tile in shared memory: which banks?",
    controls: [
        { name: "padding", label: "Padding (words a row)", min: 0, max: 8 }],
    words: function (v) {
        var wavefronts = countWavefronts(v.padding);

        return "With rows of " + (32 + v.padding) + " words, the 32 lanes of a "
            + "column need " + figureCount(wavefronts, "wavefront") + ": "
            + (wavefronts === 1 ? "no conflict."
                : figureCount(wavefronts - 1, "conflict") + ".");
    },
    draw: function (v) {
        var parts = [svgText(0, 12,
            "Lane (down) and the bank of its word (across)")];
        var lanes = [];

        countRange(32).forEach(function (lane) {
            var bank = countBank(lane, v.padding);

            lanes[bank] = (lanes[bank] || 0) + 1;
            countRange(32).forEach(function (b) {
                parts.push(svgBox(2 + 11 * b, 20 + 9 * lane, 10, 8,
                    b !== bank ? "off" : lanes[bank] === 1 ? "on" : "bad",
                    b === bank ? "lane " + lane + ", bank " + b : ""));
            });
        });
        parts.push(svgBox(2, 318, 10, 8, "on"),
            svgText(17, 326, "first of its bank"),
            svgBox(140, 318, 10, 8, "bad"),
            svgText(155, 326, "another wavefront"));
        return svgAll(332, this.words(v), parts);
    }
};

/* Values after each round of a tree of 16: a list of lists. */
function figureTree(sequential) {
    var values = countRange(16).map(function (i) { return i + 1; });
    var all = [values.slice()];

    countRange(4).forEach(function (round) {
        var before = values.slice();

        countAdders(16, sequential, round).forEach(function (t) {
            values[t] = before[t]
                + before[countPartner(16, sequential, round, t)];
        });
        all.push(values.slice());
    });
    return all;
}

figures.reduction = {
    title: "A sum as a tree: which threads work?",
    controls: [
        { name: "sequential", label: "Addressing",
          choices: ["interleaved", "sequential"] },
        { name: "step", label: "Round", min: 0, max: 4, step: true }
    ],
    words: function (v) {
        var warps = 0;

        countRange(8).forEach(function (round) {
            warps += countDistinct(countAdders(256, v.sequential, round)
                .map(function (t) { return t >> 5; }));
        });
        return "After " + figureCount(v.step, "round") + " of 4, "
            + figureCount(16 >> v.step, "partial sum")
            + " left. The same tree for a block of 256: its 8 warps are active "
            + warps + " times in all, "
            + "and its shared memory needs "
            + figureNumber(countReduction(256, v.sequential)) + " wavefronts.";
    },
    draw: function (v) {
        var parts = [], rows = figureTree(v.sequential);

        rows.slice(0, v.step + 1).forEach(function (values, row) {
            var adders = row < v.step
                ? countAdders(16, v.sequential, row) : [];
            var y = 20 + 42 * row;

            parts.push(svgText(0, y - 6,
                row ? "after round " + row : "values"));
            values.forEach(function (value, i) {
                var live = row === 0 || countAdders(16, v.sequential, row - 1)
                    .indexOf(i) >= 0;

                parts.push(svgBox(1 + 22.4 * i, y, 21, 20,
                    adders.indexOf(i) >= 0 ? "on" : live ? "paid" : "off"));
                parts.push(svgText(11.5 + 22.4 * i, y + 14, value,
                    adders.indexOf(i) >= 0 ? "in" : live ? "mid" : "faint"));
            });
        });
        parts.push(svgBox(0, 222, 10, 8, "on"),
            svgText(15, 230, "its thread adds in the next round"));
        return svgAll(236, this.words(v), parts);
    }
};

/* Values after each round of a scan of 16 ones. */
function figureScan(blelloch) {
    var values = countRange(16).map(function () { return 1; });
    var all = [values.slice()];

    countScanRounds(16, blelloch).forEach(function (pairs) {
        if (pairs[0][2] && pairs.length === 1) values[15] = 0;
        var before = values.slice();

        pairs.forEach(function (pair) {
            values[pair[0]] = before[pair[0]] + before[pair[1]];
            if (pair[2]) values[pair[1]] = before[pair[0]];
        });
        all.push(values.slice());
    });
    return all;
}

figures.scan = {
    title: "Running sums of sixteen ones, round by round",
    controls: [
        { name: "blelloch", label: "Algorithm",
          choices: ["Hillis and Steele", "Blelloch"] },
        { name: "step", label: "Round", min: 0, max: 8, step: true }
    ],
    words: function (v) {
        var rounds = countScanRounds(16, v.blelloch), done = 0;
        var step = Math.min(v.step, rounds.length);

        rounds.slice(0, step).forEach(function (pairs) {
            done += pairs.length;
        });
        return "After " + figureCount(step, "round") + " of " + rounds.length
            + ": " + figureCount(done, "addition") + " of "
            + countScan(16, v.blelloch) + ". A tile of 512 needs "
            + figureNumber(countScan(512, v.blelloch)) + " in "
            + countScanRounds(512, v.blelloch).length + " rounds.";
    },
    draw: function (v) {
        var parts = [], rows = figureScan(v.blelloch);
        var rounds = countScanRounds(16, v.blelloch);

        rows.slice(0, v.step + 1).forEach(function (values, row) {
            var changed = row ? rounds[row - 1].map(function (p) {
                return p[0];
            }) : [];

            values.forEach(function (value, i) {
                var on = changed.indexOf(i) >= 0;

                parts.push(svgBox(1 + 22.4 * i, 4 + 26 * row, 21, 20,
                    on ? "on" : "paid"));
                parts.push(svgText(11.5 + 22.4 * i, 18 + 26 * row, value,
                    on ? "in" : "mid"));
            });
        });
        parts.push(svgBox(0, 244, 10, 8, "on"),
            svgText(15, 252, "a thread added here in this round"));
        return svgAll(258, this.words(v), parts);
    }
};

figures.tiling = {
    title: "A product of 64 x 64 matrices in tiles",
    controls: [
        { name: "side", label: "Side of a tile",
          choices: ["4", "8", "16", "32"], values: [4, 8, 16, 32], first: 2 },
        { name: "step", label: "Tile of the sum", min: 1, max: 16, step: true }
    ],
    words: function (v) {
        return "A block loads " + 2 * v.side * v.side
            + " floats for each tile of its sum, and uses each " + v.side
            + " times. All blocks together "
            + "load " + figureCount(countGemm(64, v.side), "sector") + ".";
    },
    draw: function (v) {
        var tiles = 64 / v.side, k = (v.step - 1) % tiles, parts = [];
        var size = 2.2 * v.side, row = tiles >> 1, col = tiles >> 1;

        function matrix(x, y, name) {
            parts.push(svgBox(x, y, 140.8, 140.8, "off"),
                svgText(x + 4, y - 4, name));
        }
        matrix(0, 180, "A: its tile moves right");
        matrix(190, 16, "B: its tile moves down");
        matrix(190, 180, "C = A B");
        parts.push(svgBox(0, 180 + row * size, 140.8, size, "paid"),
            svgBox(190 + col * size, 16, size, 140.8, "paid"),
            svgBox(k * size, 180 + row * size, size, size, "on"),
            svgBox(190 + col * size, 16 + k * size, size, size, "on"),
            svgBox(190 + col * size, 180 + row * size, size, size, "bad"));
        parts.push(svgText(0, 60, "tile " + (k + 1) + " of " + tiles),
            svgBox(0, 76, 10, 8, "on"), svgText(15, 84, "in shared memory now"),
            svgBox(0, 92, 10, 8, "bad"),
            svgText(15, 100, "the block's results"));
        return svgAll(326, this.words(v), parts);
    }
};

figures.streams = {
    title: "Copies and kernels of 8 MiB, in chunks",
    controls: [
        { name: "chunks", label: "Chunks", choices: ["1", "2", "4", "8", "16"],
          values: [1, 2, 4, 8, 16], first: 2 },
        { name: "overlap", label: "Streams",
          choices: ["one", "one for each chunk"], first: 1 }
    ],
    words: function (v) {
        var ns = countPipelineTime(v.chunks, v.overlap);
        var first = countPipelineTime(1, 0);

        return figureCount(v.chunks, "chunk") + ": " + (ns / 1000).toFixed(1)
            + " us modeled for an H200, " + (first / ns).toFixed(2)
            + " times as fast as one chunk. The copy engines are busy "
            + Math.round(100 * v.chunks * countChunkTimes[v.chunks][0] / ns)
            + " % of it in each direction.";
    },
    draw: function (v) {
        var names = ["to device", "kernels", "to host"], parts = [];
        var scale = 360 / countPipelineTime(16, 0);

        names.forEach(function (name, engine) {
            parts.push(svgText(0, 14 + 44 * engine, name),
                svgBox(0, 20 + 44 * engine, 360, 18, "off"));
        });
        countPipeline(v.chunks, v.overlap).forEach(function (span) {
            parts.push(svgBox((scale * span[2]).toFixed(2), 20 + 44 * span[1],
                Math.max(1, scale * (span[3] - span[2]) - 0.6).toFixed(2), 18,
                span[0] % 2 ? "on" : "bad", "chunk " + (span[0] + 1)));
        });
        parts.push(svgText(0, 150, "0 us"), svgText(360, 150,
            (360 / scale / 1000).toFixed(0) + " us", "end"));
        return svgAll(156, this.words(v), parts);
    }
};

/* The values that a figure begins with. */
function figureFirst(figure) {
    var values = {};

    figure.controls.forEach(function (control) {
        values[control.name] = control.choices
            ? (control.values || countRange(control.choices.length))[
                control.first || 0]
            : control.first || (control.step ? control.max : control.min);
    });
    return values;
}

/* A figure's HTML without controls. */
function figureStatic(name) {
    var figure = figures[name], values = figureFirst(figure);

    return "<div class=\"figure\" data-figure=\"" + name + "\" role=\"group\" "
        + "aria-label=\"" + figure.title + "\"><p class=\"f-title\">"
        + figure.title + "</p><div class=\"f-controls\"></div>"
        + "<div class=\"f-drawing\">" + figure.draw(values) + "</div>"
        + "<p class=\"f-words\" role=\"status\">" + figure.words(values)
        + "</p></div>";
}

/* A slider or a list for one value; changed() is called with the new one. */
function figureControl(control, value, changed) {
    var label = document.createElement("label");
    var input = document.createElement(control.choices ? "select" : "input");

    label.appendChild(document.createTextNode(control.label + " "));
    if (control.choices) {
        control.choices.forEach(function (words, i) {
            var choice = document.createElement("option");

            choice.textContent = words;
            choice.value = control.values ? control.values[i] : i;
            input.appendChild(choice);
        });
    } else {
        input.type = "range";
        input.min = control.min;
        input.max = control.max;
    }
    input.value = value;
    input.addEventListener("input", function () {
        changed(Number(input.value));
    });
    label.appendChild(input);
    return { label: label, input: input };
}

/* A button that goes on by one step, and from the last to the first. */
function figureStep(control, input) {
    var button = document.createElement("button");

    button.type = "button";
    button.textContent = "Step";
    button.addEventListener("click", function () {
        input.value = Number(input.value) >= control.max
            ? control.min : Number(input.value) + 1;
        input.dispatchEvent(new Event("input"));
    });
    return button;
}

function figureStart(element) {
    var figure = figures[element.getAttribute("data-figure")];
    var values = figureFirst(figure);
    var controls = element.querySelector(".f-controls");

    function show() {
        element.querySelector(".f-drawing").innerHTML = figure.draw(values);
        element.querySelector(".f-words").textContent = figure.words(values);
    }
    if (figure.tallest)
        element.querySelector(".f-drawing").style.aspectRatio =
            "360 / " + figure.tallest;
    figure.controls.forEach(function (control) {
        var made = figureControl(control, values[control.name],
            function (value) {
                values[control.name] = value;
                show();
            });

        controls.appendChild(made.label);
        if (control.step)
            controls.appendChild(figureStep(control, made.input));
    });
}

if (typeof document !== "undefined" && document.addEventListener)
    document.addEventListener("DOMContentLoaded", function () {
        Array.prototype.forEach.call(
            document.querySelectorAll("[data-figure]"), figureStart);
    });
