import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type FilePart, fileLimits } from '../../../src/schemas/inspect/files.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'

const call = (path: string, offset: number | string) => `/part?path=${encodeURIComponent(path)}&offset=${offset}`

it('a file is read part by part, from any byte on, without what comes before it, and it is noted who did', async () => {
  const { at, ask, id, lastNoted } = await fileCalls()
  const path = at('-x $(id) 日.bin')
  writeFileSync(path, '')
  // Four gigabytes that take no room: only what is asked for is read.
  truncateSync(path, 4 * 1024 ** 3)
  writeFileSync(path, 'begin', { flag: 'r+' })
  writeFileSync(path, 'the end', { flag: 'a' })
  const part = async (offset: number) => {
    const [item] = (await ask(call(path, offset))).items as FilePart[]
    return item && { ...item, data: Buffer.from(item.data, 'base64') }
  }
  const first = await part(0)
  expect(first).toMatchObject({ size: 4 * 1024 ** 3 + 7, offset: 0 })
  expect(first?.data).toHaveLength(fileLimits.partBytes)
  expect(first?.data.subarray(0, 6).toString()).toBe('begin\0')
  expect((await part(4 * 1024 ** 3 + 3))?.data.toString()).toBe(' end')
  expect((await part(3))?.data.subarray(0, 3).toString()).toBe('in\0')
  expect((await part(5 * 1024 ** 3))?.data).toHaveLength(0)
  expect(await lastNoted()).toMatchObject({
    action: 'file.read',
    target: `server ${id}`,
    detail: { path, offset: 5 * 1024 ** 3 },
  })
})

it('what is no file, no place in one, or not there, says so in words', async () => {
  const { at, admin, ask, id, lastNoted } = await fileCalls()
  mkdirSync(at('folder'))
  expect(await ask(call(at('folder'), 0))).toMatchObject({ items: [], reason: 'The machine said: this is not a file' })
  expect(await ask(call(at('nothing'), 0))).toMatchObject({ items: [], reason: 'The machine said: this is not a file' })
  // What was not read is not noted as read.
  expect(await lastNoted()).not.toMatchObject({ action: 'file.read' })
  const refused = await admin.get(`wheelhouse/servers/${id}/files${call(at('folder'), '-1')}`)
  expect(refused.body).toMatchObject({ error: expect.stringContaining('offset is not valid') })
})

it('a machine that sends more than was asked for, or no base64, gives a part that a browser can read', async () => {
  const { at, ask, host } = await fileCalls()
  writeFileSync(at('file'), 'x')
  const { exec } = host.operations
  host.operations.exec = async (order, signal) => ({
    ...(await exec(order, signal)),
    stdout: `1 2:3\n${'"'.repeat(64)}${'QUJD'.repeat(100_000)}`,
  })
  const [part] = (await ask(call(at('file'), 0))).items as FilePart[]
  const data = Buffer.from(part?.data ?? '', 'base64')
  expect(data).toHaveLength(fileLimits.partBytes)
  expect(data.toString('base64')).toBe(part?.data)
})
