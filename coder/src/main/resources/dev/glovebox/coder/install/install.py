"""Installs packages with pip, and compiles them for where later programs see them."""

import subprocess
import sys

try:
    import pip  # noqa: F401
except ImportError:
    sys.exit("glovebox: there is no pip in the box; on Debian it is in the package python3-pip")

folder, seen, *arguments = sys.argv[1:]
code = subprocess.call([sys.executable, "-I", "-m", "pip", *arguments])
if code == 0:
    import compileall
    import py_compile

    # Not by the times of files, which are not the same each time.
    compileall.compile_dir(
        folder,
        ddir=seen,
        quiet=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
sys.exit(code)
