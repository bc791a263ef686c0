"""functions.py: the numbers of a function-level profile, derived from its call tree
by the definitions of profile/calls.h, in a second way.

Inlined functions have no linkage name: where that is asked for, what they call is called
by what they are inlined into.

usage: functions.py calls FILE         file:line calls, of functions that were called
       functions.py names FILE         linkage-name calls
       functions.py own FILE           the same, of the program's own functions, without
                                       what was split off them
       functions.py pstats FILE        name calls/primitive, as cProfile counts
       functions.py edges FILE         caller callee calls/primitive
       functions.py tree FILE          indented: name calls
       functions.py parts FILE         thread-name tid function calls
       functions.py times FILE         name own cumulative, in nanoseconds
       functions.py gcov JSON.gz...    file:line calls, of gcov --json-format; those of no
                                       calls too
       functions.py callees FILE       caller {OBJECT CALLEE} calls, into other objects
       functions.py outcallees FILE    the same with linkage names
       functions.py callgrind FILE     linkage-name calls, of callgrind's output
       functions.py outcalls FILE PROG like callees, of callgrind's output
       functions.py python FILE        like pstats, of a run of cProfile
"""

import collections
import gzip
import json
import os
import re
import sys


class Tree:
    def __init__(self, path):
        with open(path) as file:
            self.profile = json.load(file)
        columns = {k: [int(x) for x in v.split()]
                   for k, v in self.profile["nodes"].items()}
        self.parent = [p - 1 for p in columns["parent"]]
        self.subject, self.part = columns["subject"], columns["part"]
        self.calls, self.own = columns["calls"], columns["own"]

    def __len__(self):
        return len(self.parent)

    def path(self, i):
        """The subjects from node I's parent up to the root."""
        while self.parent[i] >= 0:
            i = self.parent[i]
            yield self.subject[i]

    def name(self, i):
        return self.profile["subjects"][self.subject[i]]["name"].split("(")[0]

    def place(self, i):
        subject = self.profile["subjects"][self.subject[i]]
        source = self.profile["sources"][subject["source"]][0]
        return "%s:%d" % (os.path.basename(source), subject["line"])

    def inclusive(self):
        sums = list(self.own)
        for i in reversed(range(len(self))):
            if self.parent[i] >= 0:
                sums[self.parent[i]] += sums[i]
        return sums


def show(counts):
    for key in sorted(counts):
        print(key, counts[key])


def show_pairs(counts):
    show({k: "%d/%d" % tuple(v) for k, v in counts.items()})


def summed(tree, key):
    counts = collections.Counter()
    for i in range(len(tree)):
        counts[key(i)] += tree.calls[i]
    show({k: v for k, v in counts.items() if v and k})


def calls(path):
    """Without the constructors that --coverage adds to the last line of a file."""
    tree = Tree(path)
    counts = collections.Counter()
    for i in range(len(tree)):
        if not re.match("_sub_[ID]_", tree.name(i)):
            counts[tree.place(i)] += tree.calls[i]
    show({k: v for k, v in counts.items() if v})


def names(path):
    tree = Tree(path)
    subjects = tree.profile["subjects"]
    summed(tree, lambda i: subjects[tree.subject[i]]["linkage"])


def own(path):
    tree, counts = Tree(path), collections.Counter()
    for i in range(len(tree)):
        subject = tree.profile["subjects"][tree.subject[i]]
        if subject["object"] == 0 and subject["linkage"] \
                and ".part." not in subject["linkage"]:
            counts[subject["linkage"]] += tree.calls[i]
    show({k: v for k, v in counts.items() if v})


def pstats(path):
    tree = Tree(path)
    counts = collections.defaultdict(lambda: [0, 0])
    for i in range(len(tree)):
        entry = counts[tree.name(i)]
        entry[0] += tree.calls[i]
        if tree.subject[i] not in tree.path(i):
            entry[1] += tree.calls[i]
    show_pairs(counts)


def edges(path):
    tree = Tree(path)
    counts = collections.defaultdict(lambda: [0, 0])
    for i in range(len(tree)):
        if tree.parent[i] < 0:
            continue
        path_up = [tree.subject[i]] + list(tree.path(i))
        pairs = list(zip(path_up[1:], path_up))
        entry = counts[tree.name(tree.parent[i]) + " " + tree.name(i)]
        entry[0] += tree.calls[i]
        if pairs[0] not in pairs[1:]:
            entry[1] += tree.calls[i]
    show_pairs(counts)


