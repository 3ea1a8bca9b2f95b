/* SPDX-License-Identifier: MIT */
/* The grammar is checked here: strtod() and strtoull() also accept leading
 * blanks, hexadecimal numbers, "inf" and "nan", and the latter negative
 * ones. */
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

bool number_unsigned(const char *text, uint64_t most, uint64_t *value)
{
    uint64_t sum = 0;

    if (!*text || text[strspn(text, digits)])
        return false;
    for (; *text; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');

        if (sum > (most - digit) / 10 || digit > most)
            return false;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

/* Skip digits.  @return how many there were */
static size_t skip_digits(const char **at)
{
    const size_t count = strspn(*at, digits);

    *at += count;
    return count;
}

bool number_decimal(const char *text, double *value)
{
    const char *at = text + (*text == '-' || *text == '+');
    size_t count = skip_digits(&at);
    double number;

    if (*at == '.') {
        at++;
        count += skip_digits(&at);
    }
    if (count == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        if (skip_digits(&at) == 0)
            return false;
    }
    number = strtod(text, NULL);
    if (*at || !isfinite(number))
        return false;
    *value = number;
    return true;
}
