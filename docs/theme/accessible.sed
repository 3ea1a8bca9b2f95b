#!/bin/sed -Ef
# SPDX-License-Identifier: MIT
# What a screen reader needs and Doxygen does not write: the language, landmarks,
# a title that is a heading, the caption of a drawing as its name and in its place.
s/<html xmlns=/<html lang="en" xmlns=/
s/<div id="top">/<div id="top" role="banner">/
s/<div id="nav-path" class="navpath">/<div id="nav-path" class="navpath" role="contentinfo">/
s/<div id="doc-content">/<div id="doc-content" role="main">/
s/<div id="side-nav"/& role="navigation" aria-label="Contents of the book"/
s/<div class="title">/<div class="title" role="heading" aria-level="1">/
s/<div class="toc"><h3>/<div class="toc"><h3 aria-level="2" role="heading">/
s/<h3>((<a [^>]*>|<\/a>| )*- . -)/<h3 role="heading" aria-level="2">\1/
/<img src="[^"]*" alt=""\/>$/ {
    N
    N
    s/alt=""(\/>.*\n)([^<]+)(<\/div>.*)/alt="\2"\1\2\3/
}
/<object type="image\/svg\+xml"/ {
    N
    N
    s/<object( type.*>)(<\/object>.*\n)([^<]+)(<\/div>.*)/<object role="img" aria-label="\3"\1\3\2\3\4/
}
# Doxygen opens a paragraph around a folded table, and closes it inside.
/^<p ><details>$/ {
    N
    s/^<p >(<details>\n<summary>[^<]*<\/summary>) <\/p><table/\1<table/
}
/^<p><\/details>$/ {
    N
    s/.*/<\/details>/
}
