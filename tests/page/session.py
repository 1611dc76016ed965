"""What the tests of the page in a browser share: pages that the tool writes, and Chromium without a window.

Exit status 77 says that nothing could be tested, and why: CTest counts that as skipped."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

HOSTILE = """// </script><script>document.title = 'broken'</script> <b>&amp; "quoted" 'single' größer als ℝ
void first(int n, float *__restrict a, const float *__restrict b) {
  for (int i = 0; i < n && true; i++) a[i] = b[i] < 1.0f ? 1.0f : b[i]; // <img src=x onerror="document.title='broken'">
}
void second(int n, float *a) {
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1.0f;
}
void third(int *x) { while (*x) x++; }
"""


def skip(reason):
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(77)


def many_statements():
    """Twenty loops of three statements."""
    loops = "".join(
        f"  for (int i = 0; i < n; i++) {{ x[i] = x[i] + {k}.0f; y[i] = x[i] * 2.0f; z[i] = y[i] + x[i]; }}\n" for k in range(20)
    )
    return f"void many(int n, float *__restrict x, float *__restrict y, float *__restrict z) {{\n{loops}}}\n"


class Pages:
    """Pages by name, written when they are first asked for."""

    def __init__(self, tool):
        self.tool = tool
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="polymend-page-"))
        self.sources = {
            "mend": ROOT / "inputs/lessons/mend.cpp",
            "attention": ROOT / "inputs/prefill_causal.cpp",
            "bounded": ROOT / "inputs/decode_softcap.cpp",
            "refused": ROOT / "inputs/refused_sigmoid.cpp",
            "waves": ROOT / "inputs/lessons/wavefronts.cpp",
        }
        for name, text in {"hostile": HOSTILE, "many": many_statements()}.items():
            self.sources[name] = self.folder / f"{name}.cpp"
            self.sources[name].write_text(text)

    def path(self, name):
        page = self.folder / f"{name}.html"
        if not page.exists():
            subprocess.run([self.tool, "deps", self.sources[name], "--format=html", "-o", page], check=True, stderr=subprocess.DEVNULL)
        return page

    def remove(self):
        shutil.rmtree(self.folder)


def browser():
    """A browser of its own, or a skip that says what is missing."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        skip(f"{sys.executable} has no selenium (Debian: apt-get install python3-selenium)")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        skip("there is no chromium or no chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = Options()
    options.binary_location = chromium
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)
