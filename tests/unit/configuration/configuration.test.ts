import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configuredEntities } from '../../../src/domain/configuration/configuredEntities.ts'
import { configuredFields, namedRecords, storedRecords } from '../../../src/domain/configuration/fileValues.ts'
import { sharedNames, writeConfiguration } from '../../../src/domain/configuration/writeConfiguration.ts'
import { type FieldDescription, referencesOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { fleet, ops, plan, restart, stored, vm, web } from '../../support/fakes/configurationFile.ts'

describe('The entities of a configuration file', () => {
  it('stand behind those that they refer to, and leave out users and what servers write', () => {
    const names = configuredEntities().map(({ name }) => name)
    for (const expected of [
      'server',
      'server-group',
      'service',
      'cron',
      'alert-rule',
      'notification',
      'ddns',
      'nat',
      'maintenance-window',
      'escalation',
      'rota',
    ]) {
      expect(names).toContain(expected)
    }
    for (const left of ['user', 'server-share', 'mute', 'alarm', 'audit', 'waf']) expect(names).not.toContain(left)
    for (const [at, entity] of configuredEntities().entries()) {
      const inFile = configuredFields(entity).map(({ name }) => name)
      // A file makes no servers, users and teams: nothing has to wait for them.
      const isMade = (to: string) => !['server', 'user', 'team', entity.name].includes(to)
      const others = referencesOf(entity).filter(({ field, to }) => isMade(to) && inFile.includes(field))
      for (const { to } of others) expect(names.slice(0, at)).toContain(to)
    }
  })
})

describe('An exported file', () => {
  it('has names in place of ids and codes, no secrets, and nothing that leads nowhere', () => {
    const notifier = {
      id: 1,
      name: 'mail',
      url: 'https://secret.example.org',
      request_header: '{"a":"b"}',
      request_body: '',
    }
    const rule = { id: 3, name: 'cpu', rules: [{ type: 'cpu', max: 90, duration: 10, ignore: { 4: true, 77: true } }] }
    const have = stored({
      notification: [notifier],
      'alert-rule': [rule],
      server: [vm],
      'notification-group': [ops],
      cron: [restart],
      service: [web],
    })
    const text = writeConfiguration(have)
    expect(text).not.toContain('secret.example.org')
    expect(text).not.toContain('"b"')
    expect(text).toContain('url: kept')
    for (const line of ['type: http', 'cover: only', 'notification_group_id: ops', '- restart', 'vm: true']) {
      expect(text).toContain(line)
    }
    expect(text).not.toMatch(/\b(77|99)\b/)
  })

  it('changes nothing when it is applied to the server that it came from', () => {
    expect(plan(writeConfiguration(fleet()))).toMatchObject({ changes: [], unchanged: 4, problems: [], warnings: [] })
  })

  it('is the same when it is exported over itself, and keeps comments, variables and the order of sections', () => {
    const mine = [
      '# Who is on duty: Ada',
      'service:',
      '  # the shop',
      '  - name: web # since 2019',
      '    # not the CDN',
      '    target: https://old.example.org # moved',
      '    skip_servers:',
      '      # our own machine',
      '      - vm',
      '',
      '# what restarts',
      'cron:',
      '  - name: restart',
      '  # gone meanwhile',
      '  - name: lost',
      'notification:',
      '  - name: mail',
      '    url: https://hooks.example.org/$' + '{TOKEN}',
    ].join('\n')
    const have = stored({
      server: [vm],
      'notification-group': [ops],
      cron: [restart],
      service: [{ ...web, id: 8, name: 'api' }, web],
      notification: [{ id: 1, name: 'mail' }],
    })
    const first = writeConfiguration(have, mine)
    for (const kept of [
      '# Who is on duty: Ada',
      '# the shop\n  - name: web # since 2019',
      '# not the CDN\n    target: https://example.org # moved',
      '# our own machine\n      - vm',
      '# what restarts',
      '/$' + '{TOKEN}',
    ])
      expect(first).toContain(kept)
    expect(first).not.toContain('lost')
    expect(first.indexOf('name: api')).toBeLessThan(first.indexOf('# the shop'))
    expect(first.indexOf('service:')).toBeLessThan(first.indexOf('cron:'))
    expect(writeConfiguration(have, first)).toBe(first)
  })

  it('refuses a file that is no YAML rather than to write over it', () => {
    expect(() => writeConfiguration(fleet(), 'service: [')).toThrow()
  })

  it('says which records it could not distinguish', () => {
    const twins = stored({ server: [vm, { ...vm, id: 5 }, { id: 6, name: '' }] })
    expect(sharedNames(twins)).toEqual([
      { entity: 'server', name: 'vm', ids: [4, 5] },
      { entity: 'server', name: '', ids: [6] },
    ])
    expect(sharedNames(fleet())).toEqual([])
  })
})

/** A value as a server may have stored it, whatever its forms say now. */
function storedValue({ kind, choices = {}, initial }: FieldDescription): fc.Arbitrary<unknown> {
  const text = fc.oneof(fc.string(), fc.constantFrom('a\nb\n', '\ud800', ' x', '~', '1e3', ''))
  switch (kind) {
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(500.5))
    case 'flag':
      return fc.boolean()
    case 'choice':
      return fc.constantFrom(0, 99, ...Object.keys(choices).map((code) => (/^\d+$/.test(code) ? Number(code) : code)))
    case 'list':
      return fc.option(fc.array(text))
    case 'ref':
      return fc.nat(3)
    case 'refs':
      return fc.option(fc.uniqueArray(fc.nat(3)))
    case 'idSet':
      return fc.option(fc.dictionary(fc.nat(3).map(String), fc.boolean()))
    case 'json':
      return fc.constantFrom(null, initial ?? null)
    case 'moment':
      return fc.constantFrom('', '2026-11-21T08:00:00Z')
    default:
      return text
  }
}

