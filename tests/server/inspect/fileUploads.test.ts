import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { encodeUploadRequest } from '../../../src/schemas/frames/file.ts'
import {
  type FileBlocks,
  type LeftPart,
  leftPartLimits,
  resumeLimits,
} from '../../../src/schemas/inspect/fileUploads.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'
import { startServerWithAgent } from '../../support/server/fixtures/serverWithAgent.ts'

const upload = '0123456789abcdef'
const part = `.wheelhouse-part-${upload}`
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function uploads() {
  const calls = await fileCalls()
  const { post, host, at, ask } = calls
  const order = { path: at('file'), upload }
  return {
    ...calls,
    open: async (more: object = {}) => (await post('upload', { ...order, ...more })).data,
    place: async (size: number, more: object = {}) => (await post('upload/place', { ...order, size, ...more })).data,
    blocks: async (path: string, query = '') =>
      (await ask(`/blocks?path=${encodeURIComponent(path)}${query}`)).items[0] as FileBlocks,
    /** What a session writes until it is cut. */
    async sendUntilCut(name: string, content: Uint8Array) {
      const sink = await host.files.beginUpload(Buffer.from(at(name)), content.length * 2)
      await sink.write([content])
      await sink.abort()
    },
  }
}

it('what has arrived before a cut stays, and what comes after it is joined to it', async () => {
  const { open, place, sendUntilCut, names, at, lastNoted, id } = await uploads()
  expect(await open()).toEqual({ items: [{ size: 0 }] })
  expect(statSync(at(part)).mode & 0o777).toBe(0o600)
  await sendUntilCut(part, Buffer.from('first, '))
  expect(await open()).toEqual({ items: [{ size: 7 }] })
  await sendUntilCut(`${part}.rest`, Buffer.from('second, '))
  expect(await open()).toEqual({ items: [{ size: 15 }] })
  // Only what is right stays.
  expect(await open({ keep: 7 })).toEqual({ items: [{ size: 7 }] })
  expect(readFileSync(at(part), 'utf8')).toBe('first, ')
  await sendUntilCut(`${part}.rest`, Buffer.from('third'))
  expect(await place(13)).toMatchObject({ items: [], reason: 'The machine said: 12 of 13 bytes have arrived' })
  expect(await place(12)).toEqual({ items: [{ way: 'created' }] })
  expect(await names()).toEqual(['file'])
  expect(readFileSync(at('file'), 'utf8')).toBe('first, third')
  expect(statSync(at('file')).mode & 0o777).toBe(0o644)
  expect(await lastNoted()).toMatchObject({
    action: 'file.upload',
    target: `server ${id}`,
    detail: { path: at('file'), bytes: 12, outcome: 'done', way: 'created' },
  })
})

it('a replaced file keeps mode, links and other names, and what cannot be written is refused before any data', async () => {
  const { open, place, sendUntilCut, at } = await uploads()
  const send = async (path: string) => {
    expect(await open({ path })).toEqual({ items: [{ size: 0 }] })
    await sendUntilCut(part, Buffer.from('new'))
    return place(3, { path })
  }
  writeFileSync(at('script'), 'old')
  chmodSync(at('script'), 0o750)
  expect(await send(at('script'))).toEqual({ items: [{ way: 'replaced' }] })
  expect(readFileSync(at('script'), 'utf8')).toBe('new')
  expect(statSync(at('script')).mode & 0o777).toBe(0o750)

  mkdirSync(at('else where'))
  writeFileSync(at('else where', '-日 \n'), 'old')
  symlinkSync(join('else where', '-日 \n'), at('link'))
  expect(await send(at('link'))).toEqual({ items: [{ way: 'replaced' }] })
  expect(readFileSync(at('else where', '-日 \n'), 'utf8')).toBe('new')

  writeFileSync(at('one'), 'old')
  linkSync(at('one'), at('two'))
  expect(await send(at('one'))).toEqual({ items: [{ way: 'in place' }] })
  expect(readFileSync(at('two'), 'utf8')).toBe('new')
  expect(readdirSync(at()).filter((name) => name.startsWith('.'))).toEqual([])

  expect(await open({ path: at('else where') })).toMatchObject({
    items: [],
    reason: 'The machine said: a folder has this name there',
  })
  symlinkSync('one', at(part))
  expect(await open()).toMatchObject({ reason: 'The machine said: a link has the name of the part' })
})

