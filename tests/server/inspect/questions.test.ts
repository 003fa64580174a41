import { describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { notedQuestion } from '../../../server/inspect/questions/questionsPlugin.ts'
import { type ExecResult, OperationError } from '../../../server/machines/hosts/operations.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { type QuestionState, questionLimits } from '../../../src/schemas/inspect/question.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { type Exec, questionFleet } from '../../support/inspect/questionFleet.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const says = (stdout: string, exit_code = 0): ExecResult => ({ exit_code, stdout, stderr: '', duration_ms: 1 })

/** A machine that does not answer. @param signals gets the signal of each order */
const untilAborted =
  (signals: AbortSignal[]): Exec =>
  (_, signal) =>
    new Promise((_resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })

/** `texts` with the ids of who said them. */
const grouped = ({ answers, texts }: QuestionState) =>
  texts.map(({ id, text }) => [text, answers.filter(({ text_id }) => text_id === id).map(({ server_id }) => server_id)])

describe('the same question to many servers', () => {
  it('puts alike answers together, however their lines end, and says what differs so', async () => {
    const answers = ['a\nb\n', 'a \r\nb', 'c\n', 'a\nb\n\n', '']
    const { ask, end, ids } = await questionFleet(5, (index) => async () => says(answers[index] ?? ''))
    const state = await end(await ask('command', 'cat /etc/motd'))
    expect(state).toMatchObject({ kind: 'command', text: 'cat /etc/motd', ended: 'done', failed: 0 })
    expect(grouped(state)).toEqual([
      ['a\nb\n', [ids[0], ids[1], ids[3]]],
      ['c\n', [ids[2]]],
      ['', [ids[4]]],
    ])
    const differing = state.answers.filter(({ differs_in_blanks }) => differs_in_blanks)
    expect(differing.map(({ server_id }) => server_id)).toEqual([ids[1], ids[3]])
    expect(state.answers[0]).toEqual({ server_id: ids[0], name: 'web-0', text_id: 0 })
  })

  it('has the reason in words where a machine cannot answer', async () => {
    const failing: Exec[] = [
      async () => says('ok'),
      async () => ({ ...says(''), exit_code: -1, error: 'agent disabled command execution' }),
      async () => Promise.reject(new OperationError('unsupported', 'old')),
      async () => ({ ...says(''), timed_out: true }),
      async () => says('ok'),
    ]
    const { ask, end, hosts, ids } = await questionFleet(5, (index) => failing[index] as Exec)
    hosts[4]?.disconnect()
    const { answers, failed } = await end(await ask('command', 'true'))
    expect(answers.map(({ cause }) => cause).toSorted()).toEqual(
      ['agent_version', 'commands_off', 'offline', 'timeout', undefined].toSorted(),
    )
    expect(answers.find(({ server_id }) => server_id === ids[4])).toMatchObject({ reason: 'This machine is offline.' })
    // A machine that cannot be asked has not failed.
    expect(failed).toBe(1)
  })

  it('asks so many at a time, and no further ones after so many failures', async () => {
    let now = 0
    let most = 0
    const exec: Exec = async () => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now--
      return says('no', 1)
    }
    const { ask, end } = await questionFleet(30, () => exec)
    const state = await end(await ask('command', 'false', { at_once: 4, stop_after: 6 }))
    expect(most).toBe(4)
    expect(state).toMatchObject({ ended: 'failures', total: 30 })
    expect(state.failed).toBeGreaterThanOrEqual(6)
    expect(state.failed).toBeLessThanOrEqual(9)
    expect(state.answers.filter(({ cause }) => cause === 'ended').length).toBeGreaterThanOrEqual(21)
    expect(state.texts).toEqual([expect.objectContaining({ text: 'no', exit_code: 1 })])
  })

  it('can be ended; what a machine says afterwards is not taken', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    const signals: AbortSignal[] = []
    const exec: Exec = async (_, signal) => {
      signals.push(signal)
      await late
      return says('late secret')
    }
    const { ask, end, post, ids } = await questionFleet(3, () => exec)
    const id = await ask('command', 'sleep 50', { at_once: 2 })
    await vi.waitFor(() => expect(signals).toHaveLength(2))
    expect(await post(`/${id}/end`)).toMatchObject({ success: true })
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    release()
    const state = await end(id)
    expect(state).toMatchObject({ ended: 'person', texts: [] })
    expect(state.answers.map(({ cause }) => cause)).toEqual(['ended', 'ended', 'ended'])
    expect(signals).toHaveLength(2)
    expect(state.answers.map(({ server_id }) => server_id).toSorted()).toEqual(ids.toSorted())
  })

  it('gives each text once, and again to who did not get it', async () => {
    const { ask, end, look } = await questionFleet(2, (index) => async () => says(`text ${index}`))
    const id = await ask('command', 'x')
    await end(id)
    expect((await look(id)).data.texts).toHaveLength(2)
    expect((await look(id, 1)).data.texts).toHaveLength(1)
    expect((await look(id, 2)).data).toMatchObject({ answers: [], texts: [], next: 2 })
    expect((await look(id, 99)).data).toMatchObject({ answers: [], next: 2 })
  })
})

