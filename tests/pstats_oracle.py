"""What Python's own pstats prints of a random run, against kernprof stats.

usage: pstats_oracle.py KERNPROF SEED

A random run (calls, recursion, threads) becomes two files: a call tree as
kernprof writes it, and statistics as cProfile collects them (its algorithm,
Modules/_lsprof.c, on the same events).  Prints what differs; nothing when all is
equal.  Works in the current folder.
"""

import contextlib
import difflib
import io
import itertools
import json
import marshal
import os
import pstats
import random
import subprocess
import sys

kernprof, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)

FUNCTIONS = [("/src/lib/demo.c", 15, "fact"), ("/src/lib/demo.c", 30, "main"),
             ("/src/app/demo.c", 15, "fact"), ("/src/app/é.cc", 7, "ns::é<int>(int)"),
             ("/src/app/e.cc", 9, "it's \"odd\""), ("/src/lib/demo.c", 90, "b"),
             ("/src/lib/x.c", 90, "b"), ("/src/lib/x.c", 5, "idle"),
             ("~", 0, "<libc.so.6 malloc>"), ("~", 0, "<libc.so.6 read>")]


class Profile:
    """One run, as both see it."""

    def __init__(self):
        self.nodes = {}             # (parent, part, function): [calls, own]
        self.entries = {}           # function: [nc, rec, tt, ct, level, {callee: same}]
        self.clock = 0

    def call(self, part, parent, stack, depth):
        """A random call with all that it calls, timed."""
        function = rng.randrange(len(FUNCTIONS))
        while function == 7:        # never runs
            function = rng.randrange(len(FUNCTIONS))
        node = (parent, part, function)
        self.nodes.setdefault(node, [0, 0])
        entry = self.entries.setdefault(function, [0, 0, 0, 0, 0, {}])
        entry[4] += 1
        edge = None
        if stack:
            calls = self.entries[stack[-1]][5]
            edge = calls.setdefault(function, [0, 0, 0, 0, 0])
            edge[4] += 1
        begin = self.clock
        below = 0
        own = rng.randrange(1, 10 ** rng.randrange(3, 10))
        self.clock += own
        for _ in range(rng.randrange(4) if depth < 7 else 0):
            below += self.call(part, node, stack + [function], depth + 1)
        total = self.clock - begin
        for of in (entry, edge):
            if of is None:
                continue
            of[4] -= 1
            if of[4] == 0:
                of[3] += total
            else:
                of[1] += 1
            of[2] += total - below
            of[0] += 1
        self.nodes[node][0] += 1
        self.nodes[node][1] += own
        return total

    def write_tree(self, path):
        sources = sorted({f for f, _, _ in FUNCTIONS})
        objects = ["/bin/demo", "/lib/libc.so.6"]
        subjects = []
        for file, line, name in FUNCTIONS:
            native = file == "~"
            subjects.append({
                "name": name.split()[1][:-1] if native else name, "linkage": None,
                "object": int(native), "source": sources.index(file),
                "line": line, "last_line": line, "engine": "clone",
                "reason": None, "lines": []})
        rows = [["" if s == "~" else s, -1, None] for s in sources]
        index = {node: i for i, node in enumerate(self.nodes)}
        columns = {"parent": [], "subject": [], "part": [], "calls": [], "own": []}
        for (parent, part, function), (calls, own) in self.nodes.items():
            columns["parent"].append(index[parent] + 1 if parent else 0)
            columns["subject"].append(function)
            columns["part"].append(part)
            columns["calls"].append(calls)
            columns["own"].append(own)
        with open(path, "w", encoding="utf-8") as out:
            json.dump({
                "format": "lineprof profile", "format_version": 1,
                "kind": "functions", "lineprof": "0", "host": None,
                "machine": None, "command": ["./demo"], "start": 0,
                "duration": 5, "exit_status": 0, "clock": "tsc",
                "ticks_per_ns": 1, "probe_cost": 0, "call_cost": 0,
                "time_mode": "exact", "selected": False, "notes": [],
                "objects": [[o, ""] for o in objects], "sources": rows,
                "subjects": subjects,
                "parts": [{"pid": 1, "tid": 1, "name": "demo", "functions": []},
                          {"pid": 1, "tid": 2, "name": "w", "functions": []}],
                "nodes": {k: " ".join(map(str, v)) for k, v in columns.items()},
            }, out)

    def write_stats(self, path):
        def numbers(e):
            return e[0], e[0] - e[1], e[2] / 1e9, e[3] / 1e9
        stats = {}
        for function in sorted(self.entries):
            nc, cc, tt, ct = numbers(self.entries[function])
            stats[FUNCTIONS[function]] = cc, nc, tt, ct, {}
        for caller in sorted(self.entries):
            for callee, edge in self.entries[caller][5].items():
                stats[FUNCTIONS[callee]][4][FUNCTIONS[caller]] = numbers(edge)
        with open(path, "wb") as out:
            marshal.dump(stats, out)


