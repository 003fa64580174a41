import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AuditLine } from '../../../server/audit/auditLog.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { patient, programsOf } from '../../../server/inspect/machine/programs.ts'
import { FileError } from '../../../server/machines/hosts/files.ts'
import { type FileTransfer, transferLimits } from '../../../src/schemas/inspect/fileTransfers.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { TestAgent } from '../../support/agent/testAgent.ts'
import type { Browser } from '../../support/console/browser.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'
import { startServerWithAgent } from '../../support/server/fixtures/serverWithAgent.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn } from '../../support/server/testServer.ts'

/** Two machines, whose files are in two folders here. */
async function twoMachines() {
  const calls = await fileCalls()
  const { admin, server, id, transfers } = calls
  const other = addHost(server, { uuid: 'machine-2', name: 'other-otter' })
  const servers = entityTable(server.store, serverEntity)
  const otherId = servers.all().find((row) => row.id !== id)?.id ?? 0
  const target = temporaryFolder()
  return {
    ...calls,
    other,
    otherId,
    target,
    servers,
    send: async (paths: readonly string[], more: object = {}) =>
      (
        await admin.call('POST', `wheelhouse/servers/${id}/files/send`, {
          body: { paths, to_server: otherId, to: target, ...more },
        })
      ).body as { data: FileTransfer; error?: string },
    cancel: async ({ id: transfer }: FileTransfer) =>
      (await admin.call('POST', `wheelhouse/file-transfers/${transfer}/cancel`)).body,
    over: (count = 1) =>
      vi.waitFor(async () => {
        const all = await transfers()
        expect(all).toHaveLength(count)
        expect(all.every(({ state }) => !['waiting', 'running'].includes(state))).toBe(true)
        return all[0] as FileTransfer
      }),
    noted: async () =>
      ((await admin.get('wheelhouse/audit')).body as { data: { value: (AuditLine & { id: number })[] } }).data.value,
  }
}

