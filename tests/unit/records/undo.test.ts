// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Row } from '../../../src/records/queryRows.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { facts, name } from '../../../src/schemas/define/fields.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { newChangeGroup } from '../../../src/undo/changeGroup.ts'
import type { UndoStep } from '../../../src/undo/planUndo.ts'
import type { Rows } from '../../support/fakes/recordServer.ts'
import { device, nothingChosen, rack, undoConsole } from '../../support/fakes/undoConsole.ts'

const locked = defineEntity({
  name: 'locked',
  form: z.object({ name: name(), key: z.string().min(1).register(facts, { concealedBy: 'key' }) }),
})

const toyRows = (): Rows => ({
  device: [
    { id: 1, name: 'desk', watts: 40, note: 'old', made_in: 'Turin' },
    { id: 2, name: 'hall', watts: 60, powered: true },
  ],
  rack: [
    {
      id: 3,
      name: 'a',
      devices: [1, 2],
      spare: 2,
      skipped: { 2: true, 1: false },
      texts: '1, 2',
      rules: [{ type: 'cpu', ignore: { 2: true } }],
    },
    { id: 4, name: 'b', devices: [1], spare: 1, skipped: null, texts: '', rules: [] },
  ],
})

const toys = [device, rack]
const states = (plan: readonly UndoStep[]) => plan.map(({ state }) => state)

describe('Taking an edit back', () => {
  it('restores the earlier values, and what was empty is empty again', async () => {
    const rows = toyRows()
    const { update, undo } = undoConsole(toys, rows)
    await update('device', 1, { note: 'new', watts: 7, colour: 2 })
    const { results } = await undo()
    expect(results).toMatchObject([{ error: undefined }])
    expect(rows.device?.[0]).toEqual({ id: 1, name: 'desk', watts: 40, note: 'old', made_in: 'Turin' })
  })

  it('keeps what others changed since in other fields, and asks where they changed the same one', async () => {
    const rows = toyRows()
    const { update, undo, planOf } = undoConsole(toys, rows)
    const group = newChangeGroup()
    for (const id of [1, 2]) await update('device', id, { note: 'mine', watts: 7 }, group)
    rows.device = rows.device?.map((row) => (row.id === 1 ? { ...row, note: 'theirs', powered: true } : row)) ?? []
    const [conflict] = (await planOf()).plan
    expect(conflict?.fields).toEqual([
      { field: 'watts', now: 7, before: 40, isConflict: false },
      { field: 'note', now: 'theirs', before: 'old', isConflict: true },
    ])
    await undo()
    expect(rows.device).toMatchObject([
      { watts: 40, note: 'theirs', powered: true },
      { watts: 60, powered: true },
    ])
    expect(states((await planOf(1)).plan)).toEqual(['undone', 'undone'])
  })

  it('can be taken back itself', async () => {
    const rows = toyRows()
    const { update, undo } = undoConsole(toys, rows)
    await update('device', 1, { watts: 7 })
    await undo()
    await undo()
    expect(rows.device?.[0]?.watts).toBe(7)
  })

  it('overwrites what others changed where somebody chose that', async () => {
    const rows = toyRows()
    const { update, undo, planOf } = undoConsole(toys, rows)
    await update('device', 1, { note: 'mine' })
    rows.device = rows.device?.map((row) => ({ ...row, note: 'theirs' })) ?? []
    const key = (await planOf()).plan[0]?.change.key ?? 0
    await undo(0, { ...nothingChosen, overwrite: new Map([[key, new Set(['note'])]]) })
    expect(rows.device?.[0]?.note).toBe('old')
  })

  it('says why it cannot be done: the record is gone, is as it was, or only secrets were changed', async () => {
    const rows = toyRows()
    const { update, remove, planOf } = undoConsole(toys, rows)
    await update('device', 1, { watts: 7 })
    await update('device', 1, { watts: 40 })
    await update('device', 1, { pin: '1234' })
    expect(states((await planOf(0)).plan)).toEqual(['secrets'])
    expect(states((await planOf(2)).plan)).toEqual(['same'])
    await remove('device', [1])
    expect(states((await planOf(3)).plan)).toEqual(['gone'])
  })

  it('goes on where it was stopped', async () => {
    const rows = toyRows()
    let isBroken = false
    const refuse = (call: string) => (isBroken && call === 'PATCH device/2' ? 'no' : undefined)
    const { update, undo } = undoConsole(toys, rows, refuse)
    const group = newChangeGroup()
    for (const id of [1, 2]) await update('device', id, { watts: 7 }, group)
    isBroken = true
    expect((await undo()).results.map(({ error }) => (error as Error | undefined)?.message)).toEqual([undefined, 'no'])
    isBroken = false
    // Above it stands the entry of the half that was taken back.
    expect((await undo(1)).results).toHaveLength(1)
    expect(rows.device?.map(({ watts }) => watts)).toEqual([40, 60])
  })
})

