# The steps that cargo does. One target directory, one profile and one set of flags for all of them, so
# that nothing is compiled twice. The linker is the one that Rust brings (lld on Linux): naming another
# one through RUSTFLAGS would compile every dependency again for a person who builds without it.
# Sourced by tests/run.

# All tests. cargo-nextest where it is installed (a process for each test), else cargo's own runner.
run_tests() {
  local log status=0
  log=$(mktemp)
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --workspace --no-fail-fast 2>&1 |
      tee "$log" || status=$?
    count_nextest "$log"
  else
    cargo test --locked --workspace --no-fail-fast --lib --bins --tests 2>&1 | tee "$log" || status=$?
    count_cargo_test "$log"
  fi
  fail_uncounted "$status"
  rm -f "$log"
  return "$status"
}

# nextest does not run the examples in documentation.
run_doc_tests() {
  local log status=0
  log=$(mktemp)
  cargo test --locked --workspace --doc --no-fail-fast 2>&1 | tee "$log" || status=$?
  count_cargo_test "$log"
  fail_uncounted "$status"
  rm -f "$log"
  return "$status"
}

# "     Summary [   0.1s] 26 tests run: 24 passed (1 flaky), 2 failed, 1 timed out, 0 skipped"
count_nextest() {
  local summary
  summary=$(grep -E '^ *Summary \[' "$1" | tail -n 1)
  TESTS_PASSED=$((TESTS_PASSED + $(number "$summary" passed)))
  COUNTED_FAILED=$(($(number "$summary" failed) + $(number "$summary" "timed out") + $(number "$summary" "exec failed")))
  TESTS_FAILED=$((TESTS_FAILED + COUNTED_FAILED))
}

# "test result: ok. 12 passed; 0 failed; 0 ignored; ..."
count_cargo_test() {
  local passed failed
  passed=$(sed -n 's/^test result: .* \([0-9]*\) passed; .*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
  failed=$(sed -n 's/^test result: .* \([0-9]*\) failed; .*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
  TESTS_PASSED=$((TESTS_PASSED + passed))
  COUNTED_FAILED=$failed
  TESTS_FAILED=$((TESTS_FAILED + failed))
}

# number SUMMARY WORD: the number before the word, 0 without it.
number() {
  local n
  n=$(printf '%s\n' "$1" | sed -n "s/.*[^0-9]\([0-9][0-9]*\) $2.*/\1/p")
  echo "${n:-0}"
}

# A run that failed without a failed test (it did not compile, for example) counts as one.
fail_uncounted() {
  if [ "$1" != 0 ] && [ "$COUNTED_FAILED" = 0 ]; then
    TESTS_FAILED=$((TESTS_FAILED + 1))
  fi
}

# How fast redaction and extraction are when optimised, for the table of scores. Only that it runs can fail: a busy
# machine is slow. The package stands outside the workspace (see its manifest) and gets the program's own lock.
measure_speed() {
  cp Cargo.lock tests/speed/Cargo.lock &&
    cargo build --release --quiet --manifest-path tests/speed/Cargo.toml --target-dir target/speed || return 1
  mkdir -p target/scores
  target/speed/release/speed | tee target/scores/speed.txt
  return "${PIPESTATUS[0]}"
}

check_dependencies() {
  PATH="$TOOLS/bin:$PATH" cargo-deny --locked check bans licenses sources
}

# Everything that a test compares with what makes it: help, manual, completions, the configuration's example, the
# tables in the documents, and the snapshots.
bless_files() {
  export INSTA_UPDATE=always RMM_ANALYST_BLESS=1
  cargo test --locked --quiet --test cli_help &&
    cargo test --locked --quiet --test security fleet_tools &&
    cargo test --locked --quiet --test tui &&
    cargo test --locked --quiet -p fleet
  local status=$?
  export INSTA_UPDATE=no
  unset RMM_ANALYST_BLESS
  return "$status"
}

# The tests compare generated files with what makes them; here only that nothing was left to accept and
# that the tests wrote nothing into the tree.
check_generated() {
  local left
  left=$(find . -path ./target -prune -o -name '*.snap.new' -print -o -name '*.pending-snap' -print)
  if [ -n "$left" ]; then
    echo "snapshots that nobody accepted:" "$left" >&2
    return 1
  fi
  local file
  for file in config.toml.example man/rmm-analyst.1 man/rmm-analyst.5 completions/rmm-analyst.bash; do
    [ -s "$file" ] || { echo "$file is missing: tests/run --bless" >&2; return 1; }
  done
  if have man; then
    local page warnings
    for page in man/*; do
      warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
      [ -z "$warnings" ] || { echo "$page: $warnings" >&2; return 1; }
    done
    echo "$(find man -type f | wc -l) manual pages read without a warning"
  else
    echo "man is missing, so the manual pages were not read" >&2
    return 1
  fi
}
