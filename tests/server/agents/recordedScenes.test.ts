import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type AgentCall, AgentCalls } from '../../support/agent/agentCalls.ts'
import { decodeMessage, type Rpc } from '../../support/agent/agentMessages.ts'
import { type AgentServer, startAgentServer } from '../../support/agent/agentServer.ts'
import { AgentTrace } from '../../support/agent/agentTrace.ts'
import { type RecordedEvent, readScene } from '../../support/agent/recordings.ts'

type Stream = AgentCall<'RequestTask'> | AgentCall<'ReportSystemState'>

const recordedSecret = 'testagentsecret0123456789abcdef'

/** Sends our server what a recorded agent sent, and collects what comes back, for each call. */
class Replay {
  readonly #server: AgentServer
  readonly #names = new Map<number, string>()
  readonly #streams = new Map<number, Stream>()
  readonly #calls = new Map<string, AgentCalls>()
  /** What the server said, as `RequestTask 3: ...`, and what the reference had said. */
  readonly here: string[] = []
  readonly recorded: string[] = []

  constructor(server: AgentServer) {
    this.#server = server
  }

  /** Opens streams that were open before the scene began, for those calls of it that it does not open itself. */
  async openEarlier(events: readonly RecordedEvent[]): Promise<void> {
    const metadata = events.find((event) => event.metadata)?.metadata
    const opened = new Set(events.filter(({ event }) => event === 'open').map(({ call }) => call))
    const earlier = new Map(events.filter(({ call }) => !opened.has(call)).map((event) => [event.call, event]))
    for (const [, event] of [...earlier].sort(([one], [other]) => one - other)) {
      await this.#open({ ...event, metadata }, events)
    }
  }

  /** The status of a stream, once it has one. */
  statusOf(call: number): Promise<{ code: number; details: string }> {
    return this.#streams.get(call)?.status ?? Promise.reject(new Error(`${call} was never opened`))
  }

  async play(events: readonly RecordedEvent[], beforeEach: (event: RecordedEvent) => Promise<void> | void = () => {}) {
    for (const [index, event] of events.entries()) {
      await beforeEach(event)
      if (event.event === 'open') await this.#open(event, events.slice(index + 1))
      else if (event.dir === 'up') await this.#send(event, events.slice(index + 1))
      else if (event.event === 'agent half-close') this.#streams.get(event.call)?.halfClose()
      else if (event.event === 'agent cancel') this.#streams.get(event.call)?.cancel()
    }
  }

  #clientFor(metadata: Record<string, string>): AgentCalls {
    const { 'user-agent': userAgent = '', ...names } = metadata
    const own = Object.fromEntries(
      Object.entries(names).map(([name, value]) => [name, value.replace(recordedSecret, this.#server.secretOf(1))]),
    )
    const key = JSON.stringify(Object.entries(own).sort())
    const calls =
      this.#calls.get(key) ??
      new AgentCalls({ server: `127.0.0.1:${this.#server.port}`, metadata: own, userAgent, trace: new AgentTrace() })
    this.#calls.set(key, calls)
    return calls
  }

  async #open({ call, rpc, metadata = {} }: RecordedEvent, later: readonly RecordedEvent[]): Promise<void> {
    const calls = this.#clientFor(metadata)
    const own = later.filter((event) => event.call === call)
    this.#names.set(call, rpc)
    if (rpc === 'RequestTask' || rpc === 'ReportSystemState') {
      this.#streams.set(call, calls.stream(rpc) as Stream)
      if (rpc === 'ReportSystemState') this.#streams.get(call)?.onMessage(() => {})
      // Streams of one agent are told apart by the time at which they were opened.
      await wait(30)
      return
    }
    const sent = own.find(({ dir }) => dir === 'up')
    const down = own.find(({ dir }) => dir === 'down')
    const status = own.find(({ event }) => event === 'status')
    const expected = down ? down.msg : `${status?.code} ${status?.details}`
    const unary = rpc as 'ReportSystemInfo2' | 'ReportGeoIP'
    const message = decodeMessage(sent?.type as 'Host', Buffer.from(sent?.raw ?? '', 'base64'))
    const reply = await calls.unary(unary, message).catch(({ code, details }) => `${code} ${details}`)
    this.#note(rpc, call, expected, reply)
  }

  async #send({ call, rpc, type, raw = '' }: RecordedEvent, later: readonly RecordedEvent[]): Promise<void> {
    const stream = this.#streams.get(call)
    if (!stream || !type) return
    stream.send(decodeMessage(type as 'State', Buffer.from(raw, 'base64')))
    const next = later.find((event) => event.call === call && (event.dir === 'down' || event.event))
    if (next?.event !== 'status') return
    const { code, details } = await Promise.race([
      stream.status,
      wait(60_000, { code: -1, details: 'it goes on' }, { ref: false }),
    ])
    this.#note(rpc, call, `${next.code} ${next.details}`, `${code} ${details}`)
  }