describe('who asks', () => {
  it('is told of servers that somebody else owns only that these are not theirs', async () => {
    const { ask, server, ids, post, look, rows } = await questionFleet(2, () => async () => says('x'))
    const [own = 0, others = 0] = ids
    const member = await signedIn(server, 'member')
    const order = { kind: 'process', text: 'init', servers: ids }
    expect(await post('', order, member)).toEqual({ error: 'permission denied' })
    rows.update(own, { user_id: 2 })
    const { data } = await post('', order, member)
    await vi.waitFor(async () => {
      const { data: state } = await look(data?.id ?? '', 0, member)
      expect(state.answers.toSorted((one, other) => one.server_id - other.server_id)).toEqual([
        expect.objectContaining({ server_id: own, name: 'web-0' }),
        { server_id: others, name: '', cause: 'not_allowed', reason: 'You may not look into this server.' },
      ])
    })
    // An administrator may see it, and end it; not the other way round.
    expect((await look(data?.id ?? '')).data).toMatchObject({ asked_by: 'member', may_end: true })
    expect(await post(`/${await ask('command', 'id')}/end`, undefined, member)).toEqual({ error: 'permission denied' })
  })

  it('who loses a right while it is under way gets no answer of that server any more', async () => {
    const asked: (() => void)[] = []
    const exec: Exec = () => new Promise((resolve) => asked.push(() => resolve(says('secret'))))
    const { server, ids, post, look, rows } = await questionFleet(3, () => exec)
    for (const id of ids) rows.update(id, { user_id: 2 })
    const member = await signedIn(server, 'member')
    const { data } = await post('/command', { text: 'id', servers: ids, at_once: 1 }, member)
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    asked[0]?.()
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    for (const id of ids) rows.update(id, { user_id: 1 })
    asked[1]?.()
    const state = await vi.waitFor(async () => {
      const { data: now } = await look(data?.id ?? '', 0, member)
      expect(now.done).toBe(3)
      return now
    })
    expect(state.answers.map(({ cause }) => cause)).toEqual(['not_allowed', 'not_allowed', 'not_allowed'])
    expect(state.texts).toEqual([])
    expect(asked).toHaveLength(2)
  })

  it('signs out while it is under way: it ends', async () => {
    const signals: AbortSignal[] = []
    const { server, ids, post } = await questionFleet(1, () => untilAborted(signals))
    const other = await signedIn(server)
    await post('/command', { text: 'id', servers: ids }, other)
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    await other.call('POST', 'wheelhouse/logout')
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))
  })

  it('does not look any more: it ends after half a minute', async () => {
    const signals: AbortSignal[] = []
    const { ask, end, server } = await questionFleet(1, () => untilAborted(signals))
    const id = await ask('command', 'sleep 60')
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    server.clock.now += (questionLimits.unwatchedSeconds + 1) * 1000
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))
    expect(await end(id)).toMatchObject({ ended: 'left' })
    expect(server.logged).toEqual([])
  })

  it('has a server deleted while it is under way', async () => {
    const asked: (() => void)[] = []
    const exec: Exec = () => new Promise((resolve) => asked.push(() => resolve(says('x'))))
    const { ask, end, ids, admin } = await questionFleet(2, () => exec)
    const id = await ask('command', 'id', { at_once: 1 })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    await admin.call('POST', 'batch-delete/server', { body: ids })
    asked[0]?.()
    const { answers } = await end(id)
    expect(answers).toEqual(
      ids.map((server_id, index) => expect.objectContaining({ server_id, name: `web-${index}`, cause: 'deleted' })),
    )
  })

  it('is looked at by a colleague, who sees what they may, and ends nothing', async () => {
    const released = Promise.withResolvers<void>()
    const exec = (index: number) => async () => {
      if (index === 1) await released.promise
      return says(index === 2 ? 'other' : 'same')
    }
    const { server, rows, ids, ask, look, post, end } = await questionFleet(3, exec)
    const [own = 0, second = 0, third = 0] = ids
    const member = await signedIn(server, 'member')
    const id = await ask('command', 'uname -r', { at_once: 1 })
    const unknown = { error: 'question not found: ask it again' }
    expect(await look(id, 0, member)).toMatchObject(unknown)
    rows.update(second, { user_id: 2 })
    const first = await look(id, 0, member)
    expect(first.data).toMatchObject({ asked_by: 'admin', may_end: false })
    expect(await post(`/${id}/end`, undefined, member)).toEqual({ error: 'permission denied' })
    released.resolve()
    const seen = await end(id)
    expect(seen).toMatchObject({ may_end: true, done: 3 })
    // The first with this text was hidden from them: it comes with the first that they may know.
    const hidden = { name: '', cause: 'not_allowed', reason: 'You may not look into this server.' }
    const { data } = await look(id, 1, member)
    expect(data.answers).toEqual([
      { server_id: second, name: 'web-1', text_id: 0 },
      { server_id: third, ...hidden },
    ])
    expect(data.texts).toEqual([{ id: 0, text: 'same', exit_code: 0 }])
    expect((await look(id, 0, member)).data.answers[0]).toEqual({ server_id: own, ...hidden })
    // Two who look one after the other get the same.
    expect((await look(id, 0)).data.texts).toHaveLength(2)
    expect((await look(id, 1)).data.texts).toEqual([{ id: 1, text: 'other', exit_code: 0 }])
  })

  it('does not wait for what a few others ask: each has one of their own, and administrators always', async () => {
    const server = await testServer({ machines: createMachines })
    const host = addHost(server)
    host.operations.exec = untilAborted([])
    const [row] = entityTable(server.store, serverEntity).all()
    const order = { kind: 'unit' as const, text: 'nginx', servers: [row?.id ?? 0], at_once: 1, stop_after: 0 }
    const { questions } = server.app
    entityTable(server.store, serverEntity).update(row?.id ?? 0, { user_id: 0 })
    const grants = { has: () => true, teams: () => new Set<number>() }
    const askAs = (id: number, role: 0 | 1 = 1) =>
      questions.ask(() => ({ id, username: `user-${id}`, role, grants }), order)
    const { perPerson, crowded, total } = questionLimits.running
    for (let person = 10; person < 10 + crowded / perPerson; person++) {
      for (let asked = 0; asked < perPerson; asked++) askAs(person)
    }
    askAs(50)
    expect(() => askAs(50)).toThrow('9 questions are under way on this server: try again in a minute')
    for (let person = 100; person < 100 + total - crowded - 1; person++) askAs(person)
    expect(() => askAs(51)).toThrow(`${total} questions are under way on this server: try again in a minute`)
    askAs(1, 0)
    askAs(1, 0)
    expect(() => askAs(1, 0)).toThrow('2 questions of yours are under way')
  })

  it('asks too much', async () => {
    const { ask, post, ids, end } = await questionFleet(1, () => untilAborted([]))
    const first = await ask('command', 'x')
    await ask('command', 'x')
    await expect(ask('command', 'x')).rejects.toThrow('2 questions of yours are under way: wait for one, or end it')
    await post(`/${first}/end`)
    await end(first)
    await ask('command', 'x')
    const servers = Array.from({ length: questionLimits.servers + 1 }, (_, index) => index + 1)
    const order = { kind: 'unit', text: 'nginx', servers }
    expect(await post('', order)).toEqual({ error: expect.stringContaining('servers is not valid') })
    for (const wrong of [
      { kind: 'unit', text: '--now' },
      { kind: 'package', text: 'a b' },
      { kind: 'package', text: '-W' },
      { kind: 'file', text: 'etc/hosts' },
      { kind: 'file', text: '/etc/../root' },
      { kind: 'weather', text: 'x' },
      { kind: 'process', text: '  ' },
    ]) {
      expect([wrong.text, await post('', { ...wrong, servers: ids })]).toEqual([
        wrong.text,
        { error: expect.any(String) },
      ])
    }
  })
})

