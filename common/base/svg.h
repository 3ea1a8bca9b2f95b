/* SPDX-License-Identifier: MIT */
/** @file
 *  SVG drawings, in a page or in files of their own.  Shapes are elements:
 *  html_empty(&h, "rect", "x=%.1f y=%.1f ...", ...).  Lengths are pixels, y
 *  grows downwards.  Host only.
 */
#ifndef BASE_SVG_H
#define BASE_SVG_H

#include "html.h"

/** Open a drawing in a page; html_close() ends it.
 *
 *  @param width, height  of the drawing; in a narrow window it shrinks
 *  @param label          any text: what the drawing shows */
void svg_open(struct html *html, double width, double height,
              const char *label);

/** Begin a file of one drawing on white ground; html_end() ends it.
 *
 *  @param html           a new document
 *  @param width, height  of the drawing
 *  @param font_size      of its texts
 *  @param label          any text: what the drawing shows */
void svg_begin(struct html *html, double width, double height,
               double font_size, const char *label);

/** Copy a drawing into a page.
 *  @param path  a file that svg_begin() began; any other file, or none, writes
 *               nothing */
void svg_insert(struct html *html, const char *path);

/** Write formatted text, escaped, with its baseline at y.
 *  @param attributes  more of them, a literal of the caller without
 *                     conversions: "class=lane text-anchor=end", or "" */
void svg_textf(struct html *html, double x, double y, const char *attributes,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Begin a line through points: the points follow, then svg_polyline_end().
 *  @param color  of the line, 1.5 pixels wide */
void svg_polyline_begin(struct html *html, const char *color);
/** Add a point to the line. */
void svg_polyline_point(struct html *html, double x, double y);
/** End the line. */
void svg_polyline_end(struct html *html);

#endif
