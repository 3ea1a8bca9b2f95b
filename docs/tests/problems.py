#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The drawings of labs (problem.txt) have the right numbers in them."""
import itertools
import math
import pathlib
import re
import sys

LABS = pathlib.Path(__file__).resolve().parents[2] / "labs"


def rows(stem):
    """The numbers behind each label, a list for each row of that label."""
    text = (LABS / stem / "problem.txt").read_text()
    if any(len(line) > 66 for line in text.splitlines()):
        sys.exit(stem + ": more than 66 columns, those of a page of 1200 pixels")
    found = {}
    for line in text.splitlines():
        match = re.match(r"(\w+(?: \d)?) {2,}((?:NUMBER +)*NUMBER)(?!\S)".replace(
            "NUMBER", r"-?\d+(?:\.\d+)?"), line)
        if match:
            found.setdefault(match[1], []).append(
                [float(word) if "." in word else int(word)
                 for word in match[2].split()])
    return found


def blurred(image, y, x):
    """The mean of the window of radius 1, rounded half up."""
    window = [image[v][u] for v in range(max(y - 1, 0), min(y + 2, len(image)))
              for u in range(max(x - 1, 0), min(x + 2, len(image[0])))]
    return (2 * sum(window) + len(window)) // (2 * len(window))


def filtered(image, weights, y, x):
    """The weighted window, with the nearest pixel outside of the image."""
    return sum(weights[v][u] * image[min(max(y + v - 1, 0), len(image) - 1)][
        min(max(x + u - 1, 0), len(image[0]) - 1)]
        for v in range(3) for u in range(3))