it('5,000 servers that are offline are answered for at once', async () => {
  const { admin, server, post, look } = await questionFleet(1)
  const { body } = await admin.get('server')
  expect(body).toMatchObject({ success: true })
  const rows = entityTable(server.store, serverEntity)
  for (let index = 0; index < 4999; index++) rows.insert({ name: `db-${index}`, user_id: 1, uuid: `db-${index}` })
  const servers = rows.all().map(({ id }) => id)
  const { data } = await post('', { kind: 'file', text: '/none', servers, at_once: 32 })
  let seen = 0
  await vi.waitFor(async () => {
    for (let done = -1; done < seen; ) {
      const { data: state } = await look(data?.id ?? '', seen)
      seen = state.next
      done = state.next >= state.done ? seen : -1
    }
    expect(seen).toBe(5000)
  })
})

it('a token needs its scope, and keeps to its servers', async () => {
  const { server, ids } = await questionFleet(2, () => async () => says('x'))
  const [own = 0, other = 0] = ids
  const reader = programWith(server, { scopes: ['nezha:server:read'], server_ids: [own] })
  const order = { text: 'id', servers: ids }
  expect((await reader.call('POST', 'wheelhouse/questions/command', order)).body).toMatchObject({
    error: expect.stringContaining('nezha:server:exec'),
  })
  const runner = programWith(server, { scopes: ['nezha:server:read', 'nezha:server:exec'], server_ids: [own] })
  const { body } = await runner.call('POST', 'wheelhouse/questions/command', order)
  const { id } = (body as { data: { id: string } }).data
  await vi.waitFor(async () => {
    const { data } = (await runner.get(`wheelhouse/questions/${id}`)).body as { data: QuestionState }
    expect(data.ended).toBe('done')
    expect(data.answers.toSorted((one, another) => one.server_id - another.server_id)).toEqual([
      { server_id: own, name: 'web-0', text_id: 0 },
      { server_id: other, name: '', cause: 'not_allowed', reason: 'You may not look into this server.' },
    ])
  })
  const unknown = { error: 'question not found: ask it again' }
  expect((await reader.get(`wheelhouse/questions/${id}`)).body).toMatchObject(unknown)
})

