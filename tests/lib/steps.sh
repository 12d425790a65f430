# Steps of tests/run: each is timed, its failure is remembered, and the summary comes last.
# Sourced by tests/run.

STEPS=()
FAILED_STEPS=0
TESTS_PASSED=0
TESTS_FAILED=0
STARTED=$SECONDS

# step NAME COMMAND...: runs it and goes on whatever happens.
step() {
  local name=$1 began=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  local result=ok
  if [ "$status" != 0 ]; then
    result="FAILED ($status)"
    # Failed tests are counted one by one; every other failure counts once.
    if [ "$name" != "tests" ] && [ "$name" != "tests in documentation" ]; then
      FAILED_STEPS=$((FAILED_STEPS + 1))
    fi
  fi
  STEPS+=("$(minutes $((SECONDS - began))) min  $name: $result")
}

minutes() {
  awk -v s="$1" 'BEGIN { printf "%5.1f", s / 60 }'
}

finish() {
  local failed=$((TESTS_FAILED + FAILED_STEPS))
  printf '\n== minutes of each step\n'
  printf '%s\n' "${STEPS[@]}"
  printf '%s min  in all\n\n' "$(minutes $((SECONDS - STARTED)))"
  # A run in which no test ran has not passed.
  if [ "$TESTS_PASSED" = 0 ] && [ "$failed" = 0 ]; then
    failed=1
  fi
  printf '%d passed, %d failed\n' "$TESTS_PASSED" "$failed"
  [ "$failed" = 0 ]
}
