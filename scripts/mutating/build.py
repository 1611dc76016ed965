"""One build that holds all faults: copies of the sources in which each fault is an alternative, compiled with the commands of the
release build, put into copies of its libraries, and linked with its tests."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

HEAD = ("extern int polymend_chosen; extern unsigned char *polymend_reached; "
        "__attribute__((unused)) static inline bool polymend_mutant(int n) { if (polymend_reached) polymend_reached[n] = 1; return n == polymend_chosen; } ")
SLOPPINESS = "pch_defines,time_macros,include_file_mtime,include_file_ctime"


class Build:
    def __init__(self, root, release, out, jobs):
        self.root, self.release, self.out, self.jobs = root, release, out, jobs
        self.commands = {e["file"]: shlex.split(e["command"]) for e in json.loads((release / "compile_commands.json").read_text())}
        self.environment = dict(os.environ, CCACHE_SLOPPINESS=SLOPPINESS)
        self.clang = shutil.which("clang++-19") or "clang++"

    def command(self, path):
        return self.commands[str(path)]

    def written(self, file, sites):
        """The text of a file with its faults as alternatives; the number of a fault is its place in the list of all."""
        source = (self.root / file).read_bytes()
        for number, site in sorted(sites, key=lambda s: -s[1].start):
            source = source[:site.start] + site.bent.replace("(@)", f"({number})").encode() + source[site.end:]
        return HEAD.encode() + (b"\n#line 1\n" if source.startswith(b"#") else b"") + source

    def compile(self, file, sites):
        """Compiles a file with its faults; the numbers of those that no compiler takes."""
        copy, made = self.out / file, self.out / "objects" / (file + ".o")
        copy.parent.mkdir(parents=True, exist_ok=True)
        made.parent.mkdir(parents=True, exist_ok=True)
        refused, command = set(), self.command(self.root / file)
        usual = self.release / command[command.index("-o") + 1]  # made again where a header has changed
        while True:
            left = [s for s in sites if s[0] not in refused]
            text = self.written(file, left)
            if copy.exists() and made.exists() and copy.read_bytes() == text and newer(made, [copy, usual]):
                return refused
            copy.write_bytes(text)
            words, skip = ([shutil.which("ccache")] if shutil.which("ccache") else []) + [self.clang], False
            for word in command[1:]:
                if skip:
                    skip = False
                elif word in ("-c", "-o"):
                    skip = True
                else:
                    words.append("-O1" if word == "-O3" else word)
            words += ["-w", "-Wno-error", "-fno-caret-diagnostics", "-ferror-limit=0", "-iquote", str((self.root / file).parent), "-c", str(copy), "-o", str(made)]
            done = subprocess.run(words, cwd=self.release, env=self.environment, capture_output=True, text=True)
            if done.returncode == 0:
                return refused
            made.unlink(missing_ok=True)
            bad = {int(at[1]) for at in re.finditer(re.escape(str(copy)) + r":(\d+):\d+: error", done.stderr)}
            worse = {n for n, s in left if any(s.line <= line <= s.line + s.lines for line in bad)}
            if not worse:
                raise RuntimeError(f"{file} does not compile: {done.stderr[:2000]}")
            refused |= worse

    def objects(self, sites, progress):
        """Compiles all files that faults stand in; the numbers of faults that do not compile."""
        by_file = collections.defaultdict(list)
        for number, site in sites.items():
            by_file[site.file].append((number, site))
        refused = set()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            running = [pool.submit(self.compile, file, own) for file, own in sorted(by_file.items())]
            for n, done in enumerate(concurrent.futures.as_completed(running), 1):
                refused |= done.result()
                progress(f"compiled {n} of {len(by_file)} files")
        return refused, sorted(by_file)

    def libraries(self, files, folder):
        """Copies of the libraries with the compiled files in the place of the originals."""
        rooms = collections.defaultdict(list)
        for file in files:
            rooms["_".join(file.split("/")[1:-1])].append(str(self.out / "objects" / (file + ".o")))
        for room, objects in rooms.items():
            library, original = folder / f"libpolymend_{room}.a", self.release / f"libpolymend_{room}.a"
            if newer(library, [original, *map(pathlib.Path, objects)]):
                continue
            shutil.copy(original, library)
            subprocess.run(["ar", "r", str(library), *objects], check=True, capture_output=True)
        return {room: folder / f"libpolymend_{room}.a" for room in rooms}

    def own(self, source):
        """An object of the runtime of this tool."""
        here, made = pathlib.Path(__file__).parent / source, self.out / (source + ".o")
        if not newer(made, [here]):
            subprocess.run([self.clang, "-std=c++20", "-O2", "-c", str(here), "-o", str(made)], check=True)
        return str(made)

    def link(self, target, more, rooms, folder):
        """Links a program of the release build with the changed libraries."""
        made = folder / pathlib.Path(target).name
        if newer(made, [self.release / target, *rooms.values(), *map(pathlib.Path, more)]):
            return made
        told = subprocess.run(["ninja", "-t", "commands", target], cwd=self.release, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        step = next(part for part in told.split(" && ") if f"-o {target}" in part)
        words = []
        for word in shlex.split(step):
            room = re.fullmatch(r"libpolymend_(\w+)\.a", word)
            words.append(str(rooms[room[1]]) if room and room[1] in rooms else str(made) if word == target else word)
        at = words.index("-o")
        subprocess.run(words[:at] + more + words[at:], cwd=self.release, check=True)
        return made


def newer(made, sources):
    """Was the file made after what it is made of?"""
    return made.exists() and all(made.stat().st_mtime >= s.stat().st_mtime for s in sources)
