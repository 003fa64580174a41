import { describe, expect, it } from 'vitest'
import { warningText } from '../../../src/domain/configuration/problem.ts'
import { maxFileBytes } from '../../../src/domain/configuration/readConfiguration.ts'
import { fleet, plan, problems, stored, vm, web } from '../../support/fakes/configurationFile.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'

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

  it.each(['WHEELHOUSE_TOKEN', 'WHEELHOUSE_PASSWORD', 'wheelhouse_token', 'WHEELHOUSE_', 'ADMIN_PASSWORD'])(
    'are never the variable %s, with which the command itself signs in',
    (name) => {
      const file = text.replace('HOOK', name)
      const { problems: found, variables, changes } = plan(file, stored(), { variables: { [name]: 'abc' } })
      expect(found).toMatchObject([{ code: 'variable_reserved' }])
      expect(variables).toEqual([])
      expect(JSON.stringify(changes)).not.toContain('abc')
    },
  )

  it('are cleared by an empty text, where the server says that one is set', () => {
    const cleared = 'notification: [{ name: mail, request_body: "", request_header: "" }]'
    const told = stored({ notification: [{ id: 1, name: 'mail', url: '' }] }, { notification: { 1: ['request_body'] } })
    expect(plan(cleared, told)).toMatchObject({
      changes: [{ verb: 'update', fields: [{ field: 'request_body', before: 'kept', after: '' }] }],
      warnings: [],
    })
    const untold = plan(cleared, withNotifier())
    expect(untold.changes).toEqual([])
    expect(untold.warnings.map(warningText)).toEqual([
      expect.stringContaining('request_header stays as it is'),
      expect.stringContaining('1:44: request_body stays as it is: this server cannot clear it'),
    ])
    const needed = stored({ notification: [{ id: 1, name: 'mail', url: '' }] }, { notification: { 1: ['url'] } })
    expect(problems('notification: [{ name: mail, url: "" }]', needed)).toContain(
      '1:35: url cannot be cleared: the record needs it.',
    )
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
    ['service: [', '1:11: A quotation mark or bracket before this place is not closed.'],
    ['cron: ["a', '1:10: A quotation mark or bracket before this place is not closed.'],
    ['cron:\n\t- name: a', '2:1: This line begins with a tab: indent it by spaces.'],
    ['cron:\n  - name: a\n   command: b', '3:1: This line is not indented like the others of its list or record.'],
    ['cron:\n- name: a\n    command: b', '2:9: This line is not indented like the others'],
    ['cron:\n  - name: a: b', '2:11: This value needs quotation marks'],
    ['cron:\n  - name: @a', '2:11: This value needs quotation marks'],
    ['cron:\n  - name: "a" b', '2:15: "b" is not expected here.'],
    ['cron: []\n---\nnat: []', '2:1: "---" is not expected here.'],
    ['cron:\n  - name: "\\q"', '2:12: "\\q" is not expected here.'],
    ['cron: []\nnat', '2:1: There is no colon after the name of this field.'],
    ['cron\nnat: []', '1:1: There is no colon after the name of this field.'],
    ['%FOO\n---\ncron: []', '1:1: This is not YAML: Unknown directive %FOO'],
    ['services: []', '1:1: There are no records called services: expected '],
    ['service:\n  - name: web\n    tarket: x', '3:5: service has no field tarket: expected name, type'],
    ['service:\n  - name: web\n    id: 7', '3:5: service has no field id'],
    ['service:\n  - target: x', '2:5: The record needs a name.'],
    ['service:\n  - name: web\n  - name: web', '3:5: service has a record called "web" already, on line 2.'],
    ['service: { name: web }', '1:1: service must be a list of records.'],
    ['service: [web]', '1:11: Expected a mapping'],
    ['cron: [{ name: [a] }]', '1:16: name must be text: put it into quotes.'],
    ['service: [{ name: web, duration: "60" }]', '1:34: duration must be a number.'],
    ['service: [{ name: web, notify: yes }]', '1:32: notify must be true or false.'],
    ['service: [{ name: web, cover: some }]', '1:31: cover cannot be some: expected all, only.'],
    ['service: [{ name: web, skip_servers: [vm, nope] }]', '1:43: skip_servers: there is no server called "nope".'],
    [
      'service: [{ name: web, notification_group_id: [ops] }]',
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
    ['cron: [{ name: a, command: !run b }]', '1:28: Anchors, aliases and tags are not supported'],
    ['cron: [{ name: a, name: b }]', '1:19: This field is there twice.'],
  ])('%j', (text, sentence) => {
    const found = problems(text)
    expect(found.join('\n')).toContain(sentence)
    expect(found.length).toBe(1)
  })

  it('for a file that is nested without end', () => {
    const depth = 20_000
    expect(problems(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toEqual(['The file is nested deeper than 100 levels.'])
    const rules = `${'['.repeat(150)}${']'.repeat(150)}`
    expect(problems(`alert-rule: [{ name: a, rules: ${rules} }]`).join()).toContain('nested deeper than 100 levels')
  })

  it('for a value that its field does not take, with what it takes', () => {
    expect(problems('cron: [{ name: a, scheduler: "* * * * *" }]').join()).toContain(
      'scheduler: Needs 6 fields: second, minute, hour, day of month, month, day of week. Found: 5.',
    )
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

  it('for new records that name each other in a circle', () => {
    const service = (name: string, parent: string) =>
      `\n  - { name: ${name}, target: "https://a.example", depends_on_services: [${parent}] }`
    const words = (name: string, line: number) =>
      `${line}:5: service "${name}" refers to itself, directly or by way of other new records.`
    expect(problems(`service:${service('a', 'b')}${service('b', 'c')}${service('c', 'b')}`)).toEqual([words('b', 3)])
    expect(problems(`service:${service('a', 'a')}`)).toEqual([words('a', 2)])
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

  it('for a file with a mistake in each of its lines, without much work', async () => {
    const text = `server:\n${'  - @\n'.repeat(40_000)}`
    await expectLessProcessorTime(4000, () => expect(problems(text).length).toBe(100))
  })
})
