# fetch.sh: Debian source packages, from the mirror this system uses, into a
# cache.  Sourced.  apt works on a sources list and a lists folder of its own
# there: the user's set-up is not touched, and no right of root is needed.

# shellcheck shell=sh disable=SC2154
cache=${LINEPROF_CACHE:-$top_srcdir/tests/real/cache}

# The mirror and the suite of this system's packages: "URI SUITE".
debian_mirror ()
{
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
  test "$suite" || return 1
  {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null \
      | sed -n 's/^deb \+\(\[[^]]*\] \+\)\{0,1\}\([^ ]*\) \+\([^ ]*\) .*/\2 \3/p'
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null \
      | awk '/^URIs:/ { uri = $2 }
	     /^Suites:/ { for (i = 2; i <= NF; i++) print uri, $i }'
  } | awk -v suite="$suite" '$2 == suite { print; exit }'
}

private_apt ()
{
  tool=$1
  shift
  "$tool" -q -o Dir::Etc::sourcelist="$cache/apt/sources.list" \
    -o Dir::Etc::sourceparts=- -o Dir::State::lists="$cache/apt/lists" \
    -o Dir::Cache="$cache/apt" -o APT::Sandbox::User= \
    -o APT::Get::List-Cleanup=false "$@"
}

# source_package NAME FOLDER: unpacks NAME's upstream source to $cache/FOLDER.
source_package ()
{
  test -d "$cache/$2" && return
  mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" "$cache/dl"
  if ! test -s "$cache/apt/sources.list"
  then
    mirror=$(debian_mirror) || return 1
    test "$mirror" || return 1
    echo "deb-src $mirror main" >"$cache/apt/sources.list"
    private_apt apt-get update >"$cache/apt/log" 2>&1 || return 1
  fi
  (cd "$cache/dl" \
    && private_apt apt-get source --download-only "$1") >>"$cache/apt/log" 2>&1 \
    || return 1
  rm -rf "$cache/$2.new"
  mkdir "$cache/$2.new" || return 1
  for tarball in "$cache/dl/$1"_*.orig.tar.*
  do
    case $tarball in *.asc) continue ;; esac
    tar -xf "$tarball" -C "$cache/$2.new" --strip-components=1 || return 1
  done
  mv "$cache/$2.new" "$cache/$2"
}
