/* SPDX-License-Identifier: MIT */
/** @file
 *  Walking and editing the list of tokens.
 *
 *  A code token is one that a pass looks at: not removed, no pragma, no raw
 *  and no inserted text.  All functions take NULL for a token and return NULL
 *  or false for it.
 */
#ifndef SOFTCC_TOKENS_H
#define SOFTCC_TOKENS_H

#include "rewriter.h"

/** Is the token's text exactly `text`? */
bool is(const struct token *t, const char *text);
/** Is the token's text one of a NULL-terminated list? */
bool is_any(const struct token *t, const char *const *list);
/** Have both tokens the same text? */
bool same_text(const struct token *a, const struct token *b);
/** Is the token an identifier or a keyword? */
bool is_word(const struct token *t);
/** Is the token a keyword that names a built-in type or qualifies one? */
bool is_type_word(const struct token *t);

/** The next code token after t. */
struct token *next_code(const struct token *t);
/** The last code token before t. */
struct token *prev_code(const struct token *t);
/** The first code token from t on, t included. */
struct token *skip_to_code(struct token *t);
/** The code token after a bracketed group that opens at t, or after t. */
struct token *skip_group(struct token *t);
/** From '<', the '>' that closes a template argument list, or NULL. */
struct token *find_close_angle(struct token *open);
/** From '>', the '<' that opens a template argument list, or NULL. */
struct token *find_open_angle(struct token *close);
/** The first `text` at bracket depth 0 in [t, end), or NULL.
 *  @param angles  template argument lists are brackets, too */
struct token *find_at_top_level(struct token *t, struct token *end,
                                const char *text, bool angles);
/** Does [t, end) contain a token with this text, at any depth? */
bool contains(struct token *t, const struct token *end, const char *text);

/** The name that the declarator in [t, end) declares, or NULL. */
struct token *declared_name(struct token *t, struct token *end);

/** Insert text before t, with the source location of `at`. */
struct token *insert_before(struct unit *u, struct token *t,
                            const struct token *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Insert text after t, with the source location of `at`. */
struct token *insert_after(struct unit *u, struct token *t,
                           const struct token *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Append a token to the unit's list. */
void append_token(struct unit *u, struct token *t);
/** Mark t as removed; it keeps its place in the list. */
void remove_token(struct token *t);
/** Mark all code tokens of [t, end) as removed. */
void remove_range(struct token *t, const struct token *end);
/** Move the nodes first..last (inclusive) to before `where`. */
void move_tokens_before(struct unit *u, struct token *first,
                        struct token *last, struct token *where);

/** Is the token in one of NVIDIA's open headers? */
bool in_cccl(const struct unit *u, const struct token *t);
/** The text of [t, end) with one space between tokens; in the arena. */
const char *text_of(struct unit *u, struct token *t, const struct token *end);
/** The token's text, terminated; in the arena. */
const char *name_of(struct unit *u, const struct token *t);
/** Add "file:line:col: error: ..." for t to the unit's messages. */
void report_error(struct unit *u, const struct token *t, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

#endif
