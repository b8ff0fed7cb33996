# From one object for each CASE/WHO, in the order of the runs, to the Markdown tables of scripts/bench.

# Three significant digits.
def digits:
  if . == 0 then "0"
  else (fabs | log10 | floor) as $magnitude
    | if $magnitude >= 2 then round | tostring
      else pow(10; 2 - $magnitude) as $unit | (. * $unit | round) / $unit | tostring
      end
  end;

def in_order_by(key): . as $all | reduce map(key)[] as $k ([]; if index([$k]) then . else . + [$k] end)
  | map(. as $k | $all | map(select(key == $k)));
def one($who): map(select(.who == $who)) | first;
def best_peer: map(select((.who | IN("lemon", "boost", "paper")) and .ms != null)) | min_by(.ms);

def cost: if . and .ms then "\(.ms | digits) | \(if .peak then .peak | round else "-" end)" else "- | -" end;
def answer:
  if .error then .error
  elif .lower then "\(.lower | digits) to \(.upper | digits), \((.upper - .lower) / .upper * 100 | digits) % apart"
  else "exact"
  end;

# The exponent e of time = c pairs^e, by least squares of the logarithms.
def exponent:
  map({x: (.pairs | log), y: (.ms | log)}) as $points
  | ($points | map(.x) | add / length) as $x
  | ($points | map(.y) | add / length) as $y
  | ($points | map((.x - $x) * (.y - $y)) | add) / ($points | map((.x - $x) * (.x - $x)) | add);

"| case | best peer | ms | MiB | takt ms | MiB | takt\u0027s answer | peer / takt |",
"|---|---|---|---|---|---|---|---|",
(in_order_by(.case)[] | best_peer as $peer | one("takt") as $takt | select($takt)
  | "| \($takt.case) | \($peer.who // "none can") | \($peer | cost) | \($takt | cost) | \($takt | answer) | "
    + (if $peer and $takt.ms then "\($peer.ms / $takt.ms | digits)" else "-" end) + " |"),
"",
(map(select((.case | startswith("column_growth_")) and .ms)) | in_order_by(.who)[] | select(length > 2)
  | "Growth of \(first.who) from \(first.case) to \(last.case): pairs^\(exponent | digits)."),
"",
"| case | who | ms | MiB | remarks |",
"|---|---|---|---|---|",
(in_order_by(.case)[][]
  | "| \(.case) | \(.who) | \(cost) | \([.label, .error] | map(select(. // "" != "")) | join("; ")) |")
