import { describe, expect, it } from 'vitest'
import { configuredEntities } from '../../../src/configuration/configuredEntities.ts'
import { type PlanOptions, planConfiguration } from '../../../src/configuration/planConfiguration.ts'
import { problemText, warningText } from '../../../src/configuration/problem.ts'
import { maxFileBytes, readConfiguration } from '../../../src/configuration/readConfiguration.ts'
import { type RecordsByEntity, type StoredRecord, storedRecords } from '../../../src/configuration/storedRecords.ts'
import { sharedNames, writeConfiguration } from '../../../src/configuration/writeConfiguration.ts'
import { referencesOf } from '../../../src/schemas/define/references.ts'

/** What a server has; entities without records are there, and empty. */
function stored(records: Record<string, readonly StoredRecord[]> = {}): RecordsByEntity {
  return new Map(configuredEntities().map((entity) => [entity.name, storedRecords(entity, records[entity.name] ?? [])]))
}

const vm = { id: 4, name: 'vm', display_index: 0 }
const ops = { id: 9, name: 'ops', notifications: [] }
const restart = { id: 2, name: 'restart', task_type: 1, command: 'reboot', servers: null, cover: 0 }
const web = {
  ...{ id: 7, name: 'web', type: 1, target: 'https://example.org', duration: 30, cover: 1, skip_servers: { 4: true } },
  ...{ notification_group_id: 9, fail_trigger_tasks: [2, 99], recover_trigger_tasks: null, hide_for_guest: true },
}
const fleet = () => stored({ server: [vm], 'notification-group': [ops], cron: [restart], service: [web] })

const plan = (text: string, have = fleet(), options: PlanOptions = {}) =>
  planConfiguration(readConfiguration(text), have, options)
