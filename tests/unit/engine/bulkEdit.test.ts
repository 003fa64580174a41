import { HttpError } from 'react-admin'
import { describe, expect, it, vi } from 'vitest'
import { bulkFields, type FieldChange, type FieldChanges, planBulkEdit } from '../../../src/engine/bulk/planBulkEdit.ts'
import { runUpdates } from '../../../src/engine/bulk/useBulkRun.ts'
import { defineResource } from '../../../src/engine/define/defineResource.ts'
import { changedPart } from '../../../src/engine/history/FieldValue.tsx'
import { everyKind, validValues } from '../../support/console/everyKind.ts'
import { definitions } from '../../support/definitions.ts'

const toys = defineResource(everyKind, { columns: ['name'] })
const screenOf = (name: string) => {
  const found = definitions.find(({ entity }) => entity.name === name)
  if (!found) throw new Error(`There is no screen of ${name}.`)
  return found
}
const toy = (id: number, values: Record<string, unknown> = {}) => ({
  ...validValues,
  id,
  name: `desk ${id}`,
  ...values,
})
/** What a change makes of one record: the fields to write, why it is refused, or that it stays. */
function outcomeOf(change: FieldChanges, values: Record<string, unknown> = {}, definition = toys) {
  const record = definition === toys ? toy(1, values) : { id: 1, ...values }
  const { updates, refusals, unchanged } = planBulkEdit(definition, [record], change)
  expect(updates.length + refusals.length + unchanged.length).toBe(1)
  return updates[0]?.data ?? refusals[0]?.reasons ?? 'unchanged'
}

