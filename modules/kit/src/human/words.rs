//! The words that [`super::clause`] knows.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Single words.
type Words = LazyLock<HashSet<&'static str>>;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split(' ').collect()
}

/// What a phrase does to the indicators behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// A verb that refuses its object (`ignore X`).
    Verb,
    /// The same, but only at the start of a clause (`drop X`; not `files drop X`).
    VerbFirst,
    /// A preposition that excepts what follows directly (`instead of X`).
    Noun,
    /// A negated auxiliary (`don't …`); what it means depends on the verb.
    Aux,
    /// A negated statement (`didn't`, `isn't`): never a refusal.
    Statement,
    /// Ends every scope (`but`, `however`).
    Contrast,
    /// Looks like a negation and is none.
    Nothing,
}

/// Phrases by what they open, separated by `, `.
const PHRASES: &[(Opens, &str)] = &[
    (
        Opens::Nothing,
        "don't just, do not just, don't only, do not only, don't stop at, do not stop at, \
         skip to, skip straight to, not only, not just, not merely, not solely, not simply, \
         not least, why not, no problem, no worries, no doubt, without a doubt, without doubt, \
         without question, skip ahead to, leave no stone unturned, why don't, why dont, \
         why do not, not to mention",
    ),
    (
        Opens::Verb,
        "never mind, nevermind, ignore, ignoring, skip, skipping, disregard, exclude, omit, \
         avoid, avoiding, leave out, leaving out, leave alone, leave aside, stay away from, \
         stay clear of, stay off, keep away from, keep off, keep clear of, steer clear of, \
         hands off, refrain from, hold off on",
    ),
    (
        Opens::VerbFirst,
        "forget about, forget, hold off, stop, quit, drop, deny, reject, refuse, decline, \
         revoke, withdraw, unapprove, remove, bypass, spare, nothing about, no more, \
         enough about, enough of, enough with, cancel, scratch, hold, postpone, defer, park, \
         pause",
    ),
    (
        Opens::Noun,
        "not asking, not talking about, not about, negative on, thumbs down on, thumbs down for, \
         not yet, instead of, rather than, in place of, except for, except, excepting, \
         excluding, other than, apart from, aside from, with the exception of, not including, \
         not counting, not interested in, no interest in, without, minus, save for, all but, \
         everything but, anything but, none of, neither, nor",
    ),
    (
        Opens::Aux,
        "no need to, no need for, no need, no reason to, no point in, no point, no use, \
         no lookup, no lookups, no look-up, no look-ups, no query, no queries, no checks, \
         no check, no scans, no scan, no scanning, no requests, no searches, no contact with, \
         no external, nothing external, no outside, nothing outside, no online, no third-party, \
         not ok to, not okay to, not fine to, not safe to, not a good idea to, bad idea to, \
         no permission to, dnt, donot, do nt, under no circumstances, under no circumstance, \
         in no case, by no means, at no point, at no time, on no account, in no way, no one, \
         nobody, no-one, forbid you to, forbid, do n't, don't, dont, do not, never, must not, \
         must never, mustn't, mustnt, should not, should never, shouldn't, shouldnt, shall not, \
         may not, need not, needn't, not allowed to, not permitted to, not necessary to, \
         not required to, not supposed to, unnecessary to, not authorized to, forbidden to, \
         not to, not for, please not, let's not, lets not, better not, rather not, would not, \
         wouldn't, can't, cant, cannot, can not, won't, will not, you didn't, you did not",
    ),
    (
        Opens::Statement,
        "didn't, did not, didnt, doesn't, does not, doesnt, isn't, is not, it's not, aren't, \
         are not, wasn't, was not, weren't, were not, haven't, have not, hasn't, has not, \
         couldn't, could not",
    ),
    (
        Opens::Contrast,
        "but, however, although, though, whereas, yet",
    ),
];

/// Verbs of looking up and of touching: negated they refuse, plain they are a wish.
pub(super) static LOOK_UP: Words = LazyLock::new(|| {
    set(
        "look lookup query check scan search investigate resolve ping touch contact ask send \
         submit test probe hit visit browse open pivot use enrich analyse analyze examine \
         inspect research fetch pull run try include share upload add process consider request \
         dig whois propose approve authorize authorise trace follow connect poke disclose leak \
         verify review tell see find give show get start focus compare correlate summarise \
         summarize go assess triage feed post expose call describe explain report list help \
         treat move proceed concentrate continue prioritise prioritize stick switch work take",
    )
});

/// Participles and gerunds of looking up (`must not be queried`, `stop querying`).
pub(super) static LOOKED_UP: Words = LazyLock::new(|| {
    set(
        "queried looked checked scanned searched touched sent submitted contacted resolved \
         pinged shared included used asked visited opened uploaded investigated probed tested \
         enriched analysed analyzed disclosed leaked leave exposed posted requested approved \
         authorized authorised processed added called",
    )
});

/// Verbs whose negation asks for the deed (`don't forget X`).
pub(super) static DOUBLE: Words = LazyLock::new(|| {
    set(
        "forget ignore skip miss overlook hesitate neglect exclude omit avoid leave drop \
         disregard fail",
    )
});

/// Verbs of knowing and worrying: a statement of ignorance names its object.
pub(super) static KNOWING: Words = LazyLock::new(|| {
    set(
        "know recognise recognize understand see seen remember recall trust like find found \
         heard hear tell reach have had own expect believe think believed noticed notice used \
         encountered checked looked queried come visited identify identified make get resolve \
         figure explain say sure mind access load work understood met",
    )
});

