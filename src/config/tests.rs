use super::*;
use proptest::prelude::*;

static MODULES_KNOWN: [KnownModule; 2] = [
    KnownModule {
        name: "crtsh",
        ai_tool: true,
    },
    KnownModule {
        name: "dns",
        ai_tool: false,
    },
];

fn env(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs
        .iter()
        .map(|(n, v)| (OsString::from(n), OsString::from(v)))
        .collect()
}

fn load_text(
    text: &str,
    vars: &[(&str, &str)],
    flags: &[Flag<'_>],
) -> Result<Loaded, Vec<Problem>> {
    layers(
        Some((Path::new("c.toml"), text)),
        env(vars),
        flags,
        &MODULES_KNOWN,
    )
}

/// The only problem of a file, as text.
fn only_problem(text: &str) -> String {
    let problems = load_text(text, &[], &[]).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

#[test]
fn nothing_set_is_the_defaults() {
    let loaded = layers(None, env(&[]), &[], &[]).unwrap();
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.origin("model.temperature"), Origin::Default);
}

#[test]
fn a_stronger_layer_wins_and_each_value_knows_its_origin() {
    let text = "[model]\nname = \"file\"\ntemperature = 1\ncontext = 4096\n[limits]\nrounds = 2\n";
    let vars = [
        ("RMM_ANALYST_MODEL_NAME", "env"),
        ("RMM_ANALYST_LIMITS_ROUNDS", "3"),
        ("RMM_ANALYST_MODEL_API_KEY", ""),
    ];
    let flags = [Flag {
        name: "--model",
        key: "model.name",
        value: "flag",
    }];
    let loaded = load_text(text, &vars, &flags).unwrap();
    assert_eq!(loaded.config.model.name.as_deref(), Some("flag"));
    assert_eq!(loaded.config.limits.rounds, 3);
    assert!((loaded.config.model.temperature - 1.0).abs() < f64::EPSILON);
    assert_eq!(loaded.config.model.api_key, None);
    assert_eq!(loaded.origin("model.name"), Origin::Flag("--model".into()));
    assert_eq!(
        loaded.origin("limits.rounds"),
        Origin::Environment("RMM_ANALYST_LIMITS_ROUNDS".into())
    );
    assert_eq!(loaded.origin("model.context").to_string(), "c.toml:4");
    assert_eq!(loaded.origin("model.idle_timeout"), Origin::Default);
}

#[test]
fn mistakes_have_a_line_and_a_suggestion() {
    assert_eq!(
        only_problem("[model]\nbase_ulr = \"x\"\n"),
        "c.toml:2: unknown key `base_ulr` in [model] (did you mean `base_url`?)"
    );
    assert_eq!(
        only_problem("\n[modle]\nname = \"x\"\n"),
        "c.toml:2: unknown section [modle] (did you mean [model]?)"
    );
    assert_eq!(
        only_problem("base_url = \"http://a\"\n"),
        "c.toml:1: `base_url` stands outside a section (it belongs below [model])"
    );
    assert_eq!(
        only_problem("[ai]\nbase_url = \"http://a\"\n"),
        "c.toml:2: unknown key `base_url` in [ai] (`base_url` is a key of [model] and [modules.NAME])"
    );
    assert_eq!(
        only_problem("[modules.crtch]\nttl = 3\n"),
        "c.toml:1: there is no module `crtch` (did you mean `crtsh`?)"
    );
    assert_eq!(
        only_problem("[modules.crtsh]\nttl = 3\ntimeot = 4\n"),
        "c.toml:3: unknown key `timeot` in [modules.crtsh] (did you mean `timeout`?)"
    );
    assert_eq!(
        only_problem("[mattermost.bot]\nuser = {}\n"),
        "c.toml:2: unknown key `user` in [mattermost.bot] (did you mean `users`?)"
    );
    assert_eq!(
        only_problem("model = 3\n"),
        "c.toml:1: `model` is a section, not a key (write [model] and its keys below)"
    );
    assert!(only_problem("[model]\nname = \n").starts_with("c.toml:2: "));
    assert!(only_problem("[model]\nname = \"a\"\nname = \"b\"\n").contains("c.toml:3"));
    let both = load_text("[model]\nnam = 1\n[limits]\nrounds = 0\n", &[], &[]).unwrap_err();
    assert_eq!(both.len(), 2);
}

#[test]
fn values_are_checked_and_what_is_allowed_is_said() {
    let refused = [
        ("[model]\ncontext = \"big\"\n", "a whole number from 512"),
        ("[model]\ncontext = -1\n", "-1 is out of range"),
        ("[model]\ndialect = \"openia\"\n", "did you mean `openai`?"),
        ("[model]\ntemperature = 3.5\n", "a number from 0 to 2"),
        ("[model]\ntemperature = nan\n", "out of range"),
        ("[model]\nallow_remote = \"yes\"\n", "true or false"),
        (
            "[model]\nbase_url = \"127.0.0.1:11434\"\n",
            "did you mean `http://127.0.0.1:11434`?",
        ),
        (
            "[model]\nbase_url = \"localhost:11434\"\n",
            "did you mean `http://localhost:11434`?",
        ),
        (
            "[model]\nbase_url = \"ftp://a/\"\n",
            "not an http or https address",
        ),
        (
            "[model]\nbase_url = \"http://a/?k=v\"\n",
            "may not hold a query",
        ),
        ("[model]\nbase_url = \"http://\"\n", "is not an address"),
        (
            "[model]\nextra = { Messages = [] }\n",
            "extra may not set `Messages`",
        ),
        (
            "[model.extra]\nstream = false\n",
            "extra may not set `stream`",
        ),
        (
            "[model.extra.options]\nnum_ctx = 1\n",
            "extra may not set `options.num_ctx`",
        ),
        ("[limits]\nparallel = 0\n", "a whole number from 1 to 64"),
        (
            "[ai]\nblocked_modules = [\"crtsh\", \"dsn\"]\n",
            "did you mean `dns`?",
        ),
        ("[ai]\nmodules = \"crtsh\"\n", "a list of module names"),
        (
            "[network]\nreach_allow = [\"192.0.2.0/33\"]\n",
            "neither a network nor a name suffix",
        ),
        (
            "[network]\nreach_allow = [\"1.2.3\"]\n",
            "neither a network nor a name suffix",
        ),
        (
            "[network]\ninternal_suffixes = [\"a b\"]\n",
            "is not a name suffix",
        ),
        (
            "[redact]\nextra_patterns = [\"a(\"]\n",
            "is no regular expression",
        ),
        ("[ui]\ntheme = \"pink\"\n", "auto, light, dark"),
        ("[ui]\nkeys = { quit = 3 }\n", "a table of texts"),
        ("[modules.crtsh]\nenabled = 1\n", "true or false"),
        ("[log]\nlevel = \"\"\n", "off, error"),
    ];
    for (text, part) in refused {
        let problem = only_problem(text);
        assert!(problem.contains(part), "{text:?} gave {problem:?}");
    }
    let fine = "[model]\nbase_url = \"http://[::1]:8080/v1/\"\nextra = { top_p = 0.9, options = { num_gpu = 1 } }\n\
                [network]\nproxy = \"\"\nreach_allow = [\"192.0.2.7\", \"2001:db8::/32\", \".lab.example\"]\n\
                [modules.crtsh]\nttl = 0\n[ui]\nkeys = { quit = \"q\" }\n";
    load_text(fine, &[], &[]).unwrap();
}

#[test]
fn what_may_be_a_secret_is_not_repeated() {
    let key = "sk-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";
    for text in [
        format!("[model]\napi_key = \"{key}\"\n"),
        format!("[modules.crtsh]\nkey = \"{}\"\n", key.to_uppercase()),
        format!("[model]\nbase_url = \"http://u:{key}@host/\"\n"),
        format!("[network]\nproxy = \"htp://u:{key}@host/\"\n"),
        format!("[model]\napi_key = [\"{key}\"]\n"),
    ] {
        let problem = only_problem(&text);
        assert!(!problem.to_lowercase().contains(key), "{problem}");
    }
}

#[test]
fn the_environment_is_read_by_name() {
    let vars = [
        ("RMM_ANALYST_MODULES_CRTSH_TIMEOUT", "9"),
        ("RMM_ANALYST_AI_BLOCKED_MODULES", "crtsh, dns"),
        ("RMM_ANALYST_MODEL_EXTRA", "{ top_p = 0.5 }"),
        ("RMM_ANALYST_MATTERMOST_BOT_CHANNELS", "[\"a\", \"b,c\"]"),
        ("RMM_ANALYST_REDACT_EXTRA_PATTERNS", "a{1,3}"),
        ("RMM_ANALYST_MODEL_ALLOW_REMOTE", "0"),
        ("RMM_ANALYST_NETWORK_PROXY", ""),
        ("RMM_ANALYST_SECRET_MODEL", "x"),
        ("RMM_ANALYST_DATA_DIR", "/x"),
        ("HOME", "/x"),
    ];
    let loaded = layers(None, env(&vars), &[], &MODULES_KNOWN).unwrap();
    let config = loaded.config;
    assert_eq!(config.modules["crtsh"].timeout, Some(9));
    assert!(config.modules["crtsh"].enabled);
    assert_eq!(config.ai.blocked_modules, ["crtsh", "dns"]);
    assert_eq!(config.model.extra["top_p"].as_float(), Some(0.5));
    assert_eq!(config.mattermost.bot.channels, ["a", "b,c"]);
    assert_eq!(config.redact.extra_patterns, ["a{1,3}"]);
    assert_eq!(config.network.proxy.as_deref(), Some(""));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);

    let loaded = layers(None, env(&[("RMM_ANALYST_MODEL_NAM", "x")]), &[], &[]).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert!(
        loaded.warnings[0]
            .to_string()
            .contains("did you mean RMM_ANALYST_MODEL_NAME?")
    );
    let wrong = layers(
        None,
        env(&[("RMM_ANALYST_LIMITS_ROUNDS", "many")]),
        &[],
        &[],
    )
    .unwrap_err();
    assert!(
        wrong[0]
            .to_string()
            .starts_with("RMM_ANALYST_LIMITS_ROUNDS: `many`"),
        "{}",
        wrong[0]
    );
}

