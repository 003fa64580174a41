import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { expect, it } from 'vitest'
import { type FollowedFile, followLimits } from '../../../src/schemas/inspect/files.ts'
import { fileCalls } from '../../support/server/fixtures/fileCalls.ts'

/** A file that is followed: each call asks for what has come since the call before. */
async function followed(name: string) {
  const { at, get, ...rest } = await fileCalls()
  const path = at(name)
  let last: FollowedFile | undefined
  return {
    ...rest,
    path,
    async next() {
      const place = last ? `&file=${last.file}&offset=${last.offset}` : ''
      last = await get<FollowedFile>(`/follow?path=${encodeURIComponent(path)}${place}`)
      return last
    },
  }
}

it('a log is followed: its end first, then new lines once each, and a line that is not complete again', async () => {
  const { path, next, lastNoted, id } = await followed('-f $(id) 日志.log')
  writeFileSync(path, 'one\ntwo\nthr')
  expect(await next()).toMatchObject({ text: 'one\ntwo\n', rest: 'thr', size: 11 })
  expect(await lastNoted()).toMatchObject({ action: 'file.follow', target: `server ${id}`, detail: { path } })
  expect(await next()).toMatchObject({ text: '', rest: 'thr' })
  appendFileSync(path, 'ee\nvier €\n')
  expect(await next()).toMatchObject({ text: 'three\nvier €\n', rest: '' })
  const still = await next()
  expect(still).toMatchObject({ text: '', rest: '' })
  expect(still).not.toHaveProperty('change')
})

it('a rotated log is said and followed, whether another file has its name or it was cut shorter', async () => {
  const { path, next } = await followed('app.log')
  writeFileSync(path, 'old line\n')
  await next()
  renameSync(path, `${path}.1`)
  writeFileSync(path, 'new file\n')
  expect(await next()).toMatchObject({ change: 'replaced', text: 'new file\n' })
  truncateSync(path)
  appendFileSync(path, 'cut\n')
  expect(await next()).toMatchObject({ change: 'shorter', text: 'cut\n' })
  unlinkSync(path)
  expect(await next()).toBeUndefined()
  writeFileSync(path, 'back\n')
})

it('of a log of a gigabyte only the end is read, and of a flood the newest, with what was left out', async () => {
  const { path, next } = await followed('huge.log')
  const file = openSync(path, 'w')
  // Sparse: it takes no room.
  writeSync(file, '\nlast line\n', 2 ** 30)
  const first = await next()
  expect(first.text.endsWith('last line\n')).toBe(true)
  expect(first.text.length).toBeLessThanOrEqual(followLimits.firstBytes)
  expect(first.skipped).toBeGreaterThan(2 ** 30 - followLimits.firstBytes)

  const line = `${'x'.repeat(99)}\n`
  writeSync(file, line.repeat(20_000), 2 ** 30 + 11)
  const second = await next()
  expect(second).toMatchObject({ more: true })
  expect(second).not.toHaveProperty('skipped')
  let text = second.text
  for (let more = true; more; ) {
    const part = await next()
    text += part.text
    more = part.more === true
  }
  expect(text === line.repeat(20_000)).toBe(true)

  writeSync(file, line.repeat(60_000), 2 ** 30 + 11 + 2_000_000)
  closeSync(file)
  const late = await next()
  expect(late.skipped).toBeGreaterThan(6_000_000 - followLimits.firstBytes)
  expect(
    late.text
      .split('\n')
      .filter(Boolean)
      .every((one) => one.length === 99),
  ).toBe(true)
})

it('whoever names another file than is there reads this one, and is noted', async () => {
  const { admin, id, path, lastNoted } = await followed('secret')
  writeFileSync(path, 'secret\n')
  const reply = await admin.get(
    `wheelhouse/servers/${id}/files/follow?path=${encodeURIComponent(path)}&file=1:1&offset=0`,
  )
  expect(reply.body).toMatchObject({ data: { text: 'secret\n', change: 'replaced' } })
  expect(await lastNoted()).toMatchObject({ action: 'file.follow', detail: { path } })
})

it('what is no file is refused in words', async () => {
  const { admin, id, folder } = await fileCalls()
  const reply = await admin.get(`wheelhouse/servers/${id}/files/follow?path=${encodeURIComponent(folder)}`)
  expect(reply.body).toMatchObject({ error: 'The machine said: this is not a file' })
})
