# What is known of the mutants that there are now, `OUTCOME<tab>MUTANT<tab>STATE` a line: `explained` instead of
# `missed` for those that tests/mutants/explained.tsv explains. For scripts/mutants.sh:
#   awk -F '\t' -f scripts/mutants-outcomes.awk EXPLAINED LIST OUTCOMES
#
# A row of EXPLAINED holds for a mutant if file and mutation are equal and the fragment, wherever it is in the file,
# covers the mutant's line. Fragments are compared as tests/tests/architecture/explained.rs compares them.

FILENAME == ARGV[1] {
    if ($0 !~ /^#/) fragments[$1, $2, ++rows[$1, $2]] = $3
    next
}
FILENAME == ARGV[2] { there[$0]; next }
$2 in there { outcome[$2] = $1; state[$2] = $3 }
END {
    for (name in outcome) {
        split(name, place, ":")
        if (outcome[name] ~ /^(missed|unseen)$/)
            outcome[name] = is_explained(name, place[1], place[2]) ? "explained" : "missed"
        print outcome[name] "\t" name "\t" state[name]
    }
}

function is_explained(name, file, line, change, row) {
    change = name
    sub(/^[^:]*:[0-9]*:[0-9]*: /, "", change)
    for (row = 1; row <= rows[file, change]; row++)
        if (covers(fragments[file, change, row], file, line + 0)) return 1
    return 0
}

# covers FRAGMENT, FILE, LINE: whether an occurrence of FRAGMENT in FILE begins at or above LINE and ends at or below it.
function covers(fragment, file, line, wanted, length_of, at, nth) {
    read_source(file)
    length_of = split(tokens(fragment), wanted, " ")
    if (length_of == 0) return 0
    for (at = 1; at + length_of - 1 <= count[file]; at++) {
        if (line_of[file, at] > line) return 0
        if (line_of[file, at + length_of - 1] < line) continue
        for (nth = 1; nth <= length_of && token[file, at + nth - 1] == wanted[nth]; nth++);
        if (nth > length_of) return 1
    }
    return 0
}

function read_source(file, text, line, of_line, n, nth) {
    if (file in count) return
    count[file] = 0
    while ((getline text <file) > 0) {
        line++
        n = split(tokens(text), of_line, " ")
        for (nth = 1; nth <= n; nth++) {
            token[file, ++count[file]] = of_line[nth]
            line_of[file, count[file]] = line
        }
    }
    close(file)
}

# tokens TEXT: its words and signs with blanks between them, without what a formatter moves, adds and removes.
function tokens(text) {
    sub(/^\/\/.*/, "", text)
    sub(/[ \t]\/\/.*/, "", text)
    gsub(/[{},;]/, " ", text)
    gsub(/[^A-Za-z0-9_ \t]/, " & ", text)
    return text
}
