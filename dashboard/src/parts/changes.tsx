import type { JsonChange } from '../../../src/json/diff.ts'
import { ValueLine } from './value-line.tsx'

/** More differences than anybody reads. */
const changesMax = 300

/** Two values by what differs between them, not by lines of text. */
export function Changes({ changes }: { changes: readonly (JsonChange & { readonly key?: string })[] }) {
  if (changes.length === 0) return <p className="faint">No difference.</p>
  return (
    <ul className="changes">
      {changes.slice(0, changesMax).map((change) => (
        <li key={`${change.key} ${change.op} ${change.path}`} className={change.op}>
          <span className="change-op">{change.op}</span>{' '}
          <code>
            {change.key}
            {change.path || (change.key === undefined ? '(all)' : '')}
          </code>
          <div className="change-values">
            {'before' in change && (
              <del>
                <ValueLine value={change.before} />
              </del>
            )}
            {'after' in change && (
              <ins>
                <ValueLine value={change.after} />
              </ins>
            )}
          </div>
        </li>
      ))}
      {changes.length > changesMax && <li className="faint">and {changes.length - changesMax} more</li>}
    </ul>
  )
}
