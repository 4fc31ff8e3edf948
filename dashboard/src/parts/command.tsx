import { Copy } from './copy.tsx'

/** The same as a command, so that people learn the commands from the page. */
export function AsCommand({ words }: { words: readonly string[] }) {
  const line = commandOf(words)
  return (
    <div className="command">
      <code>{line}</code>
      <Copy text={line} what="the command" />
    </div>
  )
}

export function commandOf(words: readonly string[]): string {
  return ['cairn', ...words].map(quoted).join(' ')
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function atFlag(at: number | undefined): string[] {
  return at === undefined ? [] : ['--at', String(at)]
}
