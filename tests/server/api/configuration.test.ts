import { describe, expect, it } from 'vitest'
import {
  type ApiClient,
  ApplyError,
  NotFoundError,
  openServer,
} from '../../../server/commands/configuration/runningServer.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { planConfiguration } from '../../../src/domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../../src/domain/configuration/readConfiguration.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { notificationGroup } from '../../../src/schemas/notificationGroup.ts'
import type { Browser } from '../../support/console/browser.ts'
import { apiOf, apply, applyTo, exported, idsOf, sourceOf, variable } from '../../support/server/configurationFile.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

describe('Applying a configuration file', () => {
  const file = [
    `notification: [{ name: hook, url: "${variable}" }]`,
    'notification-group: [{ name: ops, notifications: [hook] }]',
    'cron: [{ name: restart, task_type: trigger, command: reboot }]',
    'service: [{ name: web, target: "https://example.org", notification_group_id: ops, fail_trigger_tasks: [restart] }]',
    'server: [{ name: machine, note: the first }]',
  ].join('\n')

  it('makes what the file says, sends no test message, and changes nothing the second time', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    expect((await apply(admin, file)).length).toBe(5)
    expect(await apply(admin, file)).toEqual([])
    const { data: services } = (await admin.get('service/list')).body as { data: Record<string, unknown>[] }
    expect(services).toMatchObject([{ name: 'web', notification_group_id: 1, fail_trigger_tasks: [1] }])
    expect(await apply(admin, 'service: []', { prune: true })).toMatchObject([{ verb: 'delete', name: 'web' }])
    expect(await idsOf(admin, 'service/list')).toEqual([])
  })

  it('gives records to teams by their names, also where the team has another number', async () => {
    const text = 'service: [{ name: web, target: "https://example.org", team: ops }]'
    const serverWith = async (...teams: string[]) => {
      const server = await testServer()
      for (const name of teams) server.app.auth.teams.create({ name, users: [], servers: [] })
      return signedIn(server)
    }
    const [one, other] = [await serverWith('ops'), await serverWith('early', 'ops')]
    await apply(one, text)
    const file = await exported(one)
    expect(file).toContain('team: ops')
    expect(await apply(one, file)).toEqual([])
    await apply(other, file)
    expect((await other.get('service/list')).body).toMatchObject({ data: [{ name: 'web', team: 2 }] })
    expect(await exported(other)).toBe(file)
    const stored = await (await sourceOf(await serverWith())).read()
    const { problems } = planConfiguration(readConfiguration(text), stored, {})
    expect(problems).toMatchObject([{ code: 'unknown_reference', args: { field: 'team', name: 'ops' } }])
  })

  it('gives records that name each other to a team and takes them back, each by one file; what it leaves out stays', async () => {
    const server = await testServer()
    server.app.auth.teams.create({ name: 'ops', users: [2], servers: [] })
    const member = await signedIn(server, 'member')
    const fileFor = (team: string) =>
      [
        `alert-rule: [{ name: CPU, notification_group_id: all, rules: [{ type: cpu, max: 90, duration: 10 }]${team} }]`,
        `notification-group: [{ name: all${team} }]`,
      ].join('\n')
    const owners = () =>
      [alertRule, notificationGroup].map((entity) => {
        const [row] = entityTable(server.store, entity).all()
        return [row?.user_id, row?.made_by, row?.team]
      })
    await apply(member, fileFor(''))
    expect(owners()).toEqual([
      [2, 0, 0],
      [2, 0, 0],
    ])
    await apply(member, fileFor(', team: ops'))
    const ofTeam = [
      [-1, 2, 1],
      [-1, 2, 1],
    ]
    expect(owners()).toEqual(ofTeam)
    expect(await apply(member, fileFor(''))).toEqual([])
    await apply(member, 'alert-rule: [{ name: CPU, rules: [{ type: cpu, max: 95, duration: 10 }] }]')
    expect(owners()).toEqual(ofTeam)
    await apply(member, fileFor(', team: null'))
    expect(owners()).toEqual([
      [2, 0, 0],
      [2, 0, 0],
    ])
  })

  it('makes a second server like the first: who is told when, and what depends on what', async () => {
    const text = [
      'notification-group: [{ name: ops, snapshot: true }]',
      'rota:',
      '  - name: week',
      '    people: [member, admin]',
      '    starts_on: "2026-11-02"',
      '    overrides: [{ from: "2026-12-24", to: "2026-12-26", user_id: admin }]',
      'escalation:',
      '  - name: night',
      '    steps: [{ after_min: 0, notification_group_id: ops }, { after_min: 15, rota_id: week }]',
      '    days: [saturday, sunday]',
      'alert-rule:',
      '  - name: busy',
      '    escalation_id: night',
      '    rules: [{ type: cpu, max: 90, duration: 10, recovery_max: 80, recovery_duration: 180 }]',
      '  - name: broken',
      '    rules: [{ type: unit_failed, duration: 10 }, { type: updates_waiting, max: 7, duration: 10 }]',
      'service:',
      '  - { name: all of it, target: shop, check: { kind: group, services: [a shop, gateway] } }',
      '  - name: a shop',
      '    target: "https://example.org"',
      '    escalation_id: night',
      '    depends_on: [machine]',
      '    depends_on_services: [gateway]',
      '  - { name: gateway, target: "https://example.net" }',
      'server: [{ name: machine, depends_on_services: [gateway] }]',
      'contract-setting:',
      '  - name: contracts',
      '    notification_group_id: ops',
      '    escalation_id: night',
      '    report: week',
      '    report_group_id: ops',
      '    currency: EUR',
      '    rates: [{ currency: USD, rate: 0.92 }]',
    ].join('\n')
    const serverWith = async () => {
      const server = await testServer()
      addMachine(server, 1)
      return signedIn(server)
    }
    const [one, other] = [await serverWith(), await serverWith()]
    await apply(one, text)
    const whole = await exported(one)
    for (const line of [
      '- member',
      'user_id: admin',
      'rota_id: week',
      'escalation_id: night',
      'report: week',
      'rate: 0.92',
      '- gateway',
      'snapshot: true',
    ]) {
      expect(whole).toContain(line)
    }
    await apply(other, whole)
    expect(await exported(other)).toBe(whole)
    expect(await apply(other, whole, { prune: true })).toEqual([])
  })

  it('keeps what a server cost before, whether the file says it or not', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    const priced = (
      price: number,
    ) => `server: [{ name: machine, contract: { price: ${price}, currency: EUR, cycle: month,
      resets_on: 1, quota_counts: sum } }]`
    await apply(admin, priced(5))
    expect(await apply(admin, priced(6))).toHaveLength(1)
    expect(await apply(admin, priced(6))).toEqual([])
    const whole = await exported(admin)
    expect(whole).toMatch(/former_prices:\n +- price: 5/)
    expect(await apply(admin, whole)).toEqual([])
    expect(await apply(admin, whole.replace('- price: 5', '- price: 4'))).toHaveLength(1)
    expect(await exported(admin)).toContain('- price: 4')
  })

  it('names people to those who may name them, and is not read without their names', async () => {
    const server = await testServer()
    const member = await signedIn(server, 'member')
    const week = { ...validForm('rota'), name: 'week', people: [2] }
    expect(await exported(member)).toContain('rota: []')
    await createRecord(member, 'rota', week)
    expect(await exported(member)).toMatch(/people:\s+- member\n/)
    const names = async (browser: Browser) => (await browser.get('wheelhouse/configuration/names')).body
    expect(await names(member)).toEqual({ success: true, data: { user: { 2: 'member' }, team: {} } })
    expect(await names(await signedIn(server))).toMatchObject({ data: { user: { 1: 'admin', 2: 'member' } } })
    const api = apiOf(member)
    const source = await openServer({
      async send(method, path, body) {
        if (path === 'wheelhouse/configuration/names') throw new Error('the token has no scope for this')
        return api.send(method, path, body)
      },
    })
    await expect(source.read()).rejects.toThrow('the token has no scope for this')
  })

  it('refuses a circle across servers and services whole, in words', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    const text = [
      'service: [{ name: gateway, target: "https://example.net", depends_on: [machine] }]',
      'server: [{ name: machine, depends_on_services: [gateway] }]',
    ].join('\n')
    await expect(apply(admin, text)).rejects.toThrow(
      'server "machine": depends_on_services: "gateway" depends on it already, directly or by others in between',
    )
    expect(await idsOf(admin, 'service/list')).toEqual([])
  })

  it('clears a stored secret', async () => {
    const admin = await signedIn(await testServer())
    const address = 'url: "https://hooks.example.org/a"'
    await apply(admin, `notification: [{ name: mail, ${address}, request_body: x, request_header: '{"a":"b"}' }]`)
    const file = 'notification: [{ name: mail, request_body: "" }]'
    expect(await apply(admin, file)).toHaveLength(1)
    expect(await exported(admin)).toMatch(/url: kept\n.*request_header: kept\n/s)
    expect(await exported(admin)).not.toContain('request_body')
    expect(await apply(admin, file)).toEqual([])
  })

  it('takes a latency with decimals, which the API takes', async () => {
    const admin = await signedIn(await testServer())
    const text = 'service: [{ name: web, target: "https://example.org", max_latency: 500.5 }]'
    expect(await apply(admin, text)).toHaveLength(1)
    expect((await admin.get('service/list')).body).toMatchObject({ data: [{ max_latency: 500.5 }] })
    expect(await apply(admin, await exported(admin), { prune: true })).toEqual([])
  })

  it('does all or nothing, and names the record that was refused', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    const two = (domain: string) =>
      `nat: [${['a', 'b'].map((name) => `{ name: ${name}, server_id: machine, host: "10.0.0.1:80", domain: ${domain} }`)}]`
    await expect(apply(admin, two('same.example.org'))).rejects.toThrow('nat "b": database error')
    expect(await idsOf(admin, 'nat')).toEqual([])
  })

  it('does so in steps between which others are served, and takes back what it has written when the last is refused', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const creation = (name: string, scheduler: string) => ({
      verb: 'create',
      entity: 'cron',
      name,
      fields: Object.entries({ name, command: 'true', scheduler }).map(([field, after]) => ({ field, after })),
    })
    const changes = Array.from({ length: 1500 }, (_, at) => creation(`task ${at}`, '0 0 3 * * *'))
    const send = async (sent: object[]) => {
      const work = admin.call('POST', 'wheelhouse/configuration', { body: { changes: sent } })
      let isOver = false
      void work.then(() => {
        isOver = true
      })
      const seen = new Set<number>()
      while (!isOver) seen.add((await idsOf(admin, 'cron')).length)
      return { seen, body: (await work).body }
    }
    const refused = await send([...changes, creation('wrong', 'now and then')])
    expect(refused.body).toMatchObject({ error: expect.stringContaining('cron "wrong"') })
    // Somebody was answered in the middle of it.
    expect([...refused.seen].some((count) => count > 0 && count < 1500)).toBe(true)
    expect(await idsOf(admin, 'cron')).toEqual([])
    expect((await admin.get('changes?entity=cron')).body).not.toHaveProperty('data.value')
    expect((await send(changes)).body).toMatchObject({ success: true })
    expect(await idsOf(admin, 'cron')).toHaveLength(1500)
  })

  it('is refused when somebody has changed a field since the plan', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    await apply(admin, file.split('\n').slice(0, 4).join('\n'))
    const source = await sourceOf(admin)
    const stored = await source.read()
    const { changes } = planConfiguration(readConfiguration('cron: [{ name: restart, command: halt }]'), stored)
    await apply(admin, 'cron: [{ name: restart, command: reboot -f }]')
    await expect(source.apply(changes, stored)).rejects.toThrow('was changed by somebody else meanwhile')
    expect((await exported(admin)).match(/command: .*/)?.[0]).toBe('command: reboot -f')
  })

  it.each([
    [{ verb: 'create', entity: 'user', name: 'x' }, 'there are no records of user in a configuration'],
    [
      { verb: 'delete', entity: 'server', name: 'machine', id: 1 },
      'a configuration cannot delete records of this kind',
    ],
    [
      { verb: 'create', entity: 'server', name: 'x', fields: [{ field: 'name', after: 'x' }] },
      'a configuration cannot create records of this kind',
    ],
    [{ verb: 'update', entity: 'cron', name: 'x', id: 77 }, 'was changed by somebody else'],
    [
      { verb: 'create', entity: 'cron', name: 'x', fields: [{ field: 'user_id', after: 2 }] },
      'there is no field user_id',
    ],
    [
      { verb: 'create', entity: 'cron', name: 'x', fields: [{ field: 'servers', after: [1] }] },
      'servers must be a list of texts',
    ],
    [
      { verb: 'create', entity: 'cron', name: 'x', fields: [{ field: 'servers', after: ['no'] }] },
      'there is no server "no" any more',
    ],
    [{ verb: 'create', entity: 'cron', name: 'x', fields: [{ field: 'name', after: '' }] }, 'name must not be empty'],
  ])('refuses a change that no plan has: %j', async (change, words) => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    const { text } = await admin.call('POST', 'wheelhouse/configuration', { body: { changes: [change] } })
    expect((JSON.parse(text) as { error: string }).error).toContain(words)
  })

  it('takes as many changes as the server carries out while others can wait', async () => {
    const admin = await signedIn(await testServer())
    const changes = Array.from({ length: 10_001 }, (_, at) => ({ verb: 'create', entity: 'cron', name: `task ${at}` }))
    const { text } = await admin.call('POST', 'wheelhouse/configuration', { body: { changes } })
    expect(text).toContain('a plan has at most 10000 changes: apply the file in parts, or to the data folder')
  })

  it('is for administrators', async () => {
    const member = await signedIn(await testServer(), 'member')
    const { text } = await member.call('POST', 'wheelhouse/configuration', { body: { changes: [] } })
    expect(text).toContain('permission denied')
  })
})