const records = (entity: Entity) =>
  fc.uniqueArray(
    fc.record(
      {
        name: fc
          .oneof(fc.constantFrom('web \udc00', 'ü😀', 'kept', '- a'), fc.string({ minLength: 1 }))
          .map((text) => text.trim() || 'x'),
        ...Object.fromEntries(
          configuredFields(entity)
            .filter(({ name }) => name !== entity.nameField)
            .map((field) => [field.name, storedValue(field)]),
        ),
        stored_secrets: fc.constant(undefined),
      },
      { requiredKeys: ['name'] },
    ),
    { selector: ({ name }) => String(name).toWellFormed(), maxLength: 3 },
  )

describe('Whatever is stored', () => {
  it.each(configuredEntities().map((entity) => [entity.name, entity] as const))(
    'of %s is the same when it is exported twice, and applied it changes nothing',
    (name, entity) => {
      fc.assert(
        fc.property(records(entity), (found) => {
          const have = stored({ [name]: found.map((record, at) => ({ ...record, id: at + 1 })) })
          const text = writeConfiguration(have)
          expect(writeConfiguration(have, text)).toBe(text)
          expect(plan(text, have)).toMatchObject({ changes: [], problems: [], unchanged: found.length })
        }),
        { numRuns: 100, seed: 7 },
      )
    },
  )

  it('has no line for a secret that was never set', () => {
    const notifier = { id: 1, name: 'mail', url: '', request_header: '' }
    const [entity] = configuredEntities(
      ['notification'].flatMap((name) => configuredEntities().filter((one) => one.name === name)),
    )
    if (!entity) throw new Error('no notifiers')
    const have = new Map([['notification', storedRecords(entity, [notifier], { 1: ['url'] })]])
    const text = writeConfiguration(have)
    expect(text).toContain('url: kept')
    expect(text).not.toContain('request_header')
  })
})

