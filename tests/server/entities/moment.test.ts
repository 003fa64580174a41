import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { moment, name } from '../../../src/schemas/define/fields.ts'
import { dataApp } from '../../support/console/dataApp.ts'

const reminder = defineEntity({
  name: 'reminder',
  form: z.object({ name: name(), due_at: moment().optional(), done_at: moment().nullish() }),
})

const app = () => dataApp({ entities: [reminder] })
const due = (due_at: unknown) => ({ name: 'call', due_at })

describe('A date and time in a form', () => {
  it.each([
    '2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00.123456789+05:45',
    '2024-02-29T23:59:59-00:00',
    '0001-01-01T00:00:00Z',
  ])('%s is stored and sent byte for byte', async (due_at) => {
    const { call } = await app()
    await call('POST', 'reminder', due(due_at))
    const { data } = (await call('GET', 'reminder')).body as { data: unknown[] }
    expect(data).toEqual([expect.objectContaining({ due_at })])
  })

  it.each([
    '',
    'tomorrow',
    '2026-01-31',
    '2026-01-31T09:30Z',
    '2026-01-31T09:30:00',
    '2026-01-31 09:30:00Z',
    '2026-02-30T09:30:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:30:00,5Z',
    1_769_850_000,
    true,
    {},
  ])('%j is refused in words that name the field', async (value) => {
    const { call } = await app()
    expect((await call('POST', 'reminder', due(value))).body).toEqual({
      error: 'due_at must be a date and time in RFC 3339, such as 2026-01-31T09:30:00+01:00',
    })
  })

  it('that is left out or null is cleared', async () => {
    const { call } = await app()
    const now = '2026-01-31T09:30:00Z'
    await call('POST', 'reminder', { name: 'call', due_at: now, done_at: now })
    await call('PATCH', 'reminder/1', { name: 'call', done_at: null })
    const { data } = (await call('GET', 'reminder')).body as { data: Record<string, unknown>[] }
    expect(data[0]).toMatchObject({ name: 'call' })
    expect(data[0]).not.toHaveProperty('due_at')
    expect(data[0]?.done_at ?? null).toBeNull()
  })
})
