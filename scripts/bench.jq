# From one object for each CASE/WHO to the Markdown tables of scripts/bench; $order lists the cases.

# Three significant digits.
def digits:
  if . == 0 then "0"
  else (fabs | log10 | floor) as $magnitude
    | if $magnitude >= 2 then round | tostring
      else pow(10; 2 - $magnitude) as $unit | (. * $unit | round) / $unit | tostring
      end
  end;

def by_case: . as $all | $order[] as $case | $all | map(select(.case == $case)) | select(length > 0);
def one($who): map(select(.who == $who)) | first;
def best_peer: map(select((.who | IN("lemon", "boost", "paper")) and .ms != null)) | min_by(.ms);

def answer: if .error then .error elif .lower then "in [\(.lower | digits), \(.upper | digits)]" else "exact" end;

"| case | best peer | ms | MiB | takt ms | MiB | answer | ratio |",
"|---|---|---|---|---|---|---|---|",
(by_case | best_peer as $peer | one("takt") as $takt | select($takt)
  | "| \($takt.case) "
    + (if $peer then "| \($peer.who) | \($peer.ms | digits) | \($peer.peak | round) " else "| none can | - | - " end)
    + (if $takt.ms then "| \($takt.ms | digits) | \($takt.peak | round) " else "| - | - " end)
    + "| \($takt | answer) | "
    + (if $peer and $takt.ms then "\($peer.ms / $takt.ms | digits)" else "-" end) + " |"),
"",
"| case | who | ms | MiB | remarks |",
"|---|---|---|---|---|",
(by_case[]
  | "| \(.case) | \(.who) | "
    + (if .ms then "\(.ms | digits) | \(.peak | round)" else "- | -" end)
    + " | " + ([.label // "", .error // "", (if .exponent then "exponent \(.exponent | digits)" else "" end)]
               | map(select(. != "")) | join("; ")) + " |")
