//! Our own inputs, one per kind of writing: each must give exactly the listed values, in that order.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::extract;

fn values(text: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for f in extract(text) {
        let shown = format!("{} {}", f.indicator.kind(), f.indicator.value());
        if !seen.contains(&shown) {
            seen.push(shown);
        }
    }
    seen
}

fn check(cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let got = values(text);
        if got != *expected {
            wrong.push(format!(
                "{text:?}\n  expected {expected:?}\n  got      {got:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn defang_forms() {
    check(&[
        ("203.0.113[.]11", &["ip 203.0.113.11"]),
        ("203(.)0(.)113(.)11", &["ip 203.0.113.11"]),
        ("203{.}0{.}113{.}11", &["ip 203.0.113.11"]),
        ("203.0.113.11[:]8080", &["ip 203.0.113.11"]),
        ("203 [.] 0 [.] 113 [.] 11", &["ip 203.0.113.11"]),
        ("203 dot 0 dot 113 dot 11", &["ip 203.0.113.11"]),
        ("203[.0[.113[.11 half", &["ip 203.0.113.11"]),
        ("203.]0.]113.]11", &["ip 203.0.113.11"]),
        ("203\\.0\\.113\\.11", &["ip 203.0.113.11"]),
        ("203[,]0[,]113[,]11", &["ip 203.0.113.11"]),
        (
            "203\\[.\\]0\\[.\\]113\\[.\\]11 from a Markdown export",
            &["ip 203.0.113.11"],
        ),
        ("mail-gate(dot)online", &["domain mail-gate.online"]),
        ("mail-gate [dot] online", &["domain mail-gate.online"]),
        ("mail-gate[ . ]online", &["domain mail-gate.online"]),
        (
            "mail-gate{dot}online and mail-gate(DOT)online",
            &["domain mail-gate.online"],
        ),
        ("mail-gate dot online is down", &["domain mail-gate.online"]),
        ("mail-gate DOT online", &["domain mail-gate.online"]),
        (
            "www dot mail-gate dot online",
            &["domain www.mail-gate.online"],
        ),
        ("mail-gate\\.online", &["domain mail-gate.online"]),
        ("mail-gate[.online] and x", &["domain mail-gate.online"]),
        ("mail-gate.[online]", &["domain mail-gate.online"]),
        ("mail-gate<.>online", &["domain mail-gate.online"]),
        (
            "billing[at]mail-gate[.]online",
            &["email billing@mail-gate.online"],
        ),
        (
            "billing[@]mail-gate[.]online",
            &["email billing@mail-gate.online"],
        ),
        (
            "billing (at) mail-gate (dot) online",
            &["email billing@mail-gate.online"],
        ),
        (
            "billing@mail-gate[.]online",
            &["email billing@mail-gate.online"],
        ),
        (
            "billing at mail-gate dot online",
            &["email billing@mail-gate.online"],
        ),
        ("CONNECT AT KIT-PANEL.SHOP NOW", &["domain kit-panel.shop"]),
        (
            "billing AT mail-gate.online",
            &["email billing@mail-gate.online"],
        ),
        ("look at kit-panel.shop", &["domain kit-panel.shop"]),
        ("hosted at kit-panel[.]shop", &["domain kit-panel.shop"]),
        ("look at kit-panel dot shop", &["domain kit-panel.shop"]),
        (
            "hxxp://mail-gate.online/a",
            &["url http://mail-gate.online/a"],
        ),
        (
            "hxxp[:]//mail-gate[.]online/a",
            &["url http://mail-gate.online/a"],
        ),
        (
            "HXXPS://MAIL-GATE[.]ONLINE/A",
            &["url https://mail-gate.online/A"],
        ),
        (
            "h**p://mail-gate.online/g and h**ps://mail-gate.online/g",
            &[
                "url http://mail-gate.online/g",
                "url https://mail-gate.online/g",
            ],
        ),
        (
            "htxp://mail-gate.online/ hxtp://mail-gate.online/x",
            &[
                "url http://mail-gate.online/",
                "url http://mail-gate.online/x",
            ],
        ),
        (
            "http[://]mail-gate[.]online",
            &["url http://mail-gate.online/"],
        ),
        (
            "http:[//]mail-gate[.]online/x",
            &["url http://mail-gate.online/x"],
        ),
        (
            "hxxp:\\\\mail-gate[.]online\\a\\b",
            &["url http://mail-gate.online/a/b"],
        ),
        (
            "fxp://mail-gate[.]online/f",
            &["url ftp://mail-gate.online/f"],
        ),
        (
            "https://mail-gate[.]online:8443/x?y=1#z",
            &["url https://mail-gate.online:8443/x?y=1#z"],
        ),
        (
            "hxxp://203[.]0[.]113[.]5/x.sh",
            &["url http://203.0.113.5/x.sh"],
        ),
        ("2001[:]db8[:]:77", &["ipv6 2001:db8::77"]),
        ("2001[:]db8[::]77", &["ipv6 2001:db8::77"]),
        ("hxxp://[2001[:]db8::1]/x", &["url http://[2001:db8::1]/x"]),
        (
            "the dot in the middle, every dot is red, connect the dot to it",
            &[],
        ),
        ("see [this.] Then (that.) or x[.5]", &[]),
        ("mail-gate[[.]]online", &["domain mail-gate.online"]),
        ("192&#46;0&#46;2&#46;7", &["ip 192.0.2.7"]),
        ("Amazon(.com) was imitated", &["domain amazon.com"]),
    ]);
}

#[test]
fn wide_characters() {
    check(&[
        ("１９２．０．２．７", &["ip 192.0.2.7"]),
        ("192\u{200b}.0.2.7", &["ip 192.0.2.7"]),
        ("kit\u{200b}-panel\u{200d}.shop", &["domain kit-panel.shop"]),
        (
            "ｈｔｔｐ：／／kit-panel.shop／ａ",
            &["url http://kit-panel.shop/a"],
        ),
        ("“kit-panel.shop”", &["domain kit-panel.shop"]),
        ("‘192.0.2.7’ «192.0.2.8»", &["ip 192.0.2.7", "ip 192.0.2.8"]),
        ("kit-panel.shop—the panel", &["domain kit-panel.shop"]),
        ("kit-panel.shop’s panel", &["domain kit-panel.shop"]),
        ("192.0.2.23–192.0.2.30", &["ip 192.0.2.23", "ip 192.0.2.30"]),
        (
            "CVE‑2024‑3094 and CVE–2021–44228",
            &["cve CVE-2024-3094", "cve CVE-2021-44228"],
        ),
        (
            "地址192.0.2.7，域名kit-panel.shop。",
            &["ip 192.0.2.7", "domain kit-panel.shop"],
        ),
        (
            "访问https://kit-panel.shop/a。然后",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "https://münchen-konto.de/ü",
            &["url https://xn--mnchen-konto-dlb.de/%C3%BC"],
        ),
        (
            "почта: boss@пример.рф",
            &["email boss@xn--e1afmkfd.xn--p1ai"],
        ),
        ("пример.рф", &["domain xn--e1afmkfd.xn--p1ai"]),
        ("例え。みんな", &["domain xn--r8jz45g.xn--q9jyb4c"]),
        (
            "192.0.2.7\u{a0}kit-panel.shop",
            &["ip 192.0.2.7", "domain kit-panel.shop"],
        ),
    ]);
}

#[test]
fn addresses() {
    check(&[
        (
            "192.0.2.1:8080, 192.0.2.2:443.",
            &["ip 192.0.2.1", "ip 192.0.2.2"],
        ),
        ("client 192.0.2.3#53", &["ip 192.0.2.3"]),
        (
            "<192.0.2.4>|192.0.2.5|`192.0.2.6`",
            &["ip 192.0.2.4", "ip 192.0.2.5", "ip 192.0.2.6"],
        ),
        (
            "ip=192.0.2.7;ip2='192.0.2.8'",
            &["ip 192.0.2.7", "ip 192.0.2.8"],
        ),
        ("192.0.2.1.5 and 1.2.3 and 1.3.6.1.4.1.311.2", &[]),
        (
            "v4.18.2.11, Chrome/124.0.0.0, version: 4.18.2.11, ver 4.18.2.11",
            &[],
        ),
        ("upgraded from 4.18.2.10 to 4.18.2.11", &[]),
        ("Git 1.7.12.3 Release Notes, __version__ = \"3.5.0.1\"", &[]),
        ("toks[::2] x[2::3] E3::<1> aaaa::{b}", &[]),
        ("section 4.1.2.3 says; build 10.0.1.2", &[]),
        ("agent-4.18.2.11.tar.gz and pkg-4.18.2.11", &[]),
        ("1.2.3.4-beta 1.2.3.4b x1.2.3.4", &[]),
        (
            "192.0.2.0/24, 192.0.2.0/255.255.255.0",
            &["cidr 192.0.2.0/24"],
        ),
        ("192.0.2.77/24", &["cidr 192.0.2.0/24"]),
        ("192.0.2.7/login.php", &["ip 192.0.2.7"]),
        ("outside:192.0.2.1/443", &["ip 192.0.2.1"]),
        ("\\\\192.0.2.9\\share", &["ip 192.0.2.9"]),
        ("root@192.0.2.10", &["ip 192.0.2.10"]),
        (
            "0.0.0.0 255.255.255.255",
            &["ip 0.0.0.0", "ip 255.255.255.255"],
        ),
        (
            "\"text\":\"IOCs:\\n192.0.2.1\\n192.0.2.2\"",
            &["ip 192.0.2.1", "ip 192.0.2.2"],
        ),
        ("2001:db8::1", &["ipv6 2001:db8::1"]),
        ("2001:0DB8:0:0:0:0:0:1", &["ipv6 2001:db8::1"]),
        (
            "[2001:db8::2]:443 and <2001:db8::3>",
            &["ipv6 2001:db8::2", "ipv6 2001:db8::3"],
        ),
        (
            "src=2001:db8::5 dst:2001:db8::6",
            &["ipv6 2001:db8::5", "ipv6 2001:db8::6"],
        ),
        ("::ffff:192.0.2.7 ::ffff:c000:207", &["ip 192.0.2.7"]),
        ("fe80::1%eth0.", &["ipv6 fe80::1"]),
        ("2001:db8::/32.", &["cidr 2001:db8::/32"]),
        ("at 12:30:45 and 2026-11-30T12:00:01.123Z 00:00", &[]),
        ("Foo::1 std::io::Error a::b::c Abc::Def", &[]),
        ("01:23:45:67:89:ab:cd:ef", &[]),
        ("1:2:3:4:5:6:7:8", &["ipv6 1:2:3:4:5:6:7:8"]),
        ("1:2:3:4:5:6:7:8:9", &[]),
        ("2001::db8::1 and 2001:db8::g", &[]),
        (
            "[ipv4-addr:value = '192.0.2.1'] AND [domain-name:value = 'kit-panel.shop']",
            &["ip 192.0.2.1", "domain kit-panel.shop"],
        ),
        (
            "Received: from mx.kit-panel.shop (unknown [192.0.2.9]) by x",
            &["domain mx.kit-panel.shop", "ip 192.0.2.9"],
        ),
        (
            "Windows 10.0.19041.1, Chrome 124.0.6367.91, 127.1, 3405803783, 0x7f000001",
            &[],
        ),
        (
            "mac 00:1A:2B:3C:4D:5E, 00-1a-2b-3c-4d-5f, 001a.2b3c.4d60",
            &[
                "mac 00:1a:2b:3c:4d:5e",
                "mac 00:1a:2b:3c:4d:5f",
                "mac 00:1a:2b:3c:4d:60",
            ],
        ),
        (
            "MAC=00:11:22:33:44:55:66:77:88:99:aa:bb:08:00 SRC=192.0.2.1",
            &[
                "mac 00:11:22:33:44:55",
                "mac 66:77:88:99:aa:bb",
                "ip 192.0.2.1",
            ],
        ),
    ]);
}

#[test]
fn urls() {
    check(&[
        (
            "(https://kit-panel.shop/a)",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "https://kit-panel.shop/a_(b)",
            &["url https://kit-panel.shop/a_(b)"],
        ),
        (
            "see https://kit-panel.shop/a, https://kit-panel.shop/b; and https://kit-panel.shop/c!",
            &[
                "url https://kit-panel.shop/a",
                "url https://kit-panel.shop/b",
                "url https://kit-panel.shop/c",
            ],
        ),
        (
            "[https://kit-panel.shop/a](https://kit-panel.shop/b)",
            &[
                "url https://kit-panel.shop/a",
                "url https://kit-panel.shop/b",
            ],
        ),
        (
            "**https://kit-panel.shop/a**",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "<a href=\"https://kit-panel.shop/a\">x</a>",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "<a href='https://kit-panel.shop/a'>x</a>",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "href=&quot;https://kit-panel.shop/a&quot;",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "\"https:\\/\\/kit-panel.shop\\/a\"",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "{\"url\":\"https://kit-panel.shop/a\",\"b\":1}",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "https://kit-panel.shop/a,192.0.2.1,44d88612fea8a8f36de82e1278abb02f",
            &[
                "url https://kit-panel.shop/a",
                "ip 192.0.2.1",
                "md5 44d88612fea8a8f36de82e1278abb02f",
            ],
        ),
        (
            "https://kit-panel.shop/a,https://kit-panel.shop/b",
            &[
                "url https://kit-panel.shop/a",
                "url https://kit-panel.shop/b",
            ],
        ),
        (
            "|https://kit-panel.shop/a|b|",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "<https://kit-panel.shop/a|the page>",
            &["url https://kit-panel.shop/a"],
        ),
        (
            "https://user:pw@kit-panel.shop/a",
            &["url https://user:pw@kit-panel.shop/a"],
        ),
        ("https://KIT-PANEL.shop", &["url https://kit-panel.shop/"]),
        (
            "https://kit-panel.shop?x=1",
            &["url https://kit-panel.shop/?x=1"],
        ),
        ("http://192.0.2.1:8080/x", &["url http://192.0.2.1:8080/x"]),
        (
            "udp://192.0.2.1:53 and wss://kit-panel.shop/ws",
            &["url udp://192.0.2.1:53", "url wss://kit-panel.shop/ws"],
        ),
        ("http:// nothing, https://, http://. and ://x", &[]),
        ("http://http://http://", &[]),
        ("http://$HOST/a http://<host>/ https://{domain}/x", &[]),
        (
            "//kit-panel.shop/x and www.kit-panel.shop/y",
            &["domain kit-panel.shop", "domain www.kit-panel.shop"],
        ),
        ("https://kit-panel.shop:99999/x", &["domain kit-panel.shop"]),
        (
            "https://kit-panel.shop/?next=hxxps://other-panel.shop/x",
            &["url https://kit-panel.shop/?next=hxxps://other-panel.shop/x"],
        ),
        (
            "view-source:https://kit-panel.shop/x",
            &["url https://kit-panel.shop/x"],
        ),
        (
            "http://localhost:8080/x and http://intranet/",
            &["url http://localhost:8080/x", "url http://intranet/"],
        ),
        ("http://3405803783/x", &["url http://203.0.113.7/x"]),
        ("file:///etc/passwd and C:\\Windows\\x.exe", &[]),
        (
            "kit-panel.shop/signin.php?u=a@b.com",
            &["domain kit-panel.shop"],
        ),
        (
            "u=https%3A%2F%2Fkit-panel.shop%2Fz",
            &["domain kit-panel.shop"],
        ),
        (
            "GET http://kit-panel.shop/x HTTP/1.1",
            &["url http://kit-panel.shop/x"],
        ),
        (
            "downloadhttps://kit-panel.shop/x",
            &["url https://kit-panel.shop/x"],
        ),
        (
            "javascript:alert(1) data:text/html,x mailto:boss@kit-panel.shop",
            &["email boss@kit-panel.shop"],
        ),
        (
            "https://kit-panel.shop/a\\nhttps://kit-panel.shop/b",
            &[
                "url https://kit-panel.shop/a",
                "url https://kit-panel.shop/b",
            ],
        ),
    ]);
}

#[test]
fn names() {
    check(&[
        ("kit-panel.shop:8443/a/b.php", &["domain kit-panel.shop"]),
        (
            "KIT-PANEL.SHOP and Kit-Panel.shop",
            &["domain kit-panel.shop"],
        ),
        ("host=kit-panel.shop&x", &["domain kit-panel.shop"]),
        ("_dmarc.kit-panel.shop", &["domain kit-panel.shop"]),
        ("||kit-panel.shop^", &["domain kit-panel.shop"]),
        ("@kit-panel.shop", &["domain kit-panel.shop"]),
        (
            "\\\\files.kit-panel.shop\\share",
            &["domain files.kit-panel.shop"],
        ),
        (
            "0.0.0.0 ads.kit-panel.shop",
            &["ip 0.0.0.0", "domain ads.kit-panel.shop"],
        ),
        ("kit-panel.co.uk co.uk com.br", &["domain kit-panel.co.uk"]),
        (
            "report.zip invoice.pdf.exe setup.py node.js README.md libc.so.6 a.out x.tar.gz index.php",
            &[],
        ),
        ("app.min.js, style.css, main.rs:12, payload.com.exe", &[]),
        ("report[.]zip", &["domain report.zip"]),
        (
            "domain: report.zip, ioc=c2.notatld",
            &["domain report.zip", "domain c2.notatld"],
        ),
        (
            "user.id process.name System.IO event.id host.name=x os.path",
            &[],
        ),
        (
            "requests.post(url) foo.bar self.name obj.call() console.info(\"x\")",
            &[],
        ),
        (
            "text.as_bytes() value.is_empty() self.compare(x) f(x).name a1.to(b) acquire3.is_woken()",
            &[],
        ),
        (
            "evil7.live/x user@app.dev",
            &["domain evil7.live", "email user@app.dev"],
        ),
        ("com.example.app org.apache.commons.io java.net.URL", &[]),
        ("The end.It was late. Done.In the end. stop.So be it", &[]),
        (
            "Trojan.Win32.Agent.ai Backdoor.Linux.Mirai.ba Win32/Kryptik.ME HEUR:Trojan.Script.Generic",
            &[],
        ),
        ("e.g. i.e. U.S. a.m. p.m. etc.", &[]),
        ("ASP.NET and VB.NET and Node.JS", &[]),
        ("C:\\Users\\bob\\kit-panel.com", &[]),
        ("CORP\\user.name logged on", &[]),
        ("dc01.corp.local", &["domain dc01.corp.local"]),
        (
            "t.me/abc and bit.ly/x and t.co/y",
            &["domain t.me", "domain bit.ly", "domain t.co"],
        ),
        (
            "evil.test c2.invalid www.bad.example",
            &[
                "domain evil.test",
                "domain c2.invalid",
                "domain www.bad.example",
            ],
        ),
        (
            "1.0.168.192.in-addr.arpa",
            &["domain 1.0.168.192.in-addr.arpa"],
        ),
        (
            "192.0.2.1.static.kit-panel.shop",
            &["domain 192.0.2.1.static.kit-panel.shop"],
        ),
        (
            "...kit-panel.shop... wait...what",
            &["domain kit-panel.shop"],
        ),
        (
            "\"text\":\"IOCs:\\nkit-panel.shop\\nother-panel.shop\"",
            &["domain kit-panel.shop", "domain other-panel.shop"],
        ),
        ("localhost intranet server01", &[]),
        ("-kit-.shop kit..shop .shop", &[]),
        (
            "kit-panel.shop(192.0.2.1)",
            &["domain kit-panel.shop", "ip 192.0.2.1"],
        ),
        ("google.com!", &["domain google.com"]),
        ("3.5.com 1.shop", &["domain 3.5.com", "domain 1.shop"]),
    ]);
}

#[test]
fn mail() {
    check(&[
        (
            "Boss <boss@kit-panel.shop>, \"x\" <a.b+c@mx.kit-panel.shop>",
            &["email boss@kit-panel.shop", "email a.b+c@mx.kit-panel.shop"],
        ),
        (
            "mailto:boss@kit-panel.shop?subject=x",
            &["email boss@kit-panel.shop"],
        ),
        ("BOSS@KIT-PANEL.SHOP", &["email boss@kit-panel.shop"]),
        (
            "from=<bounce-12@kit-panel.shop>",
            &["email bounce-12@kit-panel.shop"],
        ),
        ("a@b @c d@ e@f.notatld", &[]),
        (
            "john.me+tag@kit-panel.shop",
            &["email john.me+tag@kit-panel.shop"],
        ),
        (
            "boss@münchen-konto.de",
            &["email boss@xn--mnchen-konto-dlb.de"],
        ),
        (
            "user;boss@kit-panel.shop,x@kit-panel.shop",
            &["email boss@kit-panel.shop", "email x@kit-panel.shop"],
        ),
        ("git@github.com:org/repo.git", &["domain github.com"]),
        ("ssh root@kit-panel.shop", &["email root@kit-panel.shop"]),
        ("o'brien@kit-panel.shop", &["email brien@kit-panel.shop"]),
    ]);
}

#[test]
fn hashes_and_ids() {
    check(&[
        (
            "MD5 (x) = 44d88612fea8a8f36de82e1278abb02f",
            &["md5 44d88612fea8a8f36de82e1278abb02f"],
        ),
        (
            "md5=44d88612fea8a8f36de82e1278abb02f;",
            &["md5 44d88612fea8a8f36de82e1278abb02f"],
        ),
        (
            "44d88612fea8a8f36de82e1278abb02f.exe",
            &["md5 44d88612fea8a8f36de82e1278abb02f"],
        ),
        (
            "sample_44d88612fea8a8f36de82e1278abb02f_x",
            &["md5 44d88612fea8a8f36de82e1278abb02f"],
        ),
        (
            "image@sha256:49fa83585abe2e279d28b73571b0556c0293a790e7907607fdcd6d3411a7d774",
            &["sha256 49fa83585abe2e279d28b73571b0556c0293a790e7907607fdcd6d3411a7d774"],
        ),
        (
            "44d88612fea8a8f36de82e1278abb02f0 44d88612fea8a8f36de82e1278abb02",
            &[],
        ),
        (
            "SHA256:\n49fa83585abe2e279d28b73571b0556c\n0293a790e7907607fdcd6d3411a7d774",
            &["sha256 49fa83585abe2e279d28b73571b0556c0293a790e7907607fdcd6d3411a7d774"],
        ),
        (
            "44d88612fea8a8f36de82e1278abb02f\nfa7130b8f947405294042c5b80dce830",
            &[
                "md5 44d88612fea8a8f36de82e1278abb02f",
                "md5 fa7130b8f947405294042c5b80dce830",
            ],
        ),
        ("550e8400-e29b-41d4-a716-446655440000", &[]),
        ("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", &[]),
        (
            "00000000000000000000000000000000 12345678901234567890123456789012",
            &[],
        ),
        (
            "ja3=fa7130b8f947405294042c5b80dce830, \"ja3s\": \"55476ebdc961a0e02bf9bba1fd200018\"",
            &[
                "ja3 fa7130b8f947405294042c5b80dce830",
                "ja3s 55476ebdc961a0e02bf9bba1fd200018",
            ],
        ),
        (
            "JA3 fingerprint: fa7130b8f947405294042c5b80dce830",
            &["ja3 fa7130b8f947405294042c5b80dce830"],
        ),
        (
            "CVE-2021-44228, cve-2024-3094; CVE-2023-1234567/CVE-2020-0001",
            &[
                "cve CVE-2021-44228",
                "cve CVE-2024-3094",
                "cve CVE-2023-1234567",
                "cve CVE-2020-0001",
            ],
        ),
        (
            "CVE-2021-123 CVE-20211-4422 XCVE-2021-44228 CVE_2021_44229",
            &["cve CVE-2021-44229"],
        ),
        ("exploit-cve-2021-44228-poc", &["cve CVE-2021-44228"]),
        (
            "AS64500 ASN64501 ASN 64502 asn: 64503 \"asn\":64504 AS 64505",
            &[
                "asn AS64500",
                "asn AS64501",
                "asn AS64502",
                "asn AS64503",
                "asn AS64504",
                "asn AS64505",
            ],
        ),
        (
            "AS400 system as 12 hosts AS0 AS4294967296 BAS64500 as64500x",
            &["asn AS400"],
        ),
        (
            "T1059.001, t1566 (T1003.008)",
            &["attack T1059.001", "attack T1566", "attack T1003.008"],
        ),
        ("T10599 T105 AT1059 T1059.01 T9999 T2000", &[]),
        (
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa and 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            &[
                "btc 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                "btc 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            ],
        ),
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", &[]),
        (
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            &["btc bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
        ),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", &[]),
        (
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            &["btc bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
        ),
        (
            "0x4936C9199b4ef9fbb62e06b94fe40c3973463102",
            &["eth 0x4936c9199b4ef9fbb62e06b94fe40c3973463102"],
        ),
        (
            "ssdeep 96:PzA2OzqHbHCXdHxZ:PzA1OHbHCXdHxZ",
            &["ssdeep 96:PzA2OzqHbHCXdHxZ:PzA1OHbHCXdHxZ"],
        ),
        (
            "4xoy2pxketdtrewbxmpay75rfohq7iiy3zuevvrx77tznbiwgjcc43yd.onion/x",
            &["onion 4xoy2pxketdtrewbxmpay75rfohq7iiy3zuevvrx77tznbiwgjcc43yd.onion"],
        ),
        ("tooshort.onion", &[]),
        (
            "e7:42:7e:2e:18:fa:48:f6:23:ed:50:e9:18:9d:a4:6a:56:ae:29:9a",
            &[],
        ),
    ]);
}

#[test]
fn spans_and_marks_are_of_the_original_text() {
    let text = "Ü see hxxp://kit-panel[.]shop/x and 192\u{200b}.0.2.7, 10.0.0.1.";
    let found = extract(text);
    let shown: Vec<_> = found
        .iter()
        .map(|f| (f.text.as_str(), f.defanged, f.indicator.value()))
        .collect();
    assert_eq!(
        shown,
        [
            ("hxxp://kit-panel[.]shop/x", true, "http://kit-panel.shop/x"),
            ("192\u{200b}.0.2.7", false, "192.0.2.7"),
            ("10.0.0.1", false, "10.0.0.1")
        ]
    );
    for f in &found {
        assert_eq!(&text[f.start..f.end], f.text);
    }
}
