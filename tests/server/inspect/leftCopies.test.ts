import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** A folder with something to copy, on a machine whose programs can be replaced. */
async function copying() {
  const calls = await fileCalls()
  const { folder, at, post, host } = calls
  const programs = fakePrograms(temporaryFolder())
  const { exec } = host.operations
  host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
  mkdirSync(at('site'))
  writeFileSync(at('site', 'index.html'), 'x')
  return {
    ...calls,
    programs,
    /** The clock of the machine, two days later. */
    waitTwoDays: () => programs.replace('date', 'echo $(($(PATH=$' + '{PATH#*:} date "$@") + 172800))'),
    copy: (name = 'copy') => post('copy', { items: [{ from: `${folder}/site`, to: `${folder}/${name}` }] }),
    names: () => readdirSync(folder).sort(),
  }
}

const left = '.wheelhouse-new-0123456789abcdef-aB3dE6'

it('A copy removes what earlier ones have left in the folder, a day after it was changed last', async () => {
  const { at, copy, names, waitTwoDays } = await copying()
  mkdirSync(at(left, 'deep'), { recursive: true })
  writeFileSync(at('.wheelhouse-new-fedcba9876543210-000000'), 'half')
  // By their names, these are of somebody else.
  const kept = ['.wheelhouse-new-mine', `${left}-1`, '.wheelhouse-new-0123456789abcdeF-aB3dE6']
  for (const name of kept) mkdirSync(at(name))
  const link = '.wheelhouse-new-0123456789abcdef-link12'
  symlinkSync('site', at(link))
  mkdirSync(at('site', left))
  const young = names()
  expect(await copy()).toMatchObject({ success: true })
  expect(names()).toEqual([...young, 'copy'].sort())

  waitTwoDays()
  expect(await copy('later')).toMatchObject({ success: true })
  expect(names()).toEqual([...kept, link, 'copy', 'later', 'site'].sort())
  expect(readdirSync(at('site')).sort()).toEqual([left, 'index.html'])
})

it('What somebody takes out of what was left, or puts into it, is not removed', async () => {
  const { folder, at, post, names, waitTwoDays } = await copying()
  mkdirSync(at(left))
  writeFileSync(at(left, 'rescued'), 'x')
  const before = names()
  waitTwoDays()
  const copied = (from: string, to: string) =>
    post('copy', { items: [{ from: `${folder}/${from}`, to: `${folder}/${to}` }] })
  expect(await copied(`${left}/rescued`, 'rescued')).toMatchObject({ success: true })
  expect(await copied('rescued', `${left}/again`)).toMatchObject({ success: true })
  const packed = await post('pack', { paths: [`${folder}/${left}`], to: `${folder}/packed.tar.gz`, format: 'tar.gz' })
  expect(packed).toMatchObject({ success: true })
  expect(names()).toEqual([...before, 'packed.tar.gz', 'rescued'].sort())
  expect(readdirSync(at(left)).sort()).toEqual(['again', 'rescued'])
})

it('Where a file system or a program does not say when something was changed, it stays', async () => {
  const { at, copy, names, programs } = await copying()
  mkdirSync(at(left))
  const answers = ['echo "$(id -u) 0"', 'echo "$(id -u) ?"', 'echo', 'exit 1']
  for (const [at, answer] of answers.entries()) {
    programs.replace('stat', answer)
    expect(await copy(`copy-${at}`)).toMatchObject({ success: true })
    expect(names()).toContain(left)
  }
})

it('A copy that takes too long is killed, and leaves nothing of itself', async () => {
  const { folder, copy, names, programs, host } = await copying()
  programs.replace('cp', `mkdir "$4"\necho "$4" > '${programs.path.split(':')[0]}/part'\nexec sleep 600`)
  // Whoever is at work on it all the same cannot give it the name of the whole any more.
  programs.replace('rm', `mv "$(cat "$\{0%/*}/part")" '${folder}/copy'\nPATH=$\{PATH#*:} exec rm "$@"`)
  const { exec } = host.operations
  let isFirst = true
  host.operations.exec = async (order, signal) => {
    if (!isFirst) return exec(order, signal)
    isFirst = false
    const limit = new AbortController()
    const copied = exec(order, limit.signal)
    await vi.waitFor(() => expect(readdirSync(folder).length).toBe(2))
    limit.abort()
    await copied.catch(() => {})
    return { exit_code: -1, stdout: '', stderr: '', duration_ms: 1, timed_out: true }
  }
  expect(await copy()).toEqual({ error: expect.stringContaining('did not answer in time') })
  expect(names()).toEqual(['site'])
})

it('A copy that is told to end takes away what is there of it', async () => {
  const { at, copy, names, programs } = await copying()
  programs.replace('cp', 'mkdir "$4"\nkill -TERM "$PPID"')
  expect(await copy()).toEqual({ error: expect.stringContaining('The machine said') })
  expect(names()).toEqual(['site'])
  expect(existsSync(at('site', 'index.html'))).toBe(true)
})
