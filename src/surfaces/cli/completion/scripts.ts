import { readArguments } from '../arguments.ts'
import { flagsByName } from '../flags.ts'
import { usageError } from '../usage.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Each hands the line to the program and offers what it answers; where that is nothing, the shell offers files. */
const scripts: Record<Shell, string> = {
  bash: `# Completion of cairn for bash: source <(cairn completion bash)
_cairn() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(cairn __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o default -F _cairn cairn
`,
  zsh: `#compdef cairn
# Completion of cairn for zsh: source <(cairn completion zsh), or this text as _cairn in a folder of $fpath
_cairn() {
  local word about
  local -a found shown
  while IFS=$'\\t' read -r word about; do
    found+=("$word")
    shown+=("$word\${about:+  -- $about}")
  done < <(cairn __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( $#found )); then
    compadd -l -d shown -a found
  else
    _files
  fi
}
if [[ $funcstack[1] == _cairn ]]; then
  _cairn "$@"
else
  compdef _cairn cairn
fi
`,
  fish: `# Completion of cairn for fish: cairn completion fish | source
function __cairn_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l found (cairn __complete fish $words[2..] "$word" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c cairn -f -a '(__cairn_complete)'
`,
}

export function isShell(word: string | undefined): word is Shell {
  return (shells as readonly (string | undefined)[]).includes(word)
}

/** The script of the shell that a line names. */
export function scriptFor(rest: readonly string[]): { shell: Shell; script: string } {
  const usage = `Usage: cairn completion ${shells.join('|')}`
  const [shell, extra] = readArguments(rest, flagsByName([]), usage).places
  if (isShell(shell) && extra === undefined) return { shell, script: scripts[shell] }
  throw usageError(`Completion is available for ${shells.join(', ')}.`, usage)
}
