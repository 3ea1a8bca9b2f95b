/* SPDX-License-Identifier: MIT */
/* Single keys: the terminal without line editing and echo. */
#include "keyboard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "common/base/terminal.h"

enum { ESCAPE = 033 };

static struct termios before, keys;
static bool is_open;
static volatile sig_atomic_t has_changed;

static void apply(const struct termios *settings)
{
    /* a program in the background would be stopped by SIGTTOU */
    if (tcgetpgrp(STDIN_FILENO) == getpgrp())
        tcsetattr(STDIN_FILENO, TCSADRAIN, settings);
}

/* SIGWINCH; SIGCONT, as after ctrl-Z and fg the shell's settings are in
 * force. */
static void on_change(int signal)
{
    if (is_open && signal == SIGCONT)
        apply(&keys);
    has_changed = 1;
}

bool keyboard_screen_changed(void)
{
    const bool changed = has_changed;

    has_changed = 0;
    return changed;
}

bool keyboard_open(void)
{
    static bool is_registered;
    struct sigaction action = {.sa_handler = on_change,
                               .sa_flags = SA_RESTART};

    if (is_open)
        return true;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before))
        return false;
    keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    is_open = true;
    apply(&keys);
    sigaction(SIGCONT, &action, NULL);
    sigaction(SIGWINCH, &action, NULL);
    if (!is_registered)
        atexit(keyboard_close);
    is_registered = true;
    return true;
}

/* A byte that was typed, and no more: what is typed behind the key that ends
 * this program is the shell's.
 *  @return 0 when there is none, -1 when the terminal was closed */
static int read_byte(void)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char typed;
    ssize_t count;

    if (!is_open || poll(&ready, 1, 0) <= 0)
        return 0;
    count = read(STDIN_FILENO, &typed, 1);
    if (count == 1)
        return typed;
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

/* Escape is a key, and begins what other keys send: ECMA-48's control
 * sequences, as ESC [ 1 ; 5 C, and ESC with a letter.
 *  @return false when nothing follows it */
static bool skip_sequence(void)
{
    int byte = read_byte();

    if (byte <= 0)
        return false;
    if (byte == 'O') /* SS3 and one letter: F1, arrows */
        read_byte();
    if (byte == '[')
        do
            byte = read_byte();
        while (byte > 0 && byte < '@');
    return true;
}

int keyboard_read(void)
{
    const int key = read_byte();

    return key == ESCAPE && skip_sequence() ? 0 : key;
}

void keyboard_close(void)
{
    if (is_open)
        apply(&before);
    is_open = false;
}

void keyboard_show_keys(FILE *out)
{
    static const char *const keys[] = {
        "s sheet", "d draw", "h hint", "l list", "01 lab", "n next",
        "p profile", "c check", "e explain", "r again", "x reset", "q quit"};
    int column = 0;

    fprintf(out, "%s", style(out, STYLE_DIM));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const int length = (int)strlen(keys[i]), end = column + 2 + length;
        const bool is_first =
            !column || (size_t)end > terminal_columns(out);

        fprintf(out, "%s%s", is_first ? column ? "\n" : "" : "  ", keys[i]);
        column = (is_first ? 0 : column + 2) + length;
    }
    fprintf(out, "%s\n", style(out, STYLE_NONE));
}
