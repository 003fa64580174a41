import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { type ChangesRequest, maxShownServers } from '../../../src/schemas/machines/serverChanges.ts'
import { oneAtATime, repeat } from '../../concurrency/repeat.ts'
import { createFleetChanges, type FleetView, type SentServer } from './fleetChanges.ts'
import { addOnlineUser, audienceOf, createRightsSnapshot, type LiveServices, type Viewing } from './liveSocket.ts'
import { createFrameMemory, createLiveViewer, type FrameBytes, type LiveViewer } from './liveViewer.ts'

/** One open stream. */
interface Client extends Viewing {
  viewer: LiveViewer
  audience: Audience
  /** The look at all servers that its newest frame was made after; 0 before the first one. */
  look: number
  shown: ReadonlySet<number>
  sent: Map<number, SentServer>
  /** The `values` that it waits for. */
  wanted?: ValuesRequest
  isAnswering: boolean
  /** What may still be answered before the next tick. */
  rowsLeft: number
  valuesLeft: number
}

type ValuesRequest = Extract<ChangesRequest, { values: number }>

/** What all of an audience who ask between two ticks are answered. */
interface KeptValues {
  /** Of the records that decide who sees which servers. */
  snapshot: object
  madeAt: number
  text: Promise<string>
  /** The newest that was compressed. */
  zipped?: { request: number; bytes: Promise<Buffer> }
}

/** Those who see the same servers. */
interface Audience {
  view: FleetView
  clients: Set<Client>
  values?: KeptValues
}

/** Bytes of a request: as many ids as may be shown, with up to ten digits each. */
const requestLimit = 16 * 1024
/** Requests between two ticks: who scrolls a list asks for others several times a second. */
const requestsPerTick = 100
/** Rows and `values` that are answered between two ticks; what is beyond comes with the next one. */
const rowsPerTick = maxShownServers
const valuesPerTick = 4
/** The code of RFC 6455 for a message that is not allowed. */
const refusedCode = 1008
const changesRequest: z.ZodType<ChangesRequest> = z.union([
  z.strictObject({ show: z.array(z.int().positive()).max(maxShownServers) }),
  z.strictObject({ values: z.int().nonnegative(), gzip: z.boolean().optional() }),
])
const refusal = `Send {"show": [up to ${maxShownServers} server ids]} or {"values": number}, with "gzip": true if you like.`

const zip = promisify(gzip)
/** The next levels take four times as long for a tenth less. */
const level = constants.Z_BEST_SPEED

/**
 * Registers `/api/v1/ws/wheelhouse/servers` (docs/guides/api.md#live-metrics-as-changes): which servers are online, and
 * everything of those that the client names; all at once, then every two seconds what has changed. Needs
 * `@fastify/websocket` on `app`. The timer runs only while streams are open.
 */
