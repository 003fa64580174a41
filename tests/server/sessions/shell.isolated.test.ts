import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createShells } from '../../../server/machines/hosts/local/shell/shells.ts'
import { startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** A shell in a home of its own, and what it printed. */
async function openShell() {
  const home = temporaryFolder()
  writeFileSync(join(home, '.profile'), "PS1='ready> '\n")
  const shells = createShells(home)
  onTestFinished(shells.killAll)
  const shell = await shells.open({ rows: 24, cols: 200 })
  let output = ''
  shell.onData((bytes) => {
    output += Buffer.from(bytes)
  })
  const until = (text: string | RegExp) => vi.waitFor(() => expect(output).toMatch(text))
  await until('ready> ')
  return { home, shells, shell, until, type: (text: string) => shell.write(Buffer.from(text)), output: () => output }
}

/** The process that a line in a file names, once it is there. */
const pidIn = (file: string) =>
  vi.waitFor(() => Number(/^\d+$/m.exec(readFileSync(file, 'utf8'))?.[0] ?? expect.fail()))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead process that nobody asked about yet is there, but does not run.
    return !/^State:\s+Z/m.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '')
  } catch {
    return false
  }
}

describe('a shell', () => {
  it('knows nothing of the environment that the server was started with', async () => {
    vi.stubEnv('ADMIN_PASSWORD', 'a-secret-of-the-server')
    vi.stubEnv('NODE_ENV', 'of-the-server')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { type, until, home, output } = await openShell()
    type('env; echo "the $((1))nd"\r')
    await until('the 1nd')
    expect(output()).not.toMatch(/a-secret-of-the-server|of-the-server|VITEST/)
    expect(output()).toMatch(/^TERM=xterm-256color\r$/m)
    expect(output()).toContain(`HOME=${home}\r\n`)
  })

  it('makes files that others may read, as any shell, though those of the server are private', async () => {
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    const { home, type } = await openShell()
    type('touch made\r')
    await vi.waitFor(() => expect(statSync(join(home, 'made')).mode & 0o777).toBe(0o644))
  })

  it.runIf(existsSync('/bin/bash') && process.platform === 'linux')(
    'holds nothing open that is the server’s, nor the terminals of other shells',
    async () => {
      await openShell()
      const { type, until, output } = await openShell()
      type('ls -l /proc/$$/fd; echo "the $((1))nd"\r')
      await until('the 1nd')
      expect(output()).toMatch(/ 2 -> \/dev\/pts/)
      expect(output()).not.toMatch(/ptmx|socket:|pipe:|anon_inode/)
    },
  )

  it('loses nothing that was printed before anybody listened', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, '.profile'), 'echo early-words\n')
    const shells = createShells(home)
    onTestFinished(shells.killAll)
    const shell = await shells.open({ rows: 24, cols: 80 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    let output = ''
    shell.onData((bytes) => {
      output += Buffer.from(bytes)
    })
    await vi.waitFor(() => expect(output).toContain('early-words'))
  })

  it('does not mind being typed into, resized and killed when it has ended', async () => {
    const { shell, type } = await openShell()
    const exited = new Promise<void>((resolve) => shell.onExit(resolve))
    type('exit\r')
    await exited
    type('echo nobody\r')
    shell.resize({ rows: 10, cols: 10 })
    shell.pause()
    shell.resume()
    await shell.kill()
    expect(shell.pendingInputBytes()).toBe(0)
  })
})

describe('the end of a shell', () => {
  it('ends what runs in the foreground and in the background', async () => {
    const { home, shell, type } = await openShell()
    type('sleep 1000 & echo $! > background\r')
    type("sh -c 'echo $$ > foreground; sleep 1000; true'\r")
    const pids = await Promise.all(['background', 'foreground'].map((name) => pidIn(join(home, name))))
    expect(pids.map(isRunning)).toEqual([true, true])
    await shell.kill()
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]))
  })

  it('kills what ignores the hang-up signal', async () => {
    const { home, shell, type } = await openShell()
    type("sh -c 'trap : HUP; echo $$ > stubborn; while :; do sleep 0.1; done' &\r")
    type('sh -c \'trap "" HUP; echo $$ > deaf; sleep 1000; true\'\r')
    const pids = await Promise.all(['stubborn', 'deaf'].map((name) => pidIn(join(home, name))))
    await shell.kill()
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]))
  })

  it('leaves time to save what is there', async () => {
    const { home, shell, type } = await openShell()
    type('sh -c \'trap "echo saved > work; exit" HUP; echo $$ > pid; while :; do sleep 0.05; done\'\r')
    await pidIn(join(home, 'pid'))
    await shell.kill()
    expect(readFileSync(join(home, 'work'), 'utf8')).toBe('saved\n')
  })

  it.runIf(process.platform === 'linux')('spares what was sent to the background with nohup', async () => {
    const { home, shell, type } = await openShell()
    type('nohup sleep 1000 > /dev/null 2>&1 & echo $! > spared\r')
    const pid = await pidIn(join(home, 'spared'))
    onTestFinished(() => void process.kill(pid, 'SIGKILL'))
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toMatch(/^sleep/))
    await shell.kill()
    expect(isRunning(pid)).toBe(true)
  })

  it('comes with "exit" too, for what was left in the background', async () => {
    const { home, type, shell } = await openShell()
    type('sleep 1000 & echo $! > left\r')
    const pid = await pidIn(join(home, 'left'))
    const exited = new Promise<void>((resolve) => shell.onExit(resolve))
    type('exit\r')
    await exited
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
  })

  it('comes with the end of its socket, and with the end of the server', async () => {
    const server = await startTerminalServer()
    const [first, second] = [await server.open(), await server.open()]
    const pids: number[] = []
    for (const [name, { type }] of Object.entries({ first, second })) {
      type(`sleep 1000 & echo $! > ${name}\r`)
      pids.push(await pidIn(join(server.host.folder, name)))
    }
    first.socket.terminate()
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, true]))
    await server.close()
    expect(await second.closed).toBe(1006)
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]))
  })

  it('is waited for by the machine that stops', async () => {
    // The profile of the person who tests may take its time.
    const account = { ...os.userInfo(), homedir: temporaryFolder() }
    const userInfo = vi.spyOn(os, 'userInfo').mockReturnValue(account)
    onTestFinished(() => userInfo.mockRestore())
    const host = createLocalHost({ uuid: 'u', version: '1' })
    const shell = await host.openShell({ rows: 24, cols: 80 })
    const pid = await new Promise<number>((resolve) => {
      let output = ''
      shell.onData((bytes) => {
        output += Buffer.from(bytes)
        const [, found] = /^pid=(\d+)=/m.exec(output) ?? []
        if (found) resolve(Number(found))
      })
      shell.write(Buffer.from('echo "pid=$$="\r'))
    })
    expect(isRunning(pid)).toBe(true)
    await host.stop()
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
  })
})
