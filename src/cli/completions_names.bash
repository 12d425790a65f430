
# Names out of the database, behind what stands above: principals, clients, sites, devices.
_rmm_analyst_names() {
    local cur="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" of=""
    case "$before" in
        --as) of=principals ;;
        --client) of=clients ;;
        --site) of=sites ;;
    esac
    if [[ -z $of && $cur != -* ]]; then
        case " ${COMP_WORDS[*]:1:2} " in
            " inventory "*|" patches "*|" devices show "*|" devices move "*|" devices remove "*|" device remove "*)
                of=devices ;;
            " principal show "*|" principal edit "*|" principal disable "*) of=principals ;;
        esac
    fi
    if [[ -n $of ]]; then
        local IFS=$'\n'
        COMPREPLY=($(rmm-analyst complete "$of" "$cur" 2>/dev/null | sed 's/ /\\ /g'))
        [[ ${#COMPREPLY[@]} -gt 0 ]] && return 0
    fi
    _rmm__analyst "$@"
}
complete -F _rmm_analyst_names -o bashdefault -o default rmm-analyst
