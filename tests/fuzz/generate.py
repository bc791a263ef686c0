#!/usr/bin/env python3
"""generate.py: a random program of what csmith leaves out.

usage: generate.py [--c++] SEED

C: dense and sparse switches, goto, computed goto, recursion, tail calls, function
pointers, variable arguments, setjmp and longjmp, alloca, structures by value.
With --c++, instead of computed goto and setjmp, exceptions through several frames,
destructors, virtual functions, templates and lambdas.  The program ends, has no undefined behaviour, and prints a
checksum.  All arithmetic is unsigned; loops and calls use up `fuel'."""

import random
import sys

HEAD = """\
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <alloca.h>
typedef unsigned u;
static u sum = 1, fuel = %d, depth;
static u table[64];
static jmp_buf *volatile target;
struct pair { u a, b; unsigned char c[%d]; };
static void
mix (u x)
{
  sum = (sum ^ x) * 16777619u + (sum >> 27);
}
static u
burn (void)
{
  return fuel ? fuel-- : 0;
}
static u
many (int n, ...)
{
  va_list ap;
  u r = 0;
  va_start (ap, n);
  for (int i = 0; i < n; i++)
    if (i & 1)
      r += (u) va_arg (ap, double);
    else
      r = r * 3 + va_arg (ap, u);
  va_end (ap);
  return r;
}
"""

CPP_HEAD = """\
struct error { u code; };
struct other { double d; };
struct guard
{
  u x;
  explicit guard (u v) : x (v) { mix (x); }
  ~guard () { mix (x * 5); }
};
struct base
{
  u k;
  base (u v) : k (v) {}
  virtual ~base () { mix (k); }
  virtual u act (u v) { return v + k; }
};
struct derived : base
{
  derived (u v) : base (v) {}
  u act (u v) override
  {
    if ((v & 31) == 7)
      throw error { v };
    return base::act (v) ^ 9;
  }
};
template <u N> static u
unrolled (u v)
{
  for (u i = 0; i < N; i++)
    v = v * 33 + i;
  return v;
}
"""


