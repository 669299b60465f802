"""Report: what a script of bench/ prints.

The machine, tables, notes, and the bars with what was measured, as Markdown or (--json) as JSON. The exit code is 1 when a bar is not met,
unless --report-only is given. --update puts the Markdown into bench/README.md between <!-- figures: NAME --> and <!-- end figures -->, without
tables for the console only and without bars that are met, and parts of it into the same place of other pages.
"""
import datetime
import json
import os
import pathlib
import re
import sys

import common

def machine():
    info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") if os.path.exists("/proc/cpuinfo") else ""
    model = re.search(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"cpu": model[1].strip() if model else "unknown", "cores": len(os.sched_getaffinity(0)), "memory_gb": round(memory / 1e9),
            "load": round(os.getloadavg()[0], 1), "date": datetime.date.today().isoformat()}


class Report:
    """Tables and bars of one script."""

    def __init__(self, options, name):
        self.options, self.name, self.machine = options, name, machine()
        self.tables, self.bars, self.notes, self.parts = [], [], [], []

    def table(self, columns, on_page=True):
        """Starts a table, or continues the one that has these columns; the caller appends rows. on_page=False: only printed."""
        for known, rows, shown in self.tables:
            if (known, shown) == (columns, on_page):
                return rows
        self.tables.append((columns, [], on_page))
        return self.tables[-1][1]

    def bar(self, what, measured, met):
        self.bars.append({"bar": what, "measured": str(measured), "met": bool(met)})

    def note(self, text):
        self.notes.append(text)
        common.say(text)

    def part(self, page, name, text):
        """--update puts the machine and `text` between the <!-- figures: NAME --> of this page, too."""
        self.parts.append((page, name, text))

    def measured_on(self):
        m = self.machine
        return f"{m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB; {m['date']}, load at the start {m['load']}."

    def markdown(self, for_page=False):
        def table(columns, rows):
            cells = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
            return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *cells])

        parts = [self.measured_on()]
        parts += [table(columns, rows) for columns, rows, on_page in self.tables if rows and (on_page or not for_page)]
        parts += ["\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        bars = [bar for bar in self.bars if not (for_page and bar["met"])]
        if for_page and self.bars:
            parts.append(f"Bars met: {len(self.bars) - len(bars)} of {len(self.bars)}.")
        if bars:
            parts.append(table(["bar", "measured", "met"], [[b["bar"], b["measured"], "yes" if b["met"] else "**no**"] for b in bars]))
        return "\n\n".join(parts)

    def finish(self):
        """Prints the report and returns the exit code."""
        if self.options.json:
            tables = [[dict(zip(columns, row)) for row in rows] for columns, rows, _ in self.tables]
            whole = {"name": self.name, "machine": self.machine, "tables": tables, "notes": self.notes, "bars": self.bars}
            print(json.dumps(whole, indent=1))
        else:
            print(self.markdown())
        if self.options.update:
            self.update_page("bench/README.md", self.name, self.markdown(for_page=True))
            for page, name, text in self.parts:
                self.update_page(page, name, f"{self.measured_on()}\n\n{text}")
        return 0 if self.options.report_only or all(bar["met"] for bar in self.bars) else 1

    @staticmethod
    def update_page(page, name, text):
        path = common.ROOT / page
        whole = path.read_text(encoding="utf-8")
        part = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n).*?(<!-- end figures -->)", re.DOTALL)
        if not part.search(whole):
            sys.exit(f"{path} has no <!-- figures: {name} -->")
        path.write_text(part.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", whole), encoding="utf-8")
