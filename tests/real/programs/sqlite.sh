# sqlite.sh: a fixed list of the files of SQLite's test suite, all in one process of
# its testfixture, which is the library and a Tcl interpreter; and the shell, which has
# no FTS5 here and says so.

# shellcheck shell=bash disable=SC2034,SC2154
package=sqlite3
images="testfixture sqlite3"
needs="tclsh tcl8.6/tcl.h"
limit=3600

build ()
{
  ./configure --with-tcl=/usr/lib/tcl8.6 --disable-readline --disable-shared \
    && make -j2 testfixture sqlite3 && cp "$real/workload.sql" .
}

files="select1 select2 select3 select4 select5 select6 select7 select8 selectA selectB
selectC selectE aggnested alter alter3 autoinc between boundary3 cast check
coalesce collate1 collate2 collate3 collate4 collate5 conflict count createtab cse date
default delete2 distinct e_select enc expr fkey1 fkey2 fts3aa fts3ab func func2
hexlit in in2 index index6 insert insert2 insert3 instr intpkey join join2 join5
json101 json102 like limit lock main minmax misc1 misc2 misc3 notnull null orderby1
pragma2 printf quote rowid savepoint schema subquery table tempdb trans
trigger1 trigger2 trigger3 types types2 unique update upsert1 vacuum vacuum2 view
where where2 where3 window1 without_rowid1 zeroblob"

suite ()
{
  # shellcheck disable=SC2046 # words
  $RUN ./testfixture test/permutations.test default $(printf '%s.test ' $files)
  echo "exit status $?"
  $RUN ./sqlite3 :memory: <workload.sql
}

tests_run ()
{
  grep -acE '\.\.\. Ok$' "$1"
}

# Times, and the most memory that was in use.
normalize ()
{
  sed -E -e '/^Time:|^Memory used:|^Maximum memory usage:|microseconds/d' \
    -e 's/\([0-9]+ ms - want/(want/'
}
