# SPDX-License-Identifier: MIT
"""A hostile class, and a parser of each format that must survive it.

formats.py make FOLDER    write a results folder
formats.py FORMAT FILE    parse a gradebook or a page; exit status 1 and a line
                          for each defect
"""
import csv
import hashlib
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

STEM = "01_vector_add"
EVIL = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'\" onmouseover='alert(1)' x=\"",
    "]]><!--<b>--></title></style>",
    "&lt;script&gt; &#0; &amp;",
    "=HYPERLINK(\"http://x\",\"y\")",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "line\nbreak\ttab\rreturn",
    "bell\x07 escape\x1b[31m delete\x7f c1\x9b",
    "not a character \ufffe, private \ue000, high \U0001f600",
    "abc\u202exslx.exe\u202c \u2066isolate",
    "long " + "x" * 100000,
]
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def test(name, text, **more):
    return {"name": name, "title": text, "verdict": "WRONG", "score": 0,
            "max_score": 20, "message": "n = 3: " + text[:900], "review": text,
            **more}


def make(folder):
    for part in ("files", "entries", "results"):
        os.makedirs(os.path.join(folder, part))
    os.chmod(folder, 0o700)
    open(os.path.join(folder, "warpbook-results"), "w").close()
    for i, text in enumerate(EVIL[:-1]):
        key = hashlib.sha256(text.encode()).hexdigest()
        source = (text + "\n") * 9
        content = hashlib.sha256(source.encode()).hexdigest()
        with open(f"{folder}/files/{content}.cu", "wb") as file:
            file.write(source.encode() + b"\xff\xfe\x80 \xed\xa0\x80\n"
                       + b"y" * 100000)
        put(f"{folder}/entries/{i:024x}.json", {
            "schema": "warpbook-entry/1",
            "student": {"id": f"{i}{text}"[:90], "name": EVIL[-1 if i == 0
                                                             else i],
                        "email": text, "login": text, "section": text,
                        "sid": "", "canvas": "", "participant": ""},
            "in_roster": False, "lab": STEM, "from": text, "late": False,
            "submitted": 0, "attempt": 0, "seen": 1700000000 + i,
            "content": content, "verdict": "", "message": "", "key": key,
            "round": 0, "previous": [text]})
        put(f"{folder}/results/{key}.json", {
            "schema": "warpbook-graded/1", "key": key, "content": content,
            "settings": f"lab={text}\nx", "isolation": text,
            "limits": {"seconds": 1, "memory_bytes": 1, "processes": 1},
            "device_model": text, "graded": 1700000000, "program": text,
            "result": {
                "lab": STEM, "title": text, "device": text, "seed": text,
                "sandbox": text, "verdict": "WRONG", "message": "",
                "score": 50, "max_score": 100, "seconds": 1.5,
                "tests": [test("small", text)],
                "checks": [test("clean", text, findings=[
                    {"kind": text, "kernel": text, "place": "a.cu:3:1",
                     "other_place": f"{text}:5", "block": [1, 2, 3],
                     "thread": [0, 0, 0], "count": 3, "message": text}])],
                "costs": [test("sectors", text, case=text, value=3, least=1,
                               unit=2, tiers=[{"most": 1, "points": 2}])],
                "speed": []}})


def put(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


class Page(html.parser.HTMLParser):
    """What a page may hold: these elements, balanced, without scripts."""
    ALLOWED = set("html head meta title style body main h1 h2 h3 p b s br "
                  "small bdi div span table tr th td a pre dl dt dd figure "
                  "figcaption details summary svg rect line circle text".split())
    VOID = {"meta", "br"}
    ATTRIBUTES = set("lang charset name content http-equiv class href viewbox "
                     "width height role aria-label x y x1 x2 y1 y2 cx cy r "
                     "colspan".split())

    def __init__(self):
        super().__init__()
        self.open, self.defects = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.ALLOWED:
            self.defects.append(f"element {tag}")
        for name, value in attrs:
            if name not in self.ATTRIBUTES:
                self.defects.append(f"attribute {name} of {tag}")
            if name == "href" and not re.fullmatch(r"[\w.-]+\.html", value):
                self.defects.append(f"link to {value}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.defects.append(f"</{tag}> closes nothing")

    def handle_comment(self, data):
        self.defects.append(f"a comment: {data[:40]}")


def check_html(data):
    page = Page()
    page.feed(data.decode("utf-8"))
    page.close()
    if page.open:
        page.defects.append(f"{page.open} not closed")
    if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", data.decode("utf-8")):
        page.defects.append("a control character")
    if BIDI.search(data.decode("utf-8")):
        page.defects.append("a bidirectional control")
    return page.defects


def check_xml(data):
    """expat enforces XML 1.0: well-formed, legal characters alone."""
    root = ElementTree.fromstring(data)
    cases = list(root.iter("testcase")) + list(
        root.iter("CUNIT_RUN_TEST_RECORD"))
    return [] if len(cases) == 3 * 11 else [f"{len(cases)} test cases"]


def check_csv(data):
    rows = list(csv.reader(data.decode("utf-8").splitlines(keepends=True),
                           strict=True))
    defects = []
    if len({len(row) for row in rows}) != 1:
        defects.append(f"rows of {sorted({len(row) for row in rows})} fields")
    for row in rows[1:]:
        for field in row:
            if field[:1] in "=+-@\t\r" and field and not re.fullmatch(
                    r"-?[\d.]+", field):
                defects.append(f"a formula: {field[:40]}")
    return defects


def check_json(data):
    all_students = json.loads(data)
    return [] if len(all_students) == 11 else [f"{len(all_students)} students"]


CHECKS = {"csv": check_csv, "canvas": check_csv, "moodle": check_csv,
          "autolab": check_csv, "junit": check_xml, "cunit": check_xml,
          "gradescope": check_json, "html": check_html}


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2])
        return 0
    with open(sys.argv[2], "rb") as file:
        defects = CHECKS[sys.argv[1]](file.read())
    for defect in defects[:5]:
        print(f"    {sys.argv[1]}: {defect}")
    return 1 if defects else 0


sys.exit(main())