describe('Taking a deletion back', () => {
  it('restores the record with a new number, and what pointed at it points there again', async () => {
    const rows = toyRows()
    const { remove, undo } = undoConsole(toys, rows)
    await remove('device', [2], ['rack'])
    const { results } = await undo()
    expect(results).toMatchObject([{ error: undefined }])
    expect(rows.device?.[1]).toEqual({ id: 5, name: 'hall', watts: 60, powered: true, note: '' })
    expect(rows.rack).toMatchObject([
      { devices: [1, 5], spare: 5, skipped: { 5: true, 1: false }, texts: '1,5', rules: [{ ignore: { 5: true } }] },
      { devices: [1], spare: 1 },
    ])
  })

  it('adds references again that the server has taken out, and leaves those that somebody set anew', async () => {
    const rows = toyRows()
    const { remove, undo } = undoConsole(toys, rows)
    await remove('device', [2], ['rack'])
    rows.rack = [{ ...(rows.rack?.[0] as Row), devices: [1], spare: 1, skipped: null, texts: '1' }]
    await undo()
    expect(rows.rack).toMatchObject([{ devices: [1, 5], spare: 1, skipped: { 5: true }, texts: '1,5' }])
  })

  it('finds records by their new numbers: an edit before the deletion can be taken back too', async () => {
    const rows = toyRows()
    const { update, remove, undo } = undoConsole(toys, rows)
    await update('rack', 4, { devices: [2] })
    await update('device', 2, { watts: 7 })
    await remove('device', [2], ['rack'])
    await undo(0)
    expect(rows.rack?.[1]).toMatchObject({ devices: [5] })
    await undo(1)
    expect(rows.device?.[1]).toMatchObject({ id: 5, watts: 60 })
    // The undo of the edit is an entry by itself.
    await undo(3)
    expect(rows.rack?.[1]).toMatchObject({ devices: [1] })
  })

  it('leaves out references to what no longer exists, and names them', async () => {
    const rows = toyRows()
    const { remove, undo } = undoConsole(toys, rows)
    await remove('rack', [3])
    rows.device = rows.device?.filter(({ id }) => id !== 2) ?? []
    const { plan } = await undo()
    expect(plan[0]?.dead.map(({ field, ids }) => [field, ids])).toEqual([
      ['devices', ['2']],
      ['spare', ['2']],
      ['skipped', ['2']],
      ['texts', ['2']],
    ])
    expect(rows.rack?.[1]).toMatchObject({
      id: 5,
      name: 'a',
      devices: [1],
      spare: 0,
      skipped: { 1: false },
      texts: '1',
    })
  })

  it('asks again for a secret without which the record cannot be created', async () => {
    const rows: Rows = { locked: [{ id: 1, name: 'door', key: 'hunter2' }] }
    const { remove, undo, planOf } = undoConsole([locked], rows)
    await remove('locked', [1])
    const [step] = (await planOf()).plan
    expect(step).toMatchObject({ needed: ['key'], lost: [], data: { name: 'door' } })
    expect((await undo()).results[0]?.error).toBeDefined()
    await undo(0, { ...nothingChosen, secrets: new Map([[step?.change.key ?? 0, { key: 'hunter3' }]]) })
    expect(rows.locked).toEqual([{ id: 2, name: 'door', key: 'hunter3' }])
  })

  it('restores each record once, whichever tab asks', async () => {
    const rows = toyRows()
    const { remove, undo } = undoConsole(toys, rows)
    await remove('device', [1, 2], ['rack'])
    const both = await Promise.all([undo(), undo()])
    expect(rows.device?.map(({ name }) => name).toSorted()).toEqual(['desk', 'hall'])
    expect(both.flatMap(({ results }) => results).filter(({ error }) => error === undefined)).toHaveLength(2)
  })

  it('repairs references later when that failed, and does not restore the record twice', async () => {
    const rows = toyRows()
    let isBroken = true
    const { remove, undo } = undoConsole(toys, rows, (call) => (isBroken && call === 'PATCH rack/3' ? 'no' : undefined))
    await remove('device', [2], ['rack'])
    expect((await undo()).results[0]?.error).toMatchObject({ message: 'no' })
    isBroken = false
    expect((await undo()).results[0]?.error).toBeUndefined()
    expect(rows.device).toHaveLength(2)
    expect(rows.rack?.[0]).toMatchObject({ devices: [1, 5] })
  })

  it('waits for a server to come back by itself, and gives it its fields and groups again', async () => {
    const rows: Rows = {
      server: [{ id: 1, name: 'db-1', note: 'cellar', display_index: 3, uuid: 'u-1' }],
      'server-group': [{ id: 2, name: 'all', servers: [1] }],
    }
    const { remove, undo, planOf } = undoConsole([server, serverGroup], rows)
    await remove('server', [1], ['server-group'])
    expect(states((await planOf()).plan)).toEqual(['waiting'])
    rows.server = [{ id: 9, name: 'localhost', uuid: 'u-1', display_index: 0 }]
    await undo()
    expect(rows.server).toMatchObject([{ id: 9, name: 'db-1', note: 'cellar', display_index: 3 }])
  })
})
