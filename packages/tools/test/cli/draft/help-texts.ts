/** Help in the styles of the libraries that write it. */
export const helpTexts = {
  argparse: `usage: crate [-h] [--depth DEPTH] [--format {json,yaml}] {pack,unpack} ...

Packs crates.

positional arguments:
  {pack,unpack}
    pack                Packs a folder
    unpack              Unpacks a crate

options:
  -h, --help            show this help message and exit
  --depth DEPTH         how deep to go
  --format {json,yaml}  how to write it
`,
  click: `Usage: crate [OPTIONS] SRC [DST]...

  Copies crates from one place to another.

Options:
  -n, --count INTEGER             How many.  [default: 3]
  -t, --tag TEXT                  A tag; may be repeated.
  --kind [wood|steel]             What they are made of.  [required]
  --rate FLOAT                    How fast.
  --shout / --no-shout            Whether to be loud.
  --help                          Show this message and exit.
`,
  clap: `Counts crates

Usage: crate [OPTIONS] <PATTERN> [PATH]...

Arguments:
  <PATTERN>
          What to look for

  [PATH]...
          Where to look

Options:
  -e, --exclude <GLOB>...
          What to leave out

      --color <WHEN>
          When to paint

          [default: auto]
          [possible values: auto, always, never]

  -j, --jobs <NUM>
          How many at once

  -h, --help
          Print help
`,
  cobra: `Moves crates about.

Usage:
  crate [command]

Available Commands:
  completion  Generate the autocompletion script
  help        Help about any command
  move        Move a crate

Flags:
  -h, --help              help for crate
      --kubeconfig string  where it is
`,
  cobraCommand: `Move a crate

Usage:
  crate move FROM TO [flags]

Flags:
      --dry-run            only say what would be done
      --label strings      labels to set
  -o, --output string      one of json or yaml (default "json")
      --timeout duration   how long to wait
      --retries int        how often

Global Flags:
      --kubeconfig string   where it is
`,
  busybox: `BusyBox v1.36.1 multi-call binary.

Usage: crate [-Hv] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... } [FILE]...

Search for PATTERN in FILEs (or stdin)

\t-H\tAdd 'filename:' prefix
\t-v\tSelect non-matching lines
\t-m N\tMatch up to N times per file
\t-e PTRN\tPattern to match
`,
  golang: `Usage of crate:
  -addr string
    \tthe address to listen at (default ":80")
  -verbose
    \tsay more
  -workers int
    \thow many
`,
} as const;
