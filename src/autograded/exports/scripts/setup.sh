#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder's image: installs what grading needs.
set -euo pipefail
here="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)"
# Gradescope unpacks the archive into /autograder/source and keeps it there.
source="$here"
root="$(dirname "$source")"

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap ca-certificates python3 python3-venv

python=""
for name in @PYTHON@ python3.14 python3.13 python3.12 python3.11 python3; do
  if command -v "$name" > /dev/null \
    && "$name" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
    python="$name"
    break
  fi
done
if [ -z "$python" ]; then
  echo "autograded needs Python 3.11 or newer: choose the base image Ubuntu 24.04." >&2
  exit 1
fi

"$python" -m venv "$root/venv"
pip=("$root/venv/bin/python" -m pip install --quiet --no-cache-dir
  --disable-pip-version-check --constraint "$source/constraints.txt")
# torch first, from its index of CPU builds: the usual one brings several gigabytes of CUDA.
"${pip[@]}" --index-url "${TORCH_INDEX:-https://download.pytorch.org/whl/cpu}" \
  --extra-index-url "${PIP_INDEX_URL:-https://pypi.org/simple}" torch
"${pip[@]}" "$source"/autograded-*.whl

# What students' code may not read; with confinement it cannot see it anyway.
chmod -R go-rwx "$source"
chmod -R a+rX "$root/venv"
