//! docs/fleet.md says of every fleet tool what it needs, what it does, and which tests show and attack it: made
//! from the registry and a list of tests that exist. How many tokens the catalog takes is printed.

use super::scores;
use fleet::tools::{self, Tool};
use kit::tool::{Effect, FleetTool};
use rmm_analyst::agent::fleet_tools;
use rmm_analyst::runner::fleet::group;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Tokens that the whole catalog may take: half of the smallest window that the program is meant for (16,384).
const MOST: usize = 8_192;

const M: &str = "modules/fleet/tests/";

/// The test that shows a tool at work, and the one that tries to misuse it.
fn tests_of(tool: &str) -> (String, String) {
    let m = |name: &str| format!("{M}{name}");
    let smaller = m("scope.rs::a_scope_shows_what_a_smaller_fleet_would_show");
    let monitoring = m("read_tools.rs::proposals_among_monitoring_are_marked");
    let neither = m("scope.rs::a_scoped_principal_reads_neither_audit_nor_policies");
    let intents = m("proposing.rs::an_intent_becomes_one_job_for_each_system");
    let words = m("templates_properties.rs::a_parameter_is_refused_or_arrives_as_one_argument");
    let review = m("approvals.rs::monitoring_is_enabled_by_its_review");
    let file =
        "tests/e2e/fleet_database.rs::no_statement_enables_runs_or_rewrites_what_nobody_approved"
            .to_owned();
    let people =
        "tests/e2e/fleet_people.rs::every_tool_under_every_principal_in_both_modes".to_owned();
    match tool {
        "list_devices" => (m("tools.rs::devices_come_in_pages_with_the_true_total"), smaller),
        "list_org" => (m("tools.rs::the_org_shows_parents_of_what_is_seen_and_counts_only_what_is_seen"), smaller),
        "get_inventory" => (
            m("tools.rs::inventory_shows_software_with_its_source"),
            m("tools.rs::unknown_and_out_of_scope_read_alike"),
        ),
        "get_job_status" => (
            people,
            m("scope.rs::one_target_outside_hides_the_whole_job_even_without_a_department"),
        ),
        "fleet_summary" => (m("read_tools.rs::a_summary_of_the_fleet_shows_only_what_may_be_seen"), smaller),
        "inventory_report" => (m("read_tools.rs::a_report_counts_devices_once_and_says_what_is_unknown"), smaller),
        "find_on_fleet" => (m("read_tools.rs::an_indicator_is_found_on_the_devices_that_have_it"), smaller),
        "list_patches" => (
            m("read_tools.rs::patches_keep_their_decisions_and_what_was_never_read_is_unknown"),
            smaller,
        ),
        "list_tasks" | "list_checks" => (
            monitoring,
            m("scope.rs::monitoring_and_operations_are_seen_only_where_all_of_their_target_is"),
        ),
        "list_policies" => (monitoring, neither),
        "query_audit" => (
            m("read_tools.rs::the_audit_is_asked_for_the_last_seven_days_unless_told_otherwise"),
            neither,
        ),
        "export_inventory" => (
            m("exports.rs::a_tool_stores_a_query_and_no_row_passes"),
            m("exports.rs::a_narrowed_scope_narrows_the_rows_and_closes_the_audit"),
        ),
        "export_audit" => (
            m("exports.rs::the_trail_comes_out_in_its_order"),
            m("exports.rs::permission_is_looked_at_again"),
        ),
        "propose_script" => (
            m("approvals.rs::a_script_waits_and_an_approval_releases_it"),
            m("approvals_property.rs::nothing_happens_unless_one_who_may_approved_it_and_then_once"),
        ),
        "propose_bulk_deploy" => (
            m("proposing.rs::a_bulk_deployment_never_spans_clients"),
            m("proposing.rs::permission_and_scope_are_two_gates_for_every_tool"),
        ),
        "restart_service" => (
            "tests/e2e/fleet.rs::a_restart_is_proposed_read_approved_and_its_failure_is_told_plainly".to_owned(),
            words,
        ),
        "install_software" | "uninstall_software" | "install_printer" | "flush_dns" | "reboot_device" => {
            (intents, words)
        }
        "propose_task" | "propose_check" | "propose_policy" => (review, file),
        "propose_move_devices" => (
            m("approvals.rs::a_move_happens_at_once_and_as_the_approver"),
            m("approvals.rs::a_destination_outside_the_scope_hides_the_move"),
        ),
        "propose_delete_devices" => (
            m("approvals.rs::a_deletion_wants_the_number_typed"),
            "tests/e2e/fleet.rs::two_people_approve_one_deletion_and_one_of_them_is_told_who_was_first".to_owned(),
        ),
        "install_patches" => (
            m("acting.rs::patches_are_installed_only_when_a_person_let_them_in"),
            m("constraints.rs::a_patch_is_installed_only_when_somebody_let_it_in"),
        ),
        "cancel_job" => (
            m("acting.rs::a_case_stops_what_it_started_and_asks_for_the_rest"),
            "tests/gate/fleet.rs::each_effect_goes_its_own_way".to_owned(),
        ),
        other => panic!("a new tool, {other}: name the test that shows it and the one that attacks it"),
    }
}

