/* format.h: the profile file, as save.c writes it and load.c reads it.

   One JSON object, UTF-8, on one line.  Times are nanoseconds, indices count
   from 0, every number that is not said to be real is an integer.  A reader
   ignores members it does not know; a change that an old reader would
   misunderstand raises "format_version".

     "format": "lineprof profile"	comes first: it names the kind of file
     "format_version": 1
     "kind": "lines" or "functions"
     "lineprof"			version of the program that wrote the file
     "host", "machine"			strings, or null where unknown
     "command"			array of strings: argv of the program
     "start"				seconds since the epoch
     "duration"
     "exit_status"			as waitpid(2) gives it, or -1
     "clock"				string or null
     "ticks_per_ns", "probe_cost", "call_cost"	real
     "time_mode"			"exact", "sampled" or "none"
     "selected"			true: functions were asked for by name
     "notes"				array of strings
     "objects"			array of [path, build-id]
     "sources"			array of [path, mtime or -1, MD5 or null]
     "subjects"			array of objects, each a function:
	"name", "linkage"		strings; linkage may be null
	"object", "source"		indices
	"line", "last_line"
	"engine"			"clone", "breakpoint", "step" or "none"
	"reason"			string or null
	"inlined"			may be missing: [holder, source, line], this is the
				instance of the function in `holder' that the line
				calls
	"untimed"			true, or missing: its calls are counted, and its
				time is that of the code around it
	"lines"			its lines with code, in any order: LINE where it
				is in the function's source and has no note,
				else [LINE, source, note or null]
	"digests"			may be missing: of the text of each of these
				lines, 32 bits of FNV-1a without the blanks around
				it; 0 where it is not known
     "parts"				array of objects, each a process or thread:
	"pid", "tid", "name"
	"functions"			array, ascending by subject, of
	   [subject, calls, primitive, total, self,
	    [hits of each line], [time of each line], [self of each line],
	    [indices of the lines that did not return]]
	"ranges"		may be missing: array of the named ranges
	   [name, count, total, own, least or -1, most or -1,
	    how many did not end by themselves]
     "nodes"			of a profile of functions, whose subjects have no
				lines and whose parts have no functions: the call tree
				(calls.h), five strings of as many decimal numbers
				with one space between them
	"parent"		1 + the index of the parent, a node before; 0: none
	"subject", "part"	indices
	"calls", "own"

   Strings.  Names and paths are bytes, JSON is Unicode.  A byte 0x80 to 0xff
   that is not part of valid UTF-8 is written as the private character U+10F700
   + byte; a string that holds one of U+10F780 to U+10F7FF itself has its bytes
   written in the same way, so that every string comes back as it was.  */

#ifndef LP_PROFILE_FORMAT_H
#define LP_PROFILE_FORMAT_H

#define LP_FORMAT_NAME "lineprof profile"
#define LP_FORMAT_VERSION 1

/* S with every byte that JSON cannot hold written as above; free it.  NULL
   when out of memory.  */
char *lp_bytes_encode (const char *s);
/* The reverse, in place.  */
void lp_bytes_decode (char *s);

#endif
