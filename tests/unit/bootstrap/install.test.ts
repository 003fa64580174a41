import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lockMatchesInstalled } from '../../../scripts/bootstrap/installedLock.mjs'
import { explainNpm } from '../../../scripts/bootstrap/npmFailure.mjs'
import { root } from '../../support/root.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const vite = { version: '8.0.0', integrity: 'sha512-b' }
const otherPlatform = { version: '1.0.0', integrity: 'sha512-c', optional: true }

function matches(installed: Record<string, unknown>): boolean {
  const folder = temporaryFolder()
  const packages = {
    '': {},
    'node_modules/fastify': fastify,
    'node_modules/vite': vite,
    'node_modules/x': otherPlatform,
  }
  writeFileSync(join(folder, 'wanted.json'), JSON.stringify({ packages }))
  writeFileSync(join(folder, 'installed.json'), JSON.stringify({ packages: installed }))
  return lockMatchesInstalled(join(folder, 'wanted.json'), join(folder, 'installed.json'))
}

describe('packages that were installed by hand', () => {
  it('are not installed again when they are those of the lockfile', () => {
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': vite })).toBe(true)
  })

  it('are installed again when one is missing, as after npm install --omit=dev', () => {
    expect(matches({ 'node_modules/fastify': fastify })).toBe(false)
  })

  it('are installed again when one has another version or another content', () => {
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': { ...vite, version: '7.0.0' } })).toBe(false)
    expect(matches({ 'node_modules/fastify': fastify, 'node_modules/vite': { ...vite, integrity: 'x' } })).toBe(false)
  })

  it('are installed when npm has never finished', () => {
    expect(lockMatchesInstalled('unread', join(temporaryFolder(), 'absent.json'))).toBe(false)
  })
})

describe('a failed installation', () => {
  it.each([
    ['npm error code ENOTFOUND\nnpm error network request failed', 'ENOTFOUND', 'registry cannot be reached'],
    ['npm error code ENOSPC', 'ENOSPC', 'disk is full'],
    ['npm error code EACCES', 'EACCES', 'cannot be written'],
    ['npm error code EUSAGE', 'EUSAGE', 'disagree'],
    ['npm error code EINTEGRITY', 'EINTEGRITY', 'npm cache clean'],
  ])('says in one sentence what to do about %j', (output, code, advice) => {
    const sentence = explainNpm(output)
    expect(sentence).toContain(`(${code})`)
    expect(sentence).toContain(advice)
    expect(sentence).not.toContain('\n')
  })

  it('says that npm did not finish when npm gave no reason', () => {
    expect(explainNpm('Killed')).toBe('Installing packages failed: npm did not finish.')
  })
})

describe('npm start that is ended while it installs', () => {
  /** npm runs a script in a shell, which a SIGTERM ends without passing it on. */
  async function installing(env: Record<string, string>, command: string) {
    const folder = temporaryFolder()
    for (const name of ['scripts', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    const npm = join(temporaryFolder(), 'npm-cli.js')
    const pids = join(folder, 'pids')
    writeFileSync(
      npm,
      `require('node:fs').writeFileSync(${JSON.stringify(pids)}, [process.ppid, process.pid].join(' '))
       setInterval(() => {}, 1000)`,
    )
    const settings = { npm_execpath: npm, npm_node_execpath: process.execPath, ...env }
    const shell = spawn('/bin/sh', ['-c', command], { cwd: folder, env: { ...process.env, ...settings } })
    onTestFinished(() => void shell.kill('SIGKILL'))
    const processes = await vi.waitFor(() => readFileSync(pids, 'utf8').split(' ').map(Number))
    return { shell, launcher: processes[0] ?? 0, processes }
  }
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s ends with its npm', async (signal) => {
    const { launcher, processes } = await installing({}, `"${process.execPath}" scripts/start.mjs`)
    process.kill(launcher, signal)
    await vi.waitFor(() => expect(processes.filter(isThere)).toEqual([]))
  })

  it('by the end of the npm that runs it ends as well, though nobody tells it', async () => {
    const command = `"${process.execPath}" scripts/start.mjs; true`
    const { shell, processes } = await installing({ npm_lifecycle_event: 'start' }, command)
    shell.kill('SIGTERM')
    await vi.waitFor(() => expect(processes.filter(isThere)).toEqual([]))
  })
})
