#!/bin/sh
# Builds pytest-nudge as a wheel, installs it into a virtual environment, and runs its tests with
# the `nudge` of the debug build. Nothing is downloaded: pytest and setuptools are those of the
# system.
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
# setuptools builds in the folder of the sources, so it gets a copy.
cp -R "$package" "$room/source"
(cd "$room/source" && /usr/bin/python3 -c 'import setuptools.build_meta as build
build.build_wheel("../wheel")') >"$room/build.log" 2>&1 || { cat "$room/build.log" >&2; exit 1; }
# The system's Python, as in scripts/need.sh: a user's own would not find the system's packages. A
# wheel of pure Python can be installed by unpacking it; pip would take longer than the tests.
/usr/bin/python3 -m venv --without-pip --system-site-packages "$room/venv"
python="$room/venv/bin/python"
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -m zipfile -e "$room"/wheel/*.whl "$site"
"$python" -m pytest -q -p no:cacheprovider "$package/tests"

# The wheel of a release contains the command: in a fresh environment the fixtures find it, without NUDGE and PATH.
NUDGE_BUILT=$NUDGE CARGO_TARGET_DIR=$room scripts/package.sh wheel
/usr/bin/python3 -m venv --system-site-packages "$room/fresh"
"$room/fresh/bin/python" -m pip install --quiet --no-index --no-deps "$room"/package/pytest_nudge-*.whl
cmp "$NUDGE" "$room/fresh/bin/nudge"
env -u NUDGE PATH=/usr/bin:/bin "$room/fresh/bin/python" -m pytest -q -p no:cacheprovider "$package/tests/test_plugin.py" -k forks