export function registerServerChanges(app: FastifyInstance, services: LiveServices): void {
  const { store, machines, access, online, guard, isAlive = () => true, tickMs = 2000 } = services
  const changes = createFleetChanges(store, machines, access)
  const rights = createRightsSnapshot(store)
  const memory = createFrameMemory()
  const audiences = new Map<string, Audience>()
  const ticks = repeat(oneAtATime(tick), {
    intervalMs: tickMs,
    log: services.log,
    failure: 'A frame of changed servers could not be made:',
  })

  /** Ends a stream that is no longer allowed. @returns whether it goes on */
  function stays(client: Client): boolean {
    if (isAlive(client)) return true
    client.viewer.end()
    return false
  }

  function bytesOf(text: string): FrameBytes {
    const bytes = memory.take()
    bytes.append(text)
    return bytes
  }

  function frameOf(client: Client, members: string, ids: Iterable<number>): FrameBytes {
    const shown: string[] = []
    for (const id of ids) {
      const server = changes.shown(client.person, id, client.sent)
      if (server) shown.push(server)
    }
    const ofShown = shown.length > 0 ? `,"shown":[${shown.join()}]` : ''
    return bytesOf(`{"now":${Date.now()},"watching":${online.count()}${members}${ofShown}}`)
  }

  /** What has changed since its last frame, however long ago that was: who reads slowly has nothing waiting. */
  function changesFor(client: Client): FrameBytes {
    const { view } = client.audience
    const since = view.reachesBackTo(client.look) ? client.look : 0
    client.look = view.looks
    return frameOf(client, `${since === 0 ? ',"reset":true' : ''}${view.changesSince(since)}`, client.shown)
  }

  async function tick(): Promise<void> {
    for (const audience of [...audiences.values()]) {
      const { view, clients } = audience
      if (audience.values && !isRecent(audience.values)) audience.values = undefined
      const [first] = [...clients].filter(stays)
      if (!first) continue
      await view.look(first.person)
      for (const client of clients) {
        client.rowsLeft = rowsPerTick
        client.valuesLeft = valuesPerTick
        // Again: a session may have ended meanwhile.
        if (stays(client)) client.viewer.send(() => changesFor(client))
        void answerValues(client)
      }
    }
  }

  function show(client: Client, ids: readonly number[]): void {
    const before = client.shown
    client.shown = new Set(ids)
    for (const id of client.sent.keys()) if (!client.shown.has(id)) client.sent.delete(id)
    const added = [...client.shown].filter((id) => !before.has(id))
    // Where the last frame is on its way, the next one has them.
    if (client.look === 0 || added.length === 0 || added.length > client.rowsLeft) return
    client.rowsLeft -= added.length
    client.viewer.answer(() => frameOf(client, '', added))
  }

  const isRecent = ({ madeAt }: KeptValues) => performance.now() - madeAt < tickMs

  /** Made once for all of an audience who ask between two ticks, unless rights change. */
  function valuesFor({ person, audience }: Client): KeptValues {
    const { values } = audience
    const snapshot = rights()
    if (values && values.snapshot === snapshot && isRecent(values)) return values
    const made: KeptValues = { snapshot, madeAt: performance.now(), text: changes.values(person) }
    audience.values = made
    made.text.catch(() => {
      if (audience.values === made) audience.values = undefined
    })
    return made
  }

  async function answerOf(client: Client, { values: request, gzip }: ValuesRequest): Promise<FrameBytes | Buffer> {
    const kept = valuesFor(client)
    const text = `{"values":${request},${(await kept.text).slice(1)}`
    if (!gzip) return bytesOf(text)
    if (kept.zipped?.request !== request) kept.zipped = { request, bytes: zip(text, { level }) }
    return kept.zipped.bytes
  }

  async function answerValues(client: Client): Promise<void> {
    const { wanted } = client
    if (wanted === undefined || client.isAnswering || client.valuesLeft === 0) return
    client.isAnswering = true
    client.valuesLeft--
    try {
      const answer = await answerOf(client, wanted)
      const isSent = stays(client) && client.viewer.answer(() => answer)
      // Another number may have come; this one is asked for again with the next tick.
      if (isSent && client.wanted === wanted) client.wanted = undefined
    } catch (error) {
      services.log.error('The values of all servers could not be sent:', error)
    } finally {
      client.isAnswering = false
    }
  }

  function receive(client: Client, request: ChangesRequest): void {
    if (!stays(client)) return
    if ('show' in request) {
      show(client, request.show)
    } else {
      client.wanted = request
      void answerValues(client)
    }
  }

  function join(name: string): Audience {
    const audience = audiences.get(name) ?? { view: changes.createView(), clients: new Set() }
    audiences.set(name, audience)
    return audience
  }

  async function connect(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { person, session } = request
    const removeOnlineUser = addOnlineUser(services, socket, request)
    const name = audienceOf(person)
    const audience = join(name)
    const client: Client = {
      person,
      session,
      audience,
      viewer: createLiveViewer(socket, requestsPerTick),
      look: 0,
      shown: new Set(),
      sent: new Map(),
      isAnswering: false,
      rowsLeft: rowsPerTick,
      valuesLeft: valuesPerTick,
    }
    audience.clients.add(client)
    socket.on('close', () => {
      removeOnlineUser()
      audience.clients.delete(client)
      if (audience.clients.size > 0) return
      audiences.delete(name)
      if (audiences.size === 0) ticks.stop()
    })
    socket.on('message', (data: RawData, isBinary: boolean) => {
      const message = isBinary ? undefined : readRequest(String(data))
      if (message) receive(client, message)
      else socket.close(refusedCode, refusal)
    })
    ticks.start()
    await audience.view.look(person)
    // A tick may have sent it meanwhile.
    if (client.look === 0 && stays(client)) client.viewer.answer(() => changesFor(client))
  }

  app.addHook('onClose', async () => ticks.stop())
  app.route({
    method: 'GET',
    url: '/api/v1/ws/wheelhouse/servers',
    onRequest: guard('visitor', { scopes: ['nezha:inventory:read'], keepsToServers: true }),
    config: { messageLimit: requestLimit },
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}

function readRequest(text: string): ChangesRequest | undefined {
  try {
    return changesRequest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // no JSON
  }
}
