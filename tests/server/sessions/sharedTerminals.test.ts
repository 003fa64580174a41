import { describe, expect, it, vi } from 'vitest'
import { shareEndedCode, shellEndedCode } from '../../../src/schemas/frames/terminal.ts'
import type { Browser } from '../../support/console/browser.ts'
import { prompt, startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const notShared = { error: 'this terminal is not shared with you, or not any more' }

/** A terminal of the member, whose server is theirs, at its first prompt and told of its state. */
async function openOwn(server: TerminalServer, username = 'member') {
  const browser = await server.signIn(username)
  const { session_id = '' } = await server.create(browser)
  const terminal = await server.attach(browser, `${session_id}?offset=0&state=1`)
  await terminal.until(prompt)
  return { ...terminal, browser, session: session_id.slice(0, 8) }
}

async function share(browser: Browser, session: string, mode: 'watch' | 'type'): Promise<string> {
  const { body } = await browser.call('POST', `wheelhouse/terminals/${session}/share`, { body: { mode } })
  return (body as { data: { code: string } }).data.code
}

const join = async (browser: Browser, code: string) =>
  (await browser.call('POST', `wheelhouse/shared-terminals/${code}/join`)).body as {
    data?: { session_id: string; username: string }
    error?: string
  }

async function joined(server: TerminalServer, browser: Browser, code: string) {
  const { data } = await join(browser, code)
  return server.attachGuest(browser, `${data?.session_id}?offset=0`)
}

/** A server of the member with an open terminal, which is shared. */
async function sharedTerminal(mode: 'watch' | 'type', times = {}) {
  const server = await startTerminalServer(times)
  server.giveTo(2)
  const own = await openOwn(server)
  const code = await share(own.browser, own.session, mode)
  return { server, own, code, admin: await server.signIn() }
}

describe('a shared terminal', () => {
  it('shows its guest what was printed before and what comes, and nothing that the guest types', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    own.type('echo before $((1 + 1))\r')
    await own.until('before 2')
    const guest = await joined(server, admin, code)
    await guest.until('before 2')
    guest.type('echo typed by the guest\r')
    own.type('echo after $((1 + 1))\r')
    await guest.until('after 2')
    expect(own.output()).not.toContain('typed by the guest')
  })

  it('lets its guest type where the owner wants that, and takes it back at once', async () => {
    const { server, own, code, admin } = await sharedTerminal('type')
    const guest = await joined(server, admin, code)
    guest.type('echo guest $((1 + 1))\r')
    await own.until('guest 2')
    expect(await share(own.browser, own.session, 'watch')).toBe(code)
    guest.type('echo again $((1 + 1))\r')
    own.type('echo own $((1 + 1))\r')
    await guest.until('own 2')
    expect(own.output()).not.toContain('again')
  })

  it('tells everybody who is there, who typed last, and how large the screen is', async () => {
    const { server, own, code, admin } = await sharedTerminal('type')
    own.send(Buffer.concat([Buffer.of(1), Buffer.from('{"Rows":30,"Cols":100}')]))
    const guest = await joined(server, admin, code)
    guest.type('echo hi\r')
    const people = [
      { name: 'member', role: 'owner', typed: false },
      { name: 'admin', role: 'guest', typed: true },
    ]
    const state = { rows: 30, cols: 100, people, share: 'type', recording: 'no' }
    for (const { states } of [own, guest]) await vi.waitFor(() => expect(states.at(-1)).toEqual(state))
    guest.socket.close(shellEndedCode)
    await vi.waitFor(() => expect(own.states.at(-1)?.people).toHaveLength(1))
  })

  it('ignores the size of the window of a guest', async () => {
    const { server, own, code, admin } = await sharedTerminal('type')
    const guest = await joined(server, admin, code)
    guest.send(Buffer.concat([Buffer.of(1), Buffer.from('{"Rows":10,"Cols":20}')]))
    own.type('stty size\r')
    await guest.until('24 80')
  })

  it('ends for its guests when the owner ends the share, and the link leads nowhere', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    const guest = await joined(server, admin, code)
    await own.browser.call('POST', `wheelhouse/terminals/${own.session}/unshare`)
    expect(await guest.closed).toBe(shareEndedCode)
    expect(await join(admin, code)).toEqual(notShared)
    own.type('echo still $((1 + 1))\r')
    await own.until('still 2')
  })

  it('ends with the shell, after its last words', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    const guest = await joined(server, admin, code)
    own.type('echo last $((1 + 1)); exit\r')
    expect(await guest.closed).toBe(shellEndedCode)
    expect(guest.output()).toContain('last 2')
    expect(await join(admin, code)).toEqual(notShared)
  })

  it('finds its guest again after a cut, with what came meanwhile and nothing twice', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    const { data } = await join(admin, code)
    const first = await server.attachGuest(admin, `${data?.session_id}?offset=0`)
    await first.until(prompt)
    first.socket.terminate()
    own.type('echo mean"while"\r')
    await own.until('\nmeanwhile')
    const again = await server.attachGuest(admin, `${data?.session_id}?offset=${Buffer.byteLength(first.output())}`)
    await again.until('\nmeanwhile')
    expect(again.output()).not.toMatch(new RegExp(`^${prompt}`))
    expect(server.audit.filter(({ action }) => action === 'terminal.join')).toHaveLength(1)
  })

  it('notes in the audit log who shared it, joined and left', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    const guest = await joined(server, admin, code)
    guest.socket.close(shellEndedCode)
    const lines = () => server.audit.filter(({ action }) => /^terminal\.(share|join|leave)$/.test(action))
    await vi.waitFor(() =>
      expect(lines()).toMatchObject([
        { action: 'terminal.share', username: 'member', target: 'server 1', detail: { session: own.session } },
        { action: 'terminal.join', username: 'admin', detail: { owner: 'member', mode: 'watch' } },
        { action: 'terminal.leave', username: 'admin', detail: { outcome: 'closed', bytes_in: 0 } },
      ]),
    )
  })
})