it('a folder goes from one machine to another, compared, with modes, dates, links and odd names', async () => {
  const { at, send, over, target, noted, id, otherId } = await twoMachines()
  mkdirSync(at('site', 'empty'), { recursive: true })
  writeFileSync(at('site', '$(id)\n-rf 日本'), Buffer.alloc(700_001, 'x'), { mode: 0o700 })
  utimesSync(at('site', '$(id)\n-rf 日本'), 1_795_766_400, 1_795_766_400)
  writeFileSync(at('site', 'nothing'), '')
  symlinkSync('some where\\0101\n', at('site', 'link'))
  writeFileSync(at('beside'), 'beside')
  await send([at('site'), at('beside')], { to: `${target}/new/place/` })
  expect(await over()).toMatchObject({
    state: 'done',
    verified: 'sha256',
    files: 4,
    bytes: 700_007,
    total_bytes: 700_007,
    left_out: 0,
    notes: [],
    to_server_name: 'other-otter',
  })
  const to = (...names: string[]) => join(target, 'new', 'place', ...names)
  expect(readdirSync(to('site')).sort()).toEqual(readdirSync(at('site')).sort())
  const file = statSync(to('site', '$(id)\n-rf 日本'))
  expect([file.size, file.mode & 0o777, file.mtimeMs]).toEqual([700_001, 0o700, 1_795_766_400_000])
  expect(readFileSync(to('site', 'nothing'), 'utf8')).toBe('')
  expect(readlinkSync(to('site', 'link'))).toBe('some where\\0101\n')
  expect(readFileSync(to('beside'), 'utf8')).toBe('beside')
  const lines = await noted()
  const expected = { files: 4, bytes: 700_007, outcome: 'done', verified: 'sha256' }
  expect(lines).toContainEqual(
    expect.objectContaining({ action: 'file.sent', target: `server ${id}`, detail: expect.objectContaining(expected) }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({
      action: 'file.received',
      target: `server ${otherId}`,
      detail: expect.objectContaining(expected),
    }),
  )
})

it('what is there already stays, is skipped, or is replaced, as the person chose', async () => {
  const { at, send, over, target } = await twoMachines()
  mkdirSync(at('site'))
  mkdirSync(join(target, 'site', 'taken'), { recursive: true })
  writeFileSync(at('site', 'old'), 'from here')
  writeFileSync(at('site', 'taken'), 'a file')
  writeFileSync(at('site', 'new'), 'new')
  writeFileSync(join(target, 'site', 'old'), 'was there')
  await send([at('site')])
  expect(await over(1)).toMatchObject({ state: 'done', files: 1, left_out: 2 })
  expect(readFileSync(join(target, 'site', 'old'), 'utf8')).toBe('was there')
  await send([at('site')], { conflicts: 'skip' })
  expect(await over(2)).toMatchObject({ state: 'done', files: 0, left_out: 0 })
  await send([at('site')], { conflicts: 'overwrite' })
  expect(await over(3)).toMatchObject({
    files: 2,
    left_out: 1,
    notes: [{ path: at('site', 'taken'), reason: expect.stringContaining('a folder has this name there') }],
  })
  expect(readFileSync(join(target, 'site', 'old'), 'utf8')).toBe('from here')
  expect(readdirSync(join(target, 'site')).sort()).toEqual(['new', 'old', 'taken'])
})

it('a file that arrives damaged, or cannot be read, is not there under its name', async () => {
  const { at, send, over, target, other, host } = await twoMachines()
  for (const name of ['damaged', 'unreadable', 'good']) writeFileSync(at(name), name.repeat(100_000))
  const { open } = host.files
  host.files.open = async (path) => {
    if (String(Buffer.from(path)).endsWith('unreadable')) throw new FileError(Buffer.from('permission denied'))
    return open(path)
  }
  const { beginUpload } = other.files
  let isFirst = true
  other.files.beginUpload = async (path, size) => {
    const sink = await beginUpload(path, size)
    if (!isFirst) return sink
    isFirst = false
    return { ...sink, write: (pieces) => sink.write(pieces.map((piece) => piece.map((byte) => byte ^ 1))) }
  }
  await send([at('damaged'), at('unreadable'), at('good')])
  expect(await over()).toMatchObject({
    state: 'done',
    files: 1,
    notes: [
      { path: at('damaged'), reason: expect.stringContaining('the checksum differs') },
      { path: at('unreadable'), reason: 'permission denied' },
    ],
  })
  expect(readdirSync(target)).toEqual(['good'])
})

it('one transfer of a person runs at a time, and each can be cancelled; nothing incomplete stays', async () => {
  const { at, send, transfers, target, other, cancel, over } = await twoMachines()
  writeFileSync(at('large'), Buffer.alloc(3_000_000))
  writeFileSync(at('small'), 'small')
  const held = Promise.withResolvers<void>()
  const { beginUpload } = other.files
  other.files.beginUpload = async (path, size) => {
    const sink = await beginUpload(path, size)
    if (size < 1000) return sink
    return {
      ...sink,
      async write(pieces) {
        await held.promise
        await sink.write(pieces)
      },
    }
  }
  const { data: first } = await send([at('large')])
  const { data: second } = await send([at('small')])
  const { data: third } = await send([at('small')], { to: join(target, 'third') })
  await vi.waitFor(async () => {
    expect((await transfers()).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'running'])
    expect(readdirSync(target)).toHaveLength(1)
  })
  expect(existsSync(join(target, 'large'))).toBe(false)
  await cancel(second)
  await cancel(first)
  held.resolve()
  await over(3)
  expect((await transfers()).map(({ id, state }) => [id, state])).toEqual([
    [third.id, 'done'],
    [second.id, 'cancelled'],
    [first.id, 'cancelled'],
  ])
  expect(readdirSync(target)).toEqual(['third'])
  await cancel(first)
  expect(await transfers()).toHaveLength(2)
})

