"""What a run has found: JSON lines, one a program, a summary, and one file for each failure."""
import collections
import json

BAD = ("wrong", "crash", "timeout", "invalid", "uncompilable", "faulty")


class Results:
    def __init__(self, folder, resume):
        self.folder, self.path = folder, folder / "results.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        self.lines = []
        if resume and self.path.exists():
            self.lines = [json.loads(line) for line in self.path.read_text().splitlines() if line.endswith("}")]
            self.path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        else:
            self.path.write_text("")

    def done(self):
        """The batches that are finished."""
        return {line["batch"] for line in self.lines}

    def seen(self, signature):
        """Was there a failure of this kind before? Wrong results are all looked at."""
        return signature[0] != "wrong" and any((line["outcome"], line["detail"]) == signature for line in self.lines)

    def add(self, batch, seed, options, program, outcome, text, told):
        """A program's outcome, and the text that it was made smaller to, with that one's."""
        line = {"seed": seed, "number": outcome.number, "batch": batch, "family": program.family, "options": " ".join(options), "outcome": outcome.outcome,
                "detail": outcome.detail, "case": outcome.case, "compared": outcome.compared, "excused": outcome.excused, "worst": round(outcome.worst, 1)}
        self.lines.append(line)
        with self.path.open("a") as out:
            out.write(json.dumps(line) + "\n")
        if outcome.outcome in BAD:
            self.failure(dict(line, detail=told.detail, case=told.case), text)

    def failure(self, line, source):
        command = f"scripts/fuzz --seed={line['seed']} --only={line['number']} --options='{line['options']}'"
        head = "".join(f"// {text}\n" for text in (f"FAULT ({line['outcome']}): {line['detail']}", f"polymend {line['options']}", line["case"], command) if text)
        (self.folder / f"{line['outcome']}_{line['seed']}_{line['number']}.cpp").write_text(head + source)

    def summary(self):
        """Counts by outcome, the share that was transformed, why others were left, and how many elements were excused."""
        counts = collections.Counter(line["outcome"] for line in self.lines)
        reasons = collections.Counter(line["detail"] for line in self.lines if line["outcome"] == "left")
        total = len(self.lines)
        idle = sum(n for reason, n in reasons.items() if reason.startswith("nothing gained"))
        return {"programs": total, "nothing_gained": round(idle / total, 4) if total else 0, "transformed": round(counts["transformed"] / total, 4) if total else 0, "outcomes": dict(counts),
                "compared": sum(line["compared"] for line in self.lines), "excused": sum(line["excused"] for line in self.lines),
                "left": dict(reasons.most_common(40))}
