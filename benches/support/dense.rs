//! A log of ten kinds of line, for measuring redaction: `benches/redact.rs` and `tests/speed`.

/// A small generator, so that the input is the same each time.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// `n` hexadecimal digits.
    pub(crate) fn hex(&mut self, n: usize) -> String {
        let mut s = String::new();
        while s.len() < n {
            s.push_str(&format!("{:016x}", self.next()));
        }
        s.truncate(n);
        s
    }
}

/// Ten kinds of line as they stand in real logs; with `secrets`, one line in ten holds one.
pub(crate) fn log(bytes: usize, secrets: bool) -> String {
    let mut r = Rng(0x9E37_79B9_7F4A_7C15);
    let mut out = String::with_capacity(bytes + 1024);
    while out.len() < bytes {
        let ip = format!(
            "{}.{}.{}.{}",
            r.next() % 223 + 1,
            r.next() % 256,
            r.next() % 256,
            r.next() % 256
        );
        let line = match r.next() % 10 {
            0 => format!(
                "{ip} - - [30/Nov/2026:17:11:39 +0000] \"GET /a/{}?id={}&page=2 HTTP/1.1\" 200 512 \"https://www.example.com/x\" \"Mozilla/5.0 (X11; Linux x86_64)\"",
                r.hex(8),
                r.next() % 9999
            ),
            1 => format!(
                "{{\"time\":\"2026-11-30T17:11:39Z\",\"level\":\"info\",\"src\":\"{ip}\",\"msg\":\"connection accepted\",\"trace\":\"{}\",\"user\":\"bob\"}}",
                r.hex(32)
            ),
            2 => format!(
                "sha256={} md5={} file=C:\\Windows\\System32\\svc{}.dll signed=true",
                r.hex(64),
                r.hex(32),
                r.next() % 99
            ),
            3 => format!(
                "Nov 30 17:11:39 web01 sshd[{}]: Failed password for invalid user admin from {ip} port {} ssh2",
                r.next() % 32768,
                r.next() % 65536
            ),
            4 => format!(
                "<134>1 2026-11-30T17:11:39Z fw01 - - - action=deny src={ip} dst=10.0.0.7 spt={} dpt=443 proto=tcp rule=key-exchange",
                r.next() % 65536
            ),
            5 => format!(
                "crt.sh: *.{}.example.net issued by R3, serial 04:{}, not before 2026-10-01",
                r.hex(6),
                r.hex(16)
            ),
            6 => format!(
                "{{\"event\":\"{{\\\"id\\\":{},\\\"path\\\":\\\"/tmp/{}\\\"}}\",\"host\":\"{ip}\"}}",
                r.next() % 9999,
                r.hex(10)
            ),
            7 => format!(
                "DNS query A cdn-{}.example.org from {ip}: NOERROR 198.51.100.{} ttl 300 authoritative",
                r.hex(4),
                r.next() % 256
            ),
            8 => format!(
                "powershell.exe -nop -c \"Get-Item HKLM:\\Software\\{}\" session={} token_type=primary",
                r.hex(8),
                r.next() % 9
            ),
            _ if secrets => match r.next() % 4 {
                0 => format!("POST /login user=bob&password={}&next=/home", r.hex(12)),
                1 => format!("Authorization: Bearer {}Zx{}", r.hex(20), r.hex(16)),
                2 => format!("export GITHUB_TOKEN=ghp_{}Ab{}", r.hex(17), r.hex(17)),
                _ => format!("{{\"api_key\": \"{}\", \"host\": \"{ip}\"}}", r.hex(32)),
            },
            _ => format!(
                "GET https://api.example.com/v1/items/{}?limit=50 took {} ms",
                r.hex(12),
                r.next() % 900
            ),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}
