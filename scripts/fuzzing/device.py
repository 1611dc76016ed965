"""Printed CUDA text on the emulated device of tests/gpu/emulate, in the place of a result for the CPU."""
import subprocess
import sys


class Device:
    """The emulated device, built once a run."""

    def __init__(self, root, library, clang):
        self.emulate = root / "tests/gpu/emulate"
        # The variables of the text begin as poison.
        self.flags = ["-march=x86-64-v3", "-ftrivial-auto-var-init=pattern", "-DPOLYMEND_EMULATED", "-I", str(self.emulate)]
        archive, objects = library / "device.a", []
        for part in sorted(self.emulate.glob("*.cpp")):
            objects.append(str(library / f"{part.stem}.device.o"))
            subprocess.run([clang, "-std=c++20", "-w", "-O2", "-march=x86-64-v3", "-I", str(self.emulate), "-c", str(part), "-o", objects[-1]], check=True)
        subprocess.run(["ar", "rcs", str(archive), *objects], check=True)
        self.link = [str(archive)]

    def header(self, folder, stem):
        """Translates STEM.cu of a folder; the name of what is to be included, or None where it cannot be translated."""
        name = f"{stem}.text.h"
        with open(folder / f"{stem}.translate.log", "w") as log:
            done = subprocess.run([sys.executable, str(self.emulate / "translate.py"), f"{stem}.cu", "-o", name], cwd=folder, stdout=log, stderr=log, check=False)
        return name if done.returncode == 0 else None
