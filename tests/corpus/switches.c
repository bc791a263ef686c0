/* switches.c: switch statements, sparse and dense, with fallthrough and
   several arms on one line.  */

#include <stdio.h>

static int steps;

static int
f (int x)
{
  return steps += x;
}

static int
sparse (int n)
{
  switch (n)
    {
    case 1:
      f (1);
      break;
    case 100:
      f (2);
      break;
    case 10000:
    case 20000:
      f (3);
      break;
    default:
      f (4);
      break;
    }
  return steps;
}

static int
dense (int n)
{
  int r = 0;
  switch (n)
    {
    case 0:
      r = 3;
      break;
    case 1:
      r = f (1);
      break;
    case 2:
      r += 1;
      /* fallthrough */
    case 3:
      r += 2;
      /* fallthrough */
    case 4:
      r += 3;
      break;
    case 5: r = 5; break;
    case 6: r = 6; break; case 7: r = 7; break;
    case 8: f (8); break;
    case 9: f (9); f (10); break;
    case 10: return 10;
    case 11:
    case 12:
    case 13:
      {
	int q = n;
	r = q * 2;
      }
      break;
    }
  return r;
}

static int
arms (int n)
{
  switch (n) { case 0: return 1; case 1: return 2; case 2: return 3; default: return 4; }
}

static int
ranges (int c)
{
  switch (c)
    {
    case 'a' ... 'z':
      return 1;
    case 'A' ... 'Z':
      return 2;
    case '0' ... '9':
      return 3;
    case ' ': case '\t': case '\n':
      return 4;
    }
  return 0;
}

enum op { PUSH, ADD, MUL, DUP, JNZ, DEC, HALT };

static int
machine (void)
{
  static const int code[] = {
    PUSH, 6, PUSH, 1,
    DUP, ADD, MUL, DEC, JNZ, 4, HALT
  };
  int stack[8], sp = 0, pc = 0, counter = 5;
  for (;;)
    switch (code[pc++])
      {
      case PUSH:
	stack[sp++] = code[pc++];
	break;
      case ADD:
	stack[sp - 2] += stack[sp - 1];
	sp--;
	break;
      case MUL:
	stack[0] = stack[0] * stack[sp - 1] % 1009;
	break;
      case DUP:
	stack[sp] = stack[sp - 1];
	sp++;
	break;
      case DEC:
	counter--;
	break;
      case JNZ:
	if (counter)
	  pc = code[pc];
	else
	  pc++;
	break;
      case HALT:
	return stack[0];
      }
}

static int
nested (int a, int b)
{
  int i = 1;
  switch (a)
    {
    case 0:
      switch (b)
	{
	case 0: return 1;
	case 1: f (1);
	default: return 2;
	}
    case 1:
      while (b)
	{
	  switch (b--)
	    {
	    case 3:
	      continue;
	    case 1:
	      f (b);
	    }
	  f (2);
	}
      break;
    default:
      for (i = 0; i < b; i++)
    case 2:
	f (3);
    }
  return steps;
}

static void
copy (char *to, const char *from, int count)
{
  int n = (count + 3) / 4;
  switch (count % 4)
    {
    case 0: do { *to++ = *from++;
    case 3:	 *to++ = *from++;
    case 2:	 *to++ = *from++;
    case 1:	 *to++ = *from++;
	       } while (--n > 0);
    }
}

static int
only_default (int n)
{
  switch (n)
    {
    default:
      n++;
    }
  switch (n)
    case 3:
      n = 7;
  switch (f (n))
    {
    }
  return n;
}

int
main (void)
{
  int r = 0;
  for (int i = 0; i < 15; i++)
    {
      r += dense (i) + arms (i % 5);
      r += sparse (i) + sparse (i * 10000);
      r += nested (i % 4, i / 4);
      r += only_default (i % 4);
    }
  r += sparse (100) + machine ();
  for (const char *s = "Hello, World 42\t!"; *s; s++)
    r += ranges (*s);
  char text[20];
  copy (text, "switching devices!", 19);
  printf ("%d %d %s\n", r, steps, text);
  return 0;
}
