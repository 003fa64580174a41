import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { notedQuestion } from '../../../server/inspect/questions/questionsPlugin.ts'
import { tellFile, tellPackage, tellProcesses, tellUnit } from '../../../server/inspect/questions/readings.ts'
import { type ExecOrder, type ExecResult, OperationError } from '../../../server/machines/hosts/operations.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { type QuestionState, questionLimits } from '../../../src/schemas/inspect/question.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

type Exec = (order: ExecOrder, signal: AbortSignal) => Promise<ExecResult>

const says = (stdout: string, exit_code = 0): ExecResult => ({ exit_code, stdout, stderr: '', duration_ms: 1 })

/** A machine that does not answer. @param signals gets the signal of each order */
const untilAborted =
  (signals: AbortSignal[]): Exec =>
  (_, signal) =>
    new Promise((_resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })

/** So many machines that are online. @param exec how each answers. Default: as this machine does */
async function fleet(count: number, exec?: (index: number) => Exec) {
  const server = await testServer({ machines: createMachines })
  const hosts = Array.from({ length: count }, (_, index) => {
    const host = addHost(server, { uuid: `machine-${index}`, name: `web-${index}` })
    if (exec) host.operations.exec = exec(index)
    return host
  })
  const rows = entityTable(server.store, serverEntity)
  const ids = rows.all().map(({ id }) => id)
  const admin = await signedIn(server)

  async function post(path: string, body?: object, browser = admin) {
    const reply = await browser.call('POST', `wheelhouse/questions${path}`, { body })
    return reply.body as { data?: { id: string }; error?: string; success?: boolean }
  }
  async function look(id: string, after = 0, browser = admin) {
    const { body } = await browser.get(`wheelhouse/questions/${id}?after=${after}`)
    return body as { data: QuestionState; error?: string }
  }
  return {
    server,
    hosts,
    rows,
    ids,
    admin,
    post,
    look,
    async ask(kind: string, text: string, more: object = {}) {
      const path = kind === 'command' ? '/command' : ''
      const { data, error } = await post(path, { ...(kind !== 'command' && { kind }), text, servers: ids, ...more })
      if (!data) throw new Error(error)
      return data.id
    },
    /** What it says when it has ended, and all answers are there. */
    end: (id: string) =>
      vi.waitFor(async () => {
        const { data } = await look(id)
        expect(data.done).toBe(data.total)
        expect(data.ended).toBeDefined()
        return data
      }),
  }
}

/** `texts` with the ids of who said them. */
const grouped = ({ answers, texts }: QuestionState) =>
  texts.map(({ id, text }) => [text, answers.filter(({ text_id }) => text_id === id).map(({ server_id }) => server_id)])

describe('the same question to many servers', () => {
  it('puts alike answers together, however their lines end, and says what differs so', async () => {
    const answers = ['a\nb\n', 'a \r\nb', 'c\n', 'a\nb\n\n', '']
    const { ask, end, ids } = await fleet(5, (index) => async () => says(answers[index] ?? ''))
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
    const { ask, end, hosts, ids } = await fleet(5, (index) => failing[index] as Exec)
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
    const { ask, end } = await fleet(30, () => exec)
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
    const { ask, end, post, ids } = await fleet(3, () => exec)
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
    const { ask, end, look } = await fleet(2, (index) => async () => says(`text ${index}`))
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
    const { ask, server, ids, post, look, rows } = await fleet(2, () => async () => says('x'))
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
    const { server, ids, post, look, rows } = await fleet(3, () => exec)
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
    const { server, ids, post } = await fleet(1, () => untilAborted(signals))
    const other = await signedIn(server)
    await post('/command', { text: 'id', servers: ids }, other)
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    await other.call('POST', 'wheelhouse/logout')
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))
  })

  it('does not look any more: it ends after half a minute', async () => {
    const signals: AbortSignal[] = []
    const { ask, end, server } = await fleet(1, () => untilAborted(signals))
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
    const { ask, end, ids, admin } = await fleet(2, () => exec)
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
    const { server, rows, ids, ask, look, post, end } = await fleet(3, exec)
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
    const { ask, post, ids, end } = await fleet(1, () => untilAborted([]))
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
  const { admin, server, post, look } = await fleet(1)
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
  const { server, ids } = await fleet(2, () => async () => says('x'))
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
  const { admin, ids, post, end, ask } = await fleet(2, () => async () => says('x'))
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

describe('this machine', () => {
  async function own() {
    const all = await fleet(1)
    const programs = fakePrograms(temporaryFolder())
    const [host] = all.hosts
    if (!host) throw new Error('no host')
    const { exec } = host.operations
    host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
    return {
      ...all,
      async told(kind: string, text: string) {
        const state = await all.end(await all.ask(kind, text))
        const [answer] = state.answers
        return { ...state.texts[0], ...(answer?.cause && { cause: answer.cause, reason: answer.reason }) }
      },
    }
  }

  it('says the content of a file, and what it is when it is none', async () => {
    const { told } = await own()
    const folder = temporaryFolder()
    const path = join(folder, "it's $(id) `x` \\ ü.conf")
    writeFileSync(path, 'port 80\n')
    mkdirSync(join(folder, 'conf.d'))
    writeFileSync(join(folder, 'large'), 'x'.repeat(questionLimits.answerBytes + 1))
    writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0]))
    writeFileSync(join(folder, 'empty'), '')
    expect(await told('file', path)).toEqual({ id: 0, text: 'port 80\n' })
    expect(await told('file', join(folder, 'none'))).toEqual({ id: 0, text: '', is_absent: true })
    expect(await told('file', join(folder, 'empty'))).toEqual({ id: 0, text: '' })
    expect(await told('file', join(folder, 'conf.d'))).toMatchObject({ reason: 'The machine said: this is not a file' })
    expect(await told('file', join(folder, 'large'))).toMatchObject({ truncated: true, size: 65_537 })
    expect(await told('file', join(folder, 'binary'))).toMatchObject({
      size: 3,
      checksum: expect.stringMatching(/^\w{64}$/),
    })
  })

  it('runs a command by the shell, with both of its outputs in order', async () => {
    const { told } = await own()
    const command = `echo "it's" 1; echo two >&2; echo $((1 + 2)); exit 3`
    expect(await told('command', command)).toEqual({ id: 0, text: "it's 1\ntwo\n3\n", exit_code: 3 })
  })

  it('says the state of a unit', async () => {
    const { told } = await own()
    expect(await told('unit', 'nginx.service')).toEqual({ id: 0, text: 'active (running), enabled' })
  })

  it('says which processes run, without those that ask', async () => {
    const { told } = await own()
    expect((await told('process', 'VITEST')).text).toMatch(/vitest/i)
    // Those of other tests on this machine are there for a moment.
    await expect.poll(() => told('process', 'ps -ww -e -o')).toMatchObject({ is_absent: true })
  })
})

