#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the grader's sources still have the words of the messages in the chapters?

docs/results/messages has what docs/make-messages was told when it asked last; to
ask again takes a quarter of an hour.  This takes half a second: the explanation in
a message consists of string literals of the grader and the software GPU.  Two of
its words in a row that stand in no literal are printed, and the status is 1: ask
again for the messages that are named.
"""
import glob
import re
import sys

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Words of every message: the verdict's frame, and those of a finding.
FRAME = set("""first most specific failing test should be wrong block thread seen
    times other access and more error returned read write here atomic blocks threads of
    byte bytes x""".split())
# Names, shapes and values in front of the explanation, and a program's output.
HEAD = re.compile(r"^.*?( wrong[,;]|should be \S+[:;,]?)|It printed:.*"
                  r"|^.*failing test: \w+ (?:[^:]|:\d)*: ", re.S)
PLACE = re.compile(r"\S+\.(cu|h)(:\d+)*:?|`[^`]*`|\b\w+\(\)|\bin \w+(<[^>]*>)?,")


def words(text):
    """The words of a text, without numbers."""
    return re.findall(r"[a-z']{2,}[a-z_']*|a", text.lower())


def runs_of_four(text):
    """Each four words in a row; of a shorter text all of them."""
    found = words(text)
    return {tuple(found[i:i + 4]) for i in range(max(1, len(found) - 3))}


def known_runs():
    """Those of all literals; a conversion such as %s ends a text."""
    known = set()
    for folder in ("grader", "common/softgpu"):
        for name in glob.glob(folder + "/**/*.[ch]", recursive=True):
            if "/tests/" in name:
                continue
            with open(name, errors="replace") as file:
                code = re.sub(r'"\s*\\?\n\s*"', "", file.read())
            for literal in LITERAL.findall(code):
                literal = literal.replace("\\n", " ").replace("%%", " ")
                for part in re.split(r"%[-+0-9.*lzhj]*[a-zA-Z]", literal):
                    known |= runs_of_four(part)
    return known


def explanations(text):
    """The paragraphs of a message that explain, without tables and source lines."""
    for part in text.split("\n\n"):
        lines = [line for line in part.split("\n")
                 if not re.search(r"^\s*\d* \||^\s+[-\d.e+]+$|\S {2,}\S|\^$", line)]
        text = HEAD.sub("", " ".join(" ".join(lines).split()), count=1)
        yield PLACE.sub(" ", text)


def unknown(text, known):
    """Runs of words that no literal has."""
    found = words(text)
    covered = [word in FRAME for word in found]
    for i in range(len(found)):
        for length in (4, 3, 2):
            if tuple(found[i:i + length]) in known:
                covered[i:i + length] = [True] * length
    runs = re.finditer("0{2,}", "".join("01"[one] for one in covered))
    return [" ".join(found[run.start():run.end()]) for run in runs]


def main():
    """Print what no literal has, by message."""
    known, bad = known_runs(), 0
    for name in sorted(glob.glob("docs/results/messages/*/*.txt")):
        with open(name) as file:
            for part in explanations(file.read()):
                for run in unknown(part, known):
                    print("%s: no literal has: %s" % (name, run))
                    bad += 1
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