const problems = (text: string, have = fleet(), options: PlanOptions = {}) =>
  plan(text, have, options).problems.map(problemText)

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
    ]) {
      expect(names).toContain(expected)
    }
    for (const left of ['user', 'server-share', 'mute', 'alarm', 'audit', 'waf']) expect(names).not.toContain(left)
    for (const [at, entity] of configuredEntities().entries()) {
      for (const { to } of referencesOf(entity)) expect(names.slice(0, at)).toContain(to)
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
      ...{ server: [vm], 'notification-group': [ops], cron: [restart] },
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

describe('A plan', () => {
  it('names each field that changes, old and new, and leaves alone what the file does not say', () => {
    const { changes, unchanged } = plan(
      'service: [{ name: web, duration: 60, cover: all, skip_servers: [] }]\nserver: [{ name: vm }]',
    )
    expect(changes).toEqual([
      {
        ...{ verb: 'update', entity: 'service', name: 'web', id: 7 },
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

describe('Secrets', () => {
  const variable = '$' + '{HOOK}'
  const text = `notification: [{ name: mail, url: "https://hooks.example.org/${variable}" }]`
  const withNotifier = () => stored({ notification: [{ id: 1, name: 'mail', url: '' }] })

  it('are sent for a new record, and shown nowhere in the plan', () => {
    const { changes, variables } = plan(text, stored(), { variables: { HOOK: 'abc' } })
    expect(changes[0]?.secrets).toEqual({ url: 'https://hooks.example.org/abc' })
    expect(JSON.stringify(changes[0]?.fields)).not.toContain('abc')
    expect(variables).toEqual(['HOOK'])
  })

  it('stay as they are on a record that exists, unless they are to be sent again', () => {
    expect(plan(text, withNotifier())).toMatchObject({ changes: [], variables: [], problems: [] })
    const again = plan(text, withNotifier(), { sendSecrets: true, variables: { HOOK: 'abc' } })
    expect(again.changes[0]).toMatchObject({ verb: 'update', secrets: { url: 'https://hooks.example.org/abc' } })
  })

  it('are asked for once, where a variable is not set', () => {
    expect(problems(text, stored())).toEqual([`1:35: url: the variable ${variable} is not set.`])
    expect(problems('notification: [{ name: mail, url: kept }]', stored())).toEqual([
      '1:35: url is not known for a new record: give it as a variable, such as $' + '{URL}.',
    ])
  })

  it('are warned about where one stands in the file, or will be empty', () => {
    const plain = plan('notification: [{ name: mail, url: "https://a.example/secret", request_body: kept }]', stored())
    expect(plain.problems).toEqual([])
    expect(plain.warnings.map(warningText)).toEqual([
      '1:35: url is a secret in plain text: write it as a variable, such as $' + '{URL}.',
      expect.stringContaining('request_body is not known for a new record'),
    ])
  })
})

describe('A mistake in the file is reported with its line and column', () => {
  it.each([
    ['service: [', '1:11: This is not YAML'],
    ['services: []', '1:1: There are no records called services: expected '],
    ['service:\n  - name: web\n    tarket: x', '3:5: service has no field tarket: expected name, type'],
    ['service:\n  - name: web\n    id: 7', '3:5: service has no field id'],
    ['service:\n  - target: x', '2:5: The record needs a name.'],
    ['service:\n  - name: web\n  - name: web', '3:5: service has a record called "web" already, on line 2.'],
    ['service: { name: web }', '1:1: service must be a list of records.'],
    ['service: [web]', '1:11: Expected a mapping'],
    ['cron: [{ name: 12 }]', '1:16: name must be text: put it into quotes.'],
    ['service: [{ name: web, duration: "60" }]', '1:34: duration must be a number.'],
    ['service: [{ name: web, notify: yes }]', '1:32: notify must be true or false.'],
    ['service: [{ name: web, cover: some }]', '1:31: cover cannot be some: expected all, only.'],
    ['service: [{ name: web, skip_servers: [vm, nope] }]', '1:43: skip_servers: there is no server called "nope".'],
    [
      'service: [{ name: web, notification_group_id: 9 }]',
      '1:47: notification_group_id must be a name in quotes, or null.',
    ],
    ['service: [{ name: web, duration: 5 }]', '1:34: duration must be at least 30.'],
    ['service: [{ name: web, target: "" }]', '1:32: target must not be empty.'],
    ['service: [{ name: new }]', '1:11: target is missing'],
    ['service: [{ name: web, type: tcp, target: x }]', '1:43: target'],
    [
      'alert-rule: [{ name: a, rules: [{ type: cpu, max: 1, duration: 5, ignore: { nope: true } }] }]',
      '1:32: rules: there is no server called "nope".',
    ],
    ['server: [{ name: other }]', '1:10: There is no server called "other", and a file cannot make one'],
    ['cron: [{ name: restart, command: &x b, scheduler: *x }]', '1:51: Anchors, aliases and tags are not supported'],
    ['cron: [{ name: a, command: !run b }]', 'Unresolved tag'],
    ['cron: [{ name: a, name: b }]', '1:19: This is not YAML'],
  ])('%j', (text, sentence) => {
    const found = problems(text)
    expect(found.join('\n')).toContain(sentence)
    expect(found.length).toBe(1)
  })

  it('for names that several records of the server have', () => {
    const twins = stored({ server: [vm, { ...vm, id: 5 }], service: [web] })
    expect(problems('server: [{ name: vm }]', twins)).toEqual([
      '1:10: 2 records of server are called "vm": give each a name of its own.',
    ])
    expect(problems('service: [{ name: web, skip_servers: [vm] }]', twins)).toEqual([
      '1:39: skip_servers: 2 records of server are called "vm": give each a name of its own.',
    ])
  })

  it('for a reference to a record that would be deleted', () => {
    const text = 'notification-group: []\nservice: [{ name: web, notification_group_id: ops }]'
    expect(problems(text, fleet(), { prune: true })).toEqual([
      '2:47: notification_group_id: the notification-group "ops" would be deleted, because the file does not have it.',
    ])
  })

  it('for records that belong to somebody else, and for entities that the server does not have', () => {
    expect(problems('server: [{ name: vm, note: x }]', stored({ server: [{ ...vm, read_only: true }] }))).toEqual([
      '1:10: server "vm" belongs to somebody else: it is read-only for you.',
    ])
    const older = new Map([...fleet()].filter(([name]) => name !== 'nat'))
    expect(problems('nat: [{ name: a }]', older)).toEqual(['1:7: This server has no nat.'])
  })

  it('for a file that is too large, and for at most a hundred places', () => {
    expect(problems(`# ${'x'.repeat(maxFileBytes)}`)).toEqual(['The file is larger than 4 MiB.'])
    expect(problems(`cron: [${'{ nmae: a },'.repeat(500)}]`).length).toBe(100)
  })
})
