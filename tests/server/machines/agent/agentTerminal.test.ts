import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { sessionCloseCodes } from '../../../../src/schemas/frames/sessionClose.ts'
import { encodeConsumed, encodeResize } from '../../../../src/schemas/frames/terminal.ts'
import { server as servers } from '../../../../src/schemas/server.ts'
import { type ServerWithAgent, startServerWithAgent } from '../../../support/server/fixtures/serverWithAgent.ts'

/** What is typed shows once; what a command prints comes at the beginning of a line. */
const printed = (text: string) => new RegExp(`^${text}\\r?$`, 'm')

/** A shell with a short prompt, without the escape codes that mark pasted text. */
async function quietTerminal({ terminal }: ServerWithAgent) {
  const opened = await terminal()
  opened.type("bind 'set enable-bracketed-paste off'; PS1='ready> '\r")
  await opened.until(/^ready> $/m)
  return opened
}

describe('a terminal on an agent', () => {
  it.each(['2.3.3', '1.14.4', '1.9.7'] as const)(
    'of version %s is a shell of the size of the screen, until its exit',
    async (version) => {
      const { terminal, folder, audit } = await startServerWithAgent({ version })
      const { type, send, until, output, closed } = await terminal()
      type('echo "in $PWD"\r')
      await until(printed(`in ${folder}`))
      send(encodeResize({ rows: 40, cols: 120 }))
      type('stty size\r')
      await until(printed('40 120'))
      type('echo last words; exit\r')
      expect(await closed).toBe(1006)
      expect(output()).toMatch(/last words\r\n/)
      expect(output()).not.toContain('input/output error')
      await vi.waitFor(() =>
        expect(audit.at(-1)).toMatchObject({ action: 'terminal.end', detail: { outcome: 'exited' } }),
      )
    },
  )

  it('shows all that a command prints, in order', async () => {
    const { type, until, output } = await quietTerminal(await startServerWithAgent())
    type('seq 1 200000; echo the-end\r')
    await until(printed('the-end'))
    const numbers = output()
      .split('\r\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number)
    expect(numbers).toHaveLength(200_000)
    expect(numbers.every((number, index) => number === index + 1)).toBe(true)
  })

  it('ends a flood that nobody reads by Ctrl-C', async () => {
    const { type, send, until, frames } = await quietTerminal(await startServerWithAgent())
    send(encodeConsumed(0))
    type('yes\r')
    await vi.waitFor(() => expect(frames.length).toBeGreaterThan(40))
    await new Promise((resolve) => setTimeout(resolve, 500))
    type('\u0003')
    let acknowledged = 0
    const timer = setInterval(() => {
      const received = frames.reduce((sum, length) => sum + length, 0)
      send(encodeConsumed(received - acknowledged))
      acknowledged = received
    }, 5)
    await until(/^ready> $/m)
    clearInterval(timer)
  })

  it('takes a paste that is longer than any buffer as a whole', async () => {
    const { terminal } = await startServerWithAgent()
    const { type, until } = await terminal()
    type('stty raw -echo; echo go; head -c 3000000 | cksum; stty sane; echo done\r')
    await until(/^go\r?$/m)
    for (let piece = 0; piece < 10; piece++) type('x'.repeat(300_000))
    await until(/\b3000000\b/)
  })

  it('ends when its agent stops', async () => {
    const { terminal, agent } = await startServerWithAgent()
    const { type, until, closed } = await terminal()
    type('echo here\r')
    await until(printed('here'))
    await agent.stop()
    expect(await closed).toBe(1006)
  })

  it('ends when its server is moved to another user, although an admin may use all servers', async () => {
    const { terminal, store } = await startServerWithAgent()
    const admin = await terminal()
    admin.type('echo here\r')
    await admin.until(printed('here'))
    entityTable(store, servers).update(1, { user_id: 2 })
    expect(await admin.closed).toBe(1006)
  })

  it('is open to the member whose agent it is, and to nobody else’s', async () => {
    const { terminal, signIn } = await startServerWithAgent({ owner: 'member' })
    const member = await terminal(await signIn('member'))
    member.type('echo mine\r')
    await member.until(printed('mine'))
    const other = await startServerWithAgent()
    await (await other.terminal()).until(/./)
    const { text } = await (await other.signIn('member')).call('POST', 'terminal', { body: { server_id: 1 } })
    expect(text).toContain('permission denied')
  })

  it('that is idle is kept alive by an empty frame from each side every thirty seconds, which nobody sees', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = await startServerWithAgent({ traces: true })
    const { type, until, output } = await quietTerminal(server)
    const before = output()
    const empty = () =>
      server.agent.trace.events.flatMap((event) =>
        'dir' in event && event.rpc === 'IOStream' && event.bytes.length === 0 ? [event.dir] : [],
      )
    expect(empty()).toEqual([])
    vi.advanceTimersByTime(30_000)
    await vi.waitFor(() => expect(empty().toSorted()).toEqual(['down', 'up']))
    expect(output()).toBe(before)
    type('echo alive\r')
    await until(printed('alive'))
  })

  it('goes on without a browser that comes back, and ends with the connection of the agent', async () => {
    const { heldTerminal, agent, audit } = await startServerWithAgent()
    const first = await heldTerminal()
    first.type('here=same; echo be"fore"\r')
    await first.until(printed('before'))
    first.socket.terminate()
    await first.closed
    const again = await first.comeBack()
    await again.until(printed('before'))
    again.type('echo "$here shell"\r')
    await again.until(printed('same shell'))
    again.socket.terminate()
    await again.closed
    await agent.stop()
    await vi.waitFor(() => expect(audit.at(-1)).toMatchObject({ action: 'terminal.end' }))
  })

  it('kills its shell when the browser goes', async () => {
    const { terminal } = await startServerWithAgent()
    const { type, until, output, socket } = await terminal()
    type('echo pid=$$=\r')
    await until(/^pid=\d+=\r$/m)
    const pid = Number(/^pid=(\d+)=\r$/m.exec(output())?.[1])
    expect(() => process.kill(pid, 0)).not.toThrow()
    socket.terminate()
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})

describe('a terminal that an agent does not open', () => {
  it('says at once that commands are disabled there', async () => {
    const { terminal, audit } = await startServerWithAgent({ settings: { disable_command_execute: true } })
    const began = performance.now()
    const { closed, output } = await terminal()
    expect(await closed).toBe(sessionCloseCodes.disabled)
    // An agent that does not answer is given ten seconds.
    expect(performance.now() - began).toBeLessThan(8000)
    expect(output()).toBe('')
    expect(audit.at(-1)).toMatchObject({ detail: { outcome: 'not opened: disabled' } })
  })

  it('says in the end that the agent does not answer', async () => {
    const { terminal, agent } = await startServerWithAgent({ streamMs: 500 })
    await vi.waitFor(() => expect(agent.receipts).toBeGreaterThan(0))
    const opening = terminal()
    agent.freeze()
    const { closed } = await opening
    expect(await closed).toBe(sessionCloseCodes.silent)
  })
})
