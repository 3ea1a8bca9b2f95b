#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The drawings of labs (problem.txt) have the right numbers in them."""
import itertools
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
        match = re.match(r"(\w+(?: \d)?) {2,}((?:-?\d+ +)*\d+)", line)
        if match:
            found.setdefault(match[1], []).append(
                [int(word) for word in match[2].split()])
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
    print("\n".join(bad), end="\n" if bad else "")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
