// What a client does not follow any more it is not told of, not even of what changed while it still did.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type Talk, talkWith } from './talking.ts'

function toldOf({ heard }: Talk): string[] {
  return heard.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params.uri)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn()
}

for (const kind of STORES) {
  describe(`resources that are not followed any more, on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const newTalk = async () => {
      const { cairn, session } = await newRoot(store())
      const talk = await talkWith(store(), session)
      onTestFinished(() => talk.close())
      const [a, b] = ['a', 'b'].map((key) => `cairn://roots/${session}/state/${key}`)
      return { cairn, talk, state: `cairn://roots/${session}/state`, a: String(a), b: String(b) }
    }

    it('are told of neither before nor after, though the change is waiting to be told', async () => {
      const { cairn, talk, state, a, b } = await newTalk()
      for (const uri of [state, a, b]) await talk.ask('resources/subscribe', { uri })
      for (let round = 1; round <= 3; round++) {
        await cairn.state.increment({ key: 'a' })
        // It has heard of the change, and gathers for a while what else there is to tell.
        await until(() => talk.taken() === 2 * round - 1)
        for (const uri of [state, a]) await talk.ask('resources/unsubscribe', { uri })
        talk.heard.length = 0
        await cairn.state.increment({ key: 'b' })
        await until(() => talk.taken() === 2 * round && toldOf(talk).length > 0)
        expect(toldOf(talk), `round ${round}`).toEqual([b])
        for (const uri of [state, a]) await talk.ask('resources/subscribe', { uri })
      }
    })

    it('are told of by nobody after the end of the conversation', async () => {
      const { cairn, talk, a } = await newTalk()
      const other = await newTalk()
      await talk.ask('resources/subscribe', { uri: a })
      await cairn.state.increment({ key: 'a' })
      await until(() => talk.taken() === 1)
      talk.close()
      talk.heard.length = 0
      // Whatever was gathered for this one would have been told before what is gathered now for another.
      await other.talk.ask('resources/subscribe', { uri: other.a })
      await other.cairn.state.increment({ key: 'a' })
      await until(() => toldOf(other.talk).length > 0)
      expect(toldOf(talk)).toEqual([])
    })

    it('do not keep others of the same root from being told, nor a root from being followed anew', async () => {
      const { cairn, talk, a, b } = await newTalk()
      for (const uri of [a, b]) await talk.ask('resources/subscribe', { uri })
      const again = async () => {
        await Promise.all([
          ...[a, b].map((uri) => talk.ask('resources/unsubscribe', { uri })),
          talk.ask('resources/subscribe', { uri: b }),
        ])
      }
      for (let round = 0; round < 5; round++) {
        await again()
        talk.heard.length = 0
        for (const key of ['a', 'b']) await cairn.state.increment({ key })
        await until(() => toldOf(talk).length > 0)
        expect(toldOf(talk), `round ${round}`).toEqual([b])
      }
    })
  })
}
