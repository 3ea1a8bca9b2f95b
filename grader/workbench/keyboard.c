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

int keyboard_read(void)
{
    static unsigned char typed[64];
    static size_t at, end;
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    ssize_t count;

    if (at < end)
        return typed[at++];
    if (!is_open || poll(&ready, 1, 0) <= 0)
        return 0;
    count = read(STDIN_FILENO, typed, sizeof typed);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -1;
    if (count == 0)
        return -1;
    at = 0;
    /* Escape is a key, what an arrow sends begins with it */
    end = typed[0] == '\033' && count > 1 ? 0 : (size_t)count;
    return end ? typed[at++] : 0;
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