#[test]
fn a_module_for_people_is_not_given_to_a_model() {
    let loaded = load_text("[ai]\nmodules = [\"dns\", \"crtsh\"]\n", &[], &[]).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert!(
        loaded.warnings[0]
            .to_string()
            .contains("`dns` is for people only")
    );
}

#[test]
fn reach_is_read_as_networks_and_suffixes() {
    let texts = |t: &[&str]| t.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let policy = check::reach_policy(
        &texts(&[".Corp.Example."]),
        &texts(&["192.0.2.9/24", "2001:db8::1", "*.Lab.Example"]),
    )
    .unwrap();
    assert_eq!(policy.internal_suffixes, ["corp.example"]);
    assert_eq!(policy.allow_suffixes, ["lab.example"]);
    let nets: Vec<String> = policy.allow_nets.iter().map(ToString::to_string).collect();
    assert_eq!(nets, ["192.0.2.0/24", "2001:db8::1/128"]);
}

#[test]
fn the_example_is_the_defaults_and_every_key_works_when_uncommented() {
    let text = example::text();
    assert_eq!(
        load_text(&text, &[], &[]).unwrap().config,
        Config::default()
    );
    // The example's module must be known for this.
    let text = text.replace("modules.abuseipdb", "modules.crtsh");
    let uncommented: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest)
                if rest.starts_with("[modules")
                    || keys::KEYS
                        .iter()
                        .any(|k| rest.starts_with(&format!("{} = ", k.name))) =>
            {
                format!("{rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let loaded = load_text(&uncommented, &[], &[]).unwrap();
    assert_eq!(loaded.origins.len(), keys::KEYS.len());
}

#[test]
fn set_keeps_comments_and_order_and_refuses_what_is_wrong() {
    let before = "# mine\n[model]\nname = \"a\" # why\n\n[limits]\nrounds = 2\n";
    let path = Path::new("c.toml");
    let set = |text: &str, key: &str, value: Option<&str>| {
        edit::change(text, path, key, value, &MODULES_KNOWN)
    };
    assert_eq!(
        set(before, "model.name", Some("b")).unwrap(),
        before.replace("\"a\"", "\"b\"")
    );
    assert_eq!(
        set(before, "model.context", Some("8_192")).unwrap(),
        before.replace("# why\n", "# why\ncontext = 8192\n")
    );
    let with_module = set(before, "modules.crtsh.ttl", Some("0")).unwrap();
    assert_eq!(with_module, format!("{before}\n[modules.crtsh]\nttl = 0\n"));
    assert_eq!(
        set(&with_module, "modules.crtsh.ttl", None).unwrap(),
        format!("{before}\n[modules.crtsh]\n")
    );
    assert_eq!(
        set(before, "ai.blocked_modules", Some("dns")).unwrap(),
        format!("{before}\n[ai]\nblocked_modules = [\"dns\"]\n")
    );
    assert_eq!(
        set("", "model.temperature", Some("1")).unwrap(),
        "[model]\ntemperature = 1.0\n"
    );

    let error = |key, value| set(before, key, Some(value)).unwrap_err()[0].to_string();
    assert_eq!(
        error("model.nme", "x"),
        "model.nme: there is no such key (did you mean `model.name`?)"
    );
    assert_eq!(
        error("temperature", "1"),
        "temperature: there is no such key (did you mean `model.temperature`?)"
    );
    assert!(error("modules.crtch.ttl", "1").contains("did you mean `crtsh`?"));
    assert!(error("limits.rounds", "0").contains("from 1 to 100"));
    // A mistake elsewhere in the file is not written over; setting that very key repairs it.
    let broken = "[limits]\nrounds = 0\n";
    assert!(set(broken, "model.name", Some("x")).is_err());
    assert_eq!(
        set(broken, "limits.rounds", Some("4")).unwrap(),
        "[limits]\nrounds = 4\n"
    );
}

#[test]
fn a_value_goes_into_the_section_of_the_example() {
    let changed = edit::change(
        &example::text(),
        Path::new("c.toml"),
        "model.name",
        Some("qwen3:8b"),
        &[],
    )
    .unwrap();
    assert!(
        changed.contains("[model]\nname = \"qwen3:8b\"\n# Address of the server"),
        "{changed}"
    );
    let rest = changed.replace("name = \"qwen3:8b\"\n# Address", "# Address");
    assert_eq!(rest, example::text());
}

#[test]
fn files_are_written_whole_and_private() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b/config.toml");
    edit::write(&path, "one").unwrap();
    edit::write(&path, "two").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(
        std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let link = dir.path().join("link.toml");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        edit::write(&link, "three").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three");
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }
}

