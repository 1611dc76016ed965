"""What every text of every batch includes, read by Clang once for each set of flags."""
import subprocess
import threading

TEXT = "#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <cstring>\n#include <limits>\n#include <new>\n#include <numeric>\n#include <span>\n#include <utility>\n#include <vector>\n"


class Headers:
    def __init__(self, clang, folder):
        self.clang, self.folder = clang, folder
        self.made, self.lock = {}, threading.Lock()

    def flags(self, flags):
        """`flags`, and those that take the headers as they were read under them."""
        with self.lock:
            if tuple(flags) not in self.made:
                self.made[tuple(flags)] = self.read(flags, f"headers{len(self.made)}")
            return [*flags, "-include-pch", self.made[tuple(flags)]]

    def read(self, flags, name):
        text, result = self.folder / f"{name}.h", self.folder / f"{name}.pch"
        text.write_text(TEXT)
        subprocess.run([self.clang, *flags, "-x", "c++-header", str(text), "-o", str(result)], check=True)
        return str(result)
