import { expect, it } from 'vitest'
import { listReply, objectReply } from '../../../server/http/routes/replyInTurns.ts'

/** Records that take a while to make. @param onMade called after each */
function* slowRecords(count: number, onMade: () => void) {
  for (let id = 1; id <= count; id++) {
    for (const end = performance.now() + 2; performance.now() < end; );
    onMade()
    yield { id, name: `"${id}"` }
  }
}

it('others are served while a long list is made', async () => {
  let made = 0
  const seen: number[] = []
  const watch = setInterval(() => seen.push(made), 1)
  const text = await listReply(slowRecords(50, () => made++))
  clearInterval(watch)
  expect(JSON.parse(text)).toMatchObject({ success: true, data: { length: 50 } })
  expect(seen.filter((count) => count > 0 && count < 50).length).toBeGreaterThanOrEqual(5)
})

it('replies that are made in parts are those that would be made at once', async () => {
  expect(await listReply([])).toBe('{"success":true}')
  expect(JSON.parse(await listReply([{ id: 1 }, { id: 2 }]))).toEqual({ success: true, data: [{ id: 1 }, { id: 2 }] })
  expect(JSON.parse(await objectReply('services', [], {}))).toEqual({ success: true, data: {} })
  expect(JSON.parse(await objectReply('services', [[7, { a: 1 }]], { rest: [2] }))).toEqual({
    success: true,
    data: { services: { 7: { a: 1 } }, rest: [2] },
  })
  expect(JSON.parse(await objectReply('services', [], { rest: {} }))).toEqual({ success: true, data: { rest: {} } })
})