describe('A bulk edit', () => {
  it.each<[string, string, FieldChange, Record<string, unknown>, unknown]>([
    ['sets a number that was typed', 'integer', { mode: 'set', value: '50' }, {}, { integer: 50 }],
    ['leaves what is so already', 'integer', { mode: 'set', value: '40' }, {}, 'unchanged'],
    ['sets a flag', 'flag', { mode: 'set', value: false }, {}, { flag: false }],
    [
      'adds to a list of records, sorted',
      'refs',
      { mode: 'add', value: [7, 2] },
      { refs: [2, 9] },
      { refs: [2, 7, 9] },
    ],
    ['adds to a list that servers have as null', 'refs', { mode: 'add', value: [7] }, { refs: null }, { refs: [7] }],
    ['adds nothing that is there', 'refs', { mode: 'add', value: [9] }, { refs: [9, 2] }, 'unchanged'],
    ['removes from a list', 'refs', { mode: 'remove', value: [2, 5] }, { refs: [2, 9] }, { refs: [9] }],
    ['removes nothing that is not there', 'refs', { mode: 'remove', value: [5] }, { refs: null }, 'unchanged'],
    ['replaces a whole list', 'refs', { mode: 'set', value: [5] }, { refs: [2] }, { refs: [5] }],
    ['empties no empty list', 'refs', { mode: 'set', value: [] }, { refs: null }, 'unchanged'],
    [
      'adds to a set, and keeps entries without a meaning',
      'id_set',
      { mode: 'add', value: { 4: true } },
      { id_set: { 3: false } },
      { id_set: { 3: false, 4: true } },
    ],
    [
      'removes from a set',
      'id_set',
      { mode: 'remove', value: { 3: true, 4: true } },
      { id_set: { 3: false, 4: true, 5: true } },
      { id_set: { 3: false, 5: true } },
    ],
    ['adds to a list of texts', 'list', { mode: 'add', value: ['b', 'a'] }, { list: ['a'] }, { list: ['a', 'b'] }],
    ['puts a prefix', 'name', { mode: 'prefix', text: 'old-' }, {}, { name: 'old-desk 1' }],
    ['puts a suffix', 'multiline', { mode: 'suffix', text: ' b' }, { multiline: 'a' }, { multiline: 'a b' }],
    ['puts a suffix where there was no text', 'multiline', { mode: 'suffix', text: 'b' }, {}, { multiline: 'b' }],
    ['replaces every occurrence', 'name', { mode: 'replace', find: 'k', text: 'c' }, { name: 'kk' }, { name: 'cc' }],
    [
      'takes what it puts in literally',
      'name',
      { mode: 'replace', find: '.', text: "$&$'" },
      { name: 'a.b' },
      { name: "a$&$'b" },
    ],
    ['replaces nothing that it does not find', 'name', { mode: 'replace', find: 'D', text: 'c' }, {}, 'unchanged'],
    ['finds nothing for an empty search', 'name', { mode: 'replace', find: '', text: 'c' }, {}, 'unchanged'],
    [
      'foresees that a number is too small',
      'integer',
      { mode: 'set', value: '4' },
      {},
      [{ field: 'integer', message: 'validation.min_value', args: { min: 5 } }],
    ],
    [
      'foresees that nothing would be left of a name',
      'name',
      { mode: 'replace', find: 'desk 1', text: ' ' },
      {},
      [{ field: 'name', message: 'validation.required' }],
    ],
    ['takes a space at the end for nothing, as forms do', 'name', { mode: 'suffix', text: ' ' }, {}, 'unchanged'],
  ])('%s', (_title, field, change, values, expected) => {
    expect(outcomeOf({ [field]: change }, values)).toEqual(expected)
  })

  it('changes several fields, and leaves a stored value alone that today would be refused', () => {
    const changes: FieldChanges = { name: { mode: 'suffix', text: '!' }, flag: { mode: 'set', value: false } }
    expect(outcomeOf(changes, { integer: 1 })).toEqual({ name: 'desk 1!', flag: false })
    expect(outcomeOf(changes, { flag: false })).toEqual({ name: 'desk 1!' })
  })

  it('refuses what somebody may only look at', () => {
    expect(outcomeOf({ flag: { mode: 'set', value: false } }, { read_only: true })).toEqual([
      { message: 'app.form.read_only' },
    ])
  })

  it('offers no name for all, no secret, and nothing that is only sent', () => {
    const modes = Object.fromEntries(
      bulkFields(toys, [toy(1)]).flatMap(({ fields }) => fields.map(({ source, modes }) => [source, modes])),
    )
    expect(modes.name).toEqual(['replace', 'prefix', 'suffix'])
    expect(modes.refs).toEqual(['add', 'remove', 'set'])
    expect(modes.json).toEqual(['set'])
    expect(Object.keys(modes)).not.toContain('secret')
    const ofNotifiers = bulkFields(screenOf('notification'), [{ id: 1, name: 'mail' }])
    expect(ofNotifiers.flatMap(({ fields }) => fields.map(({ source }) => source))).toEqual([
      'name',
      'request_method',
      'verify_tls',
      'request_type',
    ])
  })
})

describe('A bulk edit of', () => {
  it('servers offers a note, and replaces a part of it', () => {
    const note = { mode: 'replace', find: 'rack 4', text: 'rack 5' } as const
    expect(outcomeOf({ note }, { name: 'db', note: 'rack 4\nrack 40' }, screenOf('server'))).toEqual({
      note: 'rack 5\nrack 50',
    })
  })

  it('services judges a target by the type of each, and skips a field that older servers do not have', () => {
    const target = { mode: 'set', value: 'https://example.org' } as const
    const services = screenOf('service')
    expect(outcomeOf({ target }, { name: 'a', type: 1, target: 'http://x.org' }, services)).toEqual({
      target: 'https://example.org',
    })
    expect(outcomeOf({ target }, { name: 'a', type: 2, target: 'x.org' }, services)).toEqual([
      expect.objectContaining({ field: 'target', message: 'validation.target_icmp' }),
    ])
    const display_index = { mode: 'set', value: 4 } as const
    expect(outcomeOf({ display_index }, { name: 'a', type: 1, target: 'http://x.org' }, services)).toBe('unchanged')
  })

  it('alert rules adds tasks to those that a rule triggers', () => {
    const rule = { name: 'cpu', enable: true, trigger_mode: 0, rules: [{}], fail_trigger_tasks: null }
    const fail_trigger_tasks = { mode: 'add', value: [3] } as const
    expect(outcomeOf({ fail_trigger_tasks }, rule, screenOf('alert-rule'))).toEqual({ fail_trigger_tasks: [3] })
  })

  it('DDNS profiles refuses a field that the provider of a profile does not use', () => {
    const profile = { name: 'a', provider: 'cloudflare', domains: [], max_retries: 3, webhook_method: 1 }
    const webhook_method = { mode: 'set', value: 2 } as const
    const ddns = screenOf('ddns')
    expect(outcomeOf({ webhook_method }, profile, ddns)).toEqual([
      { field: 'webhook_method', message: 'app.bulk.unused_field' },
    ])
    const webhook = { ...profile, provider: 'webhook', webhook_url: 'https://example.org' }
    expect(outcomeOf({ webhook_method }, webhook, ddns)).toEqual({ webhook_method: 2 })
  })
})

