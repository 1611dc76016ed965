#!/usr/bin/env python3
"""The page of `polymend deps --format=html` in a real browser. usage: browser.py POLYMEND"""
import sys
import unittest

import session

pages = driver = None

# A place that counts bytes lies elsewhere than one that counts letters.
LETTERS = """void letters(int n, float *a) {
  for (int i = 1; i < n; i++) /* größer als ℝ 𝔸 */ a[i] = a[i - 1] + 1.0f; // ü
}
"""


class Page(unittest.TestCase):
    def open(self, name):
        driver.set_window_size(1400, 1000)
        driver.get(f"file://{pages.path(name)}")
        self.addCleanup(self.no_complaints)
        return self.js("return data.functions[0]")

    def no_complaints(self):
        self.assertEqual(driver.get_log("browser"), [])

    def js(self, script, *words):
        return driver.execute_script(script, *words)

    def one(self, selector):
        return driver.find_element("css selector", selector)

    def all(self, selector):
        return driver.find_elements("css selector", selector)

    def keys(self, element, *words):
        from selenium.webdriver.common.keys import Keys

        for word in words:
            element.send_keys(getattr(Keys, word, word))

    def choose(self, selector, value):
        from selenium.webdriver.support.ui import Select

        Select(self.one(selector)).select_by_value(value)

    def unfold(self, selector):
        """Opens the first such details and waits for its content, which is made after the click (`toggle` is a queued event)."""
        from selenium.webdriver.support.ui import WebDriverWait

        self.one(f"{selector} > summary").click()
        WebDriverWait(driver, 60).until(lambda _: self.all(f"{selector}[open] > summary + *"))

    def point_at(self, selector):
        """Moves the pointer there, as a hand does."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(driver, duration=0).move_to_element(self.one(selector)).perform()

    def is_lit_and_seen(self, pane):
        """Whether one of a pane's lit parts lies within it and within the window; None: nothing in it is lit."""
        return self.js("""
            const pane = document.querySelector(arguments[0]);
            if (!pane || !pane.querySelector(".lit")) return null;
            const box = pane.getBoundingClientRect();
            return [...pane.querySelectorAll(".lit")].map((part) => part.getBoundingClientRect()).some((part) =>
              part.height && part.top >= Math.max(0, box.top) - 1 && part.bottom <= Math.min(innerHeight, box.bottom) + 1);
        """, pane)

    def edge(self, function, **wanted):
        return next(e for e in function["dependences"] if all(e[key] == value for key, value in wanted.items()))

    def test_a_card_tells_all_of_an_edge(self):
        edge = self.edge(self.open("mend"), verdict="corrected")
        self.js("document.querySelector('.drawing:not([hidden]) .edge.corrected').dispatchEvent(new MouseEvent('click'))")
        card = self.one("#card").text
        for words in [edge["relation"], edge["sentence"], edge["distanceText"], edge["direction"], "no loop", edge["decided"],
                      "fuse the loops j (line 7), j (line 9)", "m = std::fmax(m, x[i * columns + j])", edge["correction"]["mend"][0][0],
                      "' marks the value after this element, #k the k-th number that is carried",
                      "exp(x[i][j_1] - m[i]') = exp(m[i] - m[i]') * exp(x[i][j_1] - m[i])", "equal by normal form proved", "Z3 proved", "sum on six numbers"]:
            self.assertIn(words, card)

    def test_each_of_several_carried_numbers_has_a_column(self):
        edge = self.edge(self.open("variance"), verdict="corrected")
        self.js("showEdges([arguments[0]])", edge["id"])
        count = len(edge["correction"]["state"])
        self.assertGreater(count, 1)
        heads = [head.text for head in self.all("#card .trial thead tr:nth-child(2) th")]
        self.assertEqual(heads, 4 * [f"#{k}" for k in range(count)])
        cells = self.all("#card .trial tbody tr:first-child td")
        self.assertEqual(len(cells), 3 + len(heads))
        self.assertFalse([cell.text for cell in cells[3:] if "," in cell.text])

    def test_six_numbers_end_as_the_source_does(self):
        trial = self.open("mend")["trials"][0]
        self.assertAlmostEqual(trial["result"], trial["expected"], places=5)
        self.assertNotAlmostEqual(trial["unmended"], trial["expected"], places=1)

    def red(self):
        return {(int(a.get_attribute("data-from")), int(a.get_attribute("data-to"))) for a in self.all(".arrow.violated")}

    def test_another_order_is_replayed_in_tiles(self):
        for name in ("waves", "mend"):
            function = self.open(name)
            self.choose("#order", "planned")
            self.assertEqual(self.one("#order option[value=planned]").text, "the planned order")
            self.js("const t = document.getElementById('tile'); t.value = 2; t.dispatchEvent(new Event('input'))")
            self.keys(self.one("#time"), "END")
            order = next(t for t in function["replays"][-1]["tiled"] if t["tile"] == 2)
            self.assertEqual(len(self.red()), len(order["violated"]))
            self.assertEqual(len(self.red()) > 0, name != "waves", name)

    def test_violated_arrows_are_those_of_the_unfinished_maximum(self):
        function = self.open("mend")
        replay = function["replays"][-1]
        points, last = replay["points"], replay["sizes"]["columns"] - 1
        self.keys(self.one("#time"), "END")
        self.assertEqual(self.red(), set(), "the source's order violates nothing")
        self.choose("#order", "planned")
        self.keys(self.one("#time"), "END")
        expected = {(a, b) for a, p in enumerate(points) for b, q in enumerate(points)
                    if p[0] == 1 and q[0] == 3 and p[1] == q[1] and p[2] == last and q[2] < last}
        self.assertEqual(self.red(), expected)
        self.assertEqual(expected, {(a, b) for a, b, _, violated in replay["arrows"] if violated})
        self.assertIn("sum on six numbers", self.one("#violations").text)
        self.assertIn(f"{len(points)} of {len(points)}", self.one("#now").text)

    def test_larger_tiles_violate_what_lies_beyond_them(self):
        function = self.open("mend")
        replay = function["replays"][-1]
        points, last = replay["points"], replay["sizes"]["columns"] - 1
        self.choose("#order", "planned")
        for tile in (2, 3):
            self.js("const t = document.getElementById('tile'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", tile)
            self.keys(self.one("#time"), "END")
            expected = {(a, b) for a, p in enumerate(points) for b, q in enumerate(points)
                        if p[0] == 1 and q[0] == 3 and p[1] == q[1] and p[2] == last and q[2] // tile < last // tile}
            self.assertTrue(expected)
            self.assertEqual(self.red(), expected)

    def test_two_sizes_are_set_apart(self):
        function = self.open("mend")
        self.keys(self.one("#size"), "HOME")
        self.keys(self.one("#size-1"), "END")
        self.assertEqual(self.one("#sizes").text, "columns = 2, rows = 6")
        replay = next(r for r in function["replays"] if r["sizes"] == {"columns": 2, "rows": 6})
        self.assertEqual(len(self.all("#space circle")), len(replay["points"]))
        self.keys(self.one("#size"), "ARROW_RIGHT")
        self.assertEqual(self.one("#sizes").text, "columns = 3, rows = 6")

    def test_sizes_that_are_not_all_stored_move_to_the_nearest(self):
        self.open("mend")
        self.js("""
            const f = shown();
            f.replays = f.replays.filter(({ sizes: { rows, columns } }) => rows === columns || rows === 4 || columns === 4);
            startReplay();
        """)
        sliders = lambda: [self.one(selector).get_attribute("value") for selector in ("#size", "#size-1")]
        self.keys(self.one("#size"), "HOME")
        self.assertEqual(self.one("#sizes").text, "columns = 2, rows = 4")
        self.assertEqual(sliders(), ["0", "2"])
        self.keys(self.one("#size-1"), "END")
        self.assertEqual(self.one("#sizes").text, "columns = 4, rows = 6")
        self.assertEqual(sliders(), ["2", "4"])
        self.assertEqual(self.one("#size-1").get_attribute("aria-valuetext"), "columns = 4, rows = 6")
        self.js("const f = shown(); f.replays = f.replays.filter((r) => r.sizes.rows === r.sizes.columns); startReplay()")
        self.assertEqual(len(self.all("input.size")), 1, "sizes that are always the same share a slider")

    def test_tiles_are_those_that_are_stored(self):
        function = self.open("mend")
        largest = max(order["tile"] for order in function["replays"][-1]["tiled"])
        self.assertEqual(self.one("#tile").get_attribute("max"), str(largest))
        self.choose("#order", "planned")
        self.js("const t = document.getElementById('tile'); t.value = 99; t.dispatchEvent(new Event('input'))")
        self.assertEqual(self.one("#tile").get_attribute("value"), str(largest))
        self.assertEqual(self.js("return replay.tile"), largest)

    def test_tiles_are_of_iterations_and_neighbours_differ(self):
        for name in ("mend", "waves", "attention"):
            points = self.open(name)["replays"][-1]["points"]
            self.choose("#colour", "tile")
            for tile in (1, 2, 3):
                self.js("const t = document.getElementById('tile'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", tile)
                circles = self.js("return [...document.querySelectorAll('#space circle')].map((c) => [+c.getAttribute('cx'), +c.getAttribute('cy'), c.style.fill])")
                self.assertEqual(len(circles), len(points))
                known = {}
                for (x, y, colour), (statement, *at) in zip(circles, points):
                    known[statement, x, y] = (tuple(value // tile for value in at), colour)
                for (statement, x, y), (cell, colour) in known.items():
                    for step in [(26, 0), (0, 26), (26, 26), (26, -26)]:
                        if (statement, x + step[0], y + step[1]) in known:
                            other = known[statement, x + step[0], y + step[1]]
                            self.assertEqual(other[0] == cell, other[1] == colour, f"{name}, tile {tile}, S{statement}")
            self.assertIn("divided by 3", self.one("#colours").text)

    def test_at_a_constant_pivot_there_are_no_six_numbers(self):
        edge = self.edge(self.open("bounded"), verdict="corrected")
        self.js("showEdges([arguments[0]])", edge["id"])
        self.assertIn("No six numbers: the pivot is a constant, so that nothing moves.", self.one("#card").text)

    def test_the_planned_order_of_attention_violates_what_is_mended(self):
        function = self.open("attention")
        replay = function["replays"][-1]
        self.choose("#order", "planned")
        self.keys(self.one("#time"), "END")
        self.assertEqual(self.red(), {(a, b) for a, b, _, violated in replay["arrows"] if violated})
        broken = {e for _, _, e, violated in replay["arrows"] if violated}
        self.assertTrue(broken)
        self.assertTrue(all(function["dependences"][e]["mended"] is not None for e in broken))
        self.assertLess(pages.path("attention").stat().st_size, 500_000)
        times = self.js("const t = performance.getEntriesByType('navigation')[0]; return [t.domContentLoadedEventEnd, t.loadEventEnd]")
        print(f"attention: {pages.path('attention').stat().st_size} bytes, shown after {times[0]:.0f} ms, loaded after {times[1]:.0f} ms")

    def test_sizes_tiles_and_waves(self):
        function = self.open("waves")
        self.keys(self.one("#size"), "HOME")
        self.assertEqual(len(self.all("#space circle")), len(function["replays"][0]["points"]))
        self.keys(self.one("#size"), "END")
        self.choose("#colour", "wave")
        replay = function["replays"][-1]
        colours = {}
        for circle, wave in zip(self.all("#space circle"), replay["waves"]):
            colours.setdefault(wave, set()).add(self.js("return arguments[0].style.fill", circle))
        self.assertTrue(all(len(own) == 1 for own in colours.values()))
        self.choose("#colour", "tile")
        self.assertGreater(len({self.js("return arguments[0].style.fill", c) for c in self.all("#space circle")}), 1)

    def test_play_runs_to_the_end_and_stops(self):
        from selenium.webdriver.support.ui import WebDriverWait

        self.open("waves")
        self.keys(self.one("#size"), "HOME")
        count = len(self.all("#space circle"))
        self.assertEqual(self.js("const b = document.getElementById('play'); b.click(); return b.textContent"), "Stop")
        WebDriverWait(driver, 60).until(lambda _: self.one("#play").text == "Play")
        self.assertEqual(len(self.all("#space circle.done")), count)

    def test_keys_alone_open_cards_and_replay(self):
        self.open("mend")
        seen = set()
        for _ in range(200):
            self.keys(self.js("return document.activeElement"), "TAB")
            focused = self.js("const e = document.activeElement; return [e.tagName, e.id, e.getAttribute('class') || '', e.getAttribute('aria-label') || '']")
            seen.add(focused[1])
            if "corrected" in focused[2] and "Z3" not in self.one("#card").text:
                self.keys(self.js("return document.activeElement"), "ENTER")
                self.assertIn("Z3", self.one("#card").text)
            if focused[1] == "space":
                self.keys(self.js("return document.activeElement"), "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
                self.assertIn("1 of", self.one("#now").text)
                self.keys(self.js("return document.activeElement"), "END", "HOME")
                self.assertIn("0 of", self.one("#now").text)
            if focused[0] == "SUMMARY":
                break
        self.assertIn("Z3", self.one("#card").text)
        self.assertLessEqual({"view", "order", "time", "space"}, seen)

    def test_pointing_highlights_the_other_two(self):
        self.open("mend")
        self.js("document.querySelector('#source [data-line=\"9\"]').dispatchEvent(new MouseEvent('mouseenter'))")
        self.assertTrue(self.all(".drawing:not([hidden]) .node.s3.lit"))
        self.assertFalse(self.all(".drawing:not([hidden]) .node.s1.lit"))
        self.assertTrue(self.all("#plan .lit"))
        self.assertTrue(self.all("#printed .lit"))
        self.js("document.querySelector('#plan button').dispatchEvent(new MouseEvent('mouseenter'))")
        self.assertTrue(self.all("#source .lit"))

    def test_what_lights_up_is_seen(self):
        """The other panes scroll to it; the page, and the pane in which the pointer is, stay."""
        self.open("attention")
        self.js("document.getElementById('source').style.maxHeight = '20rem'")
        places = "return [scrollY, document.getElementById('source').scrollTop]"
        lines = self.js("return [...document.querySelectorAll('#source button.row')].map((row) => row.dataset.line)")
        for line in [*lines, *reversed(lines)]:
            row = f"#source [data-line='{line}']"
            self.js("showRow(document.getElementById('source'), document.querySelector(arguments[0]))", row)
            before = self.js(places)
            self.point_at(f"{row} .ids")
            self.assertTrue(self.all(f"{row}.lit"))
            seen = [self.is_lit_and_seen(pane) for pane in ("#plan", "#printed", "#graph")]
            self.assertNotIn(False, seen, f"line {line}")
            self.assertTrue(any(seen[:2]), f"line {line}")
            self.assertEqual(self.js(places), before)
        self.js("document.getElementById('source').scrollTop = 0")
        last = len(self.all("#plan button"))
        self.point_at(f"#plan button:nth-of-type({last}) .ids")
        self.assertTrue(self.is_lit_and_seen("#source"))

    def test_a_card_that_opens_is_in_view(self):
        self.open("attention")
        for selector in ("edge.corrected", "node"):
            self.js("scrollTo(0, 0); document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click'))", f".drawing:not([hidden]) .{selector}")
            top, bottom, window = self.js("const box = document.getElementById('card').getBoundingClientRect(); return [box.top, box.bottom, innerHeight]")
            self.assertTrue(0 <= top < window, selector)
            self.assertTrue(bottom <= window + 1 or top < 60, "what is too long for the window begins at its top")

    def test_printed_lines_are_marked_by_what_the_tool_says(self):
        self.open("mend")
        marked = "return [...document.querySelectorAll('#printed button.row')].map((row) => [row.querySelector('.number').textContent, row.dataset.statements])"
        self.js("""
            const line = data.printed.split("\\n").length - 3;
            data.printedLines = [{ line, function: 0, statements: [3, 1] }, { line: 2, function: 1, statements: [0] }];
            showResult();
        """)
        [(line, statements)] = self.js(marked)
        self.assertEqual(statements, "1 3")
        self.assertIn("Lines are marked with the statements that they compute.", self.one("#result").text)
        self.assertGreater(self.js("return document.getElementById('printed').scrollTop"), 0, "the first marked line is shown")
        self.js("delete data.printedLines; showResult()")
        self.assertEqual(self.js(marked), [])
        self.assertNotIn("Lines are marked", self.one("#result").text)

    def test_what_leaves_a_function_alone_is_underlined(self):
        for name in ("waves", "letters"):
            function = self.open(name)
            where = function["reasonAt"]
            self.assertEqual(where["line"], where["endLine"])
            line = pages.sources[name].read_bytes().split(b"\n")[where["line"] - 1]
            [mark] = self.all("#source mark.blocked")
            self.assertEqual(mark.text, line[where["col"] - 1:where["endCol"] - 1].decode())
            self.assertTrue(self.all(f"#source [data-line='{where['line']}'] mark"))

    def test_the_dependences_behind_a_reason_are_shown(self):
        function = self.open("waves")
        edge = self.edge(function, kind="flow")
        self.js("shown().reasonEdges = [arguments[0]]; choose(0)", edge["id"])
        self.assertEqual(len(self.all("#outcome button")), 1)
        self.assertEqual(len(self.all(".drawing:not([hidden]) .edge.blocks")), 1)
        self.one("#outcome button").click()
        self.assertIn(edge["sentence"], self.one("#card").text)
        self.js("shown().reasonEdges = []; choose(0)")
        self.assertEqual(len(self.all(".edge.blocks")), 0)

    def test_links_at_the_top_skip_to_the_parts(self):
        self.open("mend")
        seen = []
        for _ in range(3):
            self.keys(self.js("return document.activeElement"), "TAB")
            link = self.js("return document.activeElement")
            box = self.js("const box = arguments[0].getBoundingClientRect(); return [box.left, box.right]", link)
            self.assertTrue(0 <= box[0] < box[1], "a link that has the focus is seen")
            seen.append(link.text)
        self.assertEqual([words.split()[-1] for words in seen], ["graph", "result", "replay"])
        self.keys(self.js("return document.activeElement"), "ENTER")
        self.assertEqual(self.js("return document.activeElement.id"), "replay-section")
        self.assertLess(self.js("return document.querySelector('.skip a').getBoundingClientRect().right"), 0)

    def verdict(self, words):
        return next(row.text for row in self.all("#changes tbody tr") if row.text.startswith(words))

    def test_what_if_a_mend_is_applied_or_a_dependence_does_not_hold(self):
        edge = self.edge(self.open("mend"), verdict="corrected")
        fuse = "fuse the loops j (line 7), j (line 9)"
        self.assertIn("forbidden", self.verdict(fuse))
        self.one("#whatif [data-mend]").click()
        self.assertIn("legal", self.verdict(fuse))
        self.one("#whatif [data-mend]").click()
        self.assertIn("forbidden", self.verdict(fuse))
        self.one(f"#whatif [data-edge='{edge['id']}']").click()
        self.assertIn("legal", self.verdict(fuse))
        self.assertIn("forbidden", self.verdict("run loop j (line 7) in parallel"))
        self.one("#whatif [data-reorder]").click()
        self.assertIn("legal", self.verdict("run loop j (line 7) in parallel"))

    def test_attention_can_be_fused_once_both_mends_are_applied(self):
        function = self.open("attention")
        largest = max((c for c in function["changes"] if c["change"] == "fuse"), key=lambda c: len(c["loops"]))
        row = f"[data-change='{function['changes'].index(largest)}']"
        self.assertGreaterEqual(len(largest["loops"]), 3)
        self.assertIn("forbidden", self.one(row).text)
        for box in self.all("#whatif [data-mend]"):
            self.assertIn("forbidden", self.one(row).text)
            box.click()
        self.assertIn("legal", self.one(row).text)

    def test_a_refused_function_says_what_blocks_it(self):
        self.open("refused")
        self.assertIn("has no finite rank", self.one("#outcome").text)
        self.one("#outcome button").click()
        self.assertIn("refused", self.one("#card").text)

    def test_text_is_shown_as_it_is(self):
        self.open("hostile")
        lines = self.js("return [...document.querySelectorAll('#source .row')].map((row) => row.lastElementChild.textContent)")
        self.assertEqual(lines, session.HOSTILE.rstrip("\n").split("\n"))
        self.assertNotEqual(driver.title, "broken")
        self.assertEqual(len(self.all("script")), 2)
        self.assertEqual(len(self.all("img, #source b")), 0)

    def test_every_function_has_a_page(self):
        self.open("hostile")
        for index, words in enumerate(["first", "second", "third"]):
            self.choose("#function", str(index))
            self.assertIn(words, self.one("#outcome").text)
        self.assertIn("stays as it is", self.one("#outcome").text)
        self.assertEqual([d for d in self.all(".drawing") if d.is_displayed()], [])

    def test_sixty_statements_are_folded_by_nest(self):
        function = self.open("many")
        self.assertEqual(len(function["statements"]), 60)
        self.assertEqual(self.one("#view").get_attribute("value"), "folded")
        self.assertEqual(len(self.all(".drawing:not([hidden]) .node.nest")), 20)
        self.js("document.querySelector('.drawing:not([hidden]) .node.nest').dispatchEvent(new MouseEvent('click'))")
        self.assertIn("S2", self.one("#card").text)
        self.assertEqual(len(self.all("#replay fieldset > details")), 20)
        self.unfold("#table details")
        self.assertEqual(len(self.all("#table details details")), 20)
        self.unfold("#table details details")
        self.assertIn("S0 → S1 x (flow)", self.one("#table details details").text)
        self.choose("#view", "flow")
        self.assertEqual(len([n for n in self.all(".drawing:not([hidden]) .node") if "s" in n.get_attribute("class")]) > 59, True)

    def test_many_changes_and_many_ids_are_folded(self):
        function = self.open("many")
        self.assertEqual(self.all("[data-change]"), [], "rows are made when they are asked for")
        fusions = [c for c in function["changes"] if c["change"] == "fuse"]
        summary = lambda: self.one("#changes details[data-kind='fuse'] > summary").text
        legal = sum(c["complete"] and not c["obstacles"] for c in fusions)
        self.assertEqual(summary(), f"{len(fusions)} fusions: {legal} legal")
        self.unfold("#changes details[data-kind='fuse']")
        self.assertEqual(len(self.all("#changes [data-change]")), len(fusions))
        self.js("shown().dependences.forEach((e) => state.off.add(e.id)); showChanges()")
        legal = sum(c["complete"] for c in fusions)
        self.assertEqual(summary(), f"{len(fusions)} fusions: {legal} legal")
        self.assertEqual(len(self.all("#changes details[open] [data-legal='true']")), legal, "what was open stays open")
        row = self.one("#source button.row")
        ids = row.find_element("css selector", ".ids")
        self.assertEqual([ids.text, ids.get_attribute("title")], ["S0–S2", "S0 S1 S2"])
        self.assertIn("S0 S1 S2", row.get_attribute("aria-label"))
        self.assertEqual(self.js("return idsOf(shown(), [0, 2, 5, 6]).short"), "S0, S2 +2")

    def test_a_phone_shows_it_without_scrolling_sideways(self):
        self.open("attention")
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360)

    def test_dark_light_and_print(self):
        self.open("mend")
        ground = lambda: self.js("return getComputedStyle(document.body).backgroundColor")
        before = ground()
        self.one("#theme").click()
        self.assertNotEqual(ground(), before)
        self.js("document.documentElement.style.colorScheme = 'dark'")
        self.assertLess(self.brightness("backgroundColor"), self.brightness("color"))
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        self.assertFalse(self.one("#whatif-section").is_displayed())
        self.assertTrue(self.one("#source").is_displayed())
        self.assertEqual(self.brightness("backgroundColor"), 3 * 255, "paper is light")
        self.assertLess(self.brightness("color"), 150)
        self.assertGreater(self.brightness("backgroundColor", "#source button.row"), 600)
        self.assertLess(self.brightness("fill", ".drawing:not([hidden]) .node text"), 150)

    def brightness(self, part, selector="body"):
        import re

        colour = self.js("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, part)
        return sum(int(number) for number in re.findall(r"\d+", colour)[:3])


if __name__ == "__main__":
    pages, driver = session.Pages(sys.argv.pop(1)), session.browser()
    pages.sources["variance"] = session.ROOT / "inputs/variance.cpp"
    pages.sources["letters"] = pages.folder / "letters.cpp"
    pages.sources["letters"].write_text(LETTERS)
    try:
        unittest.main(verbosity=2)
    finally:
        driver.quit()
        pages.remove()
