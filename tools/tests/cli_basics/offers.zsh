# Prints the offers of zsh at the end of a line: FILE LINE. Completion works only during the editing of a
# line, so a second zsh edits the line on a pseudo-terminal and prints its offers.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= fpath=(${(q)1:h} \$fpath)"
# The typed text stands on the same lines. Quotes split each awaited word there.
zpty -w shell 'autoload -U compinit && compinit -D -u; zstyle ":completion:*" verbose no
compadd() {
    local -a found; builtin compadd -A found "$@"
    (( $+argv[(r)-[OAD]] )) || print -rl -- "offer "$^found
    builtin compadd "$@"
}
finished() { print -r -- all"" offered; exit }
comppostfuncs=(finished)
print -r -- ready""now'
while zpty -r shell line; do
    [[ $line == *readynow* ]] && break
done
zpty -n -w shell "$2"$'\t'
while zpty -r shell line; do
    [[ $line == *"all offered"* ]] && break
    [[ $line == *"offer "* ]] && print -r -- ${${line##*offer }%%$'\r'*}
done
