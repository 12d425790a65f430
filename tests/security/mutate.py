#!/usr/bin/env python3
"""Breaks one protection at a time in a scratch copy and demands that the test named for it fails.

usage: mutate.py DIRECTORY [WORD...]     DIRECTORY keeps the copy and its builds (target/mutants);
                                         only mutations whose name holds one of the words

A mutation that no longer applies, or that no test notices, is a failure. The last line counts both.
"""

import os
import shutil
import subprocess
import sys
import time

GATE = "src/gate/mod.rs"


def gate(test):
    return ["--test", "gate", test]


# name, file, what stands there (once), what is put in its place, the test that must fail
MUTATIONS = [
    ("budget", GATE, "    budget::check(view)?;\n", "", gate("calls_of_a_turn_and_of_a_case_are_counted_apart")),
    ("refusals", GATE, "    volume::refusals(view)?;\n", "", gate("refusals_are_capped")),
    ("not-a-tool", "src/gate/known.rs", "        .filter(|t| offered(t, view.model_remote))\n", "", gate("tools_that_a_model_does_not_have")),
    ("access", GATE, "    access::check(view)?;\n    let subject = arguments::look_up", "    let subject = arguments::look_up", gate("a_person_without_the_permission_has_no_model_that_has_it")),
    ("arguments", "src/gate/arguments.rs", "    if known && fields.len() == expected.len() {", "    if known || !fields.is_empty() {", gate("arguments_are_one_object_with_one_text")),
    ("unclassifiable", "src/gate/arguments.rs", "    parse_strict(value).map_err(|e| {", "    let _ = parse_strict;\n    kit::extract(value).into_iter().next().map(|f| f.indicator).ok_or(\"none\").map_err(|e| {", ["--test", "security", "any_bytes", "sequences", "dojo::a_model"]),
    ("denied", GATE, "    denied::check(&subject, view)?;\n    reach", "    reach", gate("what_a_person_refused_stays_refused")),
    ("reach", GATE, "    reach::check(&subject, spec, view)?;\n", "", gate("what_stays_at_home")),
    ("unauthorized", GATE, "    authorized::check(&subject, view)?;\n", "", ["--test", "security", "dojo::a_model", "sequences"]),
    ("type", GATE, "    takes::check(&subject, spec)?;\n    volume", "    volume", gate("a_module_gets_the_types_that_it_takes")),
    ("repeated", GATE, "    volume::repeated(spec, &subject, view)?;\n", "", gate("the_third_identical_call_is_refused")),
    ("not-proposed", GATE, "    worth_proposing(&subject, view)?;\n", "", gate("proposals_are_capped_and_never_of_what_is_settled")),
    ("permit made elsewhere", "src/runner/mod.rs", "use crate::redact::Redact;\n", "use crate::redact::Redact;\nfn forged(subject: kit::Indicator) -> crate::gate::Permit {\n    crate::gate::Permit { spec: intel::registry()[0].spec(), subject, origin: crate::gate::Origin::Model }\n}\n", None),
    ("screen from untrusted", "src/cli/output.rs", "        ScreenText::from(&Untrusted::new(text.into()).redact(self.redactor.as_ref()))", "        ScreenText::from(&Untrusted::new(text.into()))", None),
    ("redactor call", "modules/kit/src/text/mod.rs", "        Redacted(redactor.redact(&self.0))", "        let _ = redactor;\n        Redacted(self.0.clone())", ["--test", "e2e", "secrets"]),
    ("configured secrets", "src/redact/mod.rs", "            known: Known::new(secrets),", "            known: Known::new(&secrets[..0]),", ["--test", "redact_properties"]),
    ("always hidden", "src/redact/class.rs", "        matches!(self, Self::Configured | Self::Pattern)", "        matches!(self, Self::Pattern)", ["--test", "redact_properties", "sent_as_it_is"]),
    ("as it is, near only", "src/agent/prompt.rs", "    let sent = turn.sent.as_ref().filter(|_| !remote)?;", "    let _ = remote;\n    let sent = turn.sent.as_ref()?;", ["--test", "e2e", "as_is"]),
    ("ScreenText", "modules/kit/src/text/screen.rs", "        Self(clean(text.as_str()))", "        Self(text.as_str().to_owned())", ["-p", "kit", "--test", "text"]),
    ("ModelText", "modules/kit/src/text/model.rs", "        Self(neutralise(text.as_str()))", "        Self(text.as_str().to_owned())", ["-p", "kit", "--test", "text"]),
    ("wrapper", "modules/kit/src/text/model.rs", "    let mut inner = break_wrappers(&body.0);", "    let mut inner = Cow::Borrowed(body.0.as_str());", ["-p", "kit", "--test", "text"]),
    ("charge before sending", "src/engine/judging.rs", "                        !free,\n", "                        free && !free,\n", ["--test", "crash", "ended"]),
    ("I5: not repeated", "src/case/state.rs", "                    self.used = self.used.saturating_add(1);", "                    self.used = 0;", ["--test", "case_fold"]),
    ("fleet: access", "modules/fleet/src/tools/mod.rs", "        principal.allow(self.permission) && !(self.unscoped_only && principal.is_scoped())", "        principal.allow(self.permission) || principal.allowed().next().is_some()", ["--test", "e2e", "fleet_people"]),
    ("fleet: scope", "src/gate/fleet_call.rs", "    examined.scope.as_ref().map_err(refuse(Key::Scope))?;\n", "", ["--test", "e2e", "fleet_people"]),
    ("fleet: not-approved", "modules/fleet/src/tools/propose/install_patches.rs", "row.state == PatchState::Approved && !row.approved_by.is_empty()", "row.state != PatchState::Installed || row.approved_by.is_empty()", ["-p", "fleet", "--test", "acting"]),
    ("fleet: scope in queries", "modules/fleet/src/tools/refer.rs", "    query.append(&scope::devices(&ctx.principal.scope, \"d\"));\n    let by_id", "    let _ = scope::devices;\n    query.push(\"1\", []);\n    let by_id", ["--test", "e2e", "fleet_people"]),
    ("fleet: replaced rows", "modules/fleet/src/schema/0006_kept.sql", "WHEN EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id OR proposal = NEW.proposal)", "WHEN EXISTS (SELECT 1 FROM tasks WHERE 0)", ["--test", "e2e", "fleet_database"]),
    ("fleet: audit kept", "modules/fleet/src/schema/0004_people.sql", "CREATE TRIGGER fleet_audit_no_delete BEFORE DELETE ON fleet_audit\n", "CREATE TRIGGER fleet_audit_no_delete BEFORE DELETE ON fleet_audit WHEN 0\n", ["--test", "e2e", "fleet_database"]),
    ("fleet: cases of others", "modules/kit/src/principal.rs", "        self.cases_view_all && self.scope.is_all()", "        self.cases_view_all", ["--test", "e2e", "fleet_cases"]),
]


