#!/bin/sed -f
# SPDX-License-Identifier: MIT
# What Doxygen must see differently from a code host, in Markdown pages.

# Code stays as it is.
/@htmlonly/,/@endhtmlonly/b
/^```/,/^```$/b

# Figures lie beside no page here: their file name is enough.
s,!\[\([^]]*\)\]([^)]*/\([^/)]*\.\(svg\|png\)\)),![\1](\2),g

# A section of another page has a name of its own.
s,](\([a-z_]*\)\.md#\([a-z_]*\)),](@ref \2),g

# A line that is one link to a lab makes the lab a chapter of the page.
s,^- \[\([^]]*\)\](\.\./\.\./labs/\([^/]*\)/README.md),- @subpage md_labs_\2_README "\1",

# A lab's sheet, named in a sentence.
s,](\.\./\.\./labs/\([^/]*\)/README.md),](@ref md_labs_\1_README),g

# An option in code that is HTML, which would begin with a dash.
s,\(<code>[^<]* \)--\([a-z]\),\1\\--\2,g

# Emphasis that opens or closes at a bracket, outside code.
/^    /!{
    s,\(^\| \)\*(,\1<em>(,g
    s,)\*\( \|$\),)</em>\1,g
}
