import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import type { Person } from '../../../server/person.ts'
import { createStreamSessions, sessionLimits } from '../../../server/sessions/sessions.ts'
import { writeSite } from '../../../server/site/site.ts'
import { shellEndedCode, takenOverCode } from '../../../src/schemas/frames/terminal.ts'
import type { Browser } from '../../support/console/browser.ts'
import { readRefusal } from '../../support/recorded/socketRecording.ts'
import { prompt, startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const denied = readRefusal('ws-terminal-unknown-session')
const minutes = 60_000

const attach = (server: TerminalServer, browser: Browser, id: string, offset = 0) =>
  server.attach(browser, `${id}?offset=${offset}`)

/** A terminal at its first prompt, of a client that comes back. */
async function open(server: TerminalServer, username?: string) {
  const browser = await server.signIn(username)
  const { session_id: id = '' } = await server.create(browser)
  const terminal = await attach(server, browser, id)
  await terminal.until(prompt)
  return { ...terminal, browser, id }
}

async function cutOff({ socket, closed }: Awaited<ReturnType<typeof open>>): Promise<void> {
  socket.terminate()
  await closed
}

/** Envelopes leave out an empty list. */
async function list(browser: Browser): Promise<{ id: string; held_until?: string }[]> {
  const { body } = await browser.call('GET', 'wheelhouse/terminals')
  return (body as { data?: { id: string; held_until?: string }[] }).data ?? []
}

const heldCount = async (browser: Browser) => (await list(browser)).filter(({ held_until }) => held_until).length
const untilHeld = (browser: Browser, count = 1) => vi.waitFor(async () => expect(await heldCount(browser)).toBe(count))

describe('a terminal whose connection was lost', () => {
  it('is the same shell when the browser comes back, with all that it has printed', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    first.type('here=same; echo before $((1 + 1))\r')
    await first.until('before 2')
    await cutOff(first)
    const again = await attach(server, first.browser, first.id)
    await again.until('before 2')
    expect(again.words).toEqual([{ from: 0, to: expect.any(Number), modes: '' }])
    again.type('echo "$here shell"\r')
    await again.until('same shell')
  })

  it('goes on meanwhile, and sends only what the browser does not have', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    const go = join(server.host.folder, 'go')
    first.type(`while [ ! -e '${go}' ]; do sleep 0.02; done; echo mean"while"; touch '${go}.done'\r`)
    await first.until('.done')
    const seen = first.output()
    await cutOff(first)
    await untilHeld(first.browser)
    writeFileSync(go, '')
    await vi.waitFor(() => expect(existsSync(`${go}.done`)).toBe(true))
    const again = await attach(server, first.browser, first.id, Buffer.byteLength(seen))
    await again.until('meanwhile')
    expect(again.output()).not.toContain('ready> while')
    expect(again.words).toEqual([{ from: Buffer.byteLength(seen), to: expect.any(Number), modes: '' }])
  })

  it('ends when nobody comes back in time, and not before', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    const first = await open(server)
    await cutOff(first)
    await untilHeld(first.browser)
    server.later(5 * minutes)
    await untilHeld(first.browser)
    server.later(5 * minutes)
    await vi.waitFor(async () => expect(await list(first.browser)).toEqual([]))
    expect(server.audit.find(({ action }) => action === 'terminal.end')).toMatchObject({
      detail: { outcome: 'held until it expired' },
    })
    expect(await server.refused(first.browser, `${first.id}?offset=0`)).toEqual(denied)
  })

  it('ends at once where the settings hold none, or hold none any more', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    const held = await open(server)
    await cutOff(held)
    await untilHeld(held.browser)
    writeSite(server.store, { terminal_hold_minutes: 0 })
    await vi.waitFor(async () => expect(await list(held.browser)).toEqual([]))
    const later = await open(server)
    await cutOff(later)
    await vi.waitFor(async () => expect(await list(later.browser)).toEqual([]))
  })

  it('ends at once for a client that does not come back, or that says so', async () => {
    const server = await startTerminalServer()
    const plain = await server.open()
    plain.socket.terminate()
    await vi.waitFor(async () => expect(await list(plain.browser)).toEqual([]))
    const polite = await open(server)
    polite.socket.close(shellEndedCode)
    await vi.waitFor(async () => expect(await list(polite.browser)).toEqual([]))
  })

  it('tells a client that comes back when the shell has ended', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    first.type('exit\r')
    expect(await first.closed).toBe(shellEndedCode)
  })

  it('is held too when its browser answers no ping', async () => {
    const server = await startTerminalServer({ pingMs: 20 })
    const first = await open(server)
    first.socket.pong = () => {}
    await first.closed
    await untilHeld(first.browser)
  })
})

describe('a second window with the same terminal', () => {
  it('takes it over, and the first is told', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    const second = await attach(server, first.browser, first.id)
    expect(await first.closed).toBe(takenOverCode)
    second.type('echo from the $((1 + 1))nd\r')
    await second.until('from the 2nd')
    expect(await heldCount(first.browser)).toBe(0)
  })
})

