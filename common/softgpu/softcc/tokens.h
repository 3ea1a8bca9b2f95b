/* SPDX-License-Identifier: MIT */
/** @file
 *  Walking and editing the token list.
 *
 *  "Code" is every token but dead ones, pragmas, raw and generated text.  All
 *  functions take NULL for a token and then answer NULL or false.
 */
#ifndef SOFTCC_TOKENS_H
#define SOFTCC_TOKENS_H

#include "softcc.h"

/** True if the token's text is exactly `text`. */
bool is(const struct token *t, const char *text);
/** True if the token is one of the NULL-terminated list. */
bool is_any(const struct token *t, const char *const *list);
/** True if both have the same text. */
bool same(const struct token *a, const struct token *b);
/** True for identifiers and keywords. */
bool is_word(const struct token *t);
/** True for a keyword that names a built-in type or qualifies one. */
bool is_type_word(const struct token *t);

/** The next code token behind t. */
struct token *next_code(const struct token *t);
/** The code token before t. */
struct token *prev_code(const struct token *t);
/** Next code token in the list from t on, t included. */
struct token *this_code(struct token *t);
/** After a bracketed group: the token behind t->match, else behind t. */
struct token *skip_group(struct token *t);
/** From '<', the '>' that closes a template argument list, or NULL. */
struct token *close_angle(struct token *open);
/** From '>', the '<' that opens a template argument list, or NULL. */
struct token *open_angle(struct token *close);
/** First `text` at bracket depth 0 in [t, end), or NULL.
 *  @param angles  also step over template argument lists */
struct token *find_flat(struct token *t, struct token *end, const char *text,
                        bool angles);
/** True if a token with this text lies in [t, end). */
bool mentions(struct token *t, const struct token *end, const char *text);

/** The name that the declarator in [t, end) declares, or NULL. */
struct token *declared_name(struct token *t, struct token *end);

/** Insert text before t; its place is that of `at`. */
struct token *put_before(struct unit *u, struct token *t,
                         const struct token *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Insert text behind t; its place is that of `at`. */
struct token *put_after(struct unit *u, struct token *t,
                        const struct token *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Append a token to the unit's list. */
void append(struct unit *u, struct token *t);
/** Take t out of the output. */
void drop(struct token *t);
/** Take out everything in [t, end). */
void drop_range(struct token *t, const struct token *end);
/** Move the list nodes first..last (inclusive) to before `where`. */
void move_before(struct unit *u, struct token *first, struct token *last,
                 struct token *where);

/** The text of [t, end), one space between tokens; from the arena. */
const char *text_of(struct unit *u, struct token *t, const struct token *end);
/** The token's text, terminated; from the arena. */
const char *name_of(struct unit *u, const struct token *t);
/** Record "file:line:col: error: ..." for t. */
void complain(struct unit *u, const struct token *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
