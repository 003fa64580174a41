import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'
import { decodeMessage, encodeMessage, type TaskMessage } from './agentMessages.ts'
import type { TraceEvent } from './agentTrace.ts'
import type { AgentVersion } from './agentVersions.ts'
import { type RecordedEvent, readScene } from './recordings.ts'
import type { SceneServer } from './sceneServer.ts'
import { type AgentOptions, TestAgent } from './testAgent.ts'

interface Play extends Partial<AgentOptions> {
  server: string
  scene: SceneServer
  /** Texts of the recording and what stands for them here, such as an address. */
  replaced?: readonly (readonly [recorded: string, here: string])[]
  /** Ids of tasks that cannot be done here. */
  without?: readonly number[]
}

/** What an agent did in a scene: one entry for each call, in the order of their opening. */
export interface Doings {
  /** Each with what was sent and how the agent ended it; the results of tasks sorted by their ids. */
  calls: string[]
  /** Opening and ending of calls in their order over all calls. */
  order: string[]
}

/** Between two frames to a shell, so that it has answered the first. Milliseconds. */
const quiet = 120

/** Plays the server's part of a recorded scene to a test agent. @returns the recorded agent's doings, and the test agent's */
export async function playScene(name: string, play: Play): Promise<{ recorded: Doings; here: Doings }> {
  const { events, agent: recordedAgent } = readScene(name)
  const without = (event: RecordedEvent) =>
    event.rpc === 'RequestTask' && play.without?.includes(Number(event.msg?.id ?? 0))
  const scene = events.filter((event) => !without(event))
  const replace = (text: string) => (play.replaced ?? []).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const restore = (text: string) => (play.replaced ?? []).reduce((all, [from, to]) => all.replaceAll(to, from), text)
  const metadata = events.find((event) => event.metadata)?.metadata
  const host: object | undefined = events.find(({ type }) => type === 'Host')?.msg
  const addresses = events.find(({ type }) => type === 'GeoIP')?.msg?.ip as AgentOptions['addresses']
  const agent = new TestAgent({
    secret: metadata?.client_secret ?? 'testagentsecret0123456789abcdef',
    uuid: metadata?.client_uuid,
    version: recordedAgent.replace('agent ', '') as AgentVersion,
    timeScale: 0.02,
    // The server of a recording was quick; here it may wait for its turn, above all while it reads megabytes.
    endOfStatesMs: 300_000,
    ...(host && { host: { ...host, version: undefined } }),
    ...(addresses && { addresses }),
    ...play,
  })
  const first = scene[0]
  const isFromStart = first?.event === 'open' && first.rpc === 'ReportSystemInfo2'
  const refusals = scene
    .filter(({ event, rpc, code }) => event === 'status' && rpc === 'ReportSystemInfo2' && code !== 0)
    .map(({ code = 0, details = '' }) => ({ code, details }))
  play.scene.refusals.push(...refusals)
  agent.start()
  if (!isFromStart) {
    const hasGreeted = () => agent.trace.events.some(({ rpc, ...event }) => rpc === 'ReportGeoIP' && 'code' in event)
    await until(hasGreeted, 'the first addresses')
  }
  const start = isFromStart ? 0 : agent.trace.events.length
  const entries = scene.map(entryOf)
  // Nothing is recorded of calls that were opened after the end of the scene.
  const count = new Set(entries.flatMap((entry) => entry?.call ?? [])).size
  const recorded = doings(entries, count)
  const here = () => doings(agent.trace.events.slice(start).map(entryHere), count, restore)
  const results = () =>
    agent.trace.events.slice(start).filter((event) => 'type' in event && event.type === 'TaskResult')
  try {
    const sessions = scene.filter(({ rpc, event }) => rpc === 'IOStream' && event === 'open').map(({ call }) => call)
    const sessionOf = (call: number) => play.scene.sessions[sessions.indexOf(call)]
    const halfClosed = new Set<number>()
    const frames = () =>
      agent.trace.events.filter((event) => 'dir' in event && event.dir === 'up' && event.rpc === 'IOStream')
    const silence = async () => {
      for (let before = -1; before < frames().length; ) {
        before = frames().length
        await wait(quiet)
      }
    }
    let [resultsBefore, orderBefore, framesBefore] = [0, 0, 0]
    let isFrameDue = false
    for (const event of scene) {
      if (event.type === 'TaskResult') resultsBefore += 1
      if (event.event && event.event !== 'status') orderBefore += 1
      if (event.rpc === 'IOStream' && event.dir === 'up') isFrameDue = true
      if (event.event === 'agent half-close') halfClosed.add(event.call)
      if (event.type === 'Task' && event !== scene.at(-1)) {
        const [before, opened] = [resultsBefore, orderBefore]
        const task = event.msg as TaskMessage
        await until(() => results().length >= before, `the result before ${JSON.stringify(task)}`)
        await until(() => here().order.length >= opened, `the end of what came before ${JSON.stringify(task)}`)
        const text = task.data && replace(task.data)
        await until(() => play.scene.sendTask({ ...task, data: text }), 'a stream of tasks')
      } else if (event.rpc === 'IOStream' && event.event !== 'open' && (event.dir === 'down' || event.code === 0)) {
        if (halfClosed.has(event.call)) continue
        const before = framesBefore
        if (isFrameDue) await until(() => frames().length > before, 'an answer in a session')
        await silence()
        framesBefore = frames().length
        isFrameDue = false
        const session = sessionOf(event.call)
        if (event.code === 0) session?.end()
        else
          session?.write(encodeMessage('IOStreamData', { data: Buffer.from(replaceInFrame(event, replace), 'latin1') }))
      } else if (event.event === 'status' && event.details?.includes('superseded')) {
        play.scene.supersede = { code: event.code ?? 2, details: event.details }
      }
    }
    const whole = ({ calls }: Doings) => calls.filter((text) => !text.startsWith('IOStream: frame')).length
    const hasDoneAll = () => here().order.length >= recorded.order.length && whole(here()) >= whole(recorded)
    // What it did not do shows in the comparison.
    await until(hasDoneAll, 'the last doings').catch(() => {})
    await silence()
    return { recorded, here: here() }
  } finally {
    await agent.stop()
  }
}