def make(name):
    profile = Profile()
    for part in (0, 1):
        for _ in range(3):
            profile.call(part, None, [], 0)
    profile.write_tree("c/" + name)
    profile.write_stats("py/" + name)
    for folder in ("c", "py"):
        os.utime(folder + "/" + name, (1e9 + seed, 1e9 + seed))


def strip_dirs(stats):
    """pstats keeps one of several callers that are equal without their folders;
    kernprof sums them."""
    old = stats.stats
    stats.strip_dirs()
    for _, _, _, _, callers in stats.stats.values():
        callers.clear()
    for callee, (_, _, _, _, callers) in old.items():
        into = stats.stats[pstats.func_strip_path(callee)][4]
        for caller, numbers in callers.items():
            caller = pstats.func_strip_path(caller)
            into[caller] = tuple(
                map(sum, zip(into.get(caller, (0, 0, 0, 0)), numbers)))


def compare(what, ours, theirs):
    if ours != theirs:
        print("differs:", what)
        print("\n".join(list(difflib.unified_diff(
            theirs.splitlines(), ours.splitlines(), "pstats", "kernprof",
            lineterm=""))[:20]))


def ours(arguments, **keywords):
    return subprocess.run([kernprof, "stats"] + arguments, cwd="c",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=60, **keywords).stdout


def theirs(files, keys, strip, reverse, method, only):
    out = io.StringIO()
    os.chdir("py")
    with contextlib.redirect_stdout(out):
        stats = pstats.Stats(files[0])
        for file in files[1:]:
            stats.add(file)
        if strip:
            strip_dirs(stats)
        stats.sort_stats(*keys)
        if reverse:
            stats.reverse_order()
        getattr(stats, method)(*only)
    os.chdir("..")
    return out.getvalue()


def listings():
    keys = [["cumulative"], ["calls"], ["ncalls"], ["cumtime"], ["file"], ["module"],
            ["li"], ["name", "line"], ["nfl"], ["pc"], ["stdname"], ["tim"],
            ["tottime"], ["name", "calls", "time"], ["cu"], ["line", "file"]]
    methods = [("print_stats", []), ("print_callers", ["--callers"]),
               ("print_callees", ["--callees"])]
    restrictions = [[], [3], [.5], ["fact"], ["demo", 2], [0.1], ["(", 4],
                    [r"demo\.c:[0-9]+\(", .5, 1], ["nothing here"], [0], [1.0],
                    [-3], ["it's"], ["\"odd\"", "it's"], [100], ["^{libc"],
                    [r":\d\("], [r"[\d]0\("], [r"\Dd"]]
    cases = list(itertools.product(
        (["a.prof"], ["a.prof", "b.prof"]), keys, (False, True), (False, True),
        methods, restrictions))
    for files, key, strip, reverse, (method, flag), only in rng.sample(cases, 60):
        arguments = ["-s", ",".join(key)] + flag + files
        arguments += ["--strip-dirs"] if strip else []
        arguments += ["-r"] if reverse else []
        for word in only:
            arguments += ["--only=%s" % word]
        compare(" ".join(arguments), ours(arguments),
                theirs(files, key, strip, reverse, method, only))


def browser():
    commands = """stats
sort time
stats 4

callers fact 3
callees .5
sort foo
sort calls name
reverse
stats
add b.prof
stats 3
sort nfl
strip
stats
sort cu
stats 1.5 2
nonsense
!ls
read a.prof
stats 2
read
callers {libc
reverse
stats
help
?
help sort
help callees
help nothing
"""
    for end in ("", "quit\n", "EOF\n"):
        want = subprocess.run(
            [sys.executable, "-c",
             "import sys, runpy; sys.argv[:] = ['pstats', 'a.prof'];"
             "sys.modules.pop('pstats', None); "
             "runpy.run_module('pstats', run_name='__main__')"],
            cwd="py", input=commands + end, stdout=subprocess.PIPE,
            encoding="utf-8", timeout=60).stdout
        compare("browser", ours(["-i", "a.prof"], input=commands + end), want)


os.mkdir("c")
os.mkdir("py")
os.environ["PYTHONIOENCODING"] = "utf-8"
make("a.prof")
make("b.prof")
listings()
browser()