describe('A plan', () => {
  it('names each field that changes, old and new, and leaves alone what the file does not say', () => {
    const { changes, unchanged } = plan(
      'service: [{ name: web, duration: 60, cover: all, skip_servers: [] }]\nserver: [{ name: vm }]',
    )
    expect(changes).toEqual([
      {
        verb: 'update',
        entity: 'service',
        name: 'web',
        id: 7,
        fields: [
          { field: 'duration', before: 30, after: 60 },
          { field: 'cover', before: 'only', after: 'all' },
          { field: 'skip_servers', before: ['vm'], after: [] },
        ],
      },
    ])
    expect(unchanged).toBe(1)
  })

  it('creates what others refer to first, whatever the order of the file is', () => {
    const text =
      'service: [{ name: new, target: "https://a.example", notification_group_id: night }]\nnotification-group: [{ name: night }]'
    const { changes, problems } = plan(text)
    expect(problems).toEqual([])
    expect(changes.map(({ verb, entity }) => `${verb} ${entity}`)).toEqual([
      'create notification-group',
      'create service',
    ])
  })

  it('creates records of one kind behind those that they name, before those that are changed', () => {
    const target = 'target: "https://a.example"'
    const text = [
      'service:',
      `  - { name: a, ${target}, depends_on_services: [c], check: { kind: group, services: [b] } }`,
      `  - { name: b, ${target}, depends_on_services: [c, web] }`,
      `  - { name: c, ${target} }`,
      '  - { name: web, depends_on_services: [a] }',
    ].join('\n')
    const have = stored({ service: [{ ...web, depends_on_services: [] }] })
    const { changes, problems } = plan(text, have)
    expect(problems).toEqual([])
    expect(changes.map(({ verb, name }) => `${verb} ${name}`)).toEqual([
      'create c',
      'create b',
      'create a',
      'update web',
    ])
  })

  it('names people who have no records in it', () => {
    const people = namedRecords({ 3: 'ada', 4: 'bea' })
    const week = { id: 1, name: 'week', people: [4, 3], starts_on: '2026-11-02', handover_at: '09:00' }
    const override = { from: '2026-12-24', to: '2026-12-26', user_id: 3 }
    const have = new Map([...stored({ rota: [{ ...week, overrides: [override] }] }), ['user', people]])
    const text = writeConfiguration(have)
    expect(text).not.toContain('user:')
    expect(text).toMatch(/people:\s+- bea\s+- ada\n.*user_id: ada\n/s)
    expect(plan(text, have)).toMatchObject({ changes: [], problems: [] })
    const [change] = plan('rota: [{ name: week, people: [ada] }]', have).changes
    expect(change?.fields).toEqual([{ field: 'people', before: ['bea', 'ada'], after: ['ada'] }])
    expect(plan('rota: [{ name: week, people: [eve] }]', have).problems).toMatchObject([
      { code: 'unknown_reference', args: { section: 'user', name: 'eve' } },
    ])
  })

  it('deletes with --prune only, only in sections that the file has, and what refers to others first', () => {
    const text = 'service: []\nnotification-group: []\nserver: []'
    expect(plan(text)).toMatchObject({
      changes: [],
      unlisted: [
        { entity: 'notification-group', name: 'ops' },
        { entity: 'service', name: 'web' },
      ],
    })
    const { changes, unlisted } = plan(text, fleet(), { prune: true })
    // A server that a file cannot make is not deleted by one either.
    expect(changes.map(({ verb, entity, name }) => `${verb} ${entity} ${name}`)).toEqual([
      'delete service web',
      'delete notification-group ops',
    ])
    expect(unlisted).toEqual([])
  })

  it('renames a record, and finds it under its new name the next time', () => {
    const text = 'server: [{ name: box, renamed_from: vm }]\nservice: [{ name: web, skip_servers: [box] }]'
    expect(plan(text).changes).toEqual([
      { verb: 'update', entity: 'server', name: 'box', id: 4, fields: [{ field: 'name', before: 'vm', after: 'box' }] },
    ])
    expect(plan(text, stored({ server: [{ ...vm, name: 'box' }], service: [web] })).changes).toEqual([])
  })

  it('takes empty parts of JSON, another order of names and left-out values for the same', () => {
    const rule = { id: 3, name: 'cpu', rules: [{ type: 'cpu', max: 90, duration: 10 }], fail_trigger_tasks: [2, 5] }
    const have = stored({ 'alert-rule': [rule], cron: [restart, { ...restart, id: 5, name: 'a' }] })
    const text =
      'alert-rule: [{ name: cpu, rules: [{ type: cpu, duration: 10, max: 90, min: 0, cover: 0, ignore: {} }], fail_trigger_tasks: [restart, a], recover_trigger_tasks: [] }]'
    expect(plan(text, have).changes).toEqual([])
  })
})