describe('what programs print', () => {
  it.each([
    ['dpkg\nii  3.0.15-1~deb12u1\nii  3.0.15-1~deb12u1\n', '3.0.15-1~deb12u1'],
    ['dpkg\nhi  1:2.39-6\n', '1:2.39-6'],
    ['dpkg\nrc  1.0\n', undefined],
    ['dpkg\nun  \n', undefined],
    ['dpkg\n', undefined],
    ['rpm\n6.1.9-2.el9\n1:6.1.10-2.el9_4.1\n', '1:6.1.10-2.el9_4.1\n6.1.9-2.el9'],
    ['rpm\npackage openssl is not installed\n', undefined],
    ['apk\nopenssl-3.3.2-r1\n', '3.3.2-r1'],
    ['apk\n', undefined],
    ['opkg\nluci-base - 24.086\n', '24.086'],
    ['pkg\n8.9.1\n', '8.9.1'],
  ])('about a package: %j is %j', (output, text) => {
    expect(tellPackage(output)).toEqual(text === undefined ? { text: '', isAbsent: true } : { text })
  })

  it('about a unit', () => {
    const unit = (load: string, active: string, sub: string, file: string) =>
      tellUnit(`LoadState=${load}\nActiveState=${active}\nSubState=${sub}\nUnitFileState=${file}\n`)
    expect(unit('loaded', 'active', 'running', 'enabled')).toEqual({ text: 'active (running), enabled' })
    expect(unit('masked', 'inactive', 'dead', 'masked')).toEqual({ text: 'inactive (dead), masked' })
    expect(unit('loaded', 'failed', 'failed', '')).toEqual({ text: 'failed (failed)' })
    expect(unit('not-found', 'inactive', 'dead', '')).toEqual({ text: '', isAbsent: true })
    expect(tellUnit(' * status: started\n')).toEqual({ text: 'started' })
    expect(tellUnit('')).toEqual({ text: '', isAbsent: true })
  })

  it('about a file, which a machine without checksums can say unless they are needed', () => {
    const sum = 'a'.repeat(64)
    expect(tellFile('8 \nport 80\n')).toEqual({ text: 'port 80\n' })
    expect(tellFile(`8 ${sum} -\nport 80\n`)).toEqual({ text: 'port 80\n' })
    expect(tellFile(`1 ${sum} -\n\uFFFD`)).toEqual({ text: '\uFFFD', size: 1, checksum: sum })
    expect(() => tellFile('1 \n\uFFFD')).toThrow('sha256sum is not installed on this machine.')
    expect(() => tellFile('70000 \nx')).toThrow('sha256sum is not installed on this machine.')
  })

  it('about processes, without those that ask', () => {
    const output =
      '90\n  1     0 /sbin/init\n 90    80 sh -c ps nginx\n 91    90 ps nginx\n  7     1 nginx: Worker\n  8     1 nginx: Worker\n'
    expect(tellProcesses(output, 'NGINX')).toEqual({ text: 'nginx: Worker (2)' })
    expect(tellProcesses(output, 'apache')).toEqual({ text: '', isAbsent: true })
  })
})