describe('a shared terminal is not for somebody else', () => {
  it('who may not use the server, or has a wrong link', async () => {
    const { server, code, admin, own } = await sharedTerminal('type')
    expect(await join(await server.signIn('other'), code)).toEqual(notShared)
    expect(await join(admin, 'wrong')).toEqual(notShared)
    const { body } = await (await server.signIn('other')).call('POST', `wheelhouse/terminals/${own.session}/share`, {
      body: { mode: 'type' },
    })
    expect(body).toEqual({ error: 'terminal not found' })
  })

  it('and the place of a guest is not for another person', async () => {
    const { server, code, admin } = await sharedTerminal('type')
    const { data } = await join(admin, code)
    await expect(server.attachGuest(await server.signIn('other'), `${data?.session_id}`)).rejects.toThrow()
  })

  it('and a guest who may not use it any more is out', async () => {
    const { server, code, admin, own } = await sharedTerminal('type', { watchMs: 20 })
    const guest = await joined(server, admin, code)
    await admin.call('POST', 'wheelhouse/logout')
    expect(await guest.closed).toBe(shareEndedCode)
    own.type('echo still $((1 + 1))\r')
    await own.until('still 2')
  })

  it('and a guest whose further role is taken away is out, and types nothing more', async () => {
    // Longer than the test: it is the next message that is refused, not the next look.
    const { server, code, admin, own } = await sharedTerminal('type', { watchMs: 600_000 })
    const give = (role: string) =>
      admin.call('PATCH', 'wheelhouse/users/3/roles', {
        body: { roles: [{ role, scope: { groups: [], servers: [1] } }] },
      })
    const other = await server.signIn('other')
    await give('viewer')
    expect(await join(other, code)).toEqual(notShared)
    await give('operator')
    const guest = await joined(server, other, code)
    guest.type('echo with $((1 + 1))\r')
    await own.until('with 2')
    await give('viewer')
    guest.type('echo without $((1 + 1))\r')
    expect(await guest.closed).toBe(shareEndedCode)
    own.type('echo still $((1 + 1))\r')
    await own.until('still 2')
    expect(own.output()).not.toContain('without')
    expect(server.audit.find(({ action }) => action === 'terminal.leave')).toMatchObject({
      username: 'other',
      detail: { outcome: 'no longer allowed' },
    })
  })

  it('and a guest who only watches is out with the role, without a message', async () => {
    const { server, code, admin, own } = await sharedTerminal('watch', { watchMs: 20 })
    const give = (roles: object[]) => admin.call('PATCH', 'wheelhouse/users/3/roles', { body: { roles } })
    await give([{ role: 'operator', scope: { groups: [], servers: [1] } }])
    const guest = await joined(server, await server.signIn('other'), code)
    await guest.until(prompt)
    await give([])
    expect(await guest.closed).toBe(shareEndedCode)
    own.type('echo secret $((1 + 1))\r')
    await own.until('secret 2')
    expect(guest.output()).not.toContain('secret')
  })

  it('nor for more guests than there may be', async () => {
    const { server, code, admin } = await sharedTerminal('watch')
    for (let count = 0; count < 9; count += 1) await joined(server, admin, code)
    // Who loads the page again keeps nobody out.
    for (let count = 0; count < 3; count += 1) expect(await join(admin, code)).toHaveProperty('data')
    await joined(server, admin, code)
    expect(await join(admin, code)).toEqual({ error: 'too many people are in this terminal' })
  })
})

describe('a guest who reads nothing', () => {
  it('holds up neither the shell nor its owner, and gets the latest output later', async () => {
    const { server, own, code, admin } = await sharedTerminal('watch')
    const guest = await joined(server, admin, code)
    await guest.until(prompt)
    guest.socket.pause()
    own.type('seq 1 1500000 | tail -c 9000000; echo all $((1 + 1)) printed\r')
    await own.until('all 2 printed')
    guest.socket.resume()
    await guest.until('all 2 printed')
    expect(guest.words.length).toBeGreaterThan(1)
    expect(guest.output().length).toBeLessThan(own.output().length)
  })
})
