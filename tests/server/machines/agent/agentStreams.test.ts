import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandsDisabledError } from '../../../../server/machines/hosts/agent/agentCommand.ts'
import { taskTypes } from '../../../../server/machines/hosts/agent/agentConnection.ts'
import { createAgentStreams } from '../../../../server/machines/hosts/agent/agentStreams.ts'
import { FakeAgentConnection } from '../../../support/fakes/fakeAgentStreams.ts'

const { terminal, nat, files } = taskTypes

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start({ readConfig = async () => '{}', limits = {} } = {}) {
  const connection = new FakeAgentConnection()
  return { connection, ...createAgentStreams({ connection, readConfig, limits }) }
}

const reasonOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: { reason?: string }) => error.reason,
  )

describe('a stream of an agent', () => {
  it('that the agent does not open within ten seconds is one of a silent agent', async () => {
    const { connection, open } = start()
    connection.answer = 'silent'
    const reason = reasonOf(open(terminal, {}))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await Promise.race([reason, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await reason).toBe('silent')
  })

  it.each([
    [terminal, '{"disable_command_execute":true}', 'disabled'],
    [files, '{"disable_command_execute":true}', 'disabled'],
    [nat, '{"disable_nat":true}', 'disabled'],
    [nat, '{"disable_command_execute":true}', 'silent'],
    [terminal, '{"disable_nat":true}', 'silent'],
    [terminal, 'no JSON', 'silent'],
  ])('of type %i is known to be switched off by the agent’s settings: %s', async (type, config, expected) => {
    const { connection, open } = start({ readConfig: async () => config })
    connection.answer = 'silent'
    const reason = reasonOf(open(type, {}))
    await vi.advanceTimersByTimeAsync(expected === 'disabled' ? 1000 : 10_000)
    expect(await reason).toBe(expected)
  })

  it('is known to be switched off when the agent refuses to show its settings', async () => {
    const { connection, open } = start({
      readConfig: async () => {
        throw new CommandsDisabledError()
      },
    })
    connection.answer = 'silent'
    const reasons = [reasonOf(open(terminal, {})), reasonOf(open(nat, {}))]
    await vi.advanceTimersByTimeAsync(1000)
    expect(await reasons[0]).toBe('disabled')
    await vi.advanceTimersByTimeAsync(9000)
    expect(await reasons[1]).toBe('silent')
  })

  it('that the agent does not open in the time of whoever asks is one of a silent agent', async () => {
    const { connection, open } = start()
    connection.answer = 'silent'
    const abort = new AbortController()
    const reason = reasonOf(open(nat, {}, abort.signal))
    await vi.advanceTimersByTimeAsync(500)
    abort.abort(new DOMException('', 'TimeoutError'))
    expect(await reason).toBe('silent')
  })

  it('that opens at once asks for no settings', async () => {
    const readConfig = vi.fn(async () => '{}')
    await start({ readConfig }).open(terminal, {})
    await vi.advanceTimersByTimeAsync(20_000)
    expect(readConfig).not.toHaveBeenCalled()
  })

  it('of an agent that is gone is one of an offline machine', async () => {
    const { connection, open } = start()
    connection.answer = 'gone'
    expect(await reasonOf(open(files, {}))).toBe('offline')
  })
})

describe('at most 40 streams are open on a machine', () => {
  it('and the next terminal is refused until one has ended', async () => {
    const { connection, open } = start()
    for (let count = 0; count < 40; count++) await open(terminal, {})
    expect(await reasonOf(open(terminal, {}))).toBe('busy')
    connection.streams[0]?.end()
    expect(await reasonOf(open(terminal, {}))).toBe('opened')
    expect(await reasonOf(open(files, {}))).toBe('busy')
  })

  it('of which visitors use 32: the next one waits for another to go', async () => {
    const { connection, open } = start()
    for (let count = 0; count < 32; count++) await open(nat, {})
    const [first, second] = [reasonOf(open(nat, {})), reasonOf(open(nat, {}))]
    await vi.advanceTimersByTimeAsync(1000)
    expect(connection.streams).toHaveLength(32)
    expect(await reasonOf(open(terminal, {}))).toBe('opened')
    connection.streams[3]?.end()
    expect(await first).toBe('opened')
    expect(await Promise.race([second, vi.advanceTimersByTimeAsync(1000).then(() => 'waiting')])).toBe('waiting')
    connection.streams[4]?.end()
    expect(await second).toBe('opened')
  })

  it('and a visitor who gives up waits no longer', async () => {
    const { connection, open } = start({ limits: { forwarded: 1 } })
    await open(nat, {})
    const abort = new AbortController()
    const waiting = open(nat, {}, abort.signal)
    abort.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    connection.streams[0]?.end()
    expect(await reasonOf(open(nat, {}))).toBe('opened')
    expect(connection.streams).toHaveLength(2)
  })

  it('and whose time is over while it waits has found the machine busy', async () => {
    const { open } = start({ limits: { forwarded: 1 } })
    await open(nat, {})
    const abort = new AbortController()
    const waiting = reasonOf(open(nat, {}, abort.signal))
    abort.abort(new DOMException('', 'TimeoutError'))
    expect(await waiting).toBe('busy')
  })

  it('and one that did not open does not count', async () => {
    const { connection, open } = start({ limits: { total: 1 } })
    connection.answer = 'gone'
    expect(await reasonOf(open(terminal, {}))).toBe('offline')
    connection.answer = 'opens'
    expect(await reasonOf(open(terminal, {}))).toBe('opened')
  })
})
