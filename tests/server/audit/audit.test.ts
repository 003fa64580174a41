import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp, plugins } from '../../../server/app.ts'
import { type AuditLine, createWaitingLines, maxWaiting, openAuditLog } from '../../../server/audit/auditLog.ts'
import { openStore } from '../../../server/db/store.ts'
import { dataApp } from '../../support/console/dataApp.ts'
import { openServers } from '../../support/server/openServers.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const at = '2026-11-21T00:00:00.000Z'
const clock = () => Date.parse(at)

/** A log in a file of its own. */
function logFile() {
  const path = join(temporaryFolder(), 'audit.log')
  const open = () => {
    const audit = openAuditLog({ path, now: clock })
    onTestFinished(() => audit.close())
    return audit
  }
  return { path, open }
}

describe('the audit log', () => {
  it('is a file that only its owner may read', async () => {
    const { path, open } = logFile()
    open().write({ action: 'user.create', person: { id: 1, username: 'admin' }, address: '::1', target: 'user 7' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(
      `{"at":"${at}","user_id":1,"username":"admin","action":"user.create","address":"::1","target":"user 7"}\n`,
    )
  })

  it('is read from its end, the latest line first, on every page', async () => {
    const audit = logFile().open()
    // More than one piece of the file, and lines of many lengths.
    for (let line = 1; line <= 1200; line++) audit.write({ action: `${line}`, target: 'ü'.repeat(line % 300) })
    for (const [offset, limit] of [
      [0, 25],
      [25, 25],
      [1190, 25],
      [600, 1],
      [0, 1200],
      [5000, 25],
    ] as const) {
      const { rows, total } = await audit.read(offset, limit)
      const expected = Array.from({ length: 1200 }, (_, line) => 1200 - line).slice(offset, offset + limit)
      expect(rows.map(({ action }) => Number(action))).toEqual(expected)
      expect(rows.map(({ id }) => id)).toEqual(expected)
      expect(total).toBe(1200)
    }
    expect((await audit.read(0, 1)).rows[0]?.target).toBe('')
    audit.write({ action: '1201' })
    expect(await audit.read(0, 1)).toEqual({ rows: [{ id: 1201, at, action: '1201' }], total: 1201 })
  })

  it('is searched over all of its files, the latest line first, also while it grows', async () => {
    const path = join(temporaryFolder(), 'audit.log')
    const audit = openAuditLog({ path, now: clock, limits: { bytes: 40_000, files: 3 } })
    onTestFinished(() => audit.close())
    for (let line = 1; line <= 1200; line++) {
      audit.write({ action: line % 100 === 0 ? 'user.delete' : 'user.create', target: 'ü'.repeat(line % 40) })
    }
    expect(existsSync(`${path}.2`)).toBe(true)
    const filter = { key: 'deletions', matches: ({ action }: { action?: string }) => action === 'user.delete' }
    const read = async (offset: number, limit: number) => {
      const { rows, total } = await audit.read(offset, limit, filter)
      return { ids: rows.map(({ id }) => id), total }
    }
    const { rows: all, total: lines } = await audit.read(0, 2000)
    const expected = all.filter(({ action }) => action === 'user.delete').map(({ id }) => id)
    expect(lines).toBeLessThanOrEqual(1200)
    expect(expected.length).toBeGreaterThan(8)
    expect(await read(0, 2000)).toEqual({ ids: expected, total: expected.length })
    expect(await read(3, 4)).toEqual({ ids: expected.slice(3, 7), total: expected.length })
    audit.write({ action: 'user.delete' })
    expect(await read(0, 1)).toEqual({ ids: [lines + 1], total: expected.length + 1 })
    expect(await Promise.all([read(0, 1), read(1, 1)])).toEqual([
      { ids: [lines + 1], total: expected.length + 1 },
      { ids: [expected[0]], total: expected.length + 1 },
    ])
  })

  it('continues on a new line after a crash left half a line, and still shows that half', async () => {
    const { path, open } = logFile()
    writeFileSync(path, `{"at":"${at}","action":"first"}\n{"at":"${at}","act`)
    const audit = open()
    audit.write({ action: 'third' })
    const { rows } = await audit.read(0, 25)
    expect(rows).toEqual([
      { id: 3, at, action: 'third' },
      { id: 2, unreadable: `{"at":"${at}","act` },
      { id: 1, at, action: 'first' },
    ])
  })

  it('is counted again when an operator has emptied it', async () => {
    const { path, open } = logFile()
    const audit = open()
    for (const action of ['a', 'b', 'c']) audit.write({ action })
    expect((await audit.read(0, 25)).total).toBe(3)
    truncateSync(path)
    audit.write({ action: 'd' })
    expect(await audit.read(0, 25)).toEqual({ rows: [{ id: 1, at, action: 'd' }], total: 1 })
  })

  it('begins a new file when one is full, and is read across all of them', async () => {
    const { path } = logFile()
    const limits = { bytes: 1000, files: 3 }
    const audit = openAuditLog({ path, now: clock, limits })
    onTestFinished(() => audit.close())
    for (let line = 1; line <= 150; line++) audit.write({ action: `${line}` })
    const files = [path, `${path}.1`, `${path}.2`, `${path}.3`]
    const lines = files.map((name) => readFileSync(name, 'utf8').trimEnd().split('\n').length)
    for (const name of files) expect(statSync(name).mode & 0o777).toBe(0o600)
    for (const name of files) expect(statSync(name).size).toBeLessThan(1100)
    expect(existsSync(`${path}.4`)).toBe(false)
    const all = lines.reduce((sum, count) => sum + count)
    for (const [offset, limit] of [
      [0, 60],
      [0, 5],
      [lines[0] as number, 10],
      [15, 50],
      [all - 1, 5],
      [all, 5],
    ] as const) {
      const { rows, total } = await audit.read(offset, limit)
      const expected = Array.from({ length: all }, (_, index) => String(150 - index)).slice(offset, offset + limit)
      expect([rows.map(({ action }) => action), total]).toEqual([expected, all])
    }
  })

  it('goes on in a full file when it cannot get another name, and says so once', async () => {
    const { path } = logFile()
    mkdirSync(`${path}.1/in the way`, { recursive: true })
    const failures: unknown[] = []
    const limits = { bytes: 100, files: 1 }
    const audit = openAuditLog({ path, now: clock, limits, onFailure: (error) => failures.push(error) })
    onTestFinished(() => audit.close())
    for (let line = 1; line <= 9; line++) audit.write({ action: `${line}` })
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(9)
    expect(failures).toHaveLength(1)
  })

  it('keeps lines while the disk is full, and says how many were too many', () => {
    let isFull = true
    const failures: unknown[] = []
    let written = ''
    const append = (text: string) => {
      if (isFull) throw new Error('ENOSPC: no space left on device')
      written += text
    }
    const lines = createWaitingLines({ append, onFailure: (error) => failures.push(error), now: clock })
    let timesWritten = 0
    const detail = {
      get times() {
        return ++timesWritten
      },
    }
    for (let line = 1; line <= maxWaiting + 7; line++) lines.add({ at, action: `${line}`, detail })
    // A stranger may cause thousands, and all that wait are tried again with each of them.
    expect(timesWritten).toBe(maxWaiting + 7)
    expect(failures).toHaveLength(1)
    isFull = false
    lines.flush()
    const actions = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditLine)
    expect(actions).toHaveLength(maxWaiting + 1)
    expect(actions.slice(0, 2)).toEqual([
      { at, action: 'audit.lost', detail: { lines: 7 } },
      { at, action: '8', detail: { times: 8 } },
    ])
  })

  it('shows what another program appended', async () => {
    const { path, open } = logFile()
    const audit = open()
    appendFileSync(path, 'no JSON\n"a text"\n')
    expect((await audit.read(0, 25)).rows).toEqual([
      { id: 2, unreadable: '"a text"' },
      { id: 1, unreadable: 'no JSON' },
    ])
  })
})

describe('the audit log records', () => {
  /** The lines that a call as an administrator leaves. */
  async function linesOf(...calls: [method: string, path: string, body?: unknown][]): Promise<AuditLine[]> {
    const lines: AuditLine[] = []
    const browser = await signedIn(await testServer({ audit: openAuditLog({ lines }) }))
    lines.length = 0
    for (const [method, path, body] of calls) await browser.call(method, path, { body })
    return lines
  }

  it('who created and deleted which user, from which address', async () => {
    const person = { user_id: 1, username: 'admin', address: '127.0.0.1' }
    const neu = { username: 'neu', password: 'a secret of theirs', role: 1 }
    const lines = await linesOf(['POST', 'user', neu], ['POST', 'batch-delete/user', [3]])
    expect(lines).toMatchObject([
      { ...person, action: 'user.create', target: 'user 3', detail: { name: 'neu' } },
      { ...person, action: 'user.delete', target: 'user 3' },
    ])
    expect(JSON.stringify(lines)).not.toContain('a secret of theirs')
  })

  it('every change of a task, and every run on demand, without the command', async () => {
    const task = { name: 'clean', scheduler: '0 0 3 * * *', command: 'rm -rf /secret', servers: [] }
    const lines = await linesOf(
      ['POST', 'cron', task],
      ['PATCH', 'cron/1', { ...task, name: 'tidy' }],
      ['POST', 'cron/1/manual'],
      ['POST', 'batch-delete/cron', [1]],
    )
    expect(lines.map(({ action, target, detail }) => [action, target, detail?.name])).toEqual([
      ['cron.create', 'cron 1', 'clean'],
      ['cron.update', 'cron 1', 'tidy'],
      ['cron.run', 'cron 1', 'tidy'],
      ['cron.delete', 'cron 1', 'tidy'],
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('orders to machines, a block, and its removal', async () => {
    const lines = await linesOf(
      ['POST', 'server/config', { servers: [1, 2], config: '{"client_secret":"x"}' }],
      ['POST', 'force-update/server', Array.from({ length: 25 }, (_, id) => id)],
      ['POST', 'online-user/batch-block', ['198.51.100.7', '198.51.100.8']],
      ['POST', 'batch-delete/waf', ['198.51.100.7']],
    )
    expect(lines.map(({ action, target }) => [action, target])).toEqual([
      ['server.config', undefined],
      ['server.force-update', expect.stringMatching(/^server 0, 1, .*, 19 and 5 more$/)],
      ['waf.block', 'ip 198.51.100.7, 198.51.100.8'],
      ['waf.delete', 'ip 198.51.100.7'],
    ])
  })

  it('forced updates and moves of servers, by the names of that time', async () => {
    const { app, call, machines } = await dataApp()
    for (const name of ['web-1', 'web-2']) {
      const host = createTestHost({ uuid: name, name })
      host.changeSecret = async () => undefined
      machines.add(host)
      host.report({ host: { version: '2.3.3' } })
    }
    for (const [path, body] of [
      ['force-update/server', [1, 2, 9]],
      ['batch-move/server', { ids: [1, 2], to_user: 2 }],
      ['transfer/1/cancel', undefined],
      ['transfer/1/retry', undefined],
      ['server/config', { servers: [2], config: '{}' }],
    ] as const) {
      expect((await call('POST', path, body)).body).toMatchObject({ success: true })
    }
    const { rows } = await app.audit.read(0, 10)
    expect(rows.reverse().map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['server.force-update', 'server 1, 2, 9', { name: 'web-1, web-2, #9' }],
      ['server.move', 'server 1, 2', { name: 'web-1, web-2', to_user: 2 }],
      ['server.move-cancel', 'server 1', { name: 'web-1', transfer: 1, to_user: 2 }],
      ['server.move-retry', 'server 1', { name: 'web-1', transfer: 3, to_user: 2 }],
      ['server.config', 'server 2', { name: 'web-2' }],
    ])
  })

  it('nothing that was refused, and nothing that only reads', async () => {
    const lines = await linesOf(
      ['GET', 'user'],
      ['GET', 'profile'],
      ['POST', 'user', { username: 'x', password: 'short', role: 1 }],
      ['POST', 'batch-delete/user', [1]],
      ['POST', 'cron/99/manual'],
      ['PATCH', 'cron/x', {}],
    )
    expect(lines).toEqual([])
  })

  it('every call that changes something, unless it is recorded elsewhere', async () => {
    const recorded = new Map<string, boolean>()
    const routesAreSeen = fp(async (app: FastifyInstance) => {
      app.addHook('onRoute', ({ method, url, config }) => {
        recorded.set(`${method} ${url}`, config?.auditAction !== undefined)
      })
    })
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const options = { store: openStore(':memory:'), log, settings: { host: '127.0.0.1' }, version: '1.2.3' }
    const app = await buildApp(options, [routesAreSeen, ...plugins])
    openServers.add(app)
    const modules = import.meta.glob<Record<string, unknown>>('../../../src/schemas/endpoints/*.ts', { eager: true })
    const exported = Object.values(modules).flatMap((one) => Object.entries(one))
    const calls = exported
      .filter(([name]) => name === 'endpoints' || name.endsWith('Endpoints'))
      .map(([, value]) => value)
    const all: Record<string, { method: string; path: string }> = Object.assign({}, ...calls)
    const changing = Object.entries(all).filter(([, { method }]) => method !== 'GET')
    const isRecorded = ({ method, path }: { method: string; path: string }) =>
      recorded.get(`${method} /api/v1/${path}`) === true
    const silent = changing.filter(([, call]) => !isRecorded(call)).map(([name]) => name)
    expect(silent.sort()).toEqual(writtenDownElsewhere.sort())
  })
})

/**
 * Sign-ins and their bindings, accepted invitations, terminals, files and transfers write lines of their own, with failures and ends. The
 * others plan, preview, ask or begin something, or end a question of one's own: nothing of it stays. An import is
 * recorded when it is applied; a renewed token is not.
 */
const writtenDownElsewhere = [
  'acceptInvitation',
  'addImportPart',
  'attachTerminal',
  'backtestAlertRule',
  'bindDirectory',
  'cancelFileTransfer',
  'completeSignIn',
  'dropImportFile',
  'endQuestion',
  'joinTerminal',
  'login',
  'measureFiles',
  'openFile',
  'openTerminal',
  'openUpload',
  'placeUpload',
  'planImport',
  'previewNotifier',
  'readInvitation',
  'reauthenticationOptions',
  'recordTerminal',
  'refreshToken',
  'signInOptions',
  'startImportFile',
  'startPasskey',
  'startTotp',
]
