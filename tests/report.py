#!/usr/bin/env python3
"""Opens reports (--report of train and gpt), and the exercises' pages, in Chromium:

    python3 tests/report.py PAGE.html ... [--exercises FOLDER] [--pictures FOLDER]

Wide and as on a phone, dark and light: no error, no request, nothing wider than the window, axe-core finds nothing; a
report's slider, where it has one, changes the picture, and it says when the loss was not finite; an exercise is printed
dark on white. Needs Chromium and the package
axe-playwright-python.
"""
import argparse
import pathlib
import shutil
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SIZES = {"wide": (1280, 900), "phone": (390, 844)}
MOVE = "at => { const s = document.getElementById('slider'); s.value = s[at]; s.dispatchEvent(new Event('input')); }"
PICTURE = "document.querySelector('canvas').toDataURL()"
COLORS = "(s => s.backgroundColor + ' ' + s.color)(getComputedStyle(document.body))"


def look_at_slider(page):
    if not page.query_selector("#slider"):
        return []
    last = page.evaluate(PICTURE)
    page.evaluate(MOVE, "min")
    same = page.evaluate(PICTURE) == last
    page.evaluate(MOVE, "max")
    return ["the slider does not change the picture"] if same else []


def look_at_finite(page):
    if page.evaluate("data.steps.loss.every(x => typeof x === 'number')"):
        return []
    return [] if "The loss was not finite" in page.inner_text("main") else ["it does not say: the loss was not finite"]


def look_at_print(page):
    page.emulate_media(media="print")
    colors = page.evaluate(COLORS)
    page.emulate_media(media="screen")
    return [] if colors == "rgb(255, 255, 255) rgb(27, 27, 27)" else [f"printed as {colors}"]


def look(browser, path, is_exercise, size, scheme, pictures):
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
    errors, requests = [], []
    page.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.on("request", lambda r: requests.append(r.url))
    page.goto(path.resolve().as_uri())
    errors += look_at_print(page) if is_exercise else look_at_slider(page) + look_at_finite(page)
    if pictures:
        page.screenshot(path=pictures / f"{path.stem}-{size}-{scheme}.png", full_page=True)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.wait_for_timeout(200)
    errors += [f"a request: {url}" for url in requests[1:]]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        errors.append("wider than the window")
    found = Axe().run(page)
    if found.violations_count:
        errors.append(found.generate_report())
    print(f"{path.name}, {size}, {scheme}: {'; '.join(errors) or 'nothing to find fault with'}")
    return len(errors)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("page", nargs="*", type=pathlib.Path)
    arguments.add_argument("--exercises", type=pathlib.Path, help="their folder")
    arguments.add_argument("--pictures", type=pathlib.Path, help="a folder for screenshots")
    options = arguments.parse_args()
    pages = [(page, False) for page in options.page]
    pages += [(page, True) for page in sorted(options.exercises.glob("*.html"))] if options.exercises else []
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        faults = sum(look(browser, page, is_exercise, size, scheme, options.pictures)
                     for page, is_exercise in pages for size in SIZES for scheme in ("light", "dark"))
        browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
