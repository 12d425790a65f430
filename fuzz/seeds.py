#!/usr/bin/env python3
"""Writes the texts of the shared cases as seeds: seeds.py DIRECTORY makes DIRECTORY/<target>/<n>."""

import glob
import json
import os
import sys

out = sys.argv[1]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for v in value:
            yield from texts(v)
    elif isinstance(value, dict):
        for v in value.values():
            yield from texts(v)


def lines(path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def write(target, seeds):
    directory = os.path.join(out, target)
    os.makedirs(directory, exist_ok=True)
    for n, seed in enumerate(seeds):
        with open(os.path.join(directory, str(n)), "wb") as f:
            f.write(seed if isinstance(seed, bytes) else seed.encode("utf-8", "surrogatepass"))


def files(pattern):
    return sorted(glob.glob(os.path.join(root, pattern), recursive=True))


kit = "modules/kit/tests/fixtures/"
hostile = lines(kit + "hostile.jsonl")
extract = lines(kit + "extract.jsonl")
redact = lines("tests/fixtures/redact/redact.jsonl")
every = sorted({t for case in hostile + extract + redact for t in texts(case) if 8 < len(t) < 8000})

for target in ("extract", "classify", "human", "screen", "model_text", "redact"):
    write(target, every)
write("strict", [t for t in every if len(t) < 300])
write("reply", [t for case in lines(kit + "human-reply.jsonl") for t in texts(case)])
write("step", [t for t in every if t.startswith("{")])
bodies = []
for path in files("tests/fixtures/wire/**/*"):
    if os.path.isfile(path):
        with open(path, "rb") as f:
            data = f.read()
        bodies.append(b"\x40" + data.split(b"\r\n\r\n", 1)[-1][:8000])
write("chat", bodies)
answers = []
for path in files("tests/fixtures/intel/*/*"):
    if os.path.isfile(path):
        with open(path, "rb") as f:
            data = f.read()[:8000]
        answers.extend(bytes([n]) + data for n in range(13))
write("modules", answers)
dialogues = []
for case in hostile:
    said = ["h " + " ".join(t.split("\n")) for t in texts(case.get("setup", {}).get("named", []))]
    calls = [
        f"m {c.get('name')} {c.get('arguments')}"
        for c in case.get("model_calls") or []
        if isinstance(c, dict) and "name" in c
    ]
    told = ["e " + case["tool_output"].replace("\n", " ")] if isinstance(case.get("tool_output"), str) else []
    dialogues.append("\n".join(said + calls + told + ["y 1"] + calls))
write("gate", dialogues)
domain = {"type": "domain", "value": "kit-panel.shop"}
events = [
    {"kind": "opened", "title": "t", "principal": "a"},
    {"kind": "human", "turn": 1, "text": "x", "mentions": [{"indicator": domain, "stance": "authorize", "why": "named", "start": 0, "end": 14}], "attachments": [], "shown": [], "principal": "a", "surface": "cli"},
    {"kind": "turn_started", "turn": 1, "continues": None, "planner": "model", "model": None, "tools_mode": None},
    {"kind": "call", "turn": 1, "n": 1, "tool": "crtsh", "argument": "kit-panel.shop", "subject": domain, "verdict": "permit", "reason": None, "detail": None, "charged": True},
    {"kind": "call_done", "turn": 1, "n": 1, "status": "found", "detail": None, "evidence": 1, "verdict": "unknown", "seen": [domain], "age_s": 0, "ms": 1},
    {"kind": "proposed", "n": 1, "turn": 1, "what": "pivot", "indicator": domain, "why": "r", "found_in": 1, "not_in_evidence": False, "from": "model"},
    {"kind": "decided", "n": 1, "approve": True, "reason": None, "principal": "a", "surface": "cli"},
    {"kind": "revoked", "indicator": domain, "principal": "a"},
    {"kind": "closed"},
    {"kind": "reopened"},
]
rows = [json.dumps(e) for e in events]
write("fold", ["\n".join(rows), "\n".join(reversed(rows)), *rows])
print(f"seeds are in {out}")
