import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withLock } from '../../../scripts/bootstrap/lock.mjs'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const poll = 5
const lockModule = pathToFileURL(join(import.meta.dirname, '../../../scripts/bootstrap/lock.mjs')).href

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((resolve) => child.on('exit', resolve))
  return child.pid ?? 0
}

describe('the lock against two starts at once', () => {
  it('lets the second wait until the first is done, then go on', async () => {
    const file = join(temporaryFolder(), 'a.lock')
    const events: string[] = []
    const onWait = vi.fn()
    const first = withLock(file, { poll }, async () => {
      events.push('first begins')
      await vi.waitFor(() => expect(onWait).toHaveBeenCalled())
      events.push('first ends')
    })
    await withLock(file, { poll, onWait }, async () => void events.push('second'))
    await first
    expect(events).toEqual(['first begins', 'first ends', 'second'])
    expect(onWait).toHaveBeenCalledOnce()
  })

  it('is never held by two, however many commands find the same stale lock', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'a.lock')
    const log = join(folder, 'log')
    writeFileSync(file, String(await deadPid()))
    const command = `
      import { appendFileSync } from 'node:fs'
      import { withLock } from ${JSON.stringify(lockModule)}
      await withLock(${JSON.stringify(file)}, { poll: 1 }, async () => {
        appendFileSync(${JSON.stringify(log)}, 'in ')
        await new Promise((resolve) => setTimeout(resolve, 20))
        appendFileSync(${JSON.stringify(log)}, 'out ')
      })`
    const starts = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', command], { stdio: 'ignore' })
      return new Promise((resolve) => child.on('exit', resolve))
    })
    expect(await Promise.all(starts)).toEqual([0, 0, 0, 0, 0, 0])
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(6))
    expect(readdirSync(folder)).toEqual(['log'])
  })

  it('waits for the npm of a start that was killed', async () => {
    const file = join(temporaryFolder(), 'a.lock')
    const orphan = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })
    onTestFinished(() => void orphan.kill('SIGKILL'))
    writeFileSync(file, `${await deadPid()} ${orphan.pid}`)
    let entered = false
    const waiting = withLock(file, { poll }, async () => {
      entered = true
    })
    await sleep(60)
    expect(entered).toBe(false)
    orphan.kill('SIGKILL')
    await waiting
    expect(entered).toBe(true)
  })

  it('takes over a lock that nobody has touched for more than a minute, whoever has its process number now', async () => {
    const file = join(temporaryFolder(), 'a.lock')
    writeFileSync(file, String(process.pid))
    const past = new Date(Date.now() - 61_000)
    utimesSync(file, past, past)
    await expect(withLock(file, { poll }, async () => 'in')).resolves.toBe('in')
  })

  it('is free again after the work failed', async () => {
    const file = join(temporaryFolder(), 'a.lock')
    await expect(
      withLock(file, { poll }, async () => {
        throw new Error('disk full')
      }),
    ).rejects.toThrow('disk full')
    expect(existsSync(file)).toBe(false)
  })
})