#[test]
fn a_named_file_must_exist_and_odd_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let load_at = |path: &Path| {
        let paths = Paths::find(Some(path), Some(dir.path())).unwrap();
        load(&paths, env(&[]), &[], &[]).map_err(|p| p[0].to_string())
    };
    assert!(
        load_at(&dir.path().join("none.toml"))
            .unwrap_err()
            .contains("there is no such file")
    );
    assert!(
        load_at(dir.path())
            .unwrap_err()
            .contains("this is a directory")
    );
    let path = dir.path().join("c.toml");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(load_at(&path).unwrap_err().contains("not text"));
    std::fs::write(&path, vec![b'#'; 2 << 20]).unwrap();
    assert!(load_at(&path).unwrap_err().contains("too long"));
    std::fs::write(&path, "\u{feff}[model]\r\nname = \"x\"\r\n").unwrap();
    assert_eq!(
        load_at(&path).unwrap().config.model.name.as_deref(),
        Some("x")
    );
}

#[test]
fn a_key_in_the_place_of_its_name_is_refused_and_never_repeated() {
    // None of these is anybody's key.
    for key in [
        "sk-abcdefghijklmnop",
        "xoxb-123456789012-abcdefabcdef",
        "ghp_abcdefghijklmnop1234",
        "9f2c41aa9f2c41aa9f2c41aa9f2c41aa",
        "0123456789abcdef",
        "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
        "AbCdEfGhIjKlMnOp",
        "qwertyuiop1234567890",
        "nvapi-some-thing-that-is-longer-than-a-name",
        "two words",
    ] {
        for place in ["[model]\napi_key", "[modules.crtsh]\nkey"] {
            let told = only_problem(&format!("{place} = \"{key}\"\n"));
            assert!(
                told.contains("this is the name of a secret, not its value"),
                "{told}"
            );
            assert!(!told.contains(key), "{told}");
        }
        let vars = [("RMM_ANALYST_MODEL_API_KEY", key)];
        let told = load_text("", &vars, &[]).unwrap_err()[0].to_string();
        assert!(
            told.contains("not its value") && !told.contains(key),
            "{told}"
        );
    }
    for name in [
        "abusech",
        "model",
        "sk-lab",
        "abuseipdb.second",
        "virustotal-2",
        "our-own-urlscan-account-2",
    ] {
        let text = format!("[modules.crtsh]\nkey = \"{name}\"\n");
        assert!(load_text(&text, &[], &[]).is_ok(), "{name}");
    }
}

