//! A synthetic security log, for measuring extraction: `benches/extract.rs` and the speed step of `tests/run`.

/// Numbers that are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn hex(&mut self, digits: usize) -> String {
        (0..digits)
            .map(|_| char::from_digit(self.next(16) as u32, 16).unwrap_or('0'))
            .collect()
    }

    fn ip(&mut self) -> String {
        format!(
            "{}.{}.{}.{}",
            1 + self.next(220),
            self.next(256),
            self.next(256),
            self.next(256)
        )
    }
}

/// Lines of a firewall, a proxy, an endpoint agent, a resolver, a mail gateway and a web server.
pub(crate) fn log(size: usize) -> String {
    let names = [
        "kit-panel.shop",
        "cdn.login-portal.xyz",
        "mail.example.org",
        "update.contoso.com",
        "api.github.com",
        "files.evil-docs.app",
    ];
    let mut n = Numbers(7);
    let mut out = String::with_capacity(size + 600);
    while out.len() < size {
        let name = names[n.next(6) as usize];
        let (a, b) = (n.ip(), n.ip());
        let line = match n.next(6) {
            0 => format!(
                "Nov 30 12:{:02}:{:02} fw01 kernel: [{}.{}] DROP IN=eth0 OUT= MAC=00:11:22:33:44:55:66:77:88:99:aa:bb:08:00 SRC={a} DST={b} LEN={} TOS=0x00 PREC=0x00 TTL=52 ID={} DF PROTO=TCP SPT={} DPT=443 WINDOW=29200 RES=0x00 SYN URGP=0\n",
                n.next(60),
                n.next(60),
                n.next(99999),
                n.next(999999),
                n.next(1500),
                n.next(65535),
                n.next(65535)
            ),
            1 => format!(
                "{}.{:03} {} {a} TCP_MISS/200 {} GET https://{name}/assets/{}/index.php?id={}&session={} - HIER_DIRECT/{b} text/html\n",
                1_764_504_000 + n.next(9999),
                n.next(999),
                n.next(900),
                n.next(90000),
                n.next(999),
                n.next(9999),
                n.hex(12)
            ),
            2 => format!(
                "{{\"timestamp\":\"2026-11-30T12:00:{:02}.{:03}Z\",\"event.type\":\"process_start\",\"host.name\":\"ws-{:04}\",\"process.name\":\"powershell.exe\",\"process.pid\":{},\"process.command_line\":\"C:\\\\Windows\\\\System32\\\\WindowsPowerShell\\\\v1.0\\\\powershell.exe -nop -w hidden -enc {}\",\"hash.sha256\":\"{}\",\"user.name\":\"CORP\\\\user{}\"}}\n",
                n.next(60),
                n.next(999),
                n.next(9999),
                n.next(30000),
                n.hex(48),
                n.hex(64),
                n.next(999)
            ),
            3 => format!(
                "30-Nov-2026 12:00:{:02}.{:03} queries: info: client @0x7f{} {a}#{} ({name}): query: {name} IN A +E(0)K (198.51.100.53)\n",
                n.next(60),
                n.next(999),
                n.hex(8),
                n.next(65535)
            ),
            4 => format!(
                "Nov 30 12:00:{:02} mx1 postfix/smtpd[{}]: NOQUEUE: reject: RCPT from unknown[{a}]: 554 5.7.1 Service unavailable; Client host [{a}] blocked; from=<billing{}@{name}> to=<user@contoso.com> proto=ESMTP helo=<{name}>\n",
                n.next(60),
                n.next(30000),
                n.next(99)
            ),
            _ => format!(
                "{a} - - [30/Nov/2026:12:00:{:02} +0000] \"POST /wp-login.php HTTP/1.1\" 200 {} \"-\" \"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36\"\n",
                n.next(60),
                n.next(9000)
            ),
        };
        out.push_str(&line);
    }
    out
}