describe('a held terminal is not for somebody else', () => {
  it('neither in the list, nor to attach to, nor to end; administrators see it', async () => {
    const server = await startTerminalServer()
    server.giveTo(2)
    const first = await open(server, 'member')
    await cutOff(first)
    await untilHeld(first.browser)
    const [{ id = '' } = {}] = await list(first.browser)
    const other = await server.signIn('other')
    expect(await list(other)).toEqual([])
    const gone = { error: 'terminal not found' }
    for (const act of ['attach', 'end']) {
      expect((await other.call('POST', `wheelhouse/terminals/${id}/${act}`)).body).toEqual(gone)
    }
    expect(await server.refused(other, `${first.id}?offset=0`)).toEqual(readRefusal('ws-terminal-other-user'))
    expect(await list(await server.signIn())).toMatchObject([{ id, username: 'member', server_name: 'box' }])
  })

  it('and its history is sent to nobody once the server has another owner', async () => {
    const server = await startTerminalServer({ watchMs: 3_600_000 })
    server.giveTo(2)
    const first = await open(server, 'member')
    await cutOff(first)
    await untilHeld(first.browser)
    server.giveTo(3)
    for (const browser of [first.browser, await server.signIn(), await server.signIn('other')]) {
      expect(await server.refused(browser, `${first.id}?offset=0`)).toEqual(denied)
      expect(await list(browser)).toEqual([])
    }
  })

  it.each([
    ['its sign-in ends', ({ store }: TerminalServer) => void createSessions(store, Date.now).revokeAll(2)],
    ['its server is moved', (server: TerminalServer) => server.giveTo(3)],
  ])('and ends when %s', async (_what, act) => {
    const server = await startTerminalServer({ watchMs: 20 })
    server.giveTo(2)
    const first = await open(server, 'member')
    await cutOff(first)
    await untilHeld(first.browser)
    act(server)
    await vi.waitFor(() => expect(server.audit.map(({ action }) => action)).toContain('terminal.end'))
  })

  it('and ends with the server, with the user, or when the user signs out', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    server.giveTo(2)
    const ends = () => server.audit.filter(({ action }) => action === 'terminal.end').length
    const signedOut = await open(server, 'member')
    await cutOff(signedOut)
    await untilHeld(signedOut.browser)
    await signedOut.browser.call('POST', 'wheelhouse/logout')
    await vi.waitFor(() => expect(ends()).toBe(1))
    const deleted = await open(server, 'member')
    await cutOff(deleted)
    await untilHeld(deleted.browser)
    await (await server.signIn()).call('POST', 'batch-delete/user', { body: [2] })
    await vi.waitFor(() => expect(ends()).toBe(2))
    const last = await open(server)
    await cutOff(last)
    await untilHeld(last.browser)
    await last.browser.call('POST', 'batch-delete/server', { body: [1] })
    await vi.waitFor(() => expect(ends()).toBe(3))
  })
})

describe('the list of open terminals', () => {
  it('says which there are, gives another browser what it takes to show one, and ends it', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    first.type('echo here\r')
    await first.until('here')
    const shown = {
      id: first.id.slice(0, 8),
      server_id: 1,
      server_name: 'box',
      username: 'admin',
      is_own: true,
      opened_at: expect.any(String),
      used_at: expect.any(String),
    }
    expect(await list(first.browser)).toEqual([shown])
    const elsewhere = await server.signIn()
    const { body } = await elsewhere.call('POST', `wheelhouse/terminals/${shown.id}/attach`)
    expect(body).toEqual({ success: true, data: { session_id: first.id, server_id: 1, server_name: 'box' } })
    const second = await attach(server, elsewhere, first.id)
    await second.until('here')
    await elsewhere.call('POST', `wheelhouse/terminals/${shown.id}/end`)
    expect(await second.closed).toBe(shellEndedCode)
    expect(await list(elsewhere)).toEqual([])
    expect(server.audit.find(({ action }) => action === 'terminal.close')).toMatchObject({
      username: 'admin',
      target: 'server 1',
      detail: { session: shown.id },
    })
  })
})

describe('the limits of held terminals', () => {
  it('keep nobody from opening another: the one held longest makes room', async () => {
    const server = await startTerminalServer()
    const [oldest, newer] = [await open(server), await open(server)]
    await cutOff(oldest)
    await untilHeld(oldest.browser)
    server.later(1_000)
    await cutOff(newer)
    await untilHeld(oldest.browser, 2)
    const browser = await server.signIn()
    for (let made = 0; made < 18; made += 1) expect(await server.create(browser)).toHaveProperty('session_id')
    expect(await server.create(browser)).toHaveProperty('session_id')
    expect((await list(browser)).map(({ id }) => id)).toEqual([newer.id.slice(0, 8)])
  })

  it('end nothing for a token that does not reach the server of the shell', () => {
    const sessions = createStreamSessions({ audit: openAuditLog({ lines: [] }), now: Date.now, holdMs: () => minutes })
    const person: Person = { id: 1, username: 'admin', role: 0 }
    const token = { id: 1, name: 'deploy', scopes: ['nezha:server:exec'], servers: new Set([7]) }
    const request = (id: number, by = person) =>
      ({ person: by, address: '', server: { id, name: '', ownerId: 1 }, host: createTestHost() }) as const
    const held = sessions.create('terminal', request(1))
    sessions.attached(held, { person, address: '' })
    sessions.hold(held)
    for (let made = 1; made < sessionLimits.perPerson; made += 1) sessions.create('terminal', request(7))
    const limited = request(7, { ...person, token })
    expect(() => sessions.create('terminal', limited)).toThrow('too many concurrent streams for this user')
    expect(sessions.list('terminal', person).map(({ session }) => session.id)).toEqual([held.id])
    sessions.create('terminal', request(7))
    expect(sessions.list('terminal', person)).toEqual([])
  })

  it('slow down a shell that prints without end, and keep its last output', async () => {
    const server = await startTerminalServer()
    const first = await open(server)
    first.type('i=0; while [ $i -lt 150000 ]; do i=$((i+1)); echo "row $i"; done; echo all $((1 + 1)) printed\r')
    await first.until('row 100\r')
    await cutOff(first)
    await untilHeld(first.browser)
    const again = await attach(server, first.browser, first.id)
    await again.until('all 2 printed')
  })
})
