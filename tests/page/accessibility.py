#!/usr/bin/env python3
"""Audits the page with axe-core, in light and in dark. usage: accessibility.py POLYMEND FOLDER

axe-core comes from npm, by the lock file beside this one, into FOLDER, where it stays."""
import pathlib
import shutil
import subprocess
import sys

import session

HERE = pathlib.Path(__file__).resolve().parent


def axe(folder):
    script = folder / "node_modules/axe-core/axe.min.js"
    if script.exists():
        return script.read_text()
    if not shutil.which("npm"):
        session.skip("there is no npm to fetch axe-core with (Debian: apt-get install npm)")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        session.skip(f"npm could not fetch axe-core: {done.stderr.strip().splitlines()[-1:]}")
    return script.read_text()


def prepare(driver):
    """Every part of the page is there: a card with its tables, the table of all dependences, red arrows."""
    driver.execute_script("""
      const f = shown();
      const e = f.dependences.find((one) => one.verdict !== "kept") || f.dependences[0];
      if (e) showEdges([e.id]);
      if (f.dependences.length < 500) document.querySelectorAll("details").forEach((one) => (one.open = true));
      const order = document.getElementById("order");
      if (order) { order.selectedIndex = order.length - 1; order.dispatchEvent(new Event("change")); goTo(1e9); }
    """)


def main(tool, folder):
    script = axe(pathlib.Path(folder))
    pages, driver = session.Pages(tool), session.browser()
    driver.set_script_timeout(300)
    wrong = audited = 0
    try:
        for name in ("mend", "attention", "refused", "waves", "hostile", "many"):
            for scheme in ("light", "dark"):
                driver.get(f"file://{pages.path(name)}")
                driver.execute_script("document.documentElement.style.colorScheme = arguments[0]", scheme)
                prepare(driver)
                driver.execute_script(script)
                found = driver.execute_async_script("const done = arguments[0]; axe.run().then(done)")
                audited += len(found["passes"])
                for violation in found["violations"]:
                    wrong += 1
                    print(f"{name}, {scheme}: {violation['id']}: {violation['help']}")
                    for node in violation["nodes"][:4]:
                        print(f"    {node['html'][:160]}\n    {node['failureSummary'].splitlines()[-1].strip()}")
    finally:
        driver.quit()
        pages.remove()
    print(f"axe-core: {audited} rules passed, {wrong} violated")
    return 1 if wrong or not audited else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