class Program:
    def __init__(self, seed, cpp):
        self.r = random.Random(seed)
        self.cpp = cpp
        self.nfunctions = self.r.randint(4, 14)
        self.lines = []
        self.indent = 0
        self.labels = 0

    def put(self, text):
        self.lines.append("  " * self.indent + text)

    def open(self, text=""):
        self.put(text + (" {" if text else "{"))
        self.indent += 1

    def close(self, text=""):
        self.indent -= 1
        self.put("}" + text)

    def name(self):
        self.labels += 1
        return "n%d" % self.labels

    def chance(self, percent):
        return self.r.random() * 100 < percent

    # Expressions.  V are the variables in scope.

    def constant(self):
        return "%du" % self.r.choice(
            [0, 1, 2, 3, 5, 7, 31, 255, 4096, 65535, self.r.getrandbits(32)])

    def expression(self, v, deep=0):
        r = self.r
        if deep > 3 or self.chance(30):
            return r.choice(v) if self.chance(70) else self.constant()
        a = self.expression(v, deep + 1)
        b = self.expression(v, deep + 1)
        kind = r.randrange(12)
        if kind < 5:
            return "(%s %s %s)" % (a, r.choice("+-*^&|"), b)
        if kind == 5:
            return "((u) %s %s (%s & 31))" % (a, r.choice(["<<", ">>"]), b)
        if kind == 6:
            return "(%s %s (%s | 1))" % (a, r.choice("/%"), b)
        if kind == 7:
            return "(%s %s %s)" % (a, r.choice(["<", ">", "==", "!="]), b)
        if kind == 8:
            c = self.expression(v, deep + 1)
            return "(%s ? %s : %s)" % (c, a, b)
        if kind == 9:
            return "(%s %s %s)" % (a, r.choice(["&&", "||"]), b)
        if kind == 10:
            return "table[%s & 63]" % a
        return "(u) ((double) (%s & 0xffff) * 1.5)" % a

    def call(self, v):
        r = self.r
        a = self.expression(v, 2)
        b = self.expression(v, 2)
        kind = r.randrange(6)
        if kind == 0:
            n = r.randint(1, 7)
            args = ["(double) (%s & 255)" % self.expression(v, 3) if i & 1
                    else "(u) (%s)" % self.expression(v, 3) for i in range(n)]
            return "many (%d, %s)" % (n, ", ".join(args))
        if kind == 1:
            return "functions[%s %% %du] (%s, %s)" % (
                a, self.nfunctions, self.expression(v, 3), b)
        return "f%d (%s, %s)" % (r.randrange(self.nfunctions), a, b)

    # Statements.

    def body(self, v, deep):
        for _ in range(self.r.randint(1, 4)):
            self.statement(v, deep)

    def statement(self, v, deep):
        kinds = [self.assign, self.assign, self.if_, self.calls, self.dense]
        if deep < 4:
            kinds += [self.loop, self.loop, self.switch, self.switch, self.goto_,
                      self.computed, self.jump, self.pairs, self.room, self.string]
            if self.cpp:
                kinds += [self.try_, self.try_, self.guarded, self.virtual,
                          self.lambda_, self.throw]
        self.r.choice(kinds)(v, deep + 1)

    def assign(self, v, deep):
        if self.chance(25):
            self.put("table[%s & 63] = %s;" % (self.expression(v, 3),
                                               self.expression(v)))
        else:
            self.put("%s %s= %s;" % (self.r.choice(v[:2]),
                                     self.r.choice(["", "+", "^", "*"]),
                                     self.expression(v)))

    def calls(self, v, deep):
        self.put("x += %s;" % self.call(v))

    def dense(self, v, deep):
        self.put(" ".join("mix (%s);" % self.expression(v, 3)
                          for _ in range(self.r.randint(1, 4))))

    def if_(self, v, deep):
        self.open("if (%s)" % self.expression(v))
        self.body(v, deep)
        self.close()
        if self.chance(50):
            self.open("else")
            self.body(v, deep)
            self.close()

    def loop(self, v, deep):
        i = self.name()
        kind = self.r.randrange(3)
        n = self.r.randint(1, 9)
        if kind == 0:
            self.open("for (u %s = 0; %s < %du && burn (); %s++)" % (i, i, n, i))
        elif kind == 1:
            self.put("u %s = %s %% %du;" % (i, self.expression(v), n))
            self.open("while (%s-- && burn ())" % i)
        else:
            self.put("u %s = %du;" % (i, n))
            self.open("do")
        self.body(v + [i], deep)
        if self.chance(20):
            self.put("if (%s) %s;" % (self.expression(v),
                                      self.r.choice(["break", "continue"])))
        self.close(" while (--%s && burn ());" % i if kind == 2 else "")

    def switch(self, v, deep):
        n = self.r.randint(2, 20)
        if self.chance(70):
            self.open("switch (%s %% %du)" % (self.expression(v), n + 2))
            cases = range(n)
        else:
            self.open("switch (%s & 0xffff)" % self.expression(v))
            cases = sorted(self.r.sample(range(65536), n))
        for c in cases:
            self.put("case %d:" % c)
            if self.chance(60):
                self.assign(v, deep)
            else:
                self.open()
                self.statement(v, max(deep, 3))
                self.close()
            if self.chance(75):
                self.put("break;")
        if self.chance(60):
            self.put("default: x++;")
        self.close()

    def goto_(self, v, deep):
        label = self.name()
        self.put("%s: __attribute__ ((unused));" % label)
        self.open()
        self.body(v, deep)
        self.close()
        self.put("if (burn () && (%s) %% 5u == 1) goto %s;"
                 % (self.expression(v), label))

    def computed(self, v, deep):
        """A little interpreter."""
        name = self.name()
        n = self.r.randint(2, 7)
        labels = ["%s_%d" % (name, i) for i in range(n)]
        self.open()
        self.put("static const void *const %s[] = { %s, &&%s_end };" % (
            name, ", ".join("&&" + label for label in labels), name))
        self.put("u pc = %s;" % self.expression(v))
        step = "goto *%s[burn () ? pc %% %du : %du];" % (name, n + 1, n)
        self.put(step)
        for label in labels:
            self.put("%s:" % label)
            self.assign(v, deep)
            if self.chance(30):
                self.calls(v, deep)
            self.put("pc = pc * 5 + x %% 7u + 1;  %s" % step)
        self.put("%s_end: mix (pc);" % name)
        self.close()

    def jump(self, v, deep):
        """setjmp here, perhaps longjmp somewhere below."""
        name = self.name()
        self.open()
        self.put("jmp_buf %s; jmp_buf *volatile old = target;" % name)
        self.put("volatile u before = depth, seen = x;")
        self.put("target = &%s;" % name)
        self.open("if (setjmp (%s) == 0)" % name)
        self.put("seen += %s;" % self.call(v))
        self.close()
        self.put("else { depth = before; mix (seen); }")
        self.put("target = old;")
        self.put("x = seen + 1; y = depth;")
        self.close()

    def pairs(self, v, deep):
        name = self.name()
        self.put("struct pair %s = make (%s, %s);" % (
            name, self.expression(v), self.expression(v)))
        self.put("x ^= %s.a + %s.c[%s %% sizeof %s.c]; y += take (%s);" % (
            name, name, self.expression(v), name, name))

    def room(self, v, deep):
        name = self.name()
        self.put("u n_%s = 1 + %s %% 40u; u *%s = (u *) alloca (n_%s * sizeof (u));"
                 % (name, self.expression(v), name, name))
        self.put("for (u i = 0; i < n_%s; i++) %s[i] = i * x;" % (name, name))
        self.put("y += %s[y %% n_%s];" % (name, name))

    def string(self, v, deep):
        name = self.name()
        n = self.r.randint(1, 300)
        self.put("char %s[%d]; memset (%s, (int) (x & 127), sizeof %s);"
                 % (name, n, name, name))
        self.put("%s[%s %% %du] = 1; x += (u) %s[%s %% %du];" % (
            name, self.expression(v), n, name, self.expression(v), n))

    # C++.

    def try_(self, v, deep):
        self.open("try")
        self.body(v, deep)
        self.put("x += %s;" % self.call(v))
        self.close()
        caught = self.r.choice(["error &e", "other &e"])
        self.open("catch (%s)" % caught)
        self.put("mix (%s);" % ("e.code" if "error" in caught else "(u) e.d"))
        if self.chance(30):
            self.put("if (burn () & 1) throw;")
        self.body(v, 4)
        self.close()
        if self.chance(50):
            self.open("catch (...)")
            self.put("mix (77);")
            self.close()

    def guarded(self, v, deep):
        self.open()
        for _ in range(self.r.randint(1, 3)):
            self.put("guard %s (%s);" % (self.name(), self.expression(v)))
        self.body(v, deep)
        self.close()

    def virtual(self, v, deep):
        name = self.name()
        self.open()
        self.put("%s %s (%s); base *p = &%s;" % (
            self.r.choice(["base", "derived"]), name, self.expression(v), name))
        self.put("x += p->act (%s);" % self.expression(v))
        self.close()

    def lambda_(self, v, deep):
        name = self.name()
        self.put("auto %s = [&] (u z) { y += z; return unrolled<%d> (z) ^ x; };"
                 % (name, self.r.randint(1, 9)))
        self.put("x ^= %s (%s);" % (name, self.expression(v)))

    def throw(self, v, deep):
        what = self.r.choice(["error { %s }", "other { (double) (%s & 1023) }"])
        self.put("if (depth > 1 && (%s) %% 7u == 3) throw %s;"
                 % (self.expression(v), what % self.expression(v)))

    # Functions.

    def function(self, i):
        kind = self.r.randrange(4)
        static = "" if self.chance(30) else "static "
        noinline = "__attribute__ ((noinline)) " if self.chance(50) else ""
        self.put("%s%su" % (static, noinline))
        self.put("f%d (u x, u y)" % i)
        self.open()
        self.put("if (!burn () || depth > 30) return x ^ y;")
        if kind == 0 and not self.cpp:   # a tail call
            self.body(["x", "y"], 3)
            self.put("if (%s) return x;" % self.expression(["x", "y"]))
            self.put("return f%d (%s, x);" % (self.r.randrange(self.nfunctions),
                                              self.expression(["x", "y"])))
            self.close()
            return
        self.put("depth++;")
        guarded = self.cpp
        if guarded:
            self.put("struct level { ~level () { depth--; } } level;")
        for _ in range(self.r.randint(1, 5)):
            self.statement(["x", "y"], 0)
        if not self.cpp and self.chance(60):
            self.put("if (target && (%s) %% 5u == 2) longjmp (*target, 1);"
                     % self.expression(["x", "y"]))
        if not guarded:
            self.put("depth--;")
        self.put("mix (x);")
        self.put("return x + y;")
        self.close()

    def generate(self):
        self.put(HEAD % (self.r.randint(300, 3000), self.r.choice([1, 5, 16, 40])))
        if self.cpp:
            self.put(CPP_HEAD)
            # What may not leave the scope of an object.
            self.jump = self.computed = self.guarded
        self.functions()
        self.main()
        return "\n".join(line for line in self.lines if line.strip()) + "\n"

    def functions(self):
        start = len(self.lines)
        for i in range(self.nfunctions):
            self.function(i)
        bodies, self.lines = self.lines[start:], self.lines[:start]
        for i in range(self.nfunctions):
            at = bodies.index("f%d (u x, u y)" % i)
            self.put("%s f%d (u, u);" % (bodies[at - 1], i))
        self.put("static u (*const functions[]) (u, u) = { %s };" % ", ".join(
            "f%d" % i for i in range(self.nfunctions)))
        self.put("""static __attribute__ ((noinline)) struct pair
make (u a, u b)
{
  struct pair p = { a, b, { 0 } };
  for (u i = 0; i < sizeof p.c; i++)
    p.c[i] = (unsigned char) (a >> (i & 15));
  return p;
}
static __attribute__ ((noinline)) u
take (struct pair p)
{
  return p.a * 3 + p.b + p.c[0];
}""")
        self.lines += bodies

    def main(self):
        self.put("int")
        self.put("main (void)")
        self.open()
        self.put("for (u i = 0; i < 64; i++) table[i] = i * 2654435761u;")
        self.open("for (u i = 0; i < %du; i++)" % self.r.randint(1, 6))
        call = "mix (functions[i %% %du] (i * 7, i + 3));" % self.nfunctions
        if self.cpp:
            call = "try { %s } catch (error &e) { mix (e.code); } " \
                   "catch (other &) { mix (3); }" % call
        self.put("depth = 0; target = 0; fuel += 100;")
        self.put(call)
        self.close()
        self.put('printf ("%u\\n", sum);')
        self.put("return (int) (sum & 63);")
        self.close()


def main():
    args = sys.argv[1:]
    cpp = "--c++" in args
    seeds = [a for a in args if a != "--c++"]
    if len(seeds) != 1:
        sys.exit(__doc__)
    sys.stdout.write(Program(int(seeds[0]), cpp).generate())


main()
