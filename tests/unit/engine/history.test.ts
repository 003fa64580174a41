import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { versionAt } from '../../../src/engine/history/ChangeHistory.tsx'
import { changedLines } from '../../../src/engine/history/DifferenceTable.tsx'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { flag, idSet, multiline, name, secret } from '../../../src/schemas/define/fields.ts'
import type { Change, ChangedField } from '../../../src/schemas/endpoints/changeEndpoints.ts'
import { changesToVersion } from '../../../src/undo/restoreVersion.ts'

const toy = defineEntity({
  name: 'toy',
  form: z.object({
    name: name(),
    note: multiline().optional(),
    open: flag(),
    skip: idSet('server').optional(),
    key: secret().optional(),
  }),
})

let lastId = 0
const change = (...fields: ChangedField[]): Change => ({
  id: ++lastId,
  at: '2026-11-21T00:00:00Z',
  entity: 'toy',
  record_id: 1,
  record_name: '',
  action: 'updated',
  user_id: 1,
  username: 'admin',
  fields,
})

describe('an earlier version of a record', () => {
  it('has what each field held then, and nothing of fields that stayed', () => {
    const changes = [
      change({ name: 'name', from: 'c', to: 'd' }),
      change({ name: 'name', from: 'b', to: 'c' }, { name: 'open', from: false, to: true }),
      change({ name: 'name', from: 'a', to: 'b' }, { name: 'note', from: 'x', to: 'y' }),
      change({ name: 'name', to: 'a' }),
    ]
    expect(versionAt(toy, changes, 0)).toEqual({ values: {}, lost: [] })
    expect(versionAt(toy, changes, 1)).toEqual({ values: { name: 'c' }, lost: [] })
    expect(versionAt(toy, changes, 2)).toEqual({ values: { name: 'b', open: false }, lost: [] })
    expect(versionAt(toy, changes, 3)).toEqual({ values: { name: 'a', open: false, note: 'x' }, lost: [] })
  })

  it('names what is lost: secrets and values that were too long, unless it is known what came before them', () => {
    const changes = [
      change({ name: 'key', secret: true }, { name: 'note', from: 'long…', to: 'z', cut: true }),
      change({ name: 'note', from: 'x', to: 'long…' }),
      change(),
    ]
    expect(versionAt(toy, changes, 1)).toEqual({ values: {}, lost: ['key', 'note'] })
    expect(versionAt(toy, changes, 2)).toEqual({ values: { note: 'x' }, lost: ['key'] })
  })

  it('has values that a form takes, and leaves the owner and unknown fields alone', () => {
    const changes = [
      change({ name: 'note', from: null, to: 'y' }, { name: 'skip', from: null, to: { 1: true } }),
      change({ name: 'user_id', from: 2, to: 1 }, { name: 'gone', from: 1, to: 2 }),
      change(),
    ]
    const { values, lost } = versionAt(toy, changes, 2)
    expect(lost).toEqual([])
    expect(Object.keys(values).sort()).toEqual(['note', 'skip'])
    const sent = changesToVersion(toy, { id: 1, note: 'y', skip: { 1: true } }, values)
    expect(sent).toHaveProperty('note', '')
    for (const [field, value] of Object.entries(sent)) {
      expect(toy.form.shape[field as 'note'].safeParse(value).success).toBe(true)
    }
  })
})

describe('two long texts', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n')

  it('are shown around the lines that differ', () => {
    const from = `${lines(1, 50)}\nold\n${lines(51, 99)}`
    const to = `${lines(1, 50)}\nnew\nmore\n${lines(51, 99)}`
    expect(changedLines(from, to)).toEqual({
      from: '…\nline 50\nold\nline 51\n…',
      to: '…\nline 50\nnew\nmore\nline 51\n…',
    })
  })

  it.each([
    ['', 'a'],
    ['a', 'a\na'],
    ['a\nb', 'b'],
    ['one line', 'another line'],
    ['a\nb\na', 'a'],
  ])('of a line or two are shown whole: %j and %j', (from, to) => {
    const shown = changedLines(from, to)
    expect(shown.from.replaceAll('…\n', '').length).toBeLessThanOrEqual(from.length)
    expect(shown.from).not.toBe(shown.to)
    if (!from.includes('\n')) expect(shown.from).toBe(from)
  })
})
