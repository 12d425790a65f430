//! The table of patterns. A row: languages (`s` sh and bash, `p` PowerShell, `c` cmd, `y` Python), kind, where it
//! looks, the pattern, what makes it harmless after all, and what to say. `§` in a pattern is the place where a
//! command can begin (see [`super::rules`]).

use super::Kind::{
    self, Credentials, DeletesTree, DisablesSecurity, DownloadAndRun, EncodedCommand, Obfuscated,
    Reboots, WritesFile,
};
use On::{Code, Full};

/// Which text of a line a row looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// Without the inside of strings, unless the line hands a string to an interpreter.
    Code,
    /// With strings: for paths and modes, which are written as strings.
    Full,
}

/// One row.
pub(super) type Row = (
    &'static str,
    Kind,
    On,
    &'static str,
    &'static str,
    &'static str,
);

/// Protection, logging and management agents whose end is worth a look.
macro_rules! guards {
    () => {
        r"(?:auditd|firewalld|ufw|apparmor|selinux\w*|clamav[\w-]*|clamd|falcon-sensor|wazuh-agent|ossec[\w-]*|mdatp|sentinel\w*|osqueryd?|fail2ban|rsyslog|syslog-ng|systemd-journald|auditbeat|filebeat|cbdaemon|cbagentd|xagt|sophos[\w-]*|WinDefend|WdNisSvc|Sense|MpsSvc|wscsvc|SecurityHealthService|CSFalconService|CSAgent|SentinelAgent|Sophos[\w ]*|CylanceSvc|EventLog|VSS|wuauserv|Sysmon\w*)"
    };
}

