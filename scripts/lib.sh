# Shared by the scripts of this folder, which source it: the repository's root, messages, packages, builds.
# shellcheck shell=bash

set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# How many jobs run at a time, compilers or tests: one for each core, as far as memory goes, 1.5 GiB each.
most_jobs() {
  local cores available fit
  cores=$(nproc)
  available=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
  fit=$((${available:-0} / (1536 * 1024)))
  if [ "$fit" -lt 1 ]; then fit=1; fi
  if [ "$fit" -lt "$cores" ]; then echo "$fit"; else echo "$cores"; fi
}
# Read by the scripts.
# shellcheck disable=SC2034
jobs=$(most_jobs)

say() { printf '== %s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: the command's output goes to LOG, and to the terminal only if the command fails.
quietly() {
  local log=$1
  shift
  if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
  tail -n 60 "$log" >&2
  return 1
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# apt_get WHAT ARGUMENT...: apt-get with these arguments, as root or by sudo, for WHAT.
apt_get() {
  local what=$1 log
  shift
  local by_hand="as root: apt-get $*"
  local apt_get=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "packages are missing, and there is neither root nor sudo to install them; $by_hand"
    if [ -t 0 ]; then sudo -v; else sudo -n true; fi || die "packages are missing, and sudo refuses; $by_hand"
    apt_get=(sudo -n "${apt_get[@]}")
  fi

  say "installing $what"
  log=$(mktemp)
  # A list that could not be renewed may still do: the installation says so if it does not.
  quietly "$log" "${apt_get[@]}" update || say "not every package list could be renewed"
  quietly "$log" "${apt_get[@]}" -y "$@" || die "the packages could not be installed: $what"
  rm -f "$log"
}

# install_missing PACKAGE...: installs those Debian packages that are not there yet.
install_missing() {
  local package
  local missing=()
  command -v dpkg-query >/dev/null || die "this is not a Debian system; takt is built on Debian 12 with: $*"
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  apt_get "${missing[*]}" install --no-install-recommends "${missing[@]}"
}

# install_build_dependencies: what debian/control says.
install_build_dependencies() {
  if dpkg-checkbuilddeps 2>/dev/null; then return 0; fi
  apt_get "what debian/control says" build-dep --no-install-recommends "$root"
}

# spends WHAT COMMAND...: what the command takes is a line of build/times, which scripts/test shows.
spends() {
  local what=$1 begin=$SECONDS status=0
  shift
  "$@" || status=$?
  echo "$what $((SECONDS - begin))" >>build/times
  return "$status"
}

# configure PRESET [OPTION...]: makes build/PRESET, or renews it, with CMake's options on top of those it has.
configure() {
  local preset=$1
  shift
  mkdir -p "build/$preset"
  quietly "build/$preset/configure.log" cmake --preset "$preset" "$@" || die "build/$preset could not be configured"
}

# build PRESET [TARGET...]: configures build/PRESET and builds the targets, or everything.
build() {
  local preset=$1
  shift
  configure "$preset"
  build_configured "$preset" "$@"
}

ninja_options=()
# build_configured PRESET [TARGET...]: builds the targets, or everything, in a build/PRESET that is configured.
build_configured() {
  local preset=$1
  shift
  say "building build/$preset${*:+: $*}"
  cmake --build "build/$preset" --parallel "$jobs" ${1+--target "$@"} -- "${ninja_options[@]}" >&2
}
