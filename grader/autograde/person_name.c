/* SPDX-License-Identifier: MIT */
/* Comparing names of people: each becomes a list of words in lower-case ASCII
 * letters, first names first. */
#include "person_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 12, NAME_BYTES = 512 };

/* A name as words; `text` holds them, each with a NUL. */
struct words {
    char text[NAME_BYTES];
    const char *word[WORDS];
    int count; /* 0: none, or too many */
};

/* U+00C0 to U+017F without accents; a capital stands for two letters. */
static const char latin[] =
    "aaaaaaAceeeeiiiidnooooo ouuuuyTSaaaaaaAceeeeiiiidnooooo ouuuuyTy"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiJJjjkkkllllllll"
    "llnnnnnnnnnooooooOOrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static const char *const pairs[][2] = {
    {"A", "ae"}, {"T", "th"}, {"S", "ss"}, {"J", "ij"}, {"O", "oe"}};

/* Letters beyond those: Romanian's and Vietnamese's.  A mark that follows its
 * letter (macOS writes file names so) and an apostrophe have none. */
static const struct range {
    unsigned first, last;
    const char *letters;
} ranges[] = {
    {0x27, 0x27, ""},      {0x60, 0x60, ""},      {0xb4, 0xb4, ""},
    {0x1a0, 0x1a1, "o"},   {0x1af, 0x1b0, "u"},   {0x218, 0x219, "s"},
    {0x21a, 0x21b, "t"},   {0x2b9, 0x2bc, ""},    {0x300, 0x36f, ""},
    {0x1e9e, 0x1e9e, "ss"}, {0x1ea0, 0x1eb7, "a"}, {0x1eb8, 0x1ec7, "e"},
    {0x1ec8, 0x1ecb, "i"}, {0x1ecc, 0x1ee3, "o"}, {0x1ee4, 0x1ef1, "u"},
    {0x1ef2, 0x1ef9, "y"}, {0x2018, 0x2019, ""}};

/* A character of UTF-8.  @return its bytes, 1 for what is none */
static size_t decode(const char *text, unsigned *c)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = at[0] < 0xc0 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

    *c = bytes == 1 ? at[0] : at[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 1;
        *c = *c << 6 | (at[i] & 0x3f);
    }
    return bytes;
}

/* The letters to compare of a character; NULL: the character as it is. */
static const char *letters_of(unsigned c, char own[2])
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].letters;
    own[0] = own[1] = 0;
    if (c >= 0xc0 && c <= 0x17f)
        own[0] = latin[c - 0xc0];
    else if (c >= 'A' && c <= 'Z')
        own[0] = (char)(c | 0x20);
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        own[0] = (char)c;
    else if (c < 0xc0 || c == 0x2010 || c == 0x2011)
        own[0] = ' '; /* separators */
    else
        return NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (own[0] == *pairs[i][0])
            return pairs[i][1];
    return own;
}

/* Append the letters of `from` up to `end`, and a blank. */
static void fold(char *to, const char *from, const char *end)
{
    size_t used = strlen(to);

    while (from < end && used + 8 < NAME_BYTES) {
        unsigned c;
        char own[2];
        size_t bytes = decode(from, &c);
        const char *letters = letters_of(c, own);

        if (letters)
            strcpy(to + used, letters);
        else
            memcpy(to + used, from, bytes);
        used += letters ? strlen(letters) : bytes;
        from += bytes;
    }
    strcpy(to + used, " ");
}

/* "Last, First" becomes "first last". */
static void read_words(const char *name, struct words *words)
{
    const char *end = name + strlen(name), *comma = strchr(name, ',');
    char *rest;

    words->text[0] = 0;
    words->count = 0;
    if (comma)
        fold(words->text, comma + 1, end);
    fold(words->text, name, comma ? comma : end);
    for (char *word = strtok_r(words->text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        if (words->count == WORDS) {
            words->count = 0;
            return;
        }
        words->word[words->count++] = word;
    }
}

/* For qsort(). */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool have_same_words(struct words a, struct words b)
{
    if (a.count != b.count)
        return false;
    qsort(a.word, (size_t)a.count, sizeof *a.word, by_text);
    qsort(b.word, (size_t)b.count, sizeof *b.word, by_text);
    for (int i = 0; i < a.count; i++)
        if (strcmp(a.word[i], b.word[i]))
            return false;
    return true;
}

/* Does `text` consist of all words without blanks, last names first? */
static bool is_joined(const char *text, const struct words *words)
{
    for (int first = 0; first < words->count; first++) {
        const char *at = text;
        int i = 0;

        for (; i < words->count; i++) {
            const char *word = words->word[(first + i) % words->count];

            if (strncmp(at, word, strlen(word)))
                break;
            at += strlen(word);
        }
        if (i == words->count && !*at)
            return true;
    }
    return false;
}

/* "m" stands for "maria". */
static bool is_word_or_initial(const char *a, const char *b)
{
    return !strcmp(a, b) || (*a == *b && (!a[1] || !b[1]));
}

/* Are the middle names of the shorter name among those of the longer one, in
 * their order? */
static bool differ_in_the_middle(const struct words *a, const struct words *b)
{
    const struct words *few = a->count < b->count ? a : b;
    const struct words *many = few == a ? b : a;
    int i = 1;

    if (few->count < 2 || strcmp(a->word[0], b->word[0])
        || strcmp(a->word[a->count - 1], b->word[b->count - 1]))
        return false;
    for (int k = 1; k < many->count - 1 && i < few->count - 1; k++)
        i += is_word_or_initial(few->word[i], many->word[k]);
    return i == few->count - 1;
}

enum name_match names_compare(const char *a, const char *b)
{
    static struct words one, two;

    read_words(a, &one);
    read_words(b, &two);
    if (!one.count || !two.count)
        return NAME_DIFFERS;
    if (have_same_words(one, two)
        || (one.count == 1 && is_joined(one.word[0], &two))
        || (two.count == 1 && is_joined(two.word[0], &one)))
        return NAME_EQUAL;
    return differ_in_the_middle(&one, &two) ? NAME_MIDDLE : NAME_DIFFERS;
}
