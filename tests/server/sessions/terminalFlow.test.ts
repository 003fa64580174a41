import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { flowWindow } from '../../../server/sessions/outputFlow.ts'
import { encodeConsumed } from '../../../src/schemas/frames/terminal.ts'
import { startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
/** What may come beyond the window: what was read in the same turn of the event loop. */
const slack = 128 * 1024

/** Waits until more than a window has come since `start` bytes, and nothing comes any more. */
async function standstill(frames: readonly number[], start = 0): Promise<number> {
  await expect.poll(() => sum(frames)).toBeGreaterThan(start + flowWindow)
  for (let before = -1; before !== frames.length; await new Promise((resolve) => setTimeout(resolve, 400))) {
    before = frames.length
  }
  return sum(frames)
}

async function flooded(server: TerminalServer) {
  const terminal = await server.open()
  terminal.send(encodeConsumed(0))
  terminal.type('yes\r')
  const came = await standstill(terminal.frames)
  return { ...terminal, came }
}

describe('a terminal whose client acknowledges output', () => {
  it('is announced with its window, to those who are signed in', async () => {
    const server = await startTerminalServer()
    const { body } = await (await server.signIn()).get('setting')
    expect(body).toMatchObject({ data: { wheelhouse: { terminal_flow: flowWindow } } })
    const guest = (await (await server.signIn('')).get('setting')).body
    expect(JSON.stringify(guest)).not.toContain('terminal_flow')
  })

  it('pauses when the window is full, and continues as output is acknowledged', async () => {
    const { frames, send, came } = await flooded(await startTerminalServer())
    expect(came).toBeGreaterThan(flowWindow)
    expect(came).toBeLessThan(flowWindow + slack)
    send(encodeConsumed(came))
    const more = await standstill(frames, came)
    expect(more - came).toBeGreaterThan(flowWindow)
    expect(more - came).toBeLessThan(flowWindow + slack)
  })

  it('ends a flood by Ctrl-C though nothing was acknowledged since, with little left to show', async () => {
    const { type, send, came, frames, until } = await flooded(await startTerminalServer())
    type('\u0003')
    send(encodeConsumed(came))
    await until(/\^C\r\nready> $/)
    expect(sum(frames) - came).toBeLessThan(slack)
  })
})

describe('a terminal whose client does not acknowledge output', () => {
  it('waits only for the connection, and nothing is lost', async () => {
    const server = await startTerminalServer()
    const { socket, type, frames, until, output } = await server.open()
    socket.pause()
    const printed = join(server.host.folder, 'printed')
    type(`seq 1 2000000; touch '${printed}'; echo the-end\r`)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    // 17 MB are more than the system holds for a connection: the program waits, and its output is not in memory.
    expect(existsSync(printed)).toBe(false)
    socket.resume()
    await until(/^the-end\r$/m)
    expect(output()).toMatch(/^1\r\n2\r\n3\r$/m)
    expect(output()).toMatch(/^1999999\r\n2000000\r\nthe-end\r$/m)
    // Each line of a number, and the end of the line.
    expect(sum(frames)).toBeGreaterThan(14_888_896 + 2_000_000)
  })
})

describe('a paste that its program echoes', () => {
  it('arrives as a whole though output and input wait for each other', async () => {
    const server = await startTerminalServer()
    const { type, send, frames, until } = await server.open()
    send(encodeConsumed(0))
    type('stty raw -echo; echo go; head -c 3000000; stty sane; echo; echo done\r')
    await until(/^go\r?$/m)
    const before = sum(frames)
    for (let piece = 0; piece < 10; piece++) type('x'.repeat(300_000))
    // A client acknowledges output behind the input that it has sent.
    const acknowledging = setInterval(() => send(encodeConsumed(32 * 1024)), 5)
    await vi.waitFor(() => expect(sum(frames) - before).toBeGreaterThan(3_000_000))
    clearInterval(acknowledging)
    await until(/^done\r?$/m)
  })
})