#[test]
fn a_source_over_http_is_warned_about_unless_it_is_on_this_machine() {
    let warned = |url: &str, vars: &[(&str, &str)]| {
        let text = format!("[modules.crtsh]\nbase_url = \"{url}\"\n");
        load_text(&text, vars, &[]).unwrap().warnings
    };
    for url in [
        "http://crt.example",
        "http://192.168.1.5:8080/x",
        "http://[fd00::1]/",
        "http://localhost.example",
    ] {
        let found = warned(url, &[]);
        assert_eq!(found.len(), 1, "{url}");
        assert_eq!(found[0].place, Place::file(Path::new("c.toml"), 2));
        assert!(found[0].what.contains("in the clear") && found[0].hint.is_some());
    }
    for url in [
        "https://crt.example",
        "http://127.0.0.1:9",
        "http://[::1]/",
        "http://LOCALHOST:1",
        "http://a.localhost",
    ] {
        assert!(warned(url, &[]).is_empty(), "{url}");
    }
    let vars = [("RMM_ANALYST_MODULES_CRTSH_BASE_URL", "http://crt.example")];
    assert_eq!(warned("https://crt.example", &vars).len(), 1);
}

proptest! {
    #[test]
    fn any_text_is_settings_or_a_list_of_problems(text in any::<String>()) {
        if let Err(problems) = load_text(&text, &[], &[]) {
            prop_assert!(!problems.is_empty());
        }
    }

    #[test]
    fn what_is_set_is_read_back(value in "[ -~]{1,40}") {
        prop_assume!(!value.trim().is_empty());
        let text = edit::change(&example::text(), Path::new("c.toml"), "model.name", Some(&value), &[]).unwrap();
        prop_assert_eq!(load_text(&text, &[], &[]).unwrap().config.model.name, Some(value));
    }
}
