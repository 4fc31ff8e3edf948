import { printJson, printOut } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { isShell, type Shell, shells } from './shells.ts'

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

/** `cairn completion SHELL` */
export async function printScript(called: Called): Promise<number> {
  const { places, usage } = argumentsOf(called)
  const [shell] = places
  if (!isShell(shell)) throw usageError(`Completion is available for ${shells.join(', ')}.`, usage)
  const script = scripts[shell]
  if (called.json) printJson({ shell, script })
  else printOut(script)
  return 0
}