it('a server that is taken away in the middle ends the transfer, and who may not use both begins none', async () => {
  const { at, send, over, target, other, otherId, servers, admin, id } = await twoMachines()
  writeFileSync(at('large'), Buffer.alloc(3_000_000))
  const { beginUpload } = other.files
  other.files.beginUpload = async (path, size) => {
    const sink = await beginUpload(path, size)
    servers.update(otherId, { user_id: 77 })
    return sink
  }
  await send([at('large')])
  expect(await over()).toMatchObject({ state: 'failed', error: 'permission denied' })
  expect(readdirSync(target)).toEqual([])
  const refused = async (to_server: number) =>
    (
      await admin.call('POST', `wheelhouse/servers/${id}/files/send`, {
        body: { paths: [at('large')], to_server, to: target },
      })
    ).body
  expect(await refused(999)).toMatchObject({ error: 'server not found' })
  expect(await refused(id)).toHaveProperty('error')
})

it('files go from one agent to another and back, empty and large ones too, and no part of one stays', async () => {
  const { agent, signIn, folder, port } = await startServerWithAgent({ version: '2.3.3' })
  const there = temporaryFolder()
  const { client_secret: secret } = agent.settings
  const other = new TestAgent({
    server: `127.0.0.1:${port}`,
    secret,
    version: '2.3.3',
    folder: there,
    home: there,
    settings: { report_delay: 1 },
  })
  other.start()
  onTestFinished(() => other.stop())
  const admin = await signIn()
  const large = randomBytes(3_000_000)
  mkdirSync(join(folder, 'site', 'inner'), { recursive: true })
  writeFileSync(join(folder, 'site', 'inner', 'large'), large)
  writeFileSync(join(folder, 'site', 'empty'), '')
  const send = async (from: number, to_server: number, paths: readonly string[], to: string) => {
    const order = { paths, to_server, to, conflicts: 'overwrite' }
    const reply = await vi.waitFor(async () => {
      const { body } = await admin.call('POST', `wheelhouse/servers/${from}/files/send`, { body: order })
      expect(body).toHaveProperty('data')
      return body as { data: FileTransfer }
    })
    return vi.waitFor(async () => {
      const { data } = (await admin.get('wheelhouse/file-transfers')).body as { data: FileTransfer[] }
      const found = data.find(({ id }) => id === reply.data.id)
      expect(found?.state).not.toMatch(/waiting|running/)
      return found
    })
  }
  expect(await send(1, 2, [join(folder, 'site')], there)).toMatchObject({ state: 'done', files: 2, verified: 'sha256' })
  expect(readFileSync(join(there, 'site', 'inner', 'large')).equals(large)).toBe(true)
  expect(readdirSync(join(there, 'site')).sort()).toEqual(['empty', 'inner'])
  expect(readdirSync(join(there, 'site', 'inner'))).toEqual(['large'])
  const back = await send(2, 1, [join(there, 'site', 'inner', 'large')], join(folder, 'back'))
  expect(back).toMatchObject({ state: 'done', files: 1 })
  expect(readFileSync(join(folder, 'back', 'large')).equals(large)).toBe(true)
})

it('nothing is written through a link below the folder that was chosen, whoever put it there', async () => {
  const { at, send, over, target, host } = await twoMachines()
  const elsewhere = temporaryFolder()
  mkdirSync(at('site', 'inner'), { recursive: true })
  writeFileSync(at('site', 'inner', 'file'), 'file')
  writeFileSync(at('site', 'beside'), 'beside')
  mkdirSync(join(target, 'site'))
  symlinkSync(elsewhere, join(target, 'site', 'inner'))
  await send([at('site')], { conflicts: 'overwrite' })
  expect(await over(1)).toMatchObject({
    state: 'done',
    files: 1,
    notes: [{ path: at('site', 'inner'), reason: expect.stringContaining('a link has this name there') }],
  })
  expect(readdirSync(elsewhere)).toEqual([])

  // An agent that lies: first a link, then a folder behind it.
  const lie = (entries: string, links = '') =>
    `${gzipSync(entries).toString('base64')}\n-\n${gzipSync(links).toString('base64')}\n`
  const link = `a1ff ${elsewhere.length} 5 1 0 0 root root/./trap/\n`
  const folder = '41ed 1 5 1 0 0 root root/./trap/\n'
  const { exec } = host.operations
  let count = 0
  host.operations.exec = async (order, signal) => {
    const result = await exec(order, signal)
    if (!order.args?.[1]?.includes('base64')) return result
    count += 1
    const [entries = '', links] =
      [
        [link, `trap/${elsewhere}\n`],
        [folder, ''],
        ['81a4 4 5 1 0 0 root root/./file/\n', ''],
      ][count - 1] ?? []
    return { ...result, exit_code: 0, stderr: '', stdout: lie(entries, links) }
  }
  mkdirSync(at('trap'))
  writeFileSync(at('trap', 'file'), 'file')
  await send([at('trap'), at('trap')], { to: join(target, 'second') })
  expect(await over(2)).toMatchObject({ left_out: 1 })
  expect(readlinkSync(join(target, 'second', 'trap'))).toBe(elsewhere)
  expect(readdirSync(elsewhere)).toEqual([])
})