describe('Applying a configuration file to a server that has no call for it', () => {
  const file = [
    'cron: [{ name: a, task_type: trigger, command: x }]',
    `nat: [${['a', 'b', 'c'].map((name) => `{ name: ${name}, server_id: machine, host: "10.0.0.1:80", domain: ${name === 'c' ? 'c' : 'same'}.example.org }`).join(', ')}]`,
  ].join('\n')

  async function olderServer() {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await signedIn(server)
    const api = apiOf(admin)
    const send: ApiClient['send'] = async (method, path, body) => {
      if (path === 'setting') return {}
      if (path.startsWith('wheelhouse/')) throw new NotFoundError(path)
      return api.send(method, path, body)
    }
    return { admin, source: await openServer({ send }) }
  }

  it('goes record by record, ends at the first failure, and says what was done', async () => {
    const { admin, source } = await olderServer()
    const stored = await source.read()
    const { changes } = planConfiguration(readConfiguration(file), stored)
    const failure = await source.apply(changes, stored).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ApplyError)
    const { message, done } = failure as ApplyError
    expect(message).toBe('nat "b": database error')
    expect(done.map(({ entity, name }) => `${entity} ${name}`).sort()).toEqual(['cron a', 'nat a'])
    expect(await idsOf(admin, 'nat')).toHaveLength(1)

    const corrected = file.replace('domain: same.example.org }, { name: c', 'domain: b.example.org }, { name: c')
    await applyTo(source, corrected)
    expect(await applyTo(source, corrected)).toEqual([])
    await applyTo(source, 'nat: []\ncron: [{ name: a, command: y }]', { prune: true })
    expect(await idsOf(admin, 'nat')).toEqual([])
    expect(await exported(admin)).toContain('command: y')
  })

  it('keeps what somebody else changed meanwhile in other fields', async () => {
    const { admin, source } = await olderServer()
    await applyTo(source, 'cron: [{ name: a, task_type: trigger, command: x }]')
    const stored = await source.read()
    const { changes } = planConfiguration(readConfiguration('cron: [{ name: a, command: y }]'), stored)
    await apply(admin, 'cron: [{ name: a, push_successful: true }]')
    await source.apply(changes, stored)
    expect(await exported(admin)).toMatch(/command: y.*push_successful: true/s)
    await expect(source.apply(changes, stored)).rejects.toThrow('was changed by somebody else meanwhile')
  })
})
