#!/bin/sh
# Builds pytest-nudge as a wheel, installs it into a virtual environment, and runs its tests with the
# `nudge` of the debug build. Nothing is downloaded: pytest and setuptools are the system's.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh python
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
NUDGE=${NUDGE:-$target/debug/nudge}
export NUDGE
room=$target/python
package=python/pytest-nudge

rm -rf "$room"
mkdir -p "$room"
# setuptools builds inside of the sources' folder; it gets a copy.
cp -R "$package" "$room/source"
# As scripts/need.sh: a Python of the user would not see the system's packages.
/usr/bin/python3 -m venv --system-site-packages "$room/venv"
python="$room/venv/bin/python"
"$python" -m pip --quiet --disable-pip-version-check wheel --no-index --no-deps \
    --no-build-isolation --wheel-dir "$room/wheel" "$room/source"
"$python" -m pip --quiet --disable-pip-version-check install --no-index --no-deps "$room"/wheel/*.whl
"$python" -m pytest -q -p no:cacheprovider "$package/tests"
