import { describe, expect, it } from 'vitest'
import { describeField, describeFields, type Kind } from '../../../src/schemas/define/describe.ts'
import { lamp } from '../../support/console/lamp.ts'

const field = (name: string) => describeField(lamp, name)

describe('The description of a field', () => {
  const kinds: Record<string, Kind> = {
    name: 'text',
    watts: 'number',
    voltage: 'number',
    lit: 'flag',
    socket: 'choice',
    room: 'ref',
    switches: 'refs',
    dimmed_in: 'idSet',
    tags: 'list',
    colours: 'json',
    manual: 'url',
    pin: 'secret',
    note: 'multiline',
    on_at: 'text',
    bought_at: 'moment',
    created_at: 'moment',
  }

  it.each(Object.entries(kinds))('%s is of the kind %s', (name, kind) => {
    expect(field(name)?.kind).toBe(kind)
  })

  it('tells the bounds that the schema states, and none that zod adds', () => {
    expect(field('watts')).toMatchObject({ minimum: 5, maximum: 100, integer: true })
    expect([field('socket')?.minimum, field('socket')?.maximum]).toEqual([undefined, undefined])
    expect(field('voltage')?.integer).toBe(false)
    expect(field('label')?.maxLength).toBe(5)
  })

  it('tells where references lead and what codes are called', () => {
    expect([field('room')?.to, field('switches')?.to, field('dimmed_in')?.to]).toEqual(['room', 'switch', 'room'])
    expect(field('socket')?.choices).toEqual({ 0: 'screw', 1: 'pin' })
  })

  it('tells what may be null from what may be empty', () => {
    expect([field('bought_at')?.nullable, field('manual')?.nullable, field('note')?.nullable]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('asks for what has neither a default nor a licence to be absent', () => {
    const required = describeFields(lamp).filter((one) => one.editable && one.required)
    expect(required.map((one) => one.name)).toEqual(['name', 'room', 'on_at'])
  })

  it('has the value of a new record, and what the wire may leave out', () => {
    expect([field('watts')?.initial, field('lit')?.initial, field('name')?.initial]).toEqual([40, true, undefined])
    expect([field('note')?.omittable, field('name')?.omittable]).toEqual([true, false])
  })

  it('comes in schema order, the computed ones last, and those nobody can edit', () => {
    const names = describeFields(lamp).map((one) => one.name)
    expect(names.slice(0, 3)).toEqual(['name', 'watts', 'voltage'])
    const computed = describeFields(lamp).filter((one) => !one.editable)
    expect(computed.map((one) => one.name)).toEqual(['id', 'created_at', 'updated_at', 'bought_at'])
    expect(names.slice(-4)).toEqual(computed.map((one) => one.name))
  })
})