it('what only its owner may read is read by nobody else while it arrives either', async () => {
  const { at, send, over, target, other } = await twoMachines()
  writeFileSync(at('key'), 'secret', { mode: 0o600 })
  // An agent writes into what it is named, which others may read when it is new.
  other.files.beginUpload = async (path) => {
    const file = Buffer.from(path)
    writeFileSync(file, '')
    return {
      async write(pieces) {
        expect(statSync(file).mode & 0o777).toBe(0o600)
        writeFileSync(file, Buffer.concat(pieces))
      },
      finish: async () => 'in place' as const,
      abort: async () => {},
    }
  }
  await send([at('key')])
  expect(await over()).toMatchObject({ state: 'done', files: 1, left_out: 0 })
  expect(statSync(join(target, 'key')).mode & 0o777).toBe(0o600)
})

it('a path that is too long there, and a file that takes too long to compare, are left out alone', async () => {
  const { at, send, over, target, other } = await twoMachines()
  mkdirSync(at('site', 'x'.repeat(200)), { recursive: true })
  for (const name of ['slow', 'good']) writeFileSync(at('site', name), name)
  writeFileSync(at('site', 'x'.repeat(200), 'file'), 'file')
  const { exec } = other.operations
  const hashed = createHash('sha256').update('slow').digest('hex')
  other.operations.exec = async (order, signal) => {
    const result = await exec(order, signal)
    return order.args?.includes(hashed) ? { ...result, timed_out: true } : result
  }
  const folder = `${target}/${`${'d'.repeat(199)}/`.repeat(20)}`.slice(0, 3950)
  await send([at('site')], { to: folder })
  const { notes, ...rest } = await over()
  expect(rest).toMatchObject({ state: 'done', files: 1, left_out: 2 })
  const said = notes.map(({ path, reason }) => `${path}: ${reason}`).join('\n')
  expect(said).toContain('x: its path there would have more than 4096 bytes')
  expect(said).toMatch(/slow: .* s were not enough to compare it/)
})

it('one person cannot take all places of those that wait', async () => {
  const { at, send, transfers, other, cancel } = await twoMachines()
  writeFileSync(at('file'), 'file')
  const held = Promise.withResolvers<void>()
  const { beginUpload } = other.files
  other.files.beginUpload = async (path, size) => {
    await held.promise
    return beginUpload(path, size)
  }
  for (let count = 0; count < transferLimits.openPerPerson; count += 1) {
    expect(await send([at('file')])).toHaveProperty('data')
  }
  expect(await send([at('file')])).toMatchObject({ error: expect.stringContaining('too many transfers') })
  expect(transferLimits.openPerPerson).toBeLessThanOrEqual(transferLimits.waiting / 4)
  const [last] = await transfers()
  if (last) await cancel(last)
  expect(await send([at('file')])).toHaveProperty('data')
  held.resolve()
})

it('a machine that is asked too much for the moment is asked again', async () => {
  const { other } = await twoMachines()
  const held = Promise.withResolvers<void>()
  const { exec } = other.operations
  other.operations.exec = async (order, signal) => {
    if (order.cmd === 'sleep') await held.promise
    return exec({ ...order, cmd: 'true' }, signal)
  }
  const programs = programsOf(other, '2.3.3')
  const asked = Array.from({ length: 8 }, () => programs.run('sleep'))
  await expect(programs.run('true')).rejects.toThrow('too much')
  const waiting = patient(programs).run('true')
  held.resolve()
  await Promise.all(asked)
  expect(await waiting).toMatchObject({ exit_code: 0 })
})