fn effect(tool: &Tool) -> &'static str {
    match tool.effect {
        Effect::Read => "reads",
        Effect::Propose => "proposes",
        Effect::Control => "stops what its case began, else proposes",
        Effect::ActOnApproved => "acts on what a person approved",
    }
}

fn table() -> String {
    let mut out = String::from(
        "| tool | permission | effect | what it does | shown by | attacked by |\n|---|---|---|---|---|---|\n",
    );
    for tool in tools::all() {
        let (shown, attacked) = tests_of(tool.name);
        let whole = if tool.unscoped_only {
            ", whole fleet only"
        } else {
            ""
        };
        writeln!(
            out,
            "| `{}` | `{}`{whole} | {} | {} | `{shown}` | `{attacked}` |",
            tool.name,
            tool.permission,
            effect(tool),
            tool.doc.replace('|', "\\|"),
        )
        .unwrap();
    }
    out
}

/// The source of a test, where there is one of this name.
fn source(name: &str) -> Option<String> {
    let (file, test) = name.split_once("::").unwrap();
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).ok()?;
    let at = text.find(&format!("fn {test}("))?;
    // The attribute stands right before it: a helper is no test.
    let before = text.get(..at)?.trim_end();
    before.ends_with("#[test]").then_some(text)
}

#[test]
fn every_tool_has_a_test_that_shows_it_and_one_that_attacks_it() {
    for tool in tools::all() {
        let (shown, attacked) = tests_of(tool.name);
        assert!(
            source(&attacked).is_some(),
            "{}: there is no test {attacked}",
            tool.name
        );
        let text =
            source(&shown).unwrap_or_else(|| panic!("{}: there is no test {shown}", tool.name));
        assert!(
            text.contains(&format!("\"{}\"", tool.name)),
            "{shown} does not name {}",
            tool.name
        );
    }
}

#[test]
fn the_documentation_names_every_tool() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fleet.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (open, close) = ("<!-- every tool -->\n", "<!-- end of every tool -->");
    let (before, rest) = text
        .split_once(open)
        .expect("the mark stands in the document");
    let (_, after) = rest
        .split_once(close)
        .expect("the mark stands in the document");
    let wanted = format!("{before}{open}{}{close}{after}", table());
    if std::env::var_os("RMM_ANALYST_BLESS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
        return;
    }
    assert!(
        text == wanted,
        "docs/fleet.md is not what the registry says: RMM_ANALYST_BLESS=1 writes it"
    );
}

#[test]
fn the_catalog_has_a_size() {
    let catalog = fleet_tools::catalog(tools::all().map(|t| FleetTool {
        spec: t.spec(),
        group: group(t.permission, t.effect),
    }));
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for tool in catalog.values() {
        let (tools, tokens) = groups.entry(tool.group).or_default();
        *tools += 1;
        *tokens += fleet_tools::cost(&tool.spec);
    }
    let whole: usize = groups.values().map(|g| g.1).sum();
    let names: Vec<String> = catalog.keys().cloned().collect();
    let lines = fleet_tools::lines(&names, &catalog).len() / 3;
    let mut out = format!(
        "Fleet tools in a request, in tokens (guessed high): {} tools take {whole}; as lines in constrained mode {lines}\n",
        catalog.len()
    );
    for (name, (tools, tokens)) in &groups {
        writeln!(out, "  {name:<14}{tools:>3} tools {tokens:>6}").unwrap();
    }
    scores::write("fleet-catalog", &out);
    assert_eq!(
        catalog.len(),
        tools::all().count(),
        "no two tools of one name"
    );
    assert!(
        groups.contains_key(fleet_tools::CORE),
        "the group that every fleet question brings"
    );
    assert_eq!(
        fleet_tools::groups_left(&names, &catalog),
        Vec::<&str>::new(),
        "every group can be brought into play"
    );
    let offered = fleet_tools::groups_left(&[], &catalog);
    assert_eq!(
        offered.len(),
        groups.len(),
        "every group is one that a question can ask for"
    );
    assert!(whole <= MOST, "{whole} tokens");
}
