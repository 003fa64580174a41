import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'

// The codec is kept under a wider type, for entities have many.
const codec = serverGroup.api.row as z.ZodType<Record<string, unknown>, Record<string, unknown>>

const wire = {
  group: { id: 1, name: 'Edge', created_at: '2026-11-21T08:00:00.123456789+08:00', colour: 'red' },
  servers: [2, 3],
  pinned: true,
}
const flat = {
  id: 1,
  name: 'Edge',
  created_at: '2026-11-21T08:00:00.123456789+08:00',
  colour: 'red',
  servers: [2, 3],
  pinned: true,
}

describe('A group on the wire', () => {
  it('becomes one flat record, with unknown keys and times in any zone', () => {
    expect(codec.decode(wire)).toEqual(flat)
  })

  it('may have no members: null and absent stay what they are', () => {
    expect(codec.decode({ group: { id: 1, name: 'Edge' }, servers: null })).toEqual({
      id: 1,
      name: 'Edge',
      servers: null,
    })
    expect(codec.decode({ group: { id: 1, name: 'Edge' } })).toEqual({ id: 1, name: 'Edge' })
  })

  it('is wrapped again as servers write it: no members are null', () => {
    expect(codec.encode({ id: 1, name: 'Edge', servers: [2] })).toEqual({
      group: { id: 1, name: 'Edge' },
      servers: [2],
    })
    expect(codec.encode({ id: 1, name: 'Edge', servers: [] })).toEqual({
      group: { id: 1, name: 'Edge' },
      servers: null,
    })
  })
})