it('what runs while the server is stopped is noted and logged, with the part that may be left', async () => {
  const { at, send, transfers, other, server, noted, target } = await twoMachines()
  writeFileSync(at('large'), Buffer.alloc(600_000))
  const { beginUpload } = other.files
  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  other.files.beginUpload = async (path, size) => {
    const sink = await beginUpload(path, size)
    return { ...sink, write: () => held.promise }
  }
  await send([at('large')])
  await send([at('large')], { to: `${target}/second` })
  await vi.waitFor(async () => expect((await transfers())[1]).toMatchObject({ state: 'running' }))
  await vi.waitFor(() => expect(readdirSync(target)).toHaveLength(1))
  const audit = server.app.audit
  const written = vi.spyOn(audit, 'write')
  expect(await noted()).toContainEqual(
    expect.objectContaining({
      action: 'file.send',
      detail: expect.objectContaining({ path: at('large'), to: target }),
    }),
  )
  await server.app.close()
  const outcomes = written.mock.calls.map(([{ action, detail }]) => [action, detail?.outcome, detail?.error])
  const stopped = expect.stringContaining('the server was stopped meanwhile')
  expect(outcomes.filter(([action]) => action === 'file.received')).toEqual([
    ['file.received', 'failed', stopped],
    ['file.received', 'failed', stopped],
  ])
  expect(server.logged.join('\n')).toContain(`a part of a file may be left below ${target} on other-otter`)
})

it('transfers are seen and ended by their person alone, and by tokens that reach both servers', async () => {
  const { at, send, over, server, id, otherId } = await twoMachines()
  writeFileSync(at('file'), 'file')
  const { data: sent } = await send([at('file')])
  await over()
  const member = await signedIn(server, 'member')
  const scopes = ['nezha:server:read', 'nezha:server:write']
  const seenBy = async (somebody: Pick<Browser, 'get'>) => {
    const { data = [] } = (await somebody.get('wheelhouse/file-transfers')).body as { data?: FileTransfer[] }
    return data.map((one) => one.id)
  }
  const limited = programWith(server, { scopes, server_ids: [id] })
  expect(await seenBy(member)).toEqual([])
  expect(await seenBy(limited)).toEqual([])
  expect(await seenBy(programWith(server, { scopes, server_ids: [id, otherId] }))).toEqual([sent.id])
  const calls = [
    (path: string, body?: object) => member.call('POST', path, { body }),
    (path: string, body?: object) => limited.call('POST', path, body),
  ]
  for (const call of calls) {
    const { body } = await call(`wheelhouse/file-transfers/${sent.id}/cancel`)
    expect(body).toMatchObject({ error: 'transfer not found' })
    const order = { paths: [at('file')], to_server: otherId, to: '/tmp' }
    const refused = await call(`wheelhouse/servers/${id}/files/send`, order)
    expect(refused.body).toMatchObject({ error: 'permission denied' })
  }
})

it('a transfer that was cancelled when its last file had its name already is done, and said to be', async () => {
  const { at, send, over, cancel, target, other, noted } = await twoMachines()
  writeFileSync(at('file'), 'file')
  const hashed = createHash('sha256').update('file').digest('hex')
  const ordered = Promise.withResolvers<FileTransfer>()
  const { exec } = other.operations
  other.operations.exec = async (order, signal) => {
    const result = await exec(order, signal)
    if (order.args?.includes(hashed)) await cancel(await ordered.promise)
    return result
  }
  ordered.resolve((await send([at('file')])).data)
  expect(await over()).toMatchObject({ state: 'done', files: 1 })
  expect(readFileSync(join(target, 'file'), 'utf8')).toBe('file')
  expect(await noted()).toContainEqual(
    expect.objectContaining({ action: 'file.received', detail: expect.objectContaining({ outcome: 'done' }) }),
  )
})
