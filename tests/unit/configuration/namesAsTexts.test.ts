import { describe, expect, it } from 'vitest'
import { writeConfiguration } from '../../../src/domain/configuration/writeConfiguration.ts'
import { ops, plan, problems, stored, vm, web } from '../../support/fakes/configurationFile.ts'

/** What YAML takes for a number, a truth value or nothing where nothing is around it. */
const names = ['007', '1e3', '0x1F', '-1.50', '.inf', 'true', 'False', 'null', 'NULL', '9007199254740993']

const rule = (ignore: object) => ({ id: 3, name: 'cpu', rules: [{ type: 'cpu', max: 90, duration: 10, ignore }] })

const fleetOf = (name: string) =>
  stored({
    server: [{ ...vm, name }],
    'notification-group': [{ ...ops, name }],
    'server-group': [{ id: 5, name, servers: [4] }],
    service: [{ ...web, name, fail_trigger_tasks: null }],
    'alert-rule': [rule({ 4: true })],
    escalation: [{ id: 6, name, steps: [{ after_min: 0, notification_group_id: 9 }] }],
  })

const fileOf = (name: string) =>
  [
    'server-group:',
    `  - name: ${name}`,
    '    servers:',
    `      - ${name} # its only one`,
    'service:',
    `  - name: ${name} # the shop`,
    `    notification_group_id: ${name.toLowerCase() === 'null' ? `"${name}"` : name}`,
    `    skip_servers: [${name}]`,
    'alert-rule:',
    '  - name: cpu',
    '    rules:',
    `      - { type: cpu, max: 90, duration: 10, ignore: { ${name}: true } }`,
    'escalation:',
    `  - name: ${name}`,
    '    steps:',
    `      - { after_min: 0, notification_group_id: ${name.toLowerCase() === 'null' ? `"${name}"` : name} }`,
  ].join('\n')

describe.each(names)('A record called %s', (name) => {
  it('is written so that its name is a text for every reader, and read back', () => {
    const text = writeConfiguration(fleetOf(name))
    expect(text).toContain(`name: "${name}"`)
    expect(text).toContain(`"${name}": true`)
    expect(plan(text, fleetOf(name))).toMatchObject({ changes: [], unchanged: 6, problems: [], unlisted: [] })
  })

  it('is found by its name as it stands in a file, without quotes', () => {
    expect(plan(fileOf(name), fleetOf(name))).toMatchObject({ changes: [], unchanged: 4, problems: [] })
  })

  it('keeps its comments when it is exported over such a file', () => {
    const text = writeConfiguration(fleetOf(name), fileOf(name))
    expect(text).toContain(`name: "${name}" # the shop`)
    expect(text).toContain(`- "${name}" # its only one`)
  })

  it('gets this name where a file says so', () => {
    const { changes } = plan(`server:\n  - name: ${name}\n    renamed_from: vm\n`, stored({ server: [vm] }))
    expect(changes).toMatchObject([{ verb: 'update', name, fields: [{ field: 'name', before: 'vm', after: name }] }])
    const back = plan(`server:\n  - name: vm\n    renamed_from: ${name}\n`, fleetOf(name))
    expect(back.changes).toMatchObject([{ verb: 'update', fields: [{ before: name, after: 'vm' }] }])
  })
})

it('Texts in secrets and notes are as they stand in the file', () => {
  const { changes } = plan('server:\n  - name: vm\n    note: 007\n', stored({ server: [vm] }))
  expect(changes).toMatchObject([{ fields: [{ field: 'note', after: '007' }] }])
})

it('A name that is not there is missing, and null stands for no record', () => {
  for (const nothing of ['', '~', '""'])
    expect(problems(`cron:\n  - name: ${nothing}\n`).join()).toContain('needs a name')
  const { changes, problems: found } = plan('service: [{ name: web, notification_group_id: null }]')
  expect(found).toEqual([])
  expect(changes).toMatchObject([{ fields: [{ field: 'notification_group_id', before: 'ops', after: null }] }])
})
