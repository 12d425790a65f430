//! Lists that tell names of hosts from names of files and code.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A list of words, read once.
pub(super) struct Words(LazyLock<HashSet<&'static str>>);

impl Words {
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

/// Makes a list from words with blanks between.
macro_rules! words {
    ($name:ident, $text:literal) => {
        pub(super) static $name: Words =
            Words(LazyLock::new(|| $text.split_whitespace().collect()));
    };
}

// Top-level domains that are file extensions too. A naked name under one is a file.
words!(
    FILE_TLDS,
    "zip mov py sh rs md pl so ps app cab pm mm bz tf ax cpa java dot ink pub"
);

// Labels in front that only hosts have.
words!(
    HOST_LABELS,
    "www www1 www2 mail smtp imap pop pop3 webmail ftp ns ns1 ns2 mx mx1 mx2 vpn remote autodiscover login portal secure cdn static m api owa
    cpanel whm blog shop"
);

// Top-level domains that are words of English and of programs: members, fields and short words.
words!(
    MEMBER_TLDS,
    "id name info host io date data day map run build call cat bar bio click link search open in is to at it so my me no new now next show style
    stream support target author download email exchange fail domains directory group game games go help hosting lat live menu network observer
    page parts phone photo photos pictures pin place plus post properties property protection read report rest room save security services store
    systems tab tools video vote watch work works media web box gift golf locker one digital global center domain events express fit got latest
    level limited listed loan love mobile moe moment off ping play press prime prod red blue black green rip rent sale school secure select
    sharp size team total trade type us as by be do am an or st pm ps dev app cab codes active actor auto case cash charity city company
    computer contact country credit family farm feedback film final finance food free gallery guide guru health here how ink kim land legal life
    lighting management market meet money movie museum news office ooo option party photography pics plumbing pub python racing review reviews
    safe science season share skin sky social software soy spot storage study supply tax technology tips today training travel trust university
    uno vision wiki winners you zero ad ms py rs sh pl md tel int mil jobs audio bot buy channel"
);

// Words that programs, logs and schemas put in front of a member.
words!(
    CODE_WORDS,
    "self this user process system os sys std file req res request requests response event events obj object item items foo bar baz args kwargs
    ctx context config cfg conf node app window document console math json string str array list dict map set java javax net http socket
    threading asyncio np pd plt log logger source destination src dst host client server agent observer url dns tls network rule threat winlog
    powershell registry package container cloud orchestrator service session device group organization geo hash error trace transaction span
    email data row col column table record entry elem element el parent child root module exports props state store router route path fs io util
    utils test tests describe expect assert pattern regex re match result results value key field fields attr attrs param params options opts
    settings env var vars local global static thread task job queue worker db database sql query cursor conn connection stream buffer reader
    writer input output stdin stdout stderr cmd command subprocess shell proc kernel driver memory cpu disk model view controller form button
    page frame tab browser time datetime date timer clock random crypto cipher token auth account alert case incident actor malware sample
    vulnerability asset labels label tag tags metadata meta spec status info message msg payload packet flow interface iface port protocol proto
    version build release target action actions click jquery angular react vue lodash django flask numpy pandas torch tf sklearn logging
    collections itertools functools typing pathlib shutil tempfile urllib base64 hashlib struct ctypes multiprocessing unittest pytest foobar
    qux my our a b c e f g h i j k l m n o p q r s t u v w x y z it that what which microsoft mscorlib main init lib core common base new old
    current previous prev next first last left right top head tail begin start stop end get put post"
);

// English words that end one sentence and begin the next when the blank is missing.
words!(
    SENTENCE_TLDS,
    "in is it to so me my no be by at as do us am or an now here you how one off new ok"
);

// Short words that end a sentence.
words!(
    SENTENCE_WORDS,
    "done it that this what there here down up out off on in again now then so too well finished works worked ok okay yes no fine good bad true
    false stopped started failed rebooted restarted crashed etc all some none end day week today yesterday tomorrow time later above below ago
    them him her us me you is was are were been be did does do not installed removed updated deleted blocked machine"
);

// First labels of names of malicious software as vendors write them.
words!(
    MALWARE_WORDS,
    "trojan backdoor worm virus win32 win64 w32 w64 w97m o97m msil heur heuristic pua pup adware ransom ransomware downloader trojandownloader
    exploit riskware hacktool malware packed dropper spyware rootkit agent gen generic script not-a-virus unwanted application behavior
    behaveslike troj tr bds html linux unix android androidos osx macos elf vbs infostealer stealer keylogger ml malicious suspicious bc doc pdf
    js java"
);

// First labels of package names written the wrong way round (`com.example.app`).
words!(
    PACKAGE_ROOTS,
    "com org net edu gov mil io java javax jakarta sun jdk android androidx kotlin kotlinx scala dalvik cn de ru jp uk fr me dev app co"
);

// Suffixes of internal names (RFC 6762 appendix G, RFC 6761, RFC 8375, ICANN's `.internal`).
words!(
    INTERNAL_TLDS,
    "local lan internal intranet corp home localhost localdomain private"
);