def run(command, copy, target):
    env = dict(os.environ, CARGO_TARGET_DIR=target, CARGO_TERM_COLOR="never", RUST_BACKTRACE="0")
    env.pop("RMM_ANALYST_DEEP", None)
    return subprocess.run(command, cwd=copy, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    directory = os.path.abspath(sys.argv[1])
    words = sys.argv[2:] or [""]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    copy, target = os.path.join(directory, "copy"), os.path.join(directory, "target")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("target", ".git"))
    # A directory of its own, sharing no file with the real one: cargo gives the copy's packages the same names.
    os.makedirs(target, exist_ok=True)
    # What tests have made or installed under target/ is used, not made again.
    for made in ("agentdojo", "test-servers"):
        here, there = os.path.join(root, "target", made), os.path.join(target, made)
        if os.path.isdir(here) and not os.path.exists(there):
            os.symlink(here, there)
    failed = caught = 0
    for name, file, old, new, test in MUTATIONS:
        if not any(word in name for word in words):
            continue
        began = time.time()
        path = os.path.join(copy, file)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        times = text.count(old)
        if times != 1:
            print(f"{name:<24} DOES NOT APPLY: {times} places in {file}", flush=True)
            failed += 1
            continue
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        try:
            if test is None:
                command = ["cargo", "check", "--locked", "--quiet", "--bin", "rmm-analyst"]
                outcome = run(command, copy, target)
                noticed, how = outcome.returncode != 0 and "error[E" in outcome.stdout, "the compiler"
            else:
                package = [] if "-p" in test else ["-p", "rmm-analyst"]
                command = ["cargo", "nextest", "run", "--locked", "--no-fail-fast", *package, *test]
                outcome = run(command, copy, target)
                # Built, and then failed: a mutation that does not compile has shown nothing.
                noticed, how = outcome.returncode == 100, " ".join(test)
        finally:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        seconds = time.time() - began
        if noticed:
            caught += 1
            print(f"{name:<24} noticed by {how} ({seconds:.0f} s)", flush=True)
        else:
            failed += 1
            print(f"{name:<24} NOT NOTICED by {how}\n{outcome.stdout[-3000:]}", flush=True)
    print(f"{caught} mutations noticed, {failed} not")
    sys.exit(1 if failed or not caught else 0)


if __name__ == "__main__":
    main()
