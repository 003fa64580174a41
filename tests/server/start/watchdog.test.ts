import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../support/root.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const watchdog = join(root, 'server', 'start', 'watchdog.ts')

/** A process that is watched, and ends after a second of silence. `SIGUSR2` makes it hang, each line on its input is answered. */
async function watchedProcess(hang: string) {
  const folder = temporaryFolder()
  const [program, traceFile] = [join(folder, 'watched.ts'), join(folder, 'crash.log')]
  writeFileSync(
    program,
    `import { startWatchdog } from ${JSON.stringify(watchdog)}
const options = { traceFile: ${JSON.stringify(traceFile)}, version: '1.2.3', log: console }
startWatchdog(options, { tickMs: 50, mostMissing: 20 })
process.on('SIGUSR2', function onSignal() { ${hang} })
process.stdin.on('data', () => console.log('alive'))
console.log('ready')`,
  )
  const child: ChildProcess = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  const ended = once(child, 'close')
  await once(child.stdout as NodeJS.EventEmitter, 'data')
  return { child, ended, traceFile, printed: () => printed }
}

describe('A server whose event loop stands still', () => {
  it.each([
    ['an endless loop', 'for (;;) {}'],
    ['an expression that never ends', '/^(a+)+$/.test("a".repeat(60) + "b")'],
  ])('is ended by %s, and the file of crashes says where', async (_, hang) => {
    const { child, ended, traceFile, printed } = await watchedProcess(hang)
    child.kill('SIGUSR2')
    expect(await ended).toEqual([null, 'SIGKILL'])
    const trace = readFileSync(traceFile, 'utf8')
    expect(trace).toMatch(/^20\S+ Wheelhouse 1\.2\.3, .*\nThe server did nothing for 1 s, and is ended\.\n/)
    expect(trace).toMatch(/\n {4}at onSignal \(file:.*watched\.ts:4:\d+\)\n/)
    expect(printed()).toContain('The server did nothing for 1 s')
  })

  it('is not ended because the process was stopped, as by a shell or with the whole machine', async () => {
    const { child, traceFile } = await watchedProcess('')
    child.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    child.kill('SIGCONT')
    // A second more of silence would have ended it.
    for (let answers = 0; answers < 22; answers++) {
      const answer = once(child.stdout as NodeJS.EventEmitter, 'data')
      child.stdin?.write('\n')
      expect(String(await answer)).toContain('alive')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(existsSync(traceFile)).toBe(false)
  })
})