/** Looks often: some scenes leave only a fraction of a second. */
const until = (condition: () => boolean, what: string) =>
  vi.waitFor(() => condition() || Promise.reject(new Error(`waited for ${what}`)), { interval: 5 })

const replaceInFrame = ({ hex = '' }: RecordedEvent, replace: (text: string) => string) =>
  replace(Buffer.from(hex, 'hex').toString('latin1'))

interface Entry {
  call: number
  rpc: string
  text: string
}

/** Nothing for what the server sent, and for states, most of which are not in the recordings. */
function entryOf(event: RecordedEvent): Entry | undefined {
  const { call, rpc } = event
  if (event.event === 'status' || event.dir === 'down' || event.type === 'State') return undefined
  if (event.event === 'open') return { call, rpc, text: openText(event.metadata ?? {}, event.deadline_in_ms) }
  if (event.event) return { call, rpc, text: event.event }
  if (event.type === 'IOStreamData') {
    const bytes = Buffer.from(event.hex ?? event.hex_head ?? '', 'hex')
    return { call, rpc, text: event.hex === undefined ? longText(event.length ?? 0, bytes) : frameText(bytes) }
  }
  const { data } = event.msg ?? {}
  const isCut = typeof data === 'string' && event.raw === undefined
  return { call, rpc, text: messageText({ ...event.msg, ...(isCut && { data: `${data.slice(0, 20)}…` }) }) }
}

/** The same of the test agent's trace. */
function entryHere(event: TraceEvent): Entry | undefined {
  const { call, rpc } = event
  if ('event' in event) {
    if (event.event === 'status') return undefined
    return { call, rpc, text: event.event === 'open' ? openText(event.metadata, event.deadline_in_ms) : event.event }
  }
  if (event.dir === 'down' || event.type === 'State') return undefined
  const message = decodeMessage(event.type, event.bytes)
  if (event.type === 'IOStreamData') {
    const bytes = Buffer.from((message as { data?: Uint8Array }).data ?? [])
    return { call, rpc, text: bytes.length > longFrame ? longText(bytes.length, bytes) : frameText(bytes) }
  }
  const { data } = message as { data?: string }
  const isLong = typeof data === 'string' && data.length > 100_000
  return { call, rpc, text: messageText({ ...message, ...(isLong && { data: `${data.slice(0, 20)}…` }) }) }
}

/** Bytes from which the recordings hold only the beginning of a frame. */
const longFrame = 1024

const frameText = (bytes: Buffer) => `frame ${bytes.toString('latin1')}`
const longText = (length: number, bytes: Buffer) => `frame of ${length} bytes: ${bytes.subarray(0, 32).toString('hex')}`

/** Deadlines are recorded as what was left of them. */
function openText(metadata: Record<string, string>, deadline: number | undefined): string {
  const { 'user-agent': _agent, ...names } = metadata
  const sorted = Object.entries(names)
    .sort()
    .map((pair) => pair.join('='))
  return `open ${sorted.join(' ')} ${deadline === undefined ? 'without deadline' : `${Math.ceil(deadline / 5000) * 5} s`}`
}

/** A message without what no two runs have in common. */
function messageText(message: object): string {
  const { delay, ...fields } = message as { delay?: number }
  const text = JSON.stringify(fields, Object.keys(fields).sort().concat(nestedKeys(fields)))
  const timeless = text.replace(/\\"duration_ms\\":\d+/, 'duration').replace(/\\"mtime\\":\d+/g, 'mtime')
  return `${timeless}${delay === undefined ? '' : ' with delay'}`
}

const nestedKeys = (fields: object) =>
  Object.values(fields).flatMap((value) => (value && typeof value === 'object' ? Object.keys(value) : []))

function doings(entries: (Entry | undefined)[], count: number, restore = (text: string) => text): Doings {
  // Empty frames keep a session alive; how many there are depends on how long it lasts.
  const all = entries.filter(
    (entry): entry is Entry => entry !== undefined && entry.text !== frameText(Buffer.alloc(0)),
  )
  const calls = [...new Set(all.map(({ call }) => call))].sort((one, other) => one - other).slice(0, count)
  return {
    calls: calls.flatMap((call) => {
      const own = all.filter((entry) => entry.call === call).map(({ rpc, text }) => `${rpc}: ${restore(text)}`)
      // Results come in any order.
      return own[0]?.startsWith('RequestTask') ? own.sort() : own
    }),
    order: all
      .filter(({ call, text }) => calls.includes(call) && /^(open|agent)/.test(text))
      .map(({ rpc, text }) => `${rpc} ${text.split(' without')[0]?.split(' client')[0]}`),
  }
}
