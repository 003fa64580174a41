import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { FileError } from '../../../server/machines/hosts/files.ts'
import type { FileTransfer } from '../../../src/schemas/inspect/fileTransfers.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'
import { makePipe } from '../../support/server/process/makePipe.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

async function archives() {
  const calls = await fileCalls()
  const { admin, id, server } = calls
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { cookie: `nz-jwt=${admin.cookies.get('nz-jwt')}` }
  const order = async (paths: readonly string[], format = 'tar') =>
    (await admin.call('POST', `wheelhouse/servers/${id}/files/archive`, { body: { paths, format } })).body as {
      data: FileTransfer
      error?: string
    }
  const download = (transfer: string) =>
    fetch(`${address}/api/v1/wheelhouse/file-transfers/${transfer}/archive`, { headers })
  return {
    ...calls,
    order,
    download,
    /** Unpacks an archive by the program of this machine. @returns the folder */
    async unpacked(paths: readonly string[], format = 'tar') {
      const { data } = await order(paths, format)
      const reply = await download(data.id)
      expect(reply.status).toBe(200)
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'archive'), Buffer.from(await reply.arrayBuffer()))
      execFileSync('tar', [format === 'tar' ? '-xpf' : '-xzpf', 'archive'], { cwd: folder })
      unlinkSync(join(folder, 'archive'))
      return folder
    },
  }
}

it('a folder comes down as one archive, with odd and long names, links, empty folders, dates and modes', async () => {
  const { at, folder, unpacked, transfers, lastNoted } = await archives()
  const odd = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x2d])
  const long = `${'d'.repeat(90)}/${'e'.repeat(90)}`
  mkdirSync(at('site', 'empty'), { recursive: true })
  mkdirSync(at('site', long), { recursive: true })
  writeFileSync(at('site', long, 'deep.txt'), 'deep')
  writeFileSync(Buffer.concat([Buffer.from(`${at('site')}/`), odd]), 'odd')
  writeFileSync(at('site', '-rf $(id) 日本'), Buffer.alloc(700_001, 'x'), { mode: 0o750 })
  chmodSync(at('site', '-rf $(id) 日本'), 0o750)
  utimesSync(at('site', '-rf $(id) 日本'), 1_795_766_400, 1_795_766_400)
  writeFileSync(at('site', 'nothing'), '')
  symlinkSync(`somewhere/${'f'.repeat(120)}`, at('site', 'to-far'))
  symlinkSync('empty', at('site', 'to-empty'))
  for (const format of ['tar', 'tar.gz']) {
    const got = await unpacked([at('site')], format)
    expect(readdirSync(join(got, 'site')).sort()).toEqual(readdirSync(at('site')).sort())
    expect(readFileSync(join(got, 'site', long, 'deep.txt'), 'utf8')).toBe('deep')
    expect(readFileSync(Buffer.concat([Buffer.from(`${got}/site/`), odd]), 'utf8')).toBe('odd')
    const file = statSync(join(got, 'site', '-rf $(id) 日本'))
    expect([file.size, file.mode & 0o777, file.mtimeMs]).toEqual([700_001, 0o750, 1_795_766_400_000])
    expect(readdirSync(join(got, 'site', 'empty'))).toEqual([])
    expect(readlinkSync(join(got, 'site', 'to-far'))).toBe(`somewhere/${'f'.repeat(120)}`)
    expect(existsSync(join(got, 'LEFT-OUT.txt'))).toBe(false)
  }
  expect((await transfers())[0]).toMatchObject({ state: 'done', files: 4, bytes: 700_008, left_out: 0 })
  expect(await lastNoted()).toMatchObject({
    action: 'file.archive',
    detail: { path: `${folder}/site`, files: 4, bytes: 700_008, outcome: 'done' },
  })
})

