# Prints what zsh offers at the end of a line: FILE LINE. Completion works only in a line that is being
# edited, so a second zsh edits it on a pseudo-terminal and tells what it would add.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= fpath=(${(q)1:h} \$fpath)"
# What is being typed stands on the same lines, and quotes part the words that are waited for.
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
