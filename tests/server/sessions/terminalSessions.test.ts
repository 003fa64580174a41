import { describe, expect, it, vi } from 'vitest'
import { type Exchange, readRecording } from '../../support/recorded/recording.ts'
import { type Refusal, readRefusal } from '../../support/recorded/socketRecording.ts'
import { startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const denied: Refusal = readRefusal('ws-terminal-unknown-session')

/** As many sessions as may be, none of them attached. */
async function fill(server: TerminalServer, username: string, count: number): Promise<void> {
  const browser = await server.signIn(username)
  for (let made = 0; made < count; made++) expect(await server.create(browser)).toHaveProperty('session_id')
}

describe('a terminal is opened', () => {
  it('with the id, the number and the name of the server, as recorded', async () => {
    const server = await startTerminalServer()
    const browser = await server.signIn()
    const { body } = await browser.call('POST', 'terminal', { body: { server_id: 1 } })
    const [, recorded] = readRecording('terminal')
    const { data } = (recorded as Exchange).response.body as { data: { session_id: string } }
    expect(Object.keys((body as { data: object }).data)).toEqual(Object.keys(data))
    expect(body).toMatchObject({ success: true, data: { server_id: 1, server_name: 'box' } })
    expect((body as { data: { session_id: string } }).data.session_id).toHaveLength(data.session_id.length)
  })

  it('on a server that is there and online, by its owner', async () => {
    const server = await startTerminalServer()
    const [admin, member] = [await server.signIn(), await server.signIn('member')]
    const offline = { error: 'server not found or not connected' }
    expect(await server.create(admin, 4242)).toEqual(offline)
    expect((await admin.call('POST', 'terminal', { body: {} })).body).toEqual(offline)
    expect((await admin.call('POST', 'terminal', { body: { server_id: 'one' } })).body).toEqual({
      error: 'json: cannot unmarshal string into Go struct field TerminalForm.server_id of type uint64',
    })
    expect(await server.create(member)).toEqual({ error: 'permission denied' })
    server.giveTo(2)
    expect(await server.create(member)).toHaveProperty('session_id')
    await server.goOffline()
    expect(await server.create(admin)).toEqual(offline)
  })

  it('up to 20 times by one person, files among them', async () => {
    const server = await startTerminalServer()
    server.giveTo(2)
    await fill(server, 'admin', 19)
    const admin = await server.signIn()
    expect((await admin.call('POST', 'file?id=1')).body).toMatchObject({ success: true })
    const full = { error: 'too many concurrent streams for this user' }
    expect(await server.create(admin)).toEqual(full)
    expect((await admin.call('POST', 'file?id=1')).body).toEqual(full)
    expect(await server.create(await server.signIn('member'))).toHaveProperty('session_id')
  })

  it('up to 40 times on one server', async () => {
    const server = await startTerminalServer()
    for (const [userId, username] of ['admin', 'member'].entries()) {
      server.giveTo(userId + 1)
      await fill(server, username, 20)
    }
    server.giveTo(3)
    expect(await server.create(await server.signIn('other'))).toEqual({
      error: 'too many concurrent streams for this server',
    })
  })
})

describe('a file manager is opened', () => {
  const recorded = readRecording('file').filter(({ name }) =>
    [
      'create POST (current dialect)',
      'create GET (old dialect)',
      'create without id',
      'create unknown',
      'create id=abc',
    ].includes(name),
  )

  it('as recorded, good and bad', async () => {
    const server = await startTerminalServer()
    const admin = await server.signIn()
    expect(recorded).toHaveLength(5)
    for (const { name, request, response } of recorded) {
      const { status, body } = await admin.call(request.method, request.path)
      expect(status, name).toBe(response.status)
      const expected = response.body as { data?: object }
      expect(body, name).toEqual(expected.data ? { success: true, data: { session_id: expect.any(String) } } : expected)
    }
  })
})

describe('a session that nobody has attached to', () => {
  it('is forgotten after a minute, and its place is free again', async () => {
    const server = await startTerminalServer()
    await server.open()
    await fill(server, 'admin', 19)
    const admin = await server.signIn()
    const full = { error: 'too many concurrent streams for this user' }
    server.later(30_000)
    expect(await server.create(admin)).toEqual(full)
    server.later(30_000)
    // The one that somebody has attached to keeps its place.
    await fill(server, 'admin', 19)
    expect(await server.create(admin)).toEqual(full)
  })

  it('cannot be attached to after that', async () => {
    const server = await startTerminalServer()
    const admin = await server.signIn()
    const { session_id: id = '' } = await server.create(admin)
    server.later(60_000)
    expect(await server.refused(admin, id)).toEqual(denied)
  })
})

describe('a socket is refused with a message, as recorded', () => {
  it('for an id that is unknown or of another kind', async () => {
    const server = await startTerminalServer()
    const admin = await server.signIn()
    expect(await server.refused(admin, 'c9e2f3a0-0000-4000-8000-000000000000')).toEqual(denied)
    expect(await server.refused(admin, '__proto__')).toEqual(denied)
    const { body } = await admin.call('POST', 'file?id=1')
    expect(await server.refused(admin, (body as { data: { session_id: string } }).data.session_id)).toEqual(denied)
  })

  it('for a session that has ended', async () => {
    const server = await startTerminalServer()
    const { id, browser, socket, closed } = await server.open()
    socket.terminate()
    await closed
    await vi.waitFor(async () =>
      expect(await server.refused(browser, id)).toEqual(readRefusal('ws-terminal-reuse-refused')),
    )
  })

  it('for somebody else, but not for an admin', async () => {
    const server = await startTerminalServer()
    server.giveTo(2)
    const member = await server.signIn('member')
    const { session_id: id = '' } = await server.create(member)
    expect(await server.refused(await server.signIn('other'), id)).toEqual(readRefusal('ws-terminal-other-user'))
    const admins = await server.attach(await server.signIn(), id)
    await admins.until('ready> ')
  })

  it('for somebody who is not signed in', async () => {
    const server = await startTerminalServer()
    const { session_id: id = '' } = await server.create(await server.signIn())
    expect(await server.refused(await server.signIn(''), id)).toEqual(readRefusal('ws-terminal-anonymous'))
  })

  it('for a page of another origin', async () => {
    const server = await startTerminalServer()
    const admin = await server.signIn()
    const { session_id: id = '' } = await server.create(admin)
    expect(await server.refused(admin, id, { origin: 'https://evil.example' })).toEqual(
      readRefusal('ws-foreign-origin'),
    )
  })
})

describe('two sockets on one session', () => {
  it('are both let in, and when one goes the other is closed', async () => {
    const server = await startTerminalServer()
    const first = await server.open()
    const second = await server.attach(first.browser, first.id)
    second.type('echo from the $((1 + 1))nd\r')
    await second.until('from the 2nd')
    first.type('echo from the $((0 + 1))st\r')
    await second.until('from the 1st')
    second.socket.terminate()
    expect(await first.closed).toBe(1006)
  })
})

describe('the audit log', () => {
  it('records who opened a terminal, where from, and how it ended; and nothing of what was typed', async () => {
    const server = await startTerminalServer()
    const { type, closed, id } = await server.open()
    type('echo secret-word; exit\r')
    await closed
    await vi.waitFor(() => expect(server.audit.filter(({ action }) => action === 'terminal.end')).toHaveLength(1))
    const lines = server.audit.filter(({ action }) => action.startsWith('terminal.'))
    const who = { user_id: 1, username: 'admin', address: '127.0.0.1', target: 'server 1', at: expect.any(String) }
    expect(lines).toEqual([
      { ...who, action: 'terminal.open', detail: { session: id.slice(0, 8) } },
      {
        ...who,
        action: 'terminal.end',
        detail: {
          session: id.slice(0, 8),
          outcome: 'exited',
          bytes_in: 'echo secret-word; exit\r'.length,
          bytes_out: expect.any(Number),
          seconds: expect.any(Number),
        },
      },
    ])
    expect(JSON.stringify(server.audit)).not.toContain('secret-word')
  })

  it('records who tried to open the terminal of somebody else, and is not filled by visitors', async () => {
    const server = await startTerminalServer()
    const { session_id: id = '' } = await server.create(await server.signIn())
    await server.refused(await server.signIn('member'), id)
    await server.refused(await server.signIn(''), id)
    expect(server.audit.filter(({ action }) => action === 'terminal.refused')).toMatchObject([
      { username: 'member', address: '127.0.0.1', detail: { session: id.slice(0, 8) } },
    ])
  })
})
