import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  decodeFileReply,
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
  fileChunkBytes,
} from '../../../src/schemas/frames/file.ts'
import { ask, download, namesIn, upload } from '../../support/console/fileRequests.ts'
import { startFileServer } from '../../support/server/fixtures/fileServer.ts'
import { asUnprivilegedUser } from '../../support/server/process/asUnprivilegedUser.ts'
import { makePipe } from '../../support/server/process/makePipe.ts'

const names = ['with space', `it's "quoted"`, '🦔 hedgehog', 'ünï文件', '-rf', '*', 'line\nbreak', 'n'.repeat(255)]

describe('files of a machine', () => {
  it.each(names)('are sent and taken whatever their name: %j', async (name) => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    const path = join(home, name)
    expect(await upload(connection, path, Buffer.from(name))).toEqual({ kind: 'uploaded' })
    expect(await namesIn(connection, home)).toEqual([Buffer.from(name).toString('latin1')])
    expect(String(await download(connection, path))).toBe(name)
  })

  it('may have names that are no text', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    const path = Buffer.concat([Buffer.from(`${home}/`), Buffer.of(0xff, 0xfe, 0x41)])
    expect(await upload(connection, path, Buffer.from('raw'))).toEqual({ kind: 'uploaded' })
    expect(await namesIn(connection, home)).toEqual(['\xff\xfeA'])
    expect(String(await download(connection, path))).toBe('raw')
    const missing = Buffer.concat([path, Buffer.of(0xff)])
    connection.send(encodeUploadRequest(Buffer.concat([missing, Buffer.from('/x')]), 1))
    expect((await connection.next()).includes(missing)).toBe(true)
  })

  it('are listed by their bytes, 20,000 of them in one frame', async () => {
    const { home, connect } = await startFileServer()
    for (let index = 0; index < 20_000; index++) writeFileSync(join(home, `entry ${index}`), '')
    mkdirSync(join(home, 'Z'))
    const listed = await namesIn(await connect(), home)
    expect(listed).toHaveLength(20_001)
    expect(listed).toEqual(listed.toSorted())
    expect(listed[0]).toBe('Z')
  })

  it('are found from the home directory when the path is relative', async () => {
    const { home, connect } = await startFileServer()
    mkdirSync(join(home, 'sub'))
    const connection = await connect()
    expect(await upload(connection, 'sub/file', Buffer.from('x'))).toEqual({ kind: 'uploaded' })
    expect(await namesIn(connection, 'sub')).toEqual(['file'])
    expect(String(await download(connection, 'sub/file'))).toBe('x')
  })

  it('have no empty path but the listing of the home directory', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    expect(await ask(connection, encodeListRequest(''))).toEqual({
      kind: 'list',
      path: Buffer.from(`${home}/`),
      entries: [],
    })
    const text = 'open download file: no such file or directory'
    expect(await ask(connection, encodeDownloadRequest(''))).toEqual({ kind: 'error', text })
    expect(await ask(connection, encodeUploadRequest('', 0))).toEqual({
      kind: 'error',
      text: 'open : no such file or directory',
    })
  })

  it('cannot be listed at all where the home directory cannot, and that is said', async () => {
    const { home, connect } = await startFileServer()
    const connection = await connect()
    chmodSync(home, 0)
    const reply = await asUnprivilegedUser(() => ask(connection, encodeListRequest('/nowhere')))
    chmodSync(home, 0o700)
    expect(reply).toEqual({ kind: 'error', text: `open ${home}/: permission denied` })
  })

  it('that are devices or pipes never hold anybody up', async () => {
    const { home, connect } = await startFileServer()
    const pipe = join(home, 'pipe')
    makePipe(pipe)
    const connection = await connect()
    for (const [path, kind] of [
      [pipe, 'named pipe'],
      ['/dev/zero', 'device'],
      ['/dev/tty', 'device'],
    ] as const) {
      const text = `requested file is a ${kind}`
      expect(await ask(connection, encodeDownloadRequest(path))).toEqual({ kind: 'error', text })
    }
    const text = `open ${pipe}: no such device or address`
    expect(await ask(connection, encodeUploadRequest(pipe, 3))).toEqual({ kind: 'error', text })
    expect(await upload(connection, '/dev/null', Buffer.from('gone'))).toEqual({ kind: 'uploaded' })
  })

  it('that the kernel shows are read, although their size is 0', async () => {
    const { connect } = await startFileServer()
    const connection = await connect()
    const expected = readFileSync('/proc/version')
    expect(await ask(connection, encodeDownloadRequest('/proc/version'))).toEqual({
      kind: 'download',
      size: expected.length,
    })
    expect(Buffer.from(await connection.next())).toEqual(expected)
  })

  it('that become shorter while they are sent end with an error', async () => {
    const { home, connect } = await startFileServer()
    const path = join(home, 'shrinks')
    writeFileSync(path, Buffer.alloc(64 * fileChunkBytes))
    const connection = await connect()
    expect(await ask(connection, encodeDownloadRequest(path))).toEqual({ kind: 'download', size: 64 * fileChunkBytes })
    // The most of it cannot be under way yet.
    connection.socket.pause()
    truncateSync(path, fileChunkBytes + 1)
    connection.socket.resume()
    let last = await connection.next()
    while (last.length === fileChunkBytes) last = await connection.next()
    expect(decodeFileReply(last)).toEqual({ kind: 'error', text: `read ${path}: unexpected EOF` })
    expect(await namesIn(connection, home)).toEqual(['shrinks'])
  })

  it('that grow while they are sent are as long as announced', async () => {
    const { home, connect } = await startFileServer()
    const path = join(home, 'grows')
    writeFileSync(path, Buffer.alloc(24 * fileChunkBytes, 'a'))
    const connection = await connect()
    connection.send(encodeDownloadRequest(path))
    expect(decodeFileReply(await connection.next())).toEqual({ kind: 'download', size: 24 * fileChunkBytes })
    writeFileSync(path, 'more', { flag: 'a' })
    for (let chunk = 0; chunk < 24; chunk++) expect(await connection.next()).toHaveLength(fileChunkBytes)
    expect(await namesIn(connection, home)).toEqual(['grows'])
  })

  it('have their transfers in the audit log, without content', async () => {
    const { home, connect, audit } = await startFileServer()
    const connection = await connect()
    const path = join(home, 'file')
    await upload(connection, path, Buffer.from('secret'))
    await upload(connection, path, Buffer.from('secret 2'))
    await upload(connection, join(home, 'missing/file'), Buffer.from('x'))
    await download(connection, path)
    await ask(connection, encodeDownloadRequest(join(home, 'nothing')))
    connection.send(encodeUploadRequest(path, 100))
    connection.send(Buffer.from('part'))
    await namesIn(await connect(), home)
    connection.socket.close()
    await vi.waitFor(() => expect(audit.filter(({ action }) => action === 'file.end')).toHaveLength(1))
    await vi.waitFor(() => expect(audit.at(-1)?.detail?.outcome).toBe('cancelled'))
    const transfers = audit.filter(({ action }) => /load$/.test(action))
    const session = transfers[0]?.detail?.session
    expect(transfers.map(({ action, detail }) => [action, detail])).toEqual([
      ['file.upload', { session, path, bytes: 6, outcome: 'done', way: 'created' }],
      ['file.upload', { session, path, bytes: 8, outcome: 'done', way: 'replaced' }],
      [
        'file.upload',
        {
          session,
          path: join(home, 'missing/file'),
          bytes: 0,
          outcome: 'refused',
          error: `open ${home}/missing/file: no such file or directory`,
        },
      ],
      ['file.download', { session, path, bytes: 8, outcome: 'done' }],
      [
        'file.download',
        {
          session,
          path: join(home, 'nothing'),
          bytes: 0,
          outcome: 'refused',
          error: 'open download file: no such file or directory',
        },
      ],
      ['file.upload', { session, path, bytes: 4, outcome: 'cancelled' }],
    ])
    expect(
      transfers.every(
        ({ username, address, target }) => `${username} ${address} ${target}` === 'admin 127.0.0.1 server 1',
      ),
    ).toBe(true)
    expect(JSON.stringify(audit)).not.toContain('secret')
  })

  it('are not for somebody who did not open the session', async () => {
    const { connect } = await startFileServer()
    await expect(connect('member')).rejects.toThrow('permission denied')
    await expect(connect('member', 'admin')).rejects.toThrow('Unexpected server response: 200')
  })
})
