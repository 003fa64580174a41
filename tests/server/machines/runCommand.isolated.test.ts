import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../server/machines/hosts/local/shell/runCommand.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const usual = { timeoutMs: 10_000, maxOutputBytes: 1000 }

describe.skipIf(process.platform === 'win32')('a command on this machine', () => {
  it('returns its output and its exit code', async () => {
    const result = await runCommand('echo one; echo two >&2; exit 3', usual)
    expect(result).toEqual({ exitCode: 3, ended: 'exited', output: expect.any(String), truncated: false })
    expect(result.output.split('\n').sort()).toEqual(['', 'one', 'two'])
  })

  it("has the variables of its user, and none of the server's environment", async () => {
    process.env.WHEELHOUSE_TEST_SECRET = 'tell nobody'
    const { output } = await runCommand('env', usual)
    delete process.env.WHEELHOUSE_TEST_SECRET
    const names = output.split('\n').map((line) => line.split('=')[0])
    const addedByTheShell = ['PWD', 'OLDPWD', 'SHLVL', '_', '']
    expect(names.filter((name) => !addedByTheShell.includes(name as string)).sort()).toEqual(
      ['HOME', 'LANG', 'PATH', 'SHELL', 'TERM', 'USER'].sort(),
    )
  })

  it('has no standard input', async () => {
    expect(await runCommand('cat', usual)).toMatchObject({ exitCode: 0, output: '' })
  })

  it('creates files with the usual umask', async () => {
    const file = join(temporaryFolder(), 'made')
    const strict = process.umask(0o077)
    await runCommand(`touch '${file}'`, usual)
    process.umask(strict)
    expect(statSync(file).mode & 0o777).toBe(0o644)
  })

  it('keeps the end of a long output', async () => {
    const result = await runCommand('yes | head -c 5000000; echo the end; exit 7', usual)
    expect(result).toMatchObject({ exitCode: 7, truncated: true })
    expect(result.output).toHaveLength(1000)
    expect(result.output).toMatch(/y\nthe end\n$/)
  })

  it('has no half characters where a long output begins', async () => {
    const { output, truncated } = await runCommand(`printf 'é%.0s' $(seq 600); printf x`, usual)
    expect(truncated).toBe(true)
    expect(output).toBe(`${'é'.repeat(499)}x`)
  })

  it('shows its output while it runs', async () => {
    const file = join(temporaryFolder(), 'go on')
    let read = () => ''
    const running = runCommand(`echo one; until [ -e '${file}' ]; do sleep 0.05; done; echo two`, {
      ...usual,
      onStart: (readOutput) => {
        read = readOutput
      },
    })
    await expect.poll(read).toBe('one\n')
    writeFileSync(file, '')
    expect((await running).output).toBe('one\ntwo\n')
  })

  it('is killed with all that it started when its time is up', async () => {
    const file = join(temporaryFolder(), 'child')
    const started = Date.now()
    const result = await runCommand(`sleep 60 & echo $! > '${file}'; wait`, { ...usual, timeoutMs: 500 })
    expect(result).toMatchObject({ exitCode: null, ended: 'timeout' })
    expect(Date.now() - started).toBeLessThan(30_000)
    const child = Number(readFileSync(file, 'utf8'))
    await expect.poll(() => isRunning(child)).toBe(false)
  })

  it('is killed when the server ends', async () => {
    const ending = new AbortController()
    const running = runCommand('sleep 60', { ...usual, signal: ending.signal })
    ending.abort()
    expect(await running).toMatchObject({ exitCode: null, ended: 'aborted' })
  })

  it('does not begin when the server has ended before', async () => {
    const file = join(temporaryFolder(), 'begun')
    const result = await runCommand(`echo > '${file}'`, { ...usual, signal: AbortSignal.abort() })
    expect(result).toEqual({ exitCode: null, ended: 'aborted', output: '', truncated: false })
    expect(existsSync(file)).toBe(false)
  })

  it('ends when its shell ends, whatever it left in the background', async () => {
    const folder = temporaryFolder()
    const [signal, file] = [join(folder, 'go on'), join(folder, 'later')]
    const background = `(until [ -e '${signal}' ]; do sleep 0.05; done; touch '${file}')`
    const result = await runCommand(`${background} & echo started`, usual)
    expect(result).toMatchObject({ exitCode: 0, ended: 'exited', output: 'started\n' })
    writeFileSync(signal, '')
    await expect.poll(() => existsSync(file)).toBe(true)
  })
})

/** A killed child whose parent is gone too may wait for a while to be taken away. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') R'
    return !/\) Z/.test(state)
  } catch {
    return false
  }
}