/// Participles of experience: `never seen X` names X.
pub(super) static SEEN: Words =
    LazyLock::new(|| set("seen heard noticed encountered met had found come been saw"));

/// Verbs about other deeds than looking up: negated, they say nothing about a look-up.
pub(super) static OTHER_DEEDS: Words = LazyLock::new(|| {
    set(
        "block close delete isolate escalate worry panic wait quarantine shut disable alert \
         wake care trust believe think assume know be like",
    )
});

/// Verbs that wish: `I don't want X looked up`.
pub(super) static WANTING: Words = LazyLock::new(|| {
    set("want need wish intend plan like authorize authorise approve consent agree permit allow")
});

/// Words skipped between a negation and its verb.
pub(super) static ADVERBS: Words = LazyLock::new(|| {
    set(
        "ever even please again really just also actually currently now yet you to try bother \
         go going and under any circumstances simply still directly with anyone anybody us me \
         be dare start",
    )
});

/// Words in front of an imperative that leave it one.
pub(super) static BEFORE_IMPERATIVE: Words = LazyLock::new(|| {
    set(
        "please pls plz and but so also just ok okay yes no well actually then now again kindly \
         or important note nb reminder still really to ai however you better do instead next \
         first can could would will must should may let's lets i'd we",
    )
});

/// Verbs of reporting in forms that a speaker other than the writer needs.
pub(super) static REPORTING: Words = LazyLock::new(|| {
    set(
        "said says wrote writes claims claimed states stated told tells asked asks suggests \
         suggested recommends recommended quoted quotes quoting proposed proposes replied \
         answered insists insisted instructs instructed demanded demands begged urged urges",
    )
});

/// What may stand between a determiner or verb and its indicator.
pub(super) static NOUNS: Words = LazyLock::new(|| {
    set(
        "the a an that this those these any of to ip ips address addresses domain domains host \
         hosts hostname url urls link links hash hashes file network range cidr subnet site \
         website server indicator indicators ioc iocs email mail sample md5 sha1 sha256 sha-256 \
         our my internal own ones for on value values following one",
    )
});

/// Pronouns that stand for indicators named before.
pub(super) static PRONOUNS: Words =
    LazyLock::new(|| set("it that them this those these either him"));

/// Words that make a clause depend on something that is not known yet.
pub(super) static CONDITIONS: Words = LazyLock::new(|| {
    set(
        "if unless once when until till before after because since while as where which who \
         whose",
    )
});

/// Words after which a sentence goes on in the next line.
pub(super) static DANGLING: Words = LazyLock::new(|| {
    set(
        "not don't dont never without ignore skip avoid except for up query the to and or nor \
         of from at into check touch on than these following exclude leave scan contact search \
         that this any domain ip url hash host domains ips urls hashes hosts about by please do \
         with but send visit resolve ping",
    )
});

/// Words with which a later clause names again what an earlier one refused.
pub(super) static AGAIN: Words = LazyLock::new(|| set("actually anyway instead yes please"));

/// Verbs that touch the target itself. `check X but don't ping it` wants X looked up passively.
pub(super) static ACTIVE: Words = LazyLock::new(|| {
    set("ping visit touch resolve scan contact browse open connect probe hit click poke test call")
});

/// Statements that an English speaker shortens to a seeming order (`don't know evil.com`).
pub(super) static IGNORANCE: Words =
    LazyLock::new(|| set("know recognise recognize remember recall understand have own"));

/// Finite verbs behind an indicator: it is the subject of a clause of its own, not a list item.
pub(super) static FINITE: Words = LazyLock::new(|| {
    set(
        "is are was were looks look has have had seems belongs isn't comes came resolves does \
         did can could should would may might appears appeared hosts connects connected",
    )
});

/// Negations of other languages: their grammar is not read, so nothing beside them is authorized.
pub(super) static FOREIGN: Words = LazyLock::new(|| {
    set(
        "nicht kein keine keinen keinesfalls niemals ohne außer niet geen nooit pas jamais sauf \
         nunca jamás excepto não nao nie ikke inte",
    )
});

/// The phrases by their first word.
pub(super) static BY_FIRST_WORD: LazyLock<HashMap<&'static str, Vec<(&'static str, Opens)>>> =
    LazyLock::new(|| {
        let mut map: HashMap<&'static str, Vec<(&'static str, Opens)>> = HashMap::new();
        for (opens, phrases) in PHRASES {
            for phrase in phrases.split(", ") {
                let first = phrase.split(' ').next().unwrap_or(phrase);
                map.entry(first).or_default().push((phrase, *opens));
            }
        }
        map
    });

/// Every word that means something to the reader; others are passed over at once.
pub(super) static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lists = [&LOOK_UP, &REPORTING, &CONDITIONS, &NOUNS, &FOREIGN];
    let mut set: HashSet<&'static str> =
        lists.into_iter().flat_map(|l| l.iter().copied()).collect();
    set.extend(BY_FIRST_WORD.keys());
    set.extend(["meant", "mean", "can"]);
    set.extend([
        "what", "what's", "whats", "how", "how's", "is", "are", "does", "did", "has",
    ]);
    set.extend([
        "no",
        "not",
        "leave",
        "keep",
        "according",
        "off",
        "out",
        "off-limits",
        "out-of-scope",
        "out-of-bounds",
        "be",
        "just",
        "only",
        "instead",
        "rather",
        "then",
        "do",
        "go",
        "yes",
        "and",
        "or",
        "up",
        "at",
        "internal",
        "local",
        "offline",
        "stay",
        "stays",
        "forbidden",
        "prohibited",
        "taboo",
        "no-go",
        "banned",
    ]);
    set
});
