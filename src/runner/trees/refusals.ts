import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Making } from './making.ts'

const again = 'then cairn retry'

export function othersBranch({ branch }: Making): Refusal {
  const message = `The branch ${branch} is there already, and was not made for this agent.`
  const hint = `Merge or rename it (git branch -m), ${again}; or give the work another --name.`
  return refuse('already_exists', message, hint, { branch })
}

export function checkedOut({ branch }: Making, folder: string): Refusal {
  const message = `The branch ${branch} is checked out in ${folder}.`
  return refuse('already_exists', message, `Change to another branch there, ${again}.`, { branch, folder })
}

export function notOurs({ place, repository }: Making): Refusal {
  const message = `${place} is there already, and is no work tree of ${repository.project}.`
  return refuse('already_exists', message, `Move it away, ${again}.`, { folder: place })
}

export function notThere({ repository, branch, place }: Making): Refusal {
  const message = `The project is ${repository.below} in its repository, and ${branch} has no such folder.`
  return refuse('invalid_input', message, `Commit it, or make it in ${place}, ${again}.`, { folder: repository.below })
}

export function stillMaking({ place }: Making): Refusal {
  const message = `A git that was started earlier is still making ${place}.`
  return refuse('busy', message, 'Wait for it, or end it.', { folder: place })
}

export function diskFull({ place }: Making, why: string): Refusal {
  return refuse('disk_full', `There is no room for the work tree ${place}: ${why}`, 'Make room, then cairn retry.', {
    folder: place,
  })
}

export function notMade({ place }: Making, why: string): Refusal {
  const hint = 'Do what git says, then cairn retry.'
  return refuse('invalid_input', `The work tree ${place} cannot be made: ${why}`, hint, { folder: place })
}
