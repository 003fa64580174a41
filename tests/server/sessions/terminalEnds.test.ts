import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { HostUnavailableError } from '../../../server/machines/hosts/host.ts'
import { sessionCloseCodes } from '../../../src/schemas/frames/sessionClose.ts'
import { startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'

describe('a terminal ends', () => {
  it('with the sign-in that it was opened with; others go on', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    server.giveTo(2)
    const [admin, member] = [await server.open('admin'), await server.open('member')]
    createSessions(server.store, Date.now).revokeAll(2)
    expect(await member.closed).toBe(1006)
    expect(admin.socket.readyState).toBe(admin.socket.OPEN)
  })

  it('before what is typed after the end of its sign-in reaches the shell, and when the role of its person changes', async () => {
    const server = await startTerminalServer({ watchMs: 3_600_000 })
    const file = join(server.host.folder, 'typed')
    for (const end of [
      () => createSessions(server.store, Date.now).revokeAll(1),
      () => void usersIn(server.store).update(1, { role: 1 }),
    ]) {
      const admin = await server.open('admin')
      end()
      admin.type(`touch '${file}'\r`)
      expect(await admin.closed).toBe(1006)
      expect(existsSync(file)).toBe(false)
    }
  })

  it('when its user is deleted, or blocked by address', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    server.giveTo(2)
    const [admin, member] = [await server.open('admin'), await server.open('member')]
    await admin.browser.call('POST', 'batch-delete/user', { body: [2] })
    expect(await member.closed).toBe(1006)
    await admin.browser.call('POST', 'online-user/batch-block', { body: ['127.0.0.1'] })
    expect(await admin.closed).toBe(1006)
  })

  it('not when somebody else at its address mistypes a password', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    const admin = await server.open('admin')
    const guess = () => admin.browser.call('POST', 'login', { body: { username: 'member', password: 'wrong' } })
    await guess()
    expect((await guess()).status).toBe(403)
    await new Promise((done) => setTimeout(done, 200))
    admin.type('echo still $((1 + 1)) here\r')
    await admin.until('still 2 here')
  })

  it('when its server is moved to another user, also an admin’s, or deleted', async () => {
    const server = await startTerminalServer({ watchMs: 20 })
    server.giveTo(2)
    const [admin, member] = [await server.open('admin'), await server.open('member')]
    server.giveTo(3)
    expect(await member.closed).toBe(1006)
    expect(await admin.closed).toBe(1006)
    const later = await server.open('admin')
    await later.browser.call('POST', 'batch-delete/server', { body: [1] })
    expect(await later.closed).toBe(1006)
  })

  it('when nobody answers any more', async () => {
    const server = await startTerminalServer({ pingMs: 20 })
    const { socket, closed } = await server.open()
    socket.pong = () => {}
    expect(await closed).toBe(1006)
    await vi.waitFor(() => expect(server.audit.at(-1)).toMatchObject({ detail: { outcome: 'lost' } }))
  })
})

describe('a machine with command execution disabled', () => {
  it('says so at once when a terminal is opened, in the code with which the socket is closed', async () => {
    const server = await startTerminalServer()
    await server.host.applyConfig('{"disable_command_execute":true}')
    const browser = await server.signIn()
    const { session_id: id = '' } = await server.create(browser)
    const terminal = await server.attach(browser, id)
    terminal.type('echo hi\r')
    expect(await terminal.closed).toBe(sessionCloseCodes.disabled)
    expect(terminal.output()).toBe('')
    expect(server.audit.at(-1)).toMatchObject({ detail: { outcome: 'not opened: disabled' } })
  })

  it.each([
    ['silent', 4002],
    ['busy', 4003],
    ['offline', 4004],
  ] as const)('or that is %s says so in the same way', async (reason, code) => {
    const openShell = async () => {
      throw new HostUnavailableError(reason, 'no shell')
    }
    const server = await startTerminalServer({}, { openShell })
    const browser = await server.signIn()
    const { session_id: id = '' } = await server.create(browser)
    const terminal = await server.attach(browser, id)
    expect(await terminal.closed).toBe(code)
    expect(server.logged).toEqual([])
  })
})

describe('a terminal that is idle', () => {
  it('is pinged with an empty payload', async () => {
    const server = await startTerminalServer({ pingMs: 50 })
    const { socket } = await server.open()
    const payload = await new Promise((resolve) => socket.once('ping', resolve))
    expect(payload).toEqual(Buffer.alloc(0))
  })
})
