// Agents as processes: they outlive whoever started them, run once, and are stopped whole. Every test starts real ones.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bootTime } from '../../src/clock.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { spaceHere } from '../../src/home/process-life.ts'
import { launch } from '../../src/runner/processes/launch.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { processOf } from '../../src/runner/processes/process-table.ts'
import { ProcessWatch } from '../../src/runner/processes/process-watch.ts'
import { endProcesses, freeze, interrupt, thaw } from '../../src/runner/processes/signals.ts'
import {
  ending,
  launched,
  launching,
  newHome,
  newRun,
  sh,
  startLauncher,
  textOf,
  until,
  whose,
} from './process-setup.ts'

describe('a process of an agent', () => {
  it('records its exit status, and its output, in files that only its owner can read', async () => {
    const home = newHome()
    const watch = await launched(home, sh('echo said; echo wrong >&2; exit 7'))
    expect(await ending(watch)).toEqual({ is: 'ended', status: 7 })
    const { folder } = watch
    expect(textOf(folder.file('output'))).toBe('said\nwrong\n')
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    for (const name of ['output', 'started', 'exit'] as const) {
      expect([name, statSync(folder.file(name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  it('gets the umask, the working directory and the environment that it should, and its mark', async () => {
    const home = newHome()
    const watch = await launched(home, sh('umask; pwd; echo "$CAIRN_RUN_ID $ONE"; env | wc -l'), {
      env: { PATH: process.env.PATH ?? '', ONE: '1' },
      errorsApart: true,
    })
    await ending(watch)
    const [mask, folder, said] = textOf(watch.folder.file('output')).split('\n')
    expect(Number.parseInt(mask ?? '', 8)).toBe(process.umask())
    expect(folder).toBe(home)
    expect(said).toBe(`${watch.folder.run} 1`)
  })

  it('S1-9 U30 goes on when the server is killed, and is adopted by whoever comes next', async () => {
    const home = newHome()
    const folder = newRun(home)
    const file = join(home, 'go')
    const server = await startLauncher(home, [[folder.run, sh(`while [ ! -e ${file} ]; do sleep 0.05; done; exit 3`)]])
    const { pid } = JSON.parse((await server.lines.next()).value as string)
    server.child.kill('SIGKILL')
    await server.ended
    const watch = new ProcessWatch(folder)
    expect(watch.look()).toMatchObject({ is: 'running', shim: { pid } })
    expect(processOf(pid)?.session).toBe(pid)
    writeFileSync(file, '')
    expect(await ending(watch)).toEqual({ is: 'ended', status: 3 })
  })

  it('is found with its record when it ended while nobody watched', async () => {
    const home = newHome()
    const folder = newRun(home)
    const server = await startLauncher(home, [[folder.run, sh('exit 5')]])
    await server.lines.next()
    server.child.kill('SIGKILL')
    await server.ended
    await until(() => folder.exitStatus !== undefined)
    expect(new ProcessWatch(folder).look()).toEqual({ is: 'ended', status: 5 })
  })

  it('is lost when it was killed while nobody watched, but only after two looks', async () => {
    const home = newHome()
    const watch = await launched(home, ['sleep', '1000'])
    const found = watch.look()
    if (found.is !== 'running') throw new Error(found.is)
    await until(() => membersOf(watch.folder.run, found.shim).length > 1)
    process.kill(-found.shim.pid, 'SIGKILL')
    await until(() => processOf(found.shim.pid) === undefined)
    const next = new ProcessWatch(watch.folder)
    expect(next.look()).toEqual({ is: 'unsure' })
    expect(next.look()).toEqual({ is: 'lost' })
  })

  it('is lost after its machine was started anew, whatever has its pid now', async () => {
    const home = newHome()
    const folder = newRun(home)
    folder.make()
    folder.intent = { run: folder.run, ...whose, boot: 'another' }
    folder.process = {
      pid: process.pid,
      started: processOf(process.pid)?.started ?? '',
      boot: 'another',
      space: spaceHere(),
    }
    writeFileSync(folder.file('started'), `${process.pid}\n`)
    expect(new ProcessWatch(folder).look()).toEqual({ is: 'lost' })
  })

  it('U30 is not taken for a stranger that has its pid now, and the stranger is sent no signal', async () => {
    const home = newHome()
    const stranger = await launched(home, ['sleep', '1000'])
    const found = stranger.look()
    if (found.is !== 'running') throw new Error(found.is)
    const folder = newRun(home)
    folder.make()
    folder.intent = { run: folder.run, ...whose, boot: bootTime().boot }
    folder.process = { ...found.shim, started: '1' }
    writeFileSync(folder.file('started'), `${found.shim.pid}\n`)
    const watch = new ProcessWatch(folder)
    watch.look()
    expect(watch.look()).toEqual({ is: 'lost' })
    expect(membersOf(folder.run, folder.process)).toEqual([])
    expect(await endProcesses(folder, folder.process, 0)).toBe(true)
    expect(stranger.look().is).toBe('running')
  })

  it('leaves a child on its output: it has ended all the same, and the child can be found', async () => {
    const home = newHome()
    const watch = await launched(home, sh('sleep 1000 & exit 0'))
    expect(await ending(watch)).toEqual({ is: 'ended', status: 0 })
    const { folder, shim } = watch
    await until(() => membersOf(folder.run, shim).length === 1)
    expect(await endProcesses(folder, shim, 10_000)).toBe(true)
    expect(membersOf(folder.run, shim)).toEqual([])
  })

  it.each([
    ['is not in the PATH', ['no-such-program-here'], {}],
    ['is not executable', ['./output'], {}],
    ['would run in a folder that does not exist', ['true'], { cwd: '/no/such/folder' }],
  ])('is refused before anything is started when its program %s', async (_, argv, more) => {
    const home = newHome()
    writeFileSync(join(home, 'output'), 'no program')
    const folder = newRun(home)
    expect(await launch(folder, whose, launching(home, argv, more))).toBeInstanceOf(Refusal)
    expect(folder.exists).toBe(false)
  })
})

describe('a run', () => {
  it.each(['run-intent', 'run-spawn', 'run-identity'])(
    'is executed once when the server is killed at %s, as often as it is launched again',
    async (failpoint) => {
      const home = newHome()
      const folder = newRun(home)
      const argv = sh(`echo once >> ${join(home, 'count')}; sleep 0.2`)
      for (let killed = 0; killed < 2; killed++) {
        const server = await startLauncher(home, [[folder.run, argv]], `${failpoint}:kill`)
        await server.ended
      }
      await launch(folder, whose, launching(home, argv))
      expect(await ending(new ProcessWatch(folder))).toEqual({ is: 'ended', status: 0 })
      expect(textOf(join(home, 'count'))).toBe('once\n')
    },
  )

  it('is executed once when many launch it at once', async () => {
    const home = newHome()
    const folder = newRun(home)
    const argv = sh(`echo once >> ${join(home, 'count')}; sleep 0.3`)
    await Promise.all(Array.from({ length: 8 }, () => launch(folder, whose, launching(home, argv))))
    expect(await ending(new ProcessWatch(folder))).toEqual({ is: 'ended', status: 0 })
    await until(() => membersOf(folder.run, undefined).length === 0)
    expect(textOf(join(home, 'count'))).toBe('once\n')
  })

  it('that was prevented is not executed, also by a shim that comes late', async () => {
    const home = newHome()
    const folder = newRun(home)
    folder.make()
    expect(folder.preventStart()).toBe(true)
    expect(folder.preventStart()).toBe(true)
    await launch(folder, whose, launching(home, sh(`touch ${join(home, 'ran')}`)))
    await until(() => membersOf(folder.run, undefined).length === 0)
    expect(new ProcessWatch(folder).look()).toEqual({ is: 'prevented' })
    expect(textOf(join(home, 'ran'))).toBe('')
    expect(() => statSync(join(home, 'ran'))).toThrow('ENOENT')
  })

  it('whose shim alone was killed is lost, and what it had started is found by its mark', async () => {
    const home = newHome()
    const watch = await launched(home, ['sleep', '1000'])
    const found = watch.look()
    if (found.is !== 'running') throw new Error(found.is)
    await until(() => membersOf(watch.folder.run, found.shim).length === 2)
    process.kill(found.shim.pid, 'SIGKILL')
    expect(await ending(watch)).toEqual({ is: 'lost' })
    const [left, ...more] = membersOf(watch.folder.run, found.shim)
    expect(more).toEqual([])
    expect(await endProcesses(watch.folder, found.shim, 10_000)).toBe(true)
    expect(processOf(left?.pid ?? 0)).toBeUndefined()
  })

  it('is refused in a folder that a link leads elsewhere', async () => {
    const home = newHome()
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(join(home, 'runs'))
    const folder = newRun(home)
    symlinkSync(elsewhere, folder.path)
    await expect(launch(folder, whose, launching(home, ['true']))).rejects.toThrow('is not a folder')
    expect(lstatSync(folder.path).isSymbolicLink()).toBe(true)
  })

  it('is not misled by links and pipes in the place of its records', async () => {
    const home = newHome()
    const folder = newRun(home)
    folder.make()
    folder.intent = { run: folder.run, ...whose, boot: bootTime().boot }
    writeFileSync(join(home, 'forged'), '0\n')
    symlinkSync(join(home, 'forged'), folder.file('exit'))
    spawnSync('mkfifo', [folder.file('started')])
    expect(folder.exitStatus).toBeUndefined()
    expect(folder.startedBy).toBeUndefined()
    rmSync(folder.file('started'))
  })
})

describe('stopping', () => {
  it('puts nothing of its own into the output', async () => {
    const watch = await launched(newHome(), sh('echo said; kill -TERM $$'))
    expect(await ending(watch)).toEqual({ is: 'ended', status: 143 })
    expect(textOf(watch.folder.file('output'))).toBe('said\n')
  })

  it('ends the whole tree, also a daemon in a session of its own', async () => {
    const home = newHome()
    const [ready, daemon] = [join(home, 'ready'), join(home, 'daemon')]
    const line = `(setsid sh -c 'echo $$ > ${daemon}; exec sleep 1000' &) ; sleep 0.1; touch ${ready}; sleep 1000`
    const watch = await launched(home, sh(line))
    await until(() => textOf(daemon).endsWith('\n'))
    const pid = Number(textOf(daemon))
    expect(processOf(pid)?.group).toBe(pid)
    expect(await endProcesses(watch.folder, watch.shim, 10_000)).toBe(true)
    expect(processOf(pid)).toBeUndefined()
    expect(membersOf(watch.folder.run, undefined)).toEqual([])
    expect(watch.look()).toEqual({ is: 'ended', status: 143 })
  })

  it('kills what ignores SIGTERM after the grace, and its end is recorded', async () => {
    const home = newHome()
    const watch = await launched(home, sh(`trap '' TERM; touch ready; while :; do sleep 0.05; done`))
    await until(() => statSync(join(home, 'ready'), { throwIfNoEntry: false }) !== undefined)
    expect(await endProcesses(watch.folder, watch.shim, 200)).toBe(true)
    expect(watch.look()).toEqual({ is: 'ended', status: 137 })
  })

  it('lets a program end by itself when its input ends', async () => {
    const home = newHome()
    const line = 'trap "" TERM; touch ready; cat > /dev/null; echo done; exit 4'
    const watch = await launched(home, sh(line), { input: 'held' })
    await until(() => statSync(join(home, 'ready'), { throwIfNoEntry: false }) !== undefined)
    expect(watch.look().is).toBe('running')
    expect(await endProcesses(watch.folder, watch.shim, 10_000)).toBe(true)
    expect(watch.look()).toEqual({ is: 'ended', status: 4 })
    expect(textOf(watch.folder.file('output'))).toBe('done\n')
  })

  it('interrupts as Ctrl-C does', async () => {
    const home = newHome()
    const watch = await launched(home, sh(`trap 'echo stopped; exit 9' INT; touch ready; while :; do sleep 0.05; done`))
    await until(() => statSync(join(home, 'ready'), { throwIfNoEntry: false }) !== undefined)
    interrupt(watch.folder.run, watch.shim)
    expect(await ending(watch)).toEqual({ is: 'ended', status: 9 })
    expect(textOf(watch.folder.file('output'))).toBe('stopped\n')
  })

  it('can be done again by the next when the server was killed in the middle of it', async () => {
    const home = newHome()
    const watch = await launched(home, sh(`trap '' TERM; touch ready; while :; do sleep 0.05; done`))
    await until(() => statSync(join(home, 'ready'), { throwIfNoEntry: false }) !== undefined)
    const first = endProcesses(watch.folder, watch.shim, 60_000)
    expect(await endProcesses(watch.folder, watch.shim, 0)).toBe(true)
    expect(await first).toBe(true)
    expect(watch.look()).toEqual({ is: 'ended', status: 137 })
  })
})

describe('U27 freezing', () => {
  it('makes the whole tree stand still, also what left its group, and thawing lets it go on', async () => {
    const home = newHome()
    const [own, daemon] = [join(home, 'own'), join(home, 'daemon')]
    const loop = (file: string) => `while :; do echo x >> ${file}; sleep 0.02; done`
    const watch = await launched(home, sh(`(setsid sh -c '${loop(daemon)}' &); ${loop(own)}`))
    const bothGrow = async () => {
      const [a, b] = [textOf(own).length, textOf(daemon).length]
      await until(() => textOf(own).length > a && textOf(daemon).length > b)
    }
    await bothGrow()
    await freeze(watch.folder.run, watch.shim)
    const members = membersOf(watch.folder.run, watch.shim)
    expect(new Set(members.map(({ state }) => state))).toEqual(new Set(['T']))
    expect(members.length).toBeGreaterThan(2)
    const stood = [textOf(own), textOf(daemon)]
    expect(watch.look().is).toBe('running')
    await once(process, 'never', { signal: AbortSignal.timeout(100) }).catch(() => undefined)
    expect([textOf(own), textOf(daemon)]).toEqual(stood)
    await thaw(watch.folder.run, watch.shim)
    await bothGrow()
    await freeze(watch.folder.run, watch.shim)
    expect(await endProcesses(watch.folder, watch.shim, 10_000)).toBe(true)
  })
})
