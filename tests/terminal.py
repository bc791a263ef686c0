"""terminal.py COMMAND...: what a user at a terminal sees of COMMAND, as a shell runs it.

The words of COMMAND are for t_terminal.c; each of the cases below runs it once on a
terminal of its own and prints all that it wrote and what its parent was told of it.
"""

import array
import fcntl
import os
import resource
import select
import signal
import sys
import termios

PATIENCE = 60


def set_size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, array.array("H", [rows, columns, 0, 0]))


def give_terminal(group):
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, group)


def tell(events, what, number):
    os.write(events, b"%s %d\n" % (what, number))


def watch(pid, orders, events):
    """A shell's part: wait for the job, and take the terminal when it stops."""
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        give_terminal(os.getpgrp())
        if os.WIFSIGNALED(status):
            tell(events, b"killed by", os.WTERMSIG(status))
            return
        if not os.WIFSTOPPED(status):
            tell(events, b"exited with", os.WEXITSTATUS(status))
            return
        tell(events, b"stopped by", os.WSTOPSIG(status))
        os.read(orders, 1)
        give_terminal(pid)
        os.kill(-pid, signal.SIGCONT)


def shell(slave, command, foreground, orders, events):
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in 0, 1, 2:
        os.dup2(slave, fd)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        if foreground:
            give_terminal(os.getpid())
        # As shells do: who runs the tests in the background ignores some of them.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE,
                       signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    watch(pid, orders, events)


class Terminal:
    def __init__(self, command, foreground=True, tostop=False):
        self.master, slave = os.openpty()
        self.text, self.told = "", ""
        orders, self.orders = os.pipe()
        self.events, events = os.pipe()
        set_size(self.master, 24, 80)
        mode = termios.tcgetattr(slave)
        mode[3] &= ~termios.ECHO
        mode[3] |= termios.TOSTOP if tostop else 0
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        self.pid = os.fork()
        if self.pid == 0:
            # Else it would hold its own terminal open, and never be hung up.
            os.close(self.master)
            try:
                shell(slave, command, foreground, orders, events)
            finally:
                os._exit(0)
        os.close(slave)
        os.close(events)

    def take(self):
        """What comes next, from either side; False when nothing does."""
        ready = select.select([self.master, self.events], [], [], PATIENCE)[0]
        for fd in ready:
            try:
                data = os.read(fd, 4096).decode()
            except OSError:
                data = ""
            if fd == self.master:
                self.text += data.replace("\r\n", "\n")
            else:
                self.told += data
            if not data and fd == self.events:
                return False
        return bool(ready)

    def expect(self, text):
        while text not in self.text and self.take():
            pass
        found = text in self.text
        before, _, self.text = self.text.partition(text)
        # Whether it says so is a matter of what it was doing.
        before = before.replace("continued foreground\n", "")
        print("wrote", repr(before + text) if found else
              "no %r in %r" % (text, before))

    def hear(self):
        while "\n" not in self.told and self.take():
            pass
        line, _, self.told = self.told.partition("\n")
        print(line or "nothing was heard of it")

    def type(self, text):
        os.write(self.master, text.encode())

    def go_on(self):
        os.write(self.orders, b"x")

    def close(self):
        os.close(self.master)
        os.waitpid(self.pid, 0)


def talks(command):
    t = Terminal(command)
    t.expect("ready 24x80 foreground\n")
    set_size(t.master, 30, 100)
    t.expect("size 30x100 foreground\n")
    t.type("hello\n")
    t.expect("got hello, 0 interrupts\n")
    t.type("quit\n")
    t.hear()
    return t


def is_interrupted(command):
    t = Terminal(command)
    t.expect("ready 24x80 foreground\n")
    t.type("\x03")
    t.hear()
    return t


def quits(command):
    t = Terminal(command)
    t.expect("ready 24x80 foreground\n")
    t.type("\x1c")
    t.hear()
    return t


def catches(command):
    t = Terminal(command + ["catch"])
    t.expect("ready 24x80 foreground\n")
    for n in 1, 2:
        t.type("\x03")
        t.type("x\n")
        t.expect(", %d interrupts\n" % n)
    t.type("quit\n")
    t.hear()
    return t


def reads_bytes(command):
    t = Terminal(command + ["raw"])
    t.expect("raw 24x80 foreground\n")
    t.type("\x03")
    t.hear()
    t.expect("1 byte: 3\n")
    return t


def ends(command):
    t = Terminal(command)
    t.expect("ready 24x80 foreground\n")
    t.type("\x04")
    t.hear()
    return t


def stops(command):
    t = Terminal(command)
    t.expect("ready 24x80 foreground\n")
    for n in range(2):
        t.type("\x1a")
        t.hear()
        t.go_on()
        t.expect("continued foreground\n")
    t.type("again\n")
    t.expect("got again, 0 interrupts\n")
    t.type("quit\n")
    t.hear()
    return t


def reads_in_background(command):
    t = Terminal(command, foreground=False)
    t.expect("ready 24x80 background\n")
    t.hear()
    t.go_on()
    t.type("late\n")
    t.expect("got late, 0 interrupts\n")
    t.type("quit\n")
    t.hear()
    return t


def writes_in_background(command):
    t = Terminal(command, foreground=False, tostop=True)
    t.hear()
    t.go_on()
    t.expect("ready 24x80 background\n")
    t.type("quit\n")
    t.hear()
    return t


CASES = [talks, is_interrupted, quits, catches, reads_bytes, ends, stops,
         reads_in_background, writes_in_background]

if sys.argv[1] == "--cases":
    for case in CASES:
        print(case.__name__)
else:
    for case in CASES:
        if case.__name__ == sys.argv[1]:
            case(sys.argv[2:]).close()