describe('A run of updates', () => {
  const updates = Array.from({ length: 12 }, (_, id) => ({ record: toy(id), before: {}, data: { flag: false } }))

  it('keeps few requests under way, and says of each record what became of it', async () => {
    let open = 0
    let most = 0
    const messages: string[] = []
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    const results = await runUpdates(updates, {
      write: async ({ record }) => {
        open += 1
        most = Math.max(most, open)
        await new Promise((resume) => setImmediate(resume))
        open -= 1
        if (record.id === 3) throw new HttpError('x', 409, { fresh: toy(3), fields: ['flag'] })
        if (record.id === 4) throw new Error('the disk is full')
      },
      signal: new AbortController().signal,
      onResult: ({ record }) => messages.push(record.name),
    })
    expect(most).toBe(4)
    expect(messages).toHaveLength(12)
    expect(results.map(({ record }) => record.id)).toEqual(updates.map(({ record }) => record.id))
    expect(results[3]).toMatchObject({ outcome: 'conflict', conflict: { fields: ['flag'] }, data: { flag: false } })
    expect(results[4]).toMatchObject({ outcome: 'failed', message: 'the disk is full' })
    expect(results.filter(({ outcome }) => outcome === 'changed')).toHaveLength(10)
    expect(complaints).toHaveBeenCalledOnce()
    complaints.mockRestore()
  })

  it('that is stopped sends nothing more, and waits for what is under way', async () => {
    const controller = new AbortController()
    const sent: unknown[] = []
    const results = await runUpdates(updates, {
      write: async ({ record }) => {
        sent.push(record.id)
        if (sent.length === 4) controller.abort()
        await new Promise((resume) => setImmediate(resume))
      },
      signal: controller.signal,
      onResult: () => {},
    })
    expect(sent).toEqual([0, 1, 2, 3])
    expect(results.map(({ outcome }) => outcome)).toEqual([
      ...sent.map(() => 'changed'),
      ...Array.from({ length: 8 }, () => 'stopped'),
    ])
  })
})

describe('The part of a text that changes', () => {
  it('is shown with a little around it', () => {
    const long = 'line\n'.repeat(100)
    expect(changedPart(`${long}rack 4${long}`, `${long}rack 5${long}`)).toEqual({
      before: '…ine ⏎ line ⏎ line ⏎ line ⏎ rack 4line ⏎ line ⏎ line ⏎ line ⏎ line…',
      after: '…ine ⏎ line ⏎ line ⏎ line ⏎ rack 5line ⏎ line ⏎ line ⏎ line ⏎ line…',
    })
  })

  it('is whole where the text is short, and never half an emoji', () => {
    expect(changedPart('web-1', 'db-1')).toEqual({ before: 'web-1', after: 'db-1' })
    const apples = '🍎'.repeat(40)
    for (const text of Object.values(changedPart(`${apples}a${apples}`, `${apples}🍏${apples}`))) {
      expect(text.isWellFormed()).toBe(true)
    }
  })
})