/// One row to a line, so that they can be compared.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Files.
    ("s", WritesFile, Code, r"§tee\b(?:\s+-\w+)*\s+[^\s|;&-]", r"\btee(?:\s+-\w+)*\s+/dev/(?:null|stderr|stdout|tty)\b", "tee into a file"),
    ("s", WritesFile, Code, r"§sed\b[^|;]*\s(?:-\w*i\w*\b|-i\.|--in-place)", "", "sed changes a file in place"),
    ("s", WritesFile, Code, r"§(?:cp|mv|install|touch|truncate|rsync|split|mkfifo|ln)\s+\S", r"\s--(?:version|help)\b", "files are copied, moved or made"),
    ("s", WritesFile, Code, r"§dd\b.*\bof=", r"\bof=/dev/(?:null|stdout)\b", "dd writes"),
    ("s", WritesFile, Code, r"§(?:gpg2?|openssl|sort|nmap|tcpdump|pandoc|gcc|ffmpeg|sqlite3|pg_dump|mysqldump)\b[^|;]*\s(?:-o\w?|-out|--output|-w|-f|--result-file)[\s=]+[^\s-]", "", "a program is told to write a file"),
    ("s", WritesFile, Code, r"§tar\b\s+(?:-\S+\s+)*-?\w*[cxru]\w*f", "", "an archive is written or unpacked"),
    ("s", WritesFile, Code, r"§(?:zip|unzip|gzip|gunzip|bzip2|xz)\s+\S", r"\b(?:unzip\s+-[lpZ]|gzip\s+-\w*c|xz\s+-\w*c|gunzip\s+-\w*c|bzip2\s+-\w*c)", "an archive is written or unpacked"),
    ("s", WritesFile, Code, r"\bcurl\b[^|;]*\s(?:-\w*[oO]\b|--output\b|--remote-name\b)", r"\s(?:-\w*o|--output)[\s=]+(?:/dev/null|-)(?:\s|$)", "a download is stored"),
    ("s", WritesFile, Code, r"§wget\b", r"\bwget\b[^|;]*(?:\s-\w*O\s*(?:-|/dev/null|/dev/stdout)|--output-document=(?:-|/dev/null)|--spider)", "a download is stored"),
    ("p", WritesFile, Code, r"(?i)\b(?:Out-File|Set-Content|Add-Content|Export-Csv|Export-Clixml|Export-\w*Excel|Start-Transcript|Copy-Item|Move-Item|Rename-Item|Compress-Archive|Expand-Archive|epcsv)\b", "", "a cmdlet that writes files"),
    ("p", WritesFile, Code, r"(?i)\bTee-Object\b", r"(?i)\bTee-Object\s+-Variable\b", "Tee-Object into a file"),
    ("p", WritesFile, Code, r"(?i)\bNew-Item\b", r"(?i)-(?:ItemType|Type)\s+(?:Directory|RegistryKey)|\bNew-Item\s+(?:-Path\s+)?HK", "a file is made"),
    ("p", WritesFile, Code, r"(?i)\[(?:System\.)?IO\.File\]::(?:Write|Append|Create|Copy|Move|OpenWrite)|StreamWriter|\.SaveAs?\(", "", "a file is written through .NET"),
    ("p", WritesFile, Code, r"(?i)\s-OutFile\b|\.DownloadFile\(|\bStart-BitsTransfer\b", "", "a download is stored"),
    ("c", WritesFile, Code, r"§(?:copy|xcopy|robocopy|move|ren|rename|mklink)(?:\.exe)?\s", "", "files are copied or moved"),
    ("pc", WritesFile, Code, r"(?i)\breg(?:\.exe)?\s+(?:export|save)\b|\bwevtutil(?:\.exe)?\s+epl\b|\bfsutil\s+file\s+createnew\b|\bcertutil(?:\.exe)?\b.*-urlcache\b|\bbitsadmin(?:\.exe)?\b.*/transfer\b|\bcurl(?:\.exe)?\b.*\s-\w*[oO]\b|/output:", r"(?i)\s-\w*o\s+nul\b", "a program is told to write a file"),
    ("y", WritesFile, Full, r#"\bopen\(\s*[^,)]+(?:\([^)]*\))?[^,)]*,\s*(?:mode\s*=\s*)?[rbuf]*["'][rbt]*[wax+]"#, "", "a file is opened for writing"),
    ("y", WritesFile, Code, r"\.(?:write_text|write_bytes|touch|to_csv|to_excel|to_json|to_parquet|savefig|extractall)\([^)]", "", "a file is written"),
    ("y", WritesFile, Code, r"\b(?:shutil\.(?:copy\w*|move|make_archive)|os\.(?:rename|replace|symlink|link)|json\.dump|pickle\.dump|urlretrieve)\(", r"\bdump\([^)]*sys\.stdout", "a file is written"),
    // Download and run.
    ("sy", DownloadAndRun, Code, r"\b(?:curl|wget|fetch)\b[^;]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+(?:\w+=\S*\s+)*)?(?:/\S*/)?(?:(?:ba|da|z|k|a)?sh|python3?|perl|ruby|node|php)\b", r"\|\s*python3?\s+-m\s+json\.tool|\|\s*(?:python3?|perl|ruby|node)\s+-(?:c|e|ne|pe)\b", "what was fetched is piped into an interpreter"),
    ("s", DownloadAndRun, Code, r"(?:\b(?:ba|da|z|k)?sh\b|\beval\b|\bsource\b|(?:^|[;&]\s*)\.)\s[^;]*(?:<\(|\$\(|`)\s*(?:curl|wget|fetch)\b", "", "what was fetched is run"),
    ("pc", DownloadAndRun, Full, r"(?i)(?:\biex\b|Invoke-Expression|\[scriptblock\]::Create|\.InvokeScript\().*(?:\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadData|Net\.WebClient|\bcurl\b|\bwget\b)", "", "what was fetched is run as PowerShell"),
    ("pc", DownloadAndRun, Full, r"(?i)(?:\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadData|Net\.WebClient).*\|\s*(?:iex\b|Invoke-Expression)", "", "what was fetched is run as PowerShell"),
    ("p", DownloadAndRun, Full, r"(?i)\[(?:System\.)?Reflection\.Assembly\]::Load\(.*Download", "", "what was fetched is loaded as a program"),
    ("pc", DownloadAndRun, Full, r"(?i)\bmshta(?:\.exe)?\s+\S*(?:https?:|vbscript:|javascript:)|\bregsvr32(?:\.exe)?\b.*/i:\s*https?:|\brundll32(?:\.exe)?\b.*(?:https?:|javascript:)|\bmsiexec(?:\.exe)?\b.*\s/(?:i|package)\s+\S*https?:", "", "a Windows program is told to run something from the network"),
    ("s", DownloadAndRun, Full, r"\b(?:python3?|perl|ruby)\s+-(?:c|e)\b.*\b(?:exec|eval)\b.*(?:urlopen|requests\.get|urllib|LWP|open-uri)", "", "what was fetched is run"),
    ("y", DownloadAndRun, Code, r"\b(?:exec|eval|compile)\(.*(?:urlopen|requests\.get|httpx\.get|urllib)", "", "what was fetched is run as Python"),
    ("sy", DownloadAndRun, Full, r"\bpip3?\s+install\b.*(?:https?://|git\+)", r"--(?:index|extra-index|find-links)\S*\s+\S+(?:\s+[\w.=-]+)*\s*$", "a package is installed straight from an address"),
    // Deletes.
    ("sy", DeletesTree, Code, r"§rm\s+(?:-\S+\s+)*(?:-\w*[rR]\w*|--recursive)\b", "", "rm deletes recursively"),
    ("s", DeletesTree, Code, r"§rm\b[^;|&]*\s-\w*[rR]\w*\b", "", "rm deletes recursively"),
    ("s", DeletesTree, Code, r"§find\b.*(?:\s-delete\b|-exec(?:dir)?\s+(?:sudo\s+)?(?:/\S*/)?rm\b|\|\s*xargs\b.*\brm\b)", "", "find deletes what it finds"),
    ("s", DeletesTree, Code, r"§(?:mkfs(?:\.\w+)?|wipefs|shred|blkdiscard)\s|§dd\b.*\bof=/dev/(?:[shv]d|nvme|disk|mapper)|§diskutil\s+erase", "", "a disk or file is overwritten"),
    ("s", DeletesTree, Code, r"§rsync\b.*--delete", "", "rsync deletes at its target"),
    ("p", DeletesTree, Code, r"(?i)(?:\bRemove-Item\s|(?:^|[;|{(&]\s*)(?:ri|rm|rd|rmdir|del|erase)\s)(?:.*\s)?-(?:r|rec\w*)\b", r"(?i)-WhatIf\b", "Remove-Item deletes recursively"),
    ("p", DeletesTree, Code, r"(?i)\b(?:Format-Volume|Clear-Disk|Remove-Partition|Initialize-Disk|Reset-PhysicalDisk)\b|\[(?:System\.)?IO\.Directory\]::Delete\(.*true", "", "a disk or a tree is deleted"),
    ("pc", DeletesTree, Code, r"§(?:rd|rmdir)(?:\.exe)?\b.*\s/s\b", "", "rd deletes recursively"),
    ("pc", DeletesTree, Code, r"§(?:del|erase)\b.*\s/s\b", "", "del deletes recursively"),
    ("pc", DeletesTree, Code, r"§format(?:\.com)?\s+\w:|§diskpart\b|§cipher(?:\.exe)?\s+/w", "", "a disk is formatted or overwritten"),
    ("y", DeletesTree, Code, r"\b(?:shutil\.)?rmtree\(|\bos\.removedirs\(", "", "a tree is deleted"),
    // Protection.
    ("pc", DisablesSecurity, Code, r"(?i)\bSet-MpPreference\b.*-(?:Disable\w+|EnableControlledFolderAccess|PUAProtection|MAPSReporting|SubmitSamplesConsent)", r"(?i)-Disable\w+\s+(?:\$false|0)\b|-(?:EnableControlledFolderAccess|PUAProtection)\s+(?:1|Enabled)\b", "Defender is switched off"),
    ("pc", DisablesSecurity, Code, r"(?i)\b(?:Add|Set)-MpPreference\b.*-Exclusion", "", "Defender gets an exclusion"),
    ("pc", DisablesSecurity, Full, r"(?i)\bnetsh(?:\.exe)?\s+(?:adv)?firewall\b.*\b(?:state\s+off|opmode\s+(?:mode\s*=\s*)?disable)|\bSet-NetFirewallProfile\b.*-Enabled\s+(?:\$?false|0)|\bRemove-NetFirewallRule\b|\bDisable-NetFirewallRule\b", "", "the firewall is opened"),
    ("pc", DisablesSecurity, Full, concat!(r#"(?i)(?:\b(?:Stop-Service|Set-Service|Remove-Service|Suspend-Service)\b.*|\bsc(?:\.exe)?\s+(?:stop|config|delete)\s+|\bnet(?:\.exe)?\s+stop\s+|\btaskkill\b.*|\bStop-Process\b.*)["']?\b(?:"#, guards!(), r")\b" ), r"(?i)-StartupType\s+Automatic|start=\s*auto", "a protection or logging service is stopped"),
    ("pc", DisablesSecurity, Full, r"(?i)DisableAntiSpyware|DisableRealtimeMonitoring\b.*\s1\b|EnableLUA\b.*\b0\b|amsiInitFailed|AmsiScanBuffer|AmsiUtils|Uninstall-WindowsFeature\b.*Defender|LocalAccountTokenFilterPolicy|UseLogonCredential", r"(?i)\b(?:Get-ItemProperty|reg(?:\.exe)?\s+query)\b", "a safeguard of Windows is switched off"),
    ("pc", DisablesSecurity, Code, r"(?i)\bSet-ExecutionPolicy\b.*\b(?:Bypass|Unrestricted)\b|\bpowershell(?:\.exe)?\b.*\s-(?:ep|exec\w*)\s+bypass\b", "", "the execution policy is bypassed"),
    ("pc", DisablesSecurity, Full, r"(?i)\bwevtutil(?:\.exe)?\s+cl\b|\bClear-EventLog\b|\bRemove-EventLog\b|\bauditpol(?:\.exe)?\b.*(?:/clear|/remove|:disable)|\bClear-History\b|HistorySaveStyle\s+SaveNothing", "", "logs are cleared or switched off"),
    ("pc", DisablesSecurity, Full, r"(?i)\bvssadmin(?:\.exe)?\s+(?:delete|resize)\s+shadow|\bwmic\b.*shadowcopy\s+delete|Win32_ShadowCopy.*\bDelete\b|\bbcdedit(?:\.exe)?\b.*(?:recoveryenabled\s+no|ignoreallfailures|testsigning\s+on|nointegritychecks)|\bwbadmin\s+delete\b|\bDisable-ComputerRestore\b|\bDisable-BitLocker\b|\bmanage-bde\b.*-off\b", "", "recovery or disk protection is switched off"),
    ("sy", DisablesSecurity, Full, r"\bsetenforce\s+(?:0|[Pp]ermissive)|SELINUX=(?:disabled|permissive)|\bufw\s+(?:--force\s+)?(?:disable|reset)|\biptables\s+(?:-t\s+\w+\s+)?(?:-F|--flush|-P\s+\w+\s+ACCEPT)|\bnft\s+flush\s+ruleset|\bpfctl\s+-d\b|\bcsrutil\s+disable|\bspctl\s+--(?:master|global)-disable|\baa-(?:teardown|disable|complain)\b|socketfilterfw\b.*off|\bfdesetup\s+disable", r"^\s*(?:sudo\s+)?(?:echo|grep|awk)\b", "a safeguard of the system is switched off"),
    ("sy", DisablesSecurity, Full, concat!(r"\b(?:systemctl\s+(?:--\S+\s+)*(?:stop|disable|mask|kill)\s+(?:--\S+\s+)*|service\s+|pkill\s+(?:-\S+\s+)*|killall\s+(?:-\S+\s+)*|launchctl\s+(?:unload|bootout|disable)\s+\S*)(?:\S+\s+)*", guards!(), r"\b" ), r"\bservice\s+\S+\s+(?:status|start|restart|reload)\b|^\s*echo\b", "a protection or logging service is stopped"),
    ("s", DisablesSecurity, Code, r"\bauditctl\s+(?:-e\s*0|-D)\b|§history\s+-c\b|§unset\s+HISTFILE\b|\bHISTFILE=/dev/null|\bHISTSIZE=0\b|\bjournalctl\b.*--vacuum-(?:time|size)=[01]\w?\b|§set\s+\+o\s+history", "", "logs or history are cleared or switched off"),
    // Credentials.
    ("sy", Credentials, Full, r"/etc/g?shadow\b|/etc/sudoers|/etc/security/opasswd|\.ssh/(?:id_\w+|authorized_keys|\*)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws/credentials|\.git-credentials|\.netrc\b|\.pgpass\b|\.my\.cnf\b|\.kube/config|\.docker/config\.json|krb5\.keytab|\.keytab\b|\.(?:bash|zsh)_history|login\.keychain|Login Data\b|\.gnupg\b|/proc/\S*/environ|\.config/gcloud", r"\.ssh/id_\w+\.pub\b|\bid_\w+\.pub\b", "a place where secrets are kept"),
    ("sy", Credentials, Code, r"§(?:passwd|chpasswd|htpasswd|vipw|visudo)\b|\bsecurity\s+(?:find-(?:generic|internet)-password|dump-keychain|export)\b|\bgetent\s+shadow\b|\bsecret-tool\s+lookup\b|\bpass\s+show\b|\b(?:mimikatz|lazagne|linpeas|hashdump)\b", r"\bpasswd\s+(?:-S|--status)\b", "a program that reads or changes passwords"),
    ("s", Credentials, Full, r"§usermod\b.*\s(?:-p|--password)\b|\bopenssl\s+passwd\b|\bsshpass\b|\b(?:mysql|mysqldump)\b.*\s-p\S+|169\.254\.169\.254|metadata\.google\.internal", "", "a password or token is used or fetched"),
    ("pc", Credentials, Full, r"(?i)\bGet-Credential\b|\bConvertTo-SecureString\b.*-AsPlainText|\bConvertFrom-SecureString\b|\bGet-StoredCredential\b|\bcmdkey(?:\.exe)?\s+/|\bvaultcmd\b|PasswordVault|ProtectedData\]::Unprotect|\bSet-LocalUser\b.*-Password|\bSet-ADAccountPassword\b|\bnet(?:\.exe)?\s+user\s+\S+\s+[^/\s]|\bnetsh\b.*\bkey\s*=\s*clear\b|GetNetworkCredential|DefaultPassword\b", "", "passwords are read or changed"),
    ("pc", Credentials, Full, r"(?i)\blsass\b|comsvcs(?:\.dll)?\b.*MiniDump|\bntds\.dit\b|HKLM:?\\?\\(?:SAM|SECURITY|SYSTEM)\b.*(?:save|\.hiv)|\b(?:reg(?:\.exe)?)\s+save\s+HKLM\\(?:SAM|SECURITY)|\\config\\SAM\b|\bmimikatz\b|sekurlsa|Login Data\b|\\\.ssh\\id_\w+|\.aws\\credentials", "", "a place where secrets are kept"),
    ("y", Credentials, Code, r"\bgetpass\.getpass\(|\bkeyring\.get_password\(|\bwin32crypt\b|\bCryptUnprotectData\b|\bspwd\.|\bcrypt\.crypt\(", "", "passwords are read"),
    // Restarts.
    ("s", Reboots, Code, r#"§(?:reboot|poweroff|halt)(?:[\s;&|)}"'`]|$)|§shutdown\s|§(?:tel)?init\s+[06]\b|§systemctl\s+(?:-\S+\s+)*(?:reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate)\b|/proc/sysrq-trigger"#, r"\bshutdown\s+(?:-c|--show)\b|\b(?:reboot|halt|poweroff)\s+--help\b", "the device restarts or stops"),
    ("pc", Reboots, Code, r"(?i)\b(?:Restart-Computer|Stop-Computer)\b|\.Win32Shutdown\(|\bwmic\b.*\b(?:reboot|shutdown)\b|\brundll32\b.*ExitWindows", r"(?i)-WhatIf\b", "the device restarts or stops"),
    ("pc", Reboots, Code, r#"§shutdown(?:\.exe)?["']?\s+(?:.*\s)?[/-](?:r|s|g|p|h|sg)\b"#, "", "the device restarts or stops"),
    ("y", Reboots, Full, r#"(?:system|run|call|Popen|check_call|check_output|spawn\w*|exec\w+)\(.*["'/\s](?:reboot|poweroff|halt|shutdown)\b"#, r"shutdown\s+-c|reboot[-_.]", "the device restarts or stops"),
    // Encoded commands.
    ("pcsy", EncodedCommand, Full, r#"(?i)\b(?:powershell|pwsh)(?:\.exe)?\b.*[\s"',]-(?:e|ec|en|enc|enco\w*)[\s"',]+[A-Za-z0-9+/=$(%]"#, "", "PowerShell gets an encoded command"),
    // Decoding and text as code.
    ("s", Obfuscated, Code, r"\bbase64\s+(?:-\S+\s+)*(?:-d|-D|--decode|-\w*d)\b|\bopenssl\s+(?:enc\s+)?(?:-?base64|enc)\b.*\s-d\b|\bxxd\s+(?:-\w+\s+)*-\w*r|\buudecode\b|\brev\s*\|\s*(?:ba|da|z)?sh\b|\btr\b[^|]*\|\s*(?:ba|da|z)?sh\b", "", "text is decoded"),
    ("s", Obfuscated, Code, r"§eval\b", r#"\beval\s+"?(?:\$\(|`)\s*(?:/\S*/)?(?:ssh-agent|brew|dircolors|lesspipe|resize|locale|direnv|pyenv|rbenv|starship|zoxide)\b"#, "eval runs text as code"),
    ("s", Obfuscated, Full, r#"(?:\\x[0-9a-fA-F]{2}){6,}|(?:\\[0-7]{3}){6,}|\$\{IFS\}"#, "", "text is written in numbers"),
    ("s", Obfuscated, Code, r"\|\s*(?:sudo\s+)?(?:/\S*/)?(?:ba|da|z|k)?sh\s*(?:-s\s*)?(?:$|[;&|)])", r"\b(?:curl|wget|fetch)\b", "text is piped into a shell"),
    ("pc", Obfuscated, Full, r"(?i)FromBase64String|-bxor\b|\[char\]\s*\(?\s*(?:0x)?\d+\)?\s*\+\s*\[char\]|\[char\[\]\]|\bcertutil(?:\.exe)?\b.*-decode|DeflateStream|GzipStream|\[array\]::Reverse", "", "text is decoded"),
    ("p", Obfuscated, Code, r"(?i)(?:^|[;|{(&=]\s*)(?:iex\b|Invoke-Expression\b)|\[scriptblock\]::Create\(|\.InvokeScript\(", "", "text is run as code"),
    ("p", Obfuscated, Full, r#"(?i)(?:&|\.)\s*\(\s*["'\$(]|["']\w{1,6}["']\s*\+\s*["']\w{1,6}["']\s*\+\s*["']|-f\s*["']\w{1,5}["']\s*,\s*["']\w{1,5}["']"#, "", "a command is put together from pieces"),
    ("c", Obfuscated, Full, r"(?:%\w+:~\d+,\d+%.*){2,}|(?i)for\s+/l\b.*!\w+:~", "", "a command is put together from pieces"),
    ("y", Obfuscated, Code, r#"(?:^|[^\w.])(?:exec|eval)\(|\bbase64\.(?:b64|b32|b85|a85|urlsafe_b64)decode\(|\bmarshal\.loads\(|\bpickle\.loads?\(|\bbytes\.fromhex\(|(?:^|[^\w.])__import__\(|\bcodecs\.decode\("#, r"\bast\.literal_eval\(", "text is decoded or run as code"),
];
