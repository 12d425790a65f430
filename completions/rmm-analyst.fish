# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_rmm_analyst_global_optspecs
    string join \n config= data-dir= as= plain q/quiet v/verbose color= h/help V/version
end

function __fish_rmm_analyst_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_rmm_analyst_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_rmm_analyst_using_subcommand
    set -l cmd (__fish_rmm_analyst_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -s V -l version -d 'Print version'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "ask" -d 'Ask a question and get an answer that rests on evidence'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "lookup" -d 'Look indicators up at one source or at all of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "proposals" -d 'Show what waits for a decision'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "approve" -d 'Approve proposals'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "deny" -d 'Deny proposals'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "case" -d 'List, read and keep cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "evidence" -d 'Show the evidence of a case'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "report" -d 'Show the inventory of the fleet in counts and rows'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "export" -d 'Write rows of the fleet or the table of an answer as CSV'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "audit" -d 'Show, check and export the audit trail of the fleet'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "devices" -d 'List, show, move and remove devices'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "device" -d 'Add devices by hand or from files, and remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "org" -d 'List and make clients, sites and departments'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "inventory" -d 'Show the inventory of a device: system, hardware, network, software, patches'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "patches" -d 'Show missing patches; let them in, or keep them out'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "jobs" -d 'List, show and stop jobs, and let them go on behind their canary'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "ops" -d 'List and show moves and deletions of devices'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "tasks" -d 'List, show, add, switch and remove scheduled tasks'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "checks" -d 'List, show, add, switch and remove checks'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "policies" -d 'List, show, add, switch and remove policies'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "principal" -d 'Who may do what, and where'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "extract" -d 'Print the indicators of a text'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "redact" -d 'Print a text as it would leave the program'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "modules" -d 'Show the look-up modules: what they know, what they need, who may use them'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "data" -d 'List and update the data sets that modules keep on disk'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "db" -d 'Back up, restore, check and measure the database'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "doctor" -d 'Show what works, what is missing and how to fix it'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "config" -d 'Write, show, check and change the configuration'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "secret" -d 'Store keys by name'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "man" -d 'Print the manual page, or write all of them to a directory'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "dev" -d 'Tools for people who work on the program or choose a model'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "complete" -d 'Print names that begin with a text, one a line, for a shell\'s completion'
complete -c rmm-analyst -n "__fish_rmm_analyst_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l case -d 'Ask in this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l model -d 'Use this model instead of the configured one' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l base-url -d 'Use this model server instead of the configured one' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l new -d 'Open a new case'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l continue -d 'Go on with the last turn of the case, with what was approved since'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l full -d 'Show the evidence of each source as it comes; kept for the case'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l brief -d 'Show the narrative and the footer only; kept for the case'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l json -d 'Print one JSON object, whatever happens'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l no-input -d 'Do not read standard input'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l authorize-input -d 'Indicators in standard input may be looked up as if the question named them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l send-unredacted -d 'Send the question to the model as you wrote it, secrets in it included'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l no-model -d 'Answer by rules even where a model is configured'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ask" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l fresh -d 'Ask the source even where a cached answer is still good'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l anyway -d 'Ask although the value should not leave the machine'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand lookup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l all -d 'Decided and expired ones too'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand proposals" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l digest -d 'The digest that the card of an action shows, or its first 8 digits or more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l count -d 'How many devices the action concerns, where it asks for that' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l all -d 'Every open pivot of the case (never an action)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l json -d 'Print the decided proposals as JSON'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand approve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l reason -d 'Why; the model is told' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l all -d 'Every open pivot of the case'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l json -d 'Print the decided proposals as JSON'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand deny" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "list" -d 'List cases, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "show" -d 'Show the story of a case: what was asked, what ran, what was answered'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "search" -d 'Search questions, answers, evidence and indicators of all cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "export" -d 'Write a case as a report or as data'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "verify" -d 'Check the hash chain of one case or of all'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "fork" -d 'Start a new case from what is known in another one'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "rename" -d 'Give a case another title'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "tag" -d 'Add tags to a case, or remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "close" -d 'Close a case; its open proposals expire'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "reopen" -d 'Open a closed case again'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "delete" -d 'Hide a case; nothing is erased and --undo brings it back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "purge" -d 'Erase a case for ever, with its evidence; that it was done is kept in the audit'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and not __fish_seen_subcommand_from list show search export verify fork rename tag close reopen delete purge help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l tag -d 'Only cases with this tag' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l limit -d 'At most this many' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l all -d 'Closed and deleted ones too'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l limit -d 'At most this many hits' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l format -d 'The form' -r -f -a "markdown\t'A report to read'
json\t'The case with its evidence as one JSON object'
jsonl\t'The event log, one event a line'
csv\t'The ledger of look-ups as a table'
stix\t'A STIX 2.1 bundle of the indicators, without TLP:RED ones'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l out -d 'Write to this file instead of standard output; an existing file is kept' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l turn -d 'Up to and with this turn; without it, all of it' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l title -d 'Title of the new case' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from fork" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l remove -d 'Remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from tag" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from close" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from reopen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l undo -d 'Bring it back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l yes -d 'Do it without asking; needed where there is no terminal to ask on'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from purge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "list" -d 'List cases, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show the story of a case: what was asked, what ran, what was answered'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "search" -d 'Search questions, answers, evidence and indicators of all cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write a case as a report or as data'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Check the hash chain of one case or of all'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "fork" -d 'Start a new case from what is known in another one'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "rename" -d 'Give a case another title'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "tag" -d 'Add tags to a case, or remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "close" -d 'Close a case; its open proposals expire'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "reopen" -d 'Open a closed case again'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "delete" -d 'Hide a case; nothing is erased and --undo brings it back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "purge" -d 'Erase a case for ever, with its evidence; that it was done is kept in the audit'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand case; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l raw -d 'The stored answer of the source, whole'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l csv -d 'The table as CSV, its stored rows; what a spreadsheet would take for a formula begins with an apostrophe'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l json -d 'Print JSON'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand evidence" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -f -a "inventory" -d 'Count software, hardware or machines by group, or show rows'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -f -a "summary" -d 'Show devices, missing patches, checks and jobs in one table of counts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and not __fish_seen_subcommand_from inventory summary help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l type -d 'What it is of' -r -f -a "software\t''
hardware\t''
machines\t''"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l match -d 'Only what holds this text: a part of the software title, or of host name, operating system, model or processor' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l client -d 'Only this client, as listed (`c-3`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l site -d 'Only this site, as listed (`s-4`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l department -d 'Only this department, as listed (`u-5`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l group-by -d 'Group by this: software by title, version, publisher or source; hardware and machines by platform, os, kind, status, model, processor or memory; all by client, site or department' -r -f -a "title\t''
version\t''
publisher\t''
source\t''
client\t''
site\t''
department\t''
platform\t''
os\t''
kind\t''
status\t''
model\t''
processor\t''
memory\t''"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l limit -d 'At most so many groups or rows, 50 unless given' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l rows -d 'Show rows instead of counts, at most 1,000'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l csv -d 'Print CSV; what a spreadsheet would take for a formula begins with an apostrophe'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from inventory" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l csv -d 'Print CSV; what a spreadsheet would take for a formula begins with an apostrophe'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from summary" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from help" -f -a "inventory" -d 'Count software, hardware or machines by group, or show rows'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from help" -f -a "summary" -d 'Show devices, missing patches, checks and jobs in one table of counts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand report; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "open" -d 'Write the rows of an export that a model prepared'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "inventory" -d 'Write every row of the inventory that fits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "answer" -d 'Write the table of an answer: what the model wrote, not what the database holds'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "list" -d 'List your exports'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "revoke" -d 'Take an export back before it expires'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and not __fish_seen_subcommand_from open inventory answer list revoke help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l out -d 'The file; `-` is standard output' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l force -d 'Replace a file that is there already'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from open" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l type -d 'What it is of' -r -f -a "software\t''
hardware\t''
machines\t''"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l match -d 'Only what holds this text: a part of the software title, or of host name, operating system, model or processor' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l client -d 'Only this client, as listed (`c-3`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l site -d 'Only this site, as listed (`s-4`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l department -d 'Only this department, as listed (`u-5`) or by its exact name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l out -d 'The file; `-` is standard output' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l force -d 'Replace a file that is there already'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from inventory" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l turn -d 'The turn; the newest with a table unless given' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l table -d 'Which of its tables, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l out -d 'The file; `-` is standard output' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l force -d 'Replace a file that is there already'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from answer" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from revoke" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "open" -d 'Write the rows of an export that a model prepared'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "inventory" -d 'Write every row of the inventory that fits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "answer" -d 'Write the table of an answer: what the model wrote, not what the database holds'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "list" -d 'List your exports'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "revoke" -d 'Take an export back before it expires'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand export; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -f -a "list" -d 'Show entries, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -f -a "summary" -d 'Count entries by actor and family of actions, in the last 7 days unless --since or --until is given'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -f -a "verify" -d 'Hold every entry against its hash, and the end of the trail against what is kept of it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -f -a "export" -d 'Write every entry that fits as CSV'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and not __fish_seen_subcommand_from list summary verify export help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l actor -d 'Only what this principal did' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l action -d 'Only this action (`job.approve`) or family of actions (`job`)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l target -d 'Only what was done to this: an id such as `d-12` or `j-7`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l since -d 'From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l until -d 'Until when, in the same forms' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l limit -d 'At most so many, 50 unless given' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l before -d 'Only entries before this number: the next page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l csv -d 'Print CSV; what a spreadsheet would take for a formula begins with an apostrophe'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l actor -d 'Only what this principal did' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l action -d 'Only this action (`job.approve`) or family of actions (`job`)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l target -d 'Only what was done to this: an id such as `d-12` or `j-7`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l since -d 'From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l until -d 'Until when, in the same forms' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l csv -d 'Print CSV; what a spreadsheet would take for a formula begins with an apostrophe'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from summary" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l repair -d 'Where only the kept counts of days do not fit, make them anew from the entries'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l actor -d 'Only what this principal did' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l action -d 'Only this action (`job.approve`) or family of actions (`job`)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l target -d 'Only what was done to this: an id such as `d-12` or `j-7`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l since -d 'From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l until -d 'Until when, in the same forms' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l out -d 'The file; `-` is standard output' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l force -d 'Replace a file that is there already'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "list" -d 'Show entries, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "summary" -d 'Count entries by actor and family of actions, in the last 7 days unless --since or --until is given'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Hold every entry against its hash, and the end of the trail against what is kept of it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write every entry that fits as CSV'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -f -a "list" -d 'List devices by name, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -f -a "show" -d 'Show what is known of one device, and from when'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -f -a "move" -d 'Move devices to a site'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and not __fish_seen_subcommand_from list show move remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l site -d 'Only of this site (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l department -d 'Only of this department (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l status -d 'Only devices that answer, or do not' -r -f -a "online\t'Answers'
offline\t'Does not answer'
overdue\t'Not seen for longer than expected'
unknown\t'Nobody looked yet'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l platform -d 'Only this family of operating systems' -r -f -a "linux\t'Linux'
windows\t'Windows'
macos\t'macOS'
other\t'Anything else'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l kind -d 'Only servers, or only workstations' -r -f -a "server\t'A server'
workstation\t'A workstation or laptop'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l search -d 'A part of the host name, operating system, tag, serial number or address' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l limit -d 'Devices on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l needs-reboot -d 'Only devices that wait for a restart'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l all -d 'Every page'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l wide -d 'Every column'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l site -d 'The site they go to (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l department -d 'A department of that site (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l count -d 'How many devices it is about: nothing is done where it is another number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l yes -d 'Do not ask; needs --count'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from move" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l count -d 'How many devices it is about: nothing is done where it is another number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l yes -d 'Do not ask; needs --count'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from help" -f -a "list" -d 'List devices by name, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show what is known of one device, and from when'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from help" -f -a "move" -d 'Move devices to a site'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand devices; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -f -a "add" -d 'Add one device; the client and the site are made where they are missing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -f -a "import" -d 'Add and update devices from a file, all of it or nothing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and not __fish_seen_subcommand_from add import remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l client -d 'Its client' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l site -d 'Its site' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l department -d 'Its department' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l os -d 'Operating system' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l os-version -d 'Version of the operating system' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l ip -d 'An address; several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l serial -d 'Serial number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l tag -d 'A tag; several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l connection -d 'How it is reached: ssh://user@host:port, or local' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l format -d 'How the files are written; told by their names otherwise (.json, .jsonl, .ndjson; else CSV)' -r -f -a "csv\t'A header, then lines'
json\t'An array of objects, or one object after another'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l software -d 'Installed software, one line each' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l patches -d 'Missing patches, one line each' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l skip-bad -d 'Leave wrong lines out instead of refusing the file'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l dry-run -d 'Say what would happen; keep nothing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l count -d 'How many devices it is about: nothing is done where it is another number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l yes -d 'Do not ask; needs --count'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from help" -f -a "add" -d 'Add one device; the client and the site are made where they are missing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from help" -f -a "import" -d 'Add and update devices from a file, all of it or nothing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand device; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -f -a "list" -d 'List places with their ids and how many devices stand there'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -f -a "rename" -d 'Give a client, a site or a department another name'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -f -a "add" -d 'Make a client, a site or a department'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and not __fish_seen_subcommand_from list rename add help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l client -d 'Only this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l client -d 'The client (id or name); with --site, the client of the site' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l site -d 'The site (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l department -d 'The department (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -f -a "client" -d 'Make a client'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -f -a "site" -d 'Make a site of a client'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -f -a "department" -d 'Make a department of a site'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from add" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from help" -f -a "list" -d 'List places with their ids and how many devices stand there'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from help" -f -a "rename" -d 'Give a client, a site or a department another name'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from help" -f -a "add" -d 'Make a client, a site or a department'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand org; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l match -d 'Only software whose name has this part' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l limit -d 'Rows of software at most' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l system -d 'Operating system, place, user, times'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l hardware -d 'Processor, memory, disks'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l network -d 'Addresses'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l software -d 'Installed software'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l patches -d 'How many patches are in which state'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand inventory" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l state -d 'Only patches in this state; all that are not installed unless given' -r -f -a "missing\t'Nobody decided'
approved\t'Let in, not installed yet'
ignored\t'Kept out'
installing\t'Being installed'
installed\t'Installed'
failed\t'The installation failed'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l class -d 'Only patches that mend this' -r -f -a "security\t'Security'
critical\t'Critical, not about security'
feature\t'A feature'
driver\t'A driver'
other\t'Anything else'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l severity -d 'Only patches of this severity' -r -f -a "critical\t'Critical'
important\t'Important'
moderate\t'Moderate'
low\t'Low'
unknown\t'The vendor does not say'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l client -d 'Only devices of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l site -d 'Only devices of this site (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l limit -d 'Rows at most' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l missing -d 'Only patches about which nobody decided'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -a "approve" -d 'Let patches in on devices: they may be installed from then on'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -a "ignore" -d 'Keep patches out on devices; an approval that was not used yet is taken back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and not __fish_seen_subcommand_from approve ignore help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l device -d 'On this device (id or host name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l client -d 'On every device of this client that they concern (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l site -d 'On every device of this site that they concern (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l count -d 'How many devices it is about: nothing is done where it is another number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l everywhere -d 'On every device that they concern'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l yes -d 'Do not ask; needs --count'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from approve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l device -d 'On this device (id or host name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l client -d 'On every device of this client that they concern (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l site -d 'On every device of this site that they concern (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l count -d 'How many devices it is about: nothing is done where it is another number' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l everywhere -d 'On every device that they concern'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l yes -d 'Do not ask; needs --count'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from ignore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from help" -f -a "approve" -d 'Let patches in on devices: they may be installed from then on'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from help" -f -a "ignore" -d 'Keep patches out on devices; an approval that was not used yet is taken back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand patches; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -f -a "list" -d 'List jobs, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -f -a "show" -d 'Show one job: its card, and how it went on each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -f -a "cancel" -d 'Stop a job'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -f -a "approve-canary" -d 'Let a job go on to the devices that wait behind its canary'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and not __fish_seen_subcommand_from list show cancel approve-canary help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l status -d 'Only with this status, as in awaiting_approval, succeeded or failed' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l case -d 'Only from this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l limit -d 'Rows on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l reason -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from cancel" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l digest -d 'The digest of the job, or its first 8 digits or more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l count -d 'How many devices wait, where that is asked for' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l json -d 'Print JSON'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from approve-canary" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "list" -d 'List jobs, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one job: its card, and how it went on each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "cancel" -d 'Stop a job'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "approve-canary" -d 'Let a job go on to the devices that wait behind its canary'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -f -a "list" -d 'List moves and deletions, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -f -a "show" -d 'Show one: its card, and how it went for each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and not __fish_seen_subcommand_from list show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l status -d 'Only with this status, as in awaiting_approval, succeeded or failed' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l case -d 'Only from this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l limit -d 'Rows on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from help" -f -a "list" -d 'List moves and deletions, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one: its card, and how it went for each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand ops; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l state -d 'Only those that stand like this' -r -f -a "awaiting_review\t'Proposed, and nobody decided'
enabled\t'On'
disabled\t'Off, for whatever reason'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l case -d 'Only from this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l limit -d 'Rows on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l all -d 'Removed and rejected ones too'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l schedule -d 'When, as in cron: minute, hour, day of month, month, day of week, in UTC' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l shell -d 'What runs it: sh, bash, python, powershell or cmd' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l script -d 'A file with the script' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l timeout -d 'Seconds that it may run' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l client -d 'Every device of this client, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l site -d 'Every device of this site, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l device -d 'This device (id or host name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from enable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from disable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l state -d 'Only those that stand like this' -r -f -a "awaiting_review\t'Proposed, and nobody decided'
enabled\t'On'
disabled\t'Off, for whatever reason'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l case -d 'Only from this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l limit -d 'Rows on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l all -d 'Removed and rejected ones too'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l kind -d 'What is looked at: disk, cpu, memory, ping, service or script' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l target -d 'Of disk: the mount point or drive; of ping: the host; of service: its name' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l shell -d 'Of script: what runs it' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l script -d 'Of script: a file with it' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l warning -d 'From this value on it is a warning' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l error -d 'From this value on it fails' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l fails -d 'Failures in a row before anybody is told' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l every -d 'Seconds between two looks' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l client -d 'Every device of this client, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l site -d 'Every device of this site, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l device -d 'This device (id or host name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from enable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from disable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand checks; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and not __fish_seen_subcommand_from list show add enable disable remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l state -d 'Only those that stand like this' -r -f -a "awaiting_review\t'Proposed, and nobody decided'
enabled\t'On'
disabled\t'Off, for whatever reason'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l client -d 'Only of this client (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l case -d 'Only from this case (id or unique prefix)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l limit -d 'Rows on a page' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l page -d 'Which page, from 1' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l all -d 'Removed and rejected ones too'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l set -d 'A setting: a text, a number, true or false; several times for several' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l client -d 'Every device of this client, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l site -d 'Every device of this site, now and later (id or name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l device -d 'This device (id or host name)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l why -d 'Why; it stands in the audit' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from enable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from disable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand policies; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "list" -d 'List principals: all with principals.manage, else only the one that acts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "show" -d 'Show a principal; the one that acts unless named'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "add" -d 'Make a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "edit" -d 'Change a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "disable" -d 'Keep a principal from being used'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and not __fish_seen_subcommand_from list show add edit disable help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l allow -d 'What it may do: permissions, families and presets, with commas' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l client -d 'At this client (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l site -d 'At this site (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l department -d 'At this department (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l os-user -d 'A user of the operating system that may act as it; several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l whole-fleet -d 'Everywhere'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l connector -d 'A program that acts for people, not a person: it decides nothing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l allow -d 'What it may do besides: permissions, families and presets, with commas' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l revoke -d 'What it may not do any more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l client -d 'At this client (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l site -d 'At this site (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l department -d 'At this department (id or name); several times for more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l os-user -d 'A user of the operating system that may act as it too' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l remove-os-user -d 'A user of the operating system that may not any more' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l whole-fleet -d 'Everywhere'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l enable -d 'May be used again'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from disable" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "list" -d 'List principals: all with principals.manage, else only the one that acts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show a principal; the one that acts unless named'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "add" -d 'Make a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "edit" -d 'Change a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "disable" -d 'Keep a principal from being used'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand principal; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand extract" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand redact" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -f -a "list" -d 'List every module: types, who may use it, its key'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -f -a "show" -d 'Show one module: what it knows, how to get a key, hosts, limits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -f -a "test" -d 'Ask a source once, to see whether key and network work'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and not __fish_seen_subcommand_from list show test help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from help" -f -a "list" -d 'List every module: types, who may use it, its key'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one module: what it knows, how to get a key, hosts, limits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from help" -f -a "test" -d 'Ask a source once, to see whether key and network work'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand modules; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -f -a "list" -d 'Show each data set: where it is from, how old it is, how large'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -f -a "update" -d 'Download data sets again; an old copy stays where that fails'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and not __fish_seen_subcommand_from list update help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l json -d 'Print one JSON array'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from update" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from help" -f -a "list" -d 'Show each data set: where it is from, how old it is, how large'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from help" -f -a "update" -d 'Download data sets again; an old copy stays where that fails'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand data; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -f -a "backup" -d 'Copy the database to a file, while the program is in use if need be'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -f -a "restore" -d 'Put a backup in the place of the database; what was there is kept beside it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -f -a "check" -d 'Check the file, its indexes, references and hash chains'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -f -a "size" -d 'Show how much room cases, evidence, cache and free pages take'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and not __fish_seen_subcommand_from backup restore check size help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from backup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l yes -d 'Do it without asking; needed where there is no terminal to ask on'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l repair -d 'Build the lists and the search anew from the logs of the cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from size" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from help" -f -a "backup" -d 'Copy the database to a file, while the program is in use if need be'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from help" -f -a "restore" -d 'Put a backup in the place of the database; what was there is kept beside it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from help" -f -a "check" -d 'Check the file, its indexes, references and hash chains'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from help" -f -a "size" -d 'Show how much room cases, evidence, cache and free pages take'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand db; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l json -d 'Print one JSON array: check, state (ok, warn, fail, skip), message, hint'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "init" -d 'Write a configuration file with every key, commented out'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "show" -d 'Show what is in use; secrets only as set or unset'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "check" -d 'Check the configuration and say everything that is wrong with it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "set" -d 'Set one value in the file, keeping comments and order'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "path" -d 'Print where the configuration file is'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and not __fish_seen_subcommand_from init show check set path help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l force -d 'Replace a file that is there'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l origin -d 'Say where each value is from: default, file and line, environment or flag'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object; with --origin each value is an object of value and origin'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON array: place, message, hint, level (error or warning)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l unset -d 'Remove the key from the file, so that the default holds again'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l all -d 'Every file and directory of the program, one `name<TAB>path` a line'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "init" -d 'Write a configuration file with every key, commented out'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show what is in use; secrets only as set or unset'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "check" -d 'Check the configuration and say everything that is wrong with it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "set" -d 'Set one value in the file, keeping comments and order'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "path" -d 'Print where the configuration file is'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -f -a "set" -d 'Store a secret: typed at the terminal without echo, or piped in'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -f -a "list" -d 'Show which secrets are set and where; never a value'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -f -a "remove" -d 'Remove a secret from the keyring and the file'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and not __fish_seen_subcommand_from set list remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l store -d 'Where to store it' -r -f -a "auto\t'The keyring where it works, else the file'
keyring\t'The system\'s keyring'
file\t'A file that only you can read'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON array: name, set, origin, error'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from help" -f -a "set" -d 'Store a secret: typed at the terminal without echo, or piped in'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from help" -f -a "list" -d 'Show which secrets are set and where; never a value'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Remove a secret from the keyring and the file'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand secret; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l dir -d 'Write one page a command, and rmm-analyst.5, to this directory' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -f -a "eval" -d 'Run small scripted investigations with the configured model and score them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -f -a "seed-fleet" -d 'Make up a fleet in a database that has none: for trials and measurements, never beside real data'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and not __fish_seen_subcommand_from eval seed-fleet help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l only -d 'Only the investigations with these numbers (1 to 20)' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l model -d 'Use this model instead of the configured one' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l base-url -d 'Use this model server instead of the configured one' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l prefix -d 'Instead: TURNS turns of one growing case, and what the server reads again in each' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l no-model -d 'Let the built-in rules choose the look-ups'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from eval" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l size -d 'S: 25 devices. M: 1,500 devices with 150 packages each. L: 10,000 devices with 300 packages each' -r -f -a "s\t'25 devices'
m\t'1,500 devices'
l\t'10,000 devices'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l seed -d 'Which of the fleets of this size' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l audit -d 'Rows of the audit, spread over the last 100 days' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l json -d 'Print one JSON object'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from seed-fleet" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from help" -f -a "eval" -d 'Run small scripted investigations with the configured model and score them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from help" -f -a "seed-fleet" -d 'Make up a fleet in a database that has none: for trials and measurements, never beside real data'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand dev; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -l config -d 'Configuration file [env: RMM_ANALYST_CONFIG]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -l data-dir -d 'Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]' -r -F
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -l as -d 'Act as this principal' -r
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -l color -d 'When to colour; NO_COLOR is honoured' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Always'
never\t'Never'"
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -l plain -d 'Line mode: no full screen, no redrawing, states in words'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -s q -l quiet -d 'Only results and errors'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -s v -l verbose -d 'More detail on standard error; twice for more'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand complete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "ask" -d 'Ask a question and get an answer that rests on evidence'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "lookup" -d 'Look indicators up at one source or at all of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "proposals" -d 'Show what waits for a decision'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "approve" -d 'Approve proposals'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "deny" -d 'Deny proposals'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "case" -d 'List, read and keep cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "evidence" -d 'Show the evidence of a case'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "report" -d 'Show the inventory of the fleet in counts and rows'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "export" -d 'Write rows of the fleet or the table of an answer as CSV'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "audit" -d 'Show, check and export the audit trail of the fleet'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "devices" -d 'List, show, move and remove devices'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "device" -d 'Add devices by hand or from files, and remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "org" -d 'List and make clients, sites and departments'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "inventory" -d 'Show the inventory of a device: system, hardware, network, software, patches'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "patches" -d 'Show missing patches; let them in, or keep them out'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "jobs" -d 'List, show and stop jobs, and let them go on behind their canary'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "ops" -d 'List and show moves and deletions of devices'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "tasks" -d 'List, show, add, switch and remove scheduled tasks'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "checks" -d 'List, show, add, switch and remove checks'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "policies" -d 'List, show, add, switch and remove policies'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "principal" -d 'Who may do what, and where'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "extract" -d 'Print the indicators of a text'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "redact" -d 'Print a text as it would leave the program'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "modules" -d 'Show the look-up modules: what they know, what they need, who may use them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "data" -d 'List and update the data sets that modules keep on disk'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "db" -d 'Back up, restore, check and measure the database'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "doctor" -d 'Show what works, what is missing and how to fix it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "config" -d 'Write, show, check and change the configuration'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "secret" -d 'Store keys by name'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "man" -d 'Print the manual page, or write all of them to a directory'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "dev" -d 'Tools for people who work on the program or choose a model'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "complete" -d 'Print names that begin with a text, one a line, for a shell\'s completion'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and not __fish_seen_subcommand_from ask lookup proposals approve deny case evidence report export audit devices device org inventory patches jobs ops tasks checks policies principal extract redact modules data db doctor config secret completions man dev complete help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "list" -d 'List cases, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "show" -d 'Show the story of a case: what was asked, what ran, what was answered'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "search" -d 'Search questions, answers, evidence and indicators of all cases'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "export" -d 'Write a case as a report or as data'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "verify" -d 'Check the hash chain of one case or of all'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "fork" -d 'Start a new case from what is known in another one'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "rename" -d 'Give a case another title'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "tag" -d 'Add tags to a case, or remove them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "close" -d 'Close a case; its open proposals expire'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "reopen" -d 'Open a closed case again'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "delete" -d 'Hide a case; nothing is erased and --undo brings it back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from case" -f -a "purge" -d 'Erase a case for ever, with its evidence; that it was done is kept in the audit'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from report" -f -a "inventory" -d 'Count software, hardware or machines by group, or show rows'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from report" -f -a "summary" -d 'Show devices, missing patches, checks and jobs in one table of counts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from export" -f -a "open" -d 'Write the rows of an export that a model prepared'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from export" -f -a "inventory" -d 'Write every row of the inventory that fits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from export" -f -a "answer" -d 'Write the table of an answer: what the model wrote, not what the database holds'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from export" -f -a "list" -d 'List your exports'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from export" -f -a "revoke" -d 'Take an export back before it expires'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "list" -d 'Show entries, newest first'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "summary" -d 'Count entries by actor and family of actions, in the last 7 days unless --since or --until is given'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "verify" -d 'Hold every entry against its hash, and the end of the trail against what is kept of it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "export" -d 'Write every entry that fits as CSV'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from devices" -f -a "list" -d 'List devices by name, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from devices" -f -a "show" -d 'Show what is known of one device, and from when'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from devices" -f -a "move" -d 'Move devices to a site'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from devices" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from device" -f -a "add" -d 'Add one device; the client and the site are made where they are missing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from device" -f -a "import" -d 'Add and update devices from a file, all of it or nothing'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from device" -f -a "remove" -d 'Remove devices and what is known of them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from org" -f -a "list" -d 'List places with their ids and how many devices stand there'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from org" -f -a "rename" -d 'Give a client, a site or a department another name'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from org" -f -a "add" -d 'Make a client, a site or a department'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from patches" -f -a "approve" -d 'Let patches in on devices: they may be installed from then on'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from patches" -f -a "ignore" -d 'Keep patches out on devices; an approval that was not used yet is taken back'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "list" -d 'List jobs, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "show" -d 'Show one job: its card, and how it went on each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "cancel" -d 'Stop a job'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "approve-canary" -d 'Let a job go on to the devices that wait behind its canary'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from ops" -f -a "list" -d 'List moves and deletions, newest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from ops" -f -a "show" -d 'Show one: its card, and how it went for each device'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from checks" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "list" -d 'List them, oldest first, a page at a time'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "show" -d 'Show one: everything that was approved, and by whom'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "add" -d 'Add one; it is on at once'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "enable" -d 'Switch one on that a person reviewed before'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "disable" -d 'Switch one off'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from policies" -f -a "remove" -d 'Take one out of use for good; its row is kept'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from principal" -f -a "list" -d 'List principals: all with principals.manage, else only the one that acts'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from principal" -f -a "show" -d 'Show a principal; the one that acts unless named'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from principal" -f -a "add" -d 'Make a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from principal" -f -a "edit" -d 'Change a principal'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from principal" -f -a "disable" -d 'Keep a principal from being used'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from modules" -f -a "list" -d 'List every module: types, who may use it, its key'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from modules" -f -a "show" -d 'Show one module: what it knows, how to get a key, hosts, limits'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from modules" -f -a "test" -d 'Ask a source once, to see whether key and network work'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from data" -f -a "list" -d 'Show each data set: where it is from, how old it is, how large'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from data" -f -a "update" -d 'Download data sets again; an old copy stays where that fails'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from db" -f -a "backup" -d 'Copy the database to a file, while the program is in use if need be'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from db" -f -a "restore" -d 'Put a backup in the place of the database; what was there is kept beside it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from db" -f -a "check" -d 'Check the file, its indexes, references and hash chains'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from db" -f -a "size" -d 'Show how much room cases, evidence, cache and free pages take'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "init" -d 'Write a configuration file with every key, commented out'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "show" -d 'Show what is in use; secrets only as set or unset'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "check" -d 'Check the configuration and say everything that is wrong with it'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "set" -d 'Set one value in the file, keeping comments and order'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "path" -d 'Print where the configuration file is'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from secret" -f -a "set" -d 'Store a secret: typed at the terminal without echo, or piped in'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from secret" -f -a "list" -d 'Show which secrets are set and where; never a value'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from secret" -f -a "remove" -d 'Remove a secret from the keyring and the file'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from dev" -f -a "eval" -d 'Run small scripted investigations with the configured model and score them'
complete -c rmm-analyst -n "__fish_rmm_analyst_using_subcommand help; and __fish_seen_subcommand_from dev" -f -a "seed-fleet" -d 'Make up a fleet in a database that has none: for trials and measurements, never beside real data'