def tree(path):
    nodes = Tree(path)
    children = collections.defaultdict(list)
    for i in range(len(nodes)):
        children[nodes.parent[i]].append(i)

    def walk(i, depth):
        for child in sorted(children[i], key=nodes.name):
            print("  " * depth + nodes.name(child), nodes.calls[child])
            walk(child, depth + 1)
    walk(-1, 0)


def parts(path):
    nodes = Tree(path)
    summed(nodes, lambda i: "%(name)s %(tid)d " % nodes.profile["parts"][nodes.part[i]]
           + nodes.name(i))


def times(path):
    nodes = Tree(path)
    inclusive = nodes.inclusive()
    sums = collections.defaultdict(lambda: [0, 0])
    for i in range(len(nodes)):
        sums[nodes.name(i)][0] += nodes.own[i]
        if nodes.subject[i] not in nodes.path(i):
            sums[nodes.name(i)][1] += inclusive[i]
    show({k: "%d %d" % tuple(v) for k, v in sums.items()})


def gcov(*paths):
    counts = collections.Counter()
    for path in paths:
        with gzip.open(path) as file:
            for source in json.load(file)["files"]:
                base = os.path.basename(source["file"])
                for function in source["functions"]:
                    key = "%s:%d" % (base, function["start_line"])
                    counts[key] += function["execution_count"]
    show(counts)


def callgrind(path):
    known, counts, callee = {}, collections.Counter(), None
    with open(path) as file:
        for line in file:
            match = re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line)
            if match:
                name = known.setdefault(match[1], match[2])
                if line.startswith("c"):
                    callee = re.sub(r"'\d+$", "", name)
            elif line.startswith("calls="):
                counts[callee] += int(line[6:].split()[0])
    show(counts)


def into_objects(path, name):
    """NAME of a subject is what to call it."""
    nodes = Tree(path)
    subjects, counts = nodes.profile["subjects"], collections.Counter()
    for i in range(len(nodes)):
        subject = subjects[nodes.subject[i]]
        if nodes.parent[i] < 0 or subject["object"] == 0:
            continue
        up = nodes.parent[i]
        while not name(subjects[nodes.subject[up]]) and nodes.parent[up] >= 0:
            up = nodes.parent[up]
        caller = subjects[nodes.subject[up]]
        if caller["object"] == 0:
            path = nodes.profile["objects"][subject["object"]][0]
            counts["%s {%s %s}" % (name(caller), os.path.basename(path), name(subject))] \
                += nodes.calls[i]
    show({k: v for k, v in counts.items() if v})


def callees(path):
    into_objects(path, lambda subject: subject["name"].split("(")[0])


def outcallees(path):
    """By linkage names.  What was split off a function is called by its own name, and so
    is what is inlined of such a function."""
    split = {(s["source"], s["line"]): s["linkage"]
             for s in Tree(path).profile["subjects"] if ".part." in (s["linkage"] or "")}
    into_objects(path, lambda s: split.get((s["source"], s["line"])) or s["linkage"])


def plain(name):
    """A symbol's name from that of its version or variant: callgrind knows only what
    it sees run."""
    name = re.sub(r"@.*|'\d+$|\(.*", "", name)
    return re.sub(r"^__(\w+?)_(sse|avx|evex|fma|erms|unaligned)\w*$", r"\1", name)


def outcalls(path, program):
    known, counts = {}, collections.Counter()
    now = {"ob": None, "fn": None, "cob": None, "cfn": None}
    with open(path) as file:
        for line in file:
            match = re.match(r"(c?)(fn|ob)=\((\d+)\)(?: (.*))?$", line)
            if match:
                key = match[2], match[3]
                if match[4]:
                    known[key] = match[4]
                now[match[1] + match[2]] = known[key]
            elif line.startswith("calls="):
                to = os.path.basename(now["cob"] or now["ob"])
                if os.path.basename(now["ob"]) == program and to != program:
                    counts["%s {%s %s}" % (plain(now["fn"]), to, plain(now["cfn"]))] \
                        += int(line[6:].split()[0])
                now["cob"] = None
    show(counts)


def python(path):
    import pstats as module
    show_pairs({name: (nc, cc) for (_, _, name), (cc, nc, _, _, _)
                in module.Stats(path).stats.items() if name[0] not in "<{"})


globals()[sys.argv[1]](*sys.argv[2:])