it('what can only be written as it is gets no part, and the file session writes it', async () => {
  const { open, names } = await uploads()
  // A device, and a file in a folder where not even root can make one.
  for (const path of ['/dev/null', `/proc/${process.pid}/comm`]) expect(await open({ path })).toEqual({ items: [] })
  expect(await open({ path: `/proc/${process.pid}/nothing` })).toMatchObject({ items: [], cause: 'failed' })
  expect(await names()).toEqual([])
})

it('a part is removed, and a part that was removed cannot be written by a session that comes late', async () => {
  const { open, sendUntilCut, names, post, at, lastNoted } = await uploads()
  await open()
  await sendUntilCut(part, Buffer.from('x'))
  await open()
  expect(await names()).toEqual([part, `${part}.for`, `${part}.rest`])
  expect(await post('upload/discard', { path: at('file'), upload })).toMatchObject({ success: true })
  expect(await lastNoted()).toMatchObject({ action: 'file.delete', detail: { path: at(part) } })
  expect(await names()).toEqual([])
  await expect(sendUntilCut(part, Buffer.from('late'))).rejects.toThrow('no such file')
  expect(await names()).toEqual([])
})

const hour = 3_600
const day = 24 * hour

/** What was last changed so many seconds ago. */
function age(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

it('a part that nobody has gone on with is listed with its file, who uploads it and how old it is', async () => {
  const { open, ask, at, sendUntilCut } = await uploads()
  const left = async () => (await ask(`/left-parts?path=${encodeURIComponent(at())}`)).items as LeftPart[]
  const name = "-日 \\n '%s'\n.bin"
  await open({ path: at(name).replace('%', '%25') })
  await sendUntilCut(part, Buffer.from('four'))
  // It may be under way.
  expect(await left()).toEqual([])
  age(at(part), 3 * day)
  expect(await left()).toEqual([
    {
      upload,
      size: 4,
      age: expect.any(Number),
      person: 'admin',
      name: name.replace('%', '%25'),
    },
  ])
  expect(Math.abs(((await left())[0]?.age ?? 0) - 3 * day)).toBeLessThan(hour)
  // Its end was being sent an hour ago.
  writeFileSync(at(`${part}.rest`), 'five!')
  age(at(`${part}.rest`), 2 * hour)
  expect(await left()).toMatchObject([{ size: 9 }])
  expect((await left())[0]?.age).toBeLessThan(3 * hour)

  // One of another program, and names that are no part.
  writeFileSync(at(`${part.slice(0, -1)}e`), '')
  age(at(`${part.slice(0, -1)}e`), day)
  symlinkSync('/etc/hostname', at(`${part.slice(0, -1)}d`))
  writeFileSync(at('.wheelhouse-part-other'), '')
  age(at('.wheelhouse-part-other'), day)
  expect((await left()).map((one) => [one.upload, one.name])).toEqual([
    ['0123456789abcdee', undefined],
    [upload, expect.any(String)],
  ])
})

it.each(['../other', 'other/file', '..', '.', '', 'a\0b'])('a note that names %j names no file', async (name) => {
  const { ask, at } = await uploads()
  writeFileSync(at(part), 'x')
  age(at(part), day)
  writeFileSync(at(`${part}.for`), `somebody\n${name}`)
  const { items } = await ask(`/left-parts?path=${encodeURIComponent(at())}`)
  expect(items).toEqual([{ upload, size: 1, age: expect.any(Number), person: 'somebody' }])
})

it('the next upload into a folder removes parts that nobody can go on with any more, and only those', async () => {
  const { open, at, names, post } = await uploads()
  const withId = (digit: string) => `.wheelhouse-part-${digit.repeat(16)}`
  const past = (leftPartLimits.days + 2) * day
  for (const [digit, seconds] of [
    ['1', past],
    ['2', past - 4 * day],
    ['3', past],
  ] as const) {
    for (const ending of ['', '.for']) {
      writeFileSync(at(`${withId(digit)}${ending}`), 'x')
      age(at(`${withId(digit)}${ending}`), seconds)
    }
  }
  // What came last is young.
  writeFileSync(at(`${withId('3')}.rest`), 'x')
  mkdirSync(at(withId('4')))
  age(at(withId('4')), past)
  writeFileSync(at('.wheelhouse-part-notes'), 'x')
  age(at('.wheelhouse-part-notes'), past)
  await open()
  expect(await names()).toEqual(
    [
      '.wheelhouse-part-notes',
      ...[part, withId('2'), withId('3')].flatMap((one) => [one, `${one}.for`]),
      `${withId('3')}.rest`,
      withId('4'),
    ].sort(),
  )
  expect(await post('upload/discard', { path: at('any name'), upload: '2'.repeat(16) })).toMatchObject({
    success: true,
  })
  expect(await names()).not.toContain(withId('2'))
})

it('a file is compared block by block, from any block on', async () => {
  const { blocks, at } = await uploads()
  const { blockBytes } = resumeLimits
  const content = randomBytes(2 * blockBytes + 5)
  writeFileSync(at('file'), content)
  const sums = [content.subarray(0, blockBytes), content.subarray(blockBytes, 2 * blockBytes), content.subarray(-5)]
  expect(await blocks(at('file'))).toEqual({ size: content.length, sha256: sums.map(sha256) })
  expect(await blocks(at('file'), '&first=1&count=1')).toEqual({
    size: content.length,
    sha256: [sha256(sums[1] as Buffer)],
  })
  expect(await blocks(at('file'), '&first=9')).toEqual({ size: content.length, sha256: [] })
})

it('the rest of a file is read from any byte on, and it is noted who did', async () => {
  const { admin, id, at, lastNoted } = await uploads()
  const content = randomBytes(resumeLimits.contentBytes + 50).toString('hex')
  writeFileSync(at('fi le%'), content)
  const read = (path: string, offset: number) =>
    admin.get(`wheelhouse/servers/${id}/files/content?path=${encodeURIComponent(path)}&offset=${offset}`)
  const path = at('fi le%25')
  for (const offset of [0, 1, resumeLimits.contentBytes, content.length - 3, content.length]) {
    const { headers, text } = await read(path, offset)
    expect(headers['content-length']).toBe(String(content.length - offset))
    expect(text === content.slice(offset)).toBe(true)
  }
  await read(path, 5)
  await vi.waitFor(async () =>
    expect(await lastNoted()).toMatchObject({
      action: 'file.download',
      detail: { path: at('fi le%'), offset: 5, bytes: content.length - 5, outcome: 'done' },
    }),
  )
  expect((await read(path, content.length + 1)).body).toMatchObject({ error: 'the file has become shorter' })
  expect((await read(at('nothing'), 0)).body).toMatchObject({ error: expect.stringContaining('not a file') })
})

it('a file that another one replaces while it is read ends there, and is not mixed of both', async () => {
  const { admin, id, at, host, lastNoted } = await uploads()
  writeFileSync(at('file'), 'old'.repeat(resumeLimits.contentBytes))
  const { exec } = host.operations
  host.operations.exec = async (...order) => {
    const result = await exec(...order)
    writeFileSync(at('new'), 'new'.repeat(resumeLimits.contentBytes))
    renameSync(at('new'), at('file'))
    return result
  }
  const path = encodeURIComponent(at('file'))
  await expect(admin.get(`wheelhouse/servers/${id}/files/content?path=${path}&offset=0`)).rejects.toThrow()
  await vi.waitFor(async () =>
    expect(await lastNoted()).toMatchObject({
      action: 'file.download',
      detail: { outcome: 'failed', error: 'another file has this name now' },
    }),
  )
})

it('behind an agent, what has arrived before a cut stays there and goes on', async () => {
  const { folder, signIn, files } = await startServerWithAgent({ version: '2.3.3' })
  const admin = await signIn()
  const path = 'wheelhouse/servers/1/files/upload'
  const order = { path: `${folder}/file`, upload }
  const post = async (act: string, more: object = {}) =>
    ((await admin.call('POST', `${path}${act}`, { body: { ...order, ...more } })).body as { data: object }).data
  await vi.waitFor(async () => expect(await post('')).toEqual({ items: [{ size: 0 }] }))
  const send = async (name: string, size: number, content: string) => {
    const connection = await files(admin)
    connection.send(encodeUploadRequest(join(folder, name), size))
    connection.send(Buffer.from(content))
    await vi.waitFor(() => expect(statSync(join(folder, name)).size).toBe(content.length))
    connection.socket.terminate()
  }
  await send(part, 100, 'first, ')
  expect(await post('')).toEqual({ items: [{ size: 7 }] })
  await send(`${part}.rest`, 6, 'second')
  expect(await post('/place', { size: 13 })).toEqual({ items: [{ way: 'created' }] })
  expect(readdirSync(folder)).toEqual(['file'])
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first, second')
})

it('an agent that runs no programs says so, and nothing is begun', async () => {
  const { folder, signIn } = await startServerWithAgent({ version: '1.14.4' })
  const admin = await signIn()
  const body = { path: `${folder}/file`, upload }
  await vi.waitFor(async () => {
    const reply = await admin.call('POST', 'wheelhouse/servers/1/files/upload', { body })
    expect(reply.body).toMatchObject({ data: { items: [], cause: 'agent_version' } })
  })
  expect(readdirSync(folder)).toEqual([])
})