def product(a, b):
    """Of two matrices."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def parts(x, size=4):
    """In tiles of four."""
    return [x[i:i + size] for i in range(0, len(x), size)]


def check_layers(same):
    """Labs 11 to 13: a convolution, small layers, a dense layer."""
    conv, layers, dense = rows("11_conv_layer"), rows("12_layers"), rows(
        "13_cudnn_layer")
    image = [conv["x%d" % u][0] for u in range(3)]
    weights = conv["w0"][0] + conv["w1"][0]
    taps = [[image[p + r][q + s] for p in range(2) for q in range(2)]
            for r in range(2) for s in range(2)]
    y_grad = conv["y_grad"][0]
    back = [[0] * 3 for _ in range(3)]
    for (r, s), (p, q) in itertools.product(
            itertools.product(range(2), repeat=2), repeat=2):
        back[p + r][q + s] += weights[2 * r + s] * y_grad[2 * p + q]
    same("taps", [conv["tap%d%d" % (t // 2, t % 2)][0] for t in range(4)], taps)
    same("y", conv["y"], product([weights], taps))
    same("w_grad", conv["w_grad"], product([y_grad], list(zip(*taps))))
    same("x_grad", [conv["x_grad%d" % u][0] for u in range(3)], back)
    y = [[max(x + bias, 0) for x in layers["x%d" % c][0]]
         for c, bias in ((0, 1), (1, -2))]
    masked = [[g if v > 0 else 0 for g, v in
               zip(layers["y_grad%d" % c][0], y[c])] for c in range(2)]
    argmax = layers["argmax"][0]
    same("ReLU", [layers["y0"][0], layers["y1"][0]], y)
    same("masked", [layers["x_grad0"][0], layers["x_grad1"][0]], masked)
    same("bias_grad", layers["bias_grad"][0], [sum(g) for g in masked])
    same("pooled", layers["pooled"][0], [max(row) for row in y])
    same("argmax", argmax, [row.index(max(row)) for row in y])
    same("unpooled", [layers["y_grad0"][1], layers["y_grad1"][1]],
         [[g if i == argmax[c] else 0 for i in range(4)]
          for c, g in enumerate(layers["pool_grad"][0])])
    powers = [math.exp(x) for x in layers["logits"][0]]
    right = [x / sum(powers) for x in powers]
    same("softmax", layers["softmax"][0], [round(x, 2) for x in right])
    same("loss", layers["loss"][0], [round(-math.log(right[2]), 2)])
    same("gradient", layers["x_grad"][0],
         [round(x - (i == 2), 2) for i, x in enumerate(right)])
    stored = {name[0].upper(): [dense["%s%d" % (name, i)][0]
                                for i in range(count)]
              for name, count in (("pooled", 2), ("dense", 3), ("logits", 2))}
    same("logits", stored["L"], product(stored["P"], stored["D"]))
    for name, matrix in stored.items():
        same(name, [dense["%s%d" % (name, i)][0]
                    for i in range(len(matrix[0]))],
             [list(column) for column in zip(*matrix)])


def timeline(overlaps):
    """The rows of lab 14: load 3 us, copy 1, kernels 2, copy back 1."""
    lines = {"host": "", "copy in": "", "kernels": "", "copy out": ""}
    host = 0
    for batch in "0123":
        at = host
        for name, length in zip(lines, (3, 1, 2, 1)):
            lines[name] = lines[name].ljust(at) + batch * length
            at += length
        host = host + 3 if overlaps else at
    return ["%-10s%s" % line for line in lines.items()], at


def check_later(same):
    """Labs 08, 14 and 15: a register tile, a timeline, optimizers."""
    tile, steps = rows("08_fast_gemm"), rows("15_optimizers")
    sums = [0] * 4
    for k in range(3):
        a, b = parts(tile["term %d" % k][0], 2)
        sums = [s + x * y for s, (x, y) in zip(sums, itertools.product(a, b))]
        same("after %d" % k, tile["after %d" % k][0], sums)
    same("loads", tile["loads"][0], [2 * t for t in tile["t"][0]])
    same("products", tile["products"][0], [t * t for t in tile["t"][0]])
    drawing = (LABS / "14_streams" / "problem.txt").read_text()
    for overlaps, us in ((False, 28), (True, 16)):
        lines, end = timeline(overlaps)
        same("end", end, us)
        same("timeline", "\n".join(lines) in drawing, True)
        same("its end", ": %d us\n" % us in drawing, True)
    p, g = steps["p"][0], steps["g"][0]
    signs = [x // abs(x) for x in g]
    speeds = [g, [0.5 * x + x for x in g]]

    def down(start, change):
        return [x - y for x, y in zip(start, change)]

    same("v", [steps["v %d" % i][0] for i in (1, 2)], speeds)
    same("step 1", steps["p 1"], [down(p, g), down(p, g), down(p, signs), down(
        p, [round(y + (0.1 * x if i < 2 else 0), 6)
            for i, (x, y) in enumerate(zip(p, g))])])
    same("step 2", steps["p 2"], [down(down(p, g), g), down(
        down(p, g), speeds[1]), down(down(p, signs), signs)])
    same("clipped", steps["scaled"][0], [
        x * 3.5 / math.sqrt(sum(y * y for y in g)) for x in g])


def main():
    """Compute each drawing again."""
    bad = []

    def same(what, drawn, computed):
        if drawn != computed:
            bad.append("%s: %s is drawn, %s is right" % (what, drawn, computed))

    add, blur, turn = rows("01_vector_add"), rows("02_blur"), rows("03_transpose")
    same("i", add["i"][0], [4 * b + t for b, t in
                            zip(add["block"][0], add["thread"][0])])
    same("c", add["c"][0], [a + b for a, b in zip(add["a"][0], add["b"][0])])
    image = [blur["row%d" % y][0] for y in range(3)]
    for y in range(3):
        same("blur", blur["row%d" % y][1],
             [blurred(image, y, x) for x in range(4)])
    matrix = [turn["row%d" % r][0][:3] for r in range(2)]
    turned = [turn["row0"][1][:2], turn["row1"][1], turn["row2"][0]]
    same("transpose", turned, [list(column) for column in zip(*matrix)])
    sums, scan, count = rows("04_reduction"), rows("05_scan"), rows("06_histogram")
    x = sums["x"][0]
    same("sums", sums["sums"][0], [sum(part) for part in parts(x)])
    same("sum", sums["sum"][0], [sum(x)])
    same("maximum", sums["maximum"][0], [max(x)])
    same("round 2", sums["round 2"][0], sums["sums"][0])
    tree = [part + [0] * (4 - len(part)) for part in parts(x)]
    same("round 1", sums["round 1"][0],
         [part[t] + part[t + 2] for part in tree for t in range(2)])
    x = scan["x"][0]
    same("inclusive", scan["inclusive"][0], list(itertools.accumulate(x)))
    same("exclusive", scan["exclusive"][0],
         [0] + list(itertools.accumulate(x))[:-1])
    same("within", scan["within"][0],
         [s for part in parts(x) for s in itertools.accumulate(part)])
    same("before", scan["before"][0],
         [sum(x[:i]) for i in range(0, len(x), 4)])
    same("count", count["count"][0],
         [count["bytes"][0].count(value) for value in count["value"][0]])
    gemm, conv = rows("07_tiled_gemm"), rows("10_convolution")
    a = [gemm["a%d" % i][0] for i in range(2)]
    b = [gemm["b%d" % i][0] for i in range(4)]
    same("product", [gemm["c%d" % i][0] for i in range(2)], product(a, b))
    for at, name in ((0, "first"), (2, "second")):
        same(name + " tiles", parts(gemm[name][0], 3),
             product([row[at:at + 2] for row in a], b[at:at + 2]))
    image = [conv["row%d" % y][0] for y in range(3)]
    weights = [conv["f%d" % v][0] for v in range(3)]
    for y in range(3):
        same("convolution", conv["row%d" % y][1],
             [filtered(image, weights, y, x) for x in range(4)])
    check_layers(same)
    check_later(same)
    print("\n".join(bad), end="\n" if bad else "")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