it('the audit log has one line of a command, with its program alone', async () => {
  const { admin, ids, post, end, ask } = await questionFleet(2, () => async () => says('x'))
  await end(await ask('command', 'PASSWORD=hunter2 mysqldump --password=hunter2'))
  const { body } = await admin.get('wheelhouse/audit?limit=50')
  const lines = (body as { data: { value: { action: string }[] } }).data.value
  const asked = lines.filter(({ action }) => action.startsWith('server.'))
  expect(asked).toEqual([
    expect.objectContaining({
      action: 'server.command',
      target: `server ${ids.join(', ')}`,
      detail: { name: 'web-0, web-1', kind: 'command', program: 'mysqldump', count: 2 },
    }),
  ])
  expect(JSON.stringify(lines)).not.toContain('hunter2')
  expect(await post('', { kind: 'unit', text: 'nginx', servers: [999] })).toEqual({ error: 'permission denied' })
})

it.each([
  ['uname -r', 'uname'],
  ['/usr/bin/apt-get -y upgrade', '/usr/bin/apt-get'],
  ['LANG=C df', 'df'],
  ['ls|wc -l', 'ls'],
  [`PASSWORD='correct hunter2' mysqldump`, ''],
  ['PASSWORD=correct\\ hunter2 mysqldump', ''],
  ['PASSWORD=$(echo hunter2) mysqldump', ''],
  ['PASSWORD=hunter2', ''],
  ['(PASSWORD=hunter2; export PASSWORD; mysqldump)', ''],
  ['{ PASSWORD=hunter2; mysqldump; }', ''],
  ['"PASSWORD=hunter2"', ''],
  ['A=1;PASSWORD=hunter2 mysqldump', ''],
  ['>hunter2 mysqldump', ''],
])('the audit log notes of %j the program %j, and no secret', (text, program) => {
  expect(notedQuestion({ kind: 'command', text, servers: [1] })).toEqual({ kind: 'command', program, count: 1 })
})
