# The mutants, one `FILE:LINE:COLUMN: …` a line, whose line a unified diff adds or changes. For scripts/mutants.sh:
#   awk -f scripts/mutants-in-diff.awk DIFF MUTANTS

FILENAME == ARGV[1] && /^\+\+\+ / {
    file = $2
    sub(/^b\//, "", file)
    next
}
FILENAME == ARGV[1] && /^@@ / {
    # @@ -12,3 +14,5 @@
    split($3, range, ",")
    line = substr(range[1], 2) + 0
    next
}
FILENAME == ARGV[1] {
    if (/^\+/) added[file, line]
    if (!/^-/) line++
    next
}
{
    split($0, place, ":")
    if ((place[1], place[2] + 0) in added) print
}