  #note(rpc: Rpc, call: number, recorded: unknown, here: unknown): void {
    const text = (reply: unknown) => {
      const timeless = JSON.stringify(reply).replace(/\d{10}/, '<start>')
      return `${rpc} ${call}: ${timeless}`
    }
    this.recorded.push(text(recorded))
    this.here.push(text(here))
  }

  close(): void {
    for (const calls of this.#calls.values()) calls.close()
  }
}

async function replaying(options?: Parameters<typeof startAgentServer>[0]) {
  const server = await startAgentServer(options)
  const replay = new Replay(server)
  onTestFinished(() => replay.close())
  return { server, replay }
}

it.each(['start-first-contact', 'start-again', 'old-agent-v1.14.4-start', 'old-agent-v1.9.7-start', 'ip-change'])(
  'an agent that starts is answered as by the reference, and is in the list: %s',
  async (name) => {
    const { server, replay } = await replaying()
    const { events } = readScene(name)
    await replay.play(events)
    expect(replay.here).toEqual(replay.recorded)
    const host = events.find(({ type }) => type === 'Host')?.msg
    const ip = events.findLast(({ type, dir }) => type === 'GeoIP' && dir === 'up')?.msg?.ip as Record<string, string>
    const { gpu: _none, ...shown } = { gpu: [], ...host }
    const last = events.findLast(({ type }) => type === 'State')
    const { load1, load5, load15, ...state } = (last?.msg ?? {}) as Record<string, number>
    await vi.waitFor(async () =>
      expect(await server.rows()).toMatchObject([
        {
          name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
          host: shown,
          state: { ...state, load_1: load1, load_5: load5, load_15: load15 },
          geoip: { ip: { ipv4_addr: ip.ipv4, ...(ip.ipv6 && { ipv6_addr: ip.ipv6 }) } },
        },
      ]),
    )
  },
)

it('an agent with a wrong secret is refused and blocked at the moments of the reference', async () => {
  const { server, replay } = await replaying({ site: { config: { agent_real_ip_header: 'NZ::Use-Peer-IP' } } as never })
  const start = server.clock.now
  await replay.play(readScene('wrong-secret').events, ({ t_ms }) => {
    server.clock.now = start + t_ms
  })
  expect(replay.here).toEqual(replay.recorded)
  server.clock.now += 3_600_000
  expect(await server.rows()).toEqual([])
})

it('an agent whose server is restarted gets a shutdown reply, and comes back into its row with the calls of the recording', async () => {
  const { events } = readScene('server-restart')
  const end = events.findIndex(({ event }) => event === 'status')
  const isEnd = ({ event, code }: RecordedEvent) => event === 'status' && code === 14
  const [before, after] = [events.slice(0, end), events.filter((event, index) => index > end && !isEnd(event))]

  const first = await replaying()
  await first.replay.openEarlier(events)
  await first.replay.play(before)
  const cpu = before.findLast(({ type }) => type === 'State')?.msg?.cpu
  await vi.waitFor(async () => expect(await first.server.rows()).toMatchObject([{ state: { cpu } }]))
  const [row] = await first.server.rows()
  const ended = events.filter(isEnd).map(({ call }) => first.replay.statusOf(call))
  await first.server.app.close()
  await first.server.machines.stop()
  // The proxy of the recording says that the connection was dropped, with the same code.
  expect(await Promise.all(ended)).toMatchObject([
    { code: 14, details: 'the server is shutting down' },
    { code: 14, details: 'the server is shutting down' },
  ])

  const second = await replaying({ store: first.server.store })
  expect(await second.server.rows()).toMatchObject([{ id: row?.id, name: row?.name, state: { cpu } }])
  await second.replay.play(after)
  expect(second.replay.here).toEqual(second.replay.recorded)
  expect(second.replay.here).toHaveLength(2)
  expect((await second.server.rows()).map(({ id, name }) => ({ id, name }))).toEqual([{ id: row?.id, name: row?.name }])
})
