import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  decodeFileReply,
  encodeAnnounceReady,
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
} from '../../../../src/schemas/frames/file.ts'
import { sessionCloseCodes } from '../../../../src/schemas/frames/sessionClose.ts'
import { ask, download, namesIn, upload } from '../../../support/console/fileRequests.ts'
import { startServerWithAgent } from '../../../support/server/fixtures/serverWithAgent.ts'

describe('the files of an agent', () => {
  it.each(['2.3.3', '1.9.7'] as const)('of version %s are listed, read and written', async (version) => {
    const { files, folder, audit } = await startServerWithAgent({ version })
    mkdirSync(join(folder, 'sub'))
    const content = randomBytes(3_000_000)
    writeFileSync(join(folder, 'big'), content)
    const session = await files()
    expect(await namesIn(session, '')).toEqual(['big', 'sub'])
    expect(await namesIn(session, '/not/there')).toEqual(['big', 'sub'])
    expect((await download(session, join(folder, 'big'))).equals(content)).toBe(true)
    expect(await upload(session, join(folder, 'copy'), content)).toEqual({ kind: 'uploaded' })
    expect(readFileSync(join(folder, 'copy')).equals(content)).toBe(true)
    expect(await upload(session, join(folder, 'zero'), Buffer.alloc(0))).toEqual({ kind: 'uploaded' })
    expect(await namesIn(session, folder)).toEqual(['big', 'copy', 'sub', 'zero'])
    expect(audit.filter(({ action }) => action === 'file.upload')).toMatchObject([
      { detail: { bytes: content.length, outcome: 'done', way: 'in place' } },
      { detail: { bytes: 0, outcome: 'done', way: 'in place' } },
    ])
  })

  it('that cannot be read or written are refused with the words of the agent, and the session goes on', async () => {
    const { files, folder } = await startServerWithAgent()
    const session = await files()
    const refusal = async (frame: Uint8Array) => (await ask(session, frame)) as { text: string }
    expect((await refusal(encodeDownloadRequest('/not/there'))).text).toBe(
      'open download file: no such file or directory',
    )
    const name = join(folder, 'none', 'x')
    expect((await upload(session, name, Buffer.alloc(3_000_000, 2))) as object).toEqual({
      kind: 'error',
      text: `open ${name}: no such file or directory`,
    })
    expect(await upload(session, join(folder, 'x'), Buffer.from('x'))).toEqual({ kind: 'uploaded' })
    expect(await namesIn(session, folder)).toEqual(['x'])
  })

  it.each([1, 3_000_000])('that cannot be written are refused before the first of %d bytes comes', async (size) => {
    const { files, folder, audit } = await startServerWithAgent()
    const session = await files()
    const name = join(folder, 'none', 'x')
    const refusal = { kind: 'error', text: `open ${name}: no such file or directory` }
    session.send(encodeUploadRequest(name, size))
    expect(decodeFileReply(await session.next())).toMatchObject(refusal)
    // Nothing of it is due any more: the session goes on, again and again.
    expect(await ask(session, encodeListRequest(folder))).toMatchObject({ kind: 'list' })
    session.send(encodeUploadRequest(name, size))
    expect(decodeFileReply(await session.next())).toMatchObject(refusal)
    expect(await upload(session, join(folder, 'x'), Buffer.from('x'))).toEqual({ kind: 'uploaded' })
    expect(audit.filter(({ action }) => action === 'file.upload').map(({ detail }) => detail?.outcome)).toContain(
      'done',
    )
  })

  it('of which one waits for its data is refused when the agent goes', async () => {
    const { files, folder, agent } = await startServerWithAgent()
    const session = await files()
    session.send(encodeAnnounceReady())
    expect(await ask(session, encodeUploadRequest(join(folder, 'x'), 5))).toEqual({ kind: 'ready' })
    await agent.stop()
    expect(await session.closed).toBe(sessionCloseCodes.offline)
  })

  it('are written when the client waits for the acknowledgement', async () => {
    const { files, folder } = await startServerWithAgent()
    const session = await files()
    session.send(encodeAnnounceReady())
    for (const size of [1, 300_000]) {
      const path = join(folder, String(size))
      expect(await ask(session, encodeUploadRequest(path, size))).toEqual({ kind: 'ready' })
      session.send(Buffer.alloc(size, 'a'))
      expect(decodeFileReply(await session.next())).toEqual({ kind: 'uploaded' })
      expect(readFileSync(path)).toHaveLength(size)
    }
  })

  it('are not touched by data that comes after a refusal and reads like an order to overwrite one', async () => {
    const { files, folder } = await startServerWithAgent()
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'precious')
    const session = await files()
    const order = encodeUploadRequest(victim, 0)
    expect(await upload(session, join(folder, 'none', 'x'), Buffer.from(order))).toMatchObject({ kind: 'error' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })

  it('are not written on when the browser goes', async () => {
    const { files, folder, audit } = await startServerWithAgent()
    const session = await files()
    const path = join(folder, 'half')
    session.send(encodeUploadRequest(path, 1_000_000))
    session.send(Buffer.alloc(400_000))
    await vi.waitFor(() => expect(existsSync(path)).toBe(true))
    session.socket.terminate()
    await vi.waitFor(() =>
      expect(audit.filter(({ action }) => action === 'file.upload')).toMatchObject([
        { detail: { outcome: 'cancelled' } },
      ]),
    )
    expect(readFileSync(path).length).toBeLessThanOrEqual(400_000)
  })

  it('are gone in the middle of a download when the agent stops, and the session says that it is offline', async () => {
    const { files, folder, agent } = await startServerWithAgent()
    writeFileSync(join(folder, 'large'), randomBytes(100_000_000))
    const session = await files()
    session.send(encodeDownloadRequest(join(folder, 'large')))
    expect(decodeFileReply(await session.next())).toMatchObject({ kind: 'download' })
    session.socket.pause()
    await agent.stop()
    session.socket.resume()
    expect(await session.closed).toBe(sessionCloseCodes.offline)
  })
})

describe('a file session that an agent does not open', () => {
  it('says that commands are disabled there', async () => {
    const { files, audit } = await startServerWithAgent({ settings: { disable_command_execute: true } })
    const session = await files()
    session.send(encodeListRequest(''))
    expect(await session.closed).toBe(sessionCloseCodes.disabled)
    expect(audit.at(-1)).toMatchObject({ action: 'file.end', detail: { outcome: 'not opened: disabled' } })
  })
})
