import type { RootShown } from '../live/live-roots.ts'
import { plain } from '../parts/text.tsx'

export function titleOf({ topic, objective, slug }: Pick<RootShown, 'topic' | 'objective' | 'slug'>): string {
  return plain(topic || objective || slug)
}

/** The last part of the path; the whole of it is shown on hover. */
export function projectName(folder: string | null): string {
  return folder === null ? 'Without a project' : (folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder)
}

export function isUnfinished({ status }: Pick<RootShown, 'status'>): boolean {
  return ['created', 'running', 'paused', 'resumable'].includes(status)
}