it('what could not be read is said at the end of the archive and on screen, and the rest is whole', async () => {
  const { at, host, unpacked, transfers } = await archives()
  mkdirSync(at('site'))
  for (const name of ['cut', 'denied', 'gone', 'good']) writeFileSync(at('site', name), name.repeat(200_000))
  makePipe(at('site', 'pipe'))
  const { open } = host.files
  host.files.open = async (path) => {
    const shown = Buffer.from(path).toString()
    if (shown.endsWith('/denied')) throw new FileError(Buffer.from('open download file: permission denied'))
    if (shown.endsWith('/gone')) unlinkSync(shown)
    const source = await open(path)
    if (shown.endsWith('/cut')) truncateSync(shown, 300_000)
    return source
  }
  const got = await unpacked([at('site')])
  expect(readFileSync(join(got, 'site', 'good'), 'utf8')).toBe('good'.repeat(200_000))
  // In its place and of its length, so that what follows can be read.
  expect(statSync(join(got, 'site', 'cut')).size).toBe(600_000)
  const said = readFileSync(join(got, 'LEFT-OUT.txt'), 'utf8')
  for (const part of [
    'cut: from byte 262144 on',
    'denied: open download file: permission denied',
    'gone: ',
    'pipe: ',
  ]) {
    expect(said).toContain(`${at('site')}/${part}`)
  }
  expect((await transfers())[0]).toMatchObject({ state: 'done', left_out: 4, files: 2 })
})

it('an archive of a machine that goes away is broken off, and not short', async () => {
  const { at, host, order, download, transfers } = await archives()
  writeFileSync(at('large'), Buffer.alloc(2_000_000))
  const { open } = host.files
  host.files.open = async (path) => {
    const source = await open(path)
    return {
      ...source,
      size: source.size,
      read: async () => {
        throw new FileError(Buffer.from('the connection to the agent was lost'), undefined, 'offline')
      },
    }
  }
  const { data } = await order([at('large')])
  const reply = await download(data.id)
  await expect(reply.arrayBuffer()).rejects.toThrow()
  await vi.waitFor(async () => {
    expect((await transfers())[0]).toMatchObject({ state: 'failed', error: 'the connection to the agent was lost' })
  })
  // Once, and nobody else's.
  expect(await (await download(data.id)).json()).toHaveProperty('error')
  expect(await order(['relative'])).toHaveProperty('error')
})

it('a download that the browser gives up is a cancelled one, and no fault of the server', async () => {
  const { at, order, download, transfers } = await archives()
  writeFileSync(at('large'), Buffer.alloc(50_000_000))
  const { data } = await order([at('large')])
  const reply = await download(data.id)
  const reader = reply.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await vi.waitFor(async () => expect((await transfers())[0]).toMatchObject({ state: 'cancelled', files: 0 }))
  expect((await transfers())[0]).not.toHaveProperty('error')
})

it('an archive whose right is lost before its download is over, and does not count as one that waits', async () => {
  const { at, order, download, transfers, server, id, lastNoted } = await archives()
  writeFileSync(at('file'), 'file')
  const { data } = await order([at('file')])
  expect(await lastNoted()).toMatchObject({
    action: 'file.archive',
    target: `server ${id}`,
    detail: { path: at('file') },
  })
  entityTable(server.store, serverEntity).update(id, { user_id: 77 })
  expect(await (await download(data.id)).json()).toMatchObject({ error: 'permission denied' })
  expect((await transfers())[0]).toMatchObject({ state: 'failed', error: 'permission denied' })
})

it('a question for the headers alone does not use up the one download', async () => {
  const { at, order, download, admin, server } = await archives()
  writeFileSync(at('file'), 'file')
  const { data } = await order([at('file')])
  const url = `/api/v1/wheelhouse/file-transfers/${data.id}/archive`
  const cookie = ['nz-jwt', 'nz-csrf'].map((name) => `${name}=${admin.cookies.get(name)}`).join('; ')
  const headers = { cookie, 'x-csrf-token': admin.cookies.get('nz-csrf') ?? '' }
  await server.app.inject({ method: 'HEAD', url, headers })
  expect((await download(data.id)).headers.get('content-type')).toBe('application/x-tar')
})

it('names with line feeds and escapes do not forge lines of what was left out', async () => {
  const { at, unpacked } = await archives()
  mkdirSync(at('site'))
  makePipe(at('site', 'a\nb: fine\x1b[2J'))
  const got = await unpacked([at('site')])
  const lines = readFileSync(join(got, 'LEFT-OUT.txt'), 'utf8').split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('a\\u{a}b: fine\\u{1b}[2J: a pipe')
})
