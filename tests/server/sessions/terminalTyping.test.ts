import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EscapeScanner } from '../../../src/domain/terminal/escapeScanner.ts'
import type { Browser } from '../../support/console/browser.ts'
import { prompt, startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'

/** A terminal of a client that comes back, at its first prompt. */
async function open(server: TerminalServer, username: string) {
  const browser = await server.signIn(username)
  const { session_id: id = '' } = await server.create(browser)
  const terminal = await server.attach(browser, `${id}?offset=0`)
  await terminal.until(prompt)
  return { ...terminal, browser, id, session: id.slice(0, 8) }
}

async function memberServer() {
  const server = await startTerminalServer()
  server.giveTo(2)
  return server
}

const type = async (browser: Browser, session: string, text: string, runs = true) =>
  (await browser.call('POST', `wheelhouse/terminals/${session}/type`, { body: { text, runs } })).body

const own = async (browser: Browser) => {
  const { body } = await browser.call('GET', 'wheelhouse/terminals')
  return ((body as { data?: { id: string; is_own: boolean }[] }).data ?? []).map(({ id, is_own }) => [id, is_own])
}

describe('a text for a terminal of another window', () => {
  it('is typed into one that is shown and into one that is held, and runs where that is wanted', async () => {
    const server = await memberServer()
    const [shown, held] = [await open(server, 'member'), await open(server, 'member')]
    held.socket.terminate()
    await held.closed
    const elsewhere = await server.signIn('member')
    expect(await type(elsewhere, shown.session, 'echo into $((1 + 1))')).toEqual({ success: true })
    await shown.until('into 2')
    expect(await type(elsewhere, shown.session, 'echo only', false)).toEqual({ success: true })
    await shown.until(`${prompt}echo only`)
    expect(await type(elsewhere, held.session, 'echo held $((1 + 1))')).toEqual({ success: true })
    const again = await server.attach(held.browser, `${held.id}?offset=0`)
    await again.until('held 2')
  })

  it('stands between the marks of a paste where the program wants them, and cannot end them', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    terminal.type("stty raw -echo; printf '\\033[?2004hready\\r\\n'; head -c 24 | od -An -c; stty sane\r")
    await terminal.until('\x1b[?2004hready')
    await type(terminal.browser, terminal.session, 'a\nb\x1b[201~')
    // ESC is three bytes of a visible sign, the line break is Return, and the last Return runs it.
    await terminal.until(/033 +\[ +2 +0 +0 +~ +a +\\r +b +342 +220 +233[\s\S]*033 +\[ +2 +0 +1 +~ +\\r/)
  })

  it('stands between marks for as long as the program wants them, however much was printed meanwhile', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    const printing = "printf '\\033[?2004h'; head -c 2000000 /dev/zero | tr '\\0' x; printf '\\r\\nready\\r\\n'"
    terminal.type(`stty raw -echo; ${printing}; head -c 13 | od -An -c; stty sane\r`)
    await terminal.until('\nready')
    await type(terminal.browser, terminal.session, 'a', false)
    await terminal.until(/033 +\[ +2 +0 +0 +~ +a +033 +\[ +2 +0 +1 +~/)
  })

  it('is typed by a server that reads the output of a terminal once, and not for each text', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    terminal.type('yes "$(printf \'\\033[m\')" | head -c 900000; echo printed\r')
    await terminal.until('\nprinted')
    const read = vi.spyOn(EscapeScanner.prototype, 'read')
    onTestFinished(() => read.mockRestore())
    for (let count = 0; count < 5; count += 1) await type(terminal.browser, terminal.session, '', false)
    const bytes = read.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0)
    expect(bytes).toBeGreaterThan(800_000)
    expect(bytes).toBeLessThan(2_500_000)
  })

  it('has a line in the audit log with who, where and how much, and never what', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    await type(terminal.browser, terminal.session, 'echo secret')
    await terminal.until('\nsecret')
    const lines = () => server.audit.filter(({ action }) => action === 'terminal.type')
    await vi.waitFor(() =>
      expect(lines()).toMatchObject([
        { username: 'member', target: 'server 1', detail: { session: terminal.session, bytes_in: 12, runs: true } },
      ]),
    )
    expect(JSON.stringify(lines())).not.toContain('secret')
  })

  it('never goes into the terminal of somebody else, whatever right there is on the server', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    const [admin, other] = [await server.signIn(), await server.signIn('other')]
    expect(await own(terminal.browser)).toEqual([[terminal.session, true]])
    expect(await own(admin)).toEqual([[terminal.session, false]])
    expect(await type(admin, terminal.session, 'echo not this')).toEqual({ error: 'permission denied' })
    expect(await type(other, terminal.session, 'echo not this')).toEqual({ error: 'terminal not found' })
    terminal.type('echo still $((1 + 1))\r')
    await terminal.until('still 2')
    expect(terminal.output()).not.toContain('not this')
  })

  it('is refused once the right is gone, or the terminal, and where it is too long', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    expect(await type(terminal.browser, terminal.session, 'x'.repeat(40_000))).toEqual({
      error: expect.stringContaining('text'),
    })
    expect(await type(terminal.browser, 'none', 'ls')).toEqual({ error: 'terminal not found' })
    server.giveTo(3)
    expect(await type(terminal.browser, terminal.session, 'echo late')).toEqual({ error: 'terminal not found' })
  })

  it('is refused while a program does not read what was typed before', async () => {
    const server = await memberServer()
    const terminal = await open(server, 'member')
    terminal.type('stty raw -echo; echo asleep; sleep 1000\r')
    await terminal.until('\nasleep')
    const replies: unknown[] = []
    for (let count = 0; count < 30; count += 1) {
      replies.push(await type(terminal.browser, terminal.session, 'x'.repeat(32_000)))
    }
    expect(replies[0]).toEqual({ success: true })
    expect(replies.at(-1)).toEqual({ error: 'the program in this terminal does not read what is typed' })
  })
})
