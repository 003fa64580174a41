import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { LiveServer } from '../../../src/schemas/machines/live.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { serverShare } from '../../../src/schemas/serverShare.ts'
import type { OnlineUsers } from '../../auth/blocking/onlineUsers.ts'
import { roleTables } from '../../auth/roles/roleTables.ts'
import type { Session } from '../../auth/sessions/sessions.ts'
import { teamTables } from '../../auth/teams/teams.ts'
import { oneAtATime, repeat } from '../../concurrency/repeat.ts'
import { leaveTurn, takeTurns } from '../../concurrency/takeTurns.ts'
import { createSnapshot } from '../../db/selector.ts'
import type { Store } from '../../db/store.ts'
import { entityTable, type ServerRow } from '../../entities/entityTable.ts'
import type { Guard } from '../../http/routes/route.ts'
import type { Log } from '../../log.ts'
import { isAdmin, type Person } from '../../person.ts'
import { timestamp, withoutEmpty } from '../../wire/apiCall.ts'
import type { Machines, WireReport } from '../machines.ts'
import { byDisplayIndex, type ServerAccess } from '../serverHooks.ts'
import { createFrameMemory, createLiveViewer, type FrameBytes, type LiveViewer } from './liveViewer.ts'

export interface LiveServices {
  store: Store
  log: Pick<Log, 'error'>
  machines: Machines
  access: ServerAccess
  online: OnlineUsers
  /** The hook that sets `request.person`. */
  guard: Guard
  /** Whether the session or token that a stream was opened with is still valid; true for a stream with neither. */
  isAlive?: (viewing: Viewing) => boolean
  /** The visitor's address. */
  addressOf: (request: FastifyRequest) => string
  /** Milliseconds between two frames, 2000 by default. */
  tickMs?: number
}

/** Who opened a stream; a visitor without an account has no person. */
export interface Viewing {
  person: Person | undefined
  session: Session | undefined
}

/** Those of one audience who wait for their first frame. */
interface Newcomers {
  person: Person | undefined
  viewers: Map<LiveViewer, Viewing>
}

/** A first frame that whoever comes next gets too. */
interface KeptFrame {
  snapshot: object
  frame: FrameBytes
  drop(): void
}

/** First frames that are kept, for as many audiences: with thousands of machines each has megabytes. */
const maxKept = 4

/** Lists who opened a stream among the online users. @returns what takes them out again */
export const addOnlineUser = (
  { online, addressOf }: Pick<LiveServices, 'online' | 'addressOf'>,
  socket: WebSocket,
  request: FastifyRequest,
) =>
  online.add({
    person: request.person,
    address: addressOf(request),
    connectedAt: timestamp(),
    disconnect: () => socket.terminate(),
  })

/**
 * Registers `/api/v1/ws/server` (docs/contract/CONTRACT.md#103-wsserver): a frame at once, then one every two seconds.
 * Needs `@fastify/websocket` on `app`. The timer runs only while streams are open.
 */
export function registerLive(app: FastifyInstance, services: LiveServices): void {
  const { online, guard, isAlive = () => true, tickMs = 2000 } = services
  const frames = createLiveFrames(services.store, services.machines, services.access)
  const viewers = new Map<LiveViewer, Viewing>()
  const ticks = repeat(oneAtATime(tick), {
    intervalMs: tickMs,
    log: services.log,
    failure: 'A frame of the live stream could not be made:',
  })
  const newcomers = new Map<string, Newcomers>()
  const kept = new Map<string, KeptFrame>()
  let welcoming: Promise<void> | undefined

  /** Ends a stream that is no longer allowed. @returns whether it goes on */
  function stays(viewer: LiveViewer, viewing: Viewing): boolean {
    if (isAlive(viewing)) return true
    viewer.end()
    return false
  }

  async function tick(): Promise<void> {
    const personOf = new Map<string, Person | undefined>()
    for (const [viewer, viewing] of viewers) {
      if (stays(viewer, viewing)) personOf.set(audienceOf(viewing.person), viewing.person)
    }
    for (const [audience, person] of personOf) {
      if (![...viewers.values()].some((viewing) => audienceOf(viewing.person) === audience)) continue
      const frame = await frames.frame(person, online.count(), false)
      const release = frame.hold()
      // Again: a session may have ended while the frame was made.
      for (const [viewer, viewing] of viewers) {
        if (audienceOf(viewing.person) === audience && stays(viewer, viewing)) viewer.send(frame)
      }
      release()
    }
  }

  async function connect(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { person, session } = request
    const removeOnlineUser = addOnlineUser(services, socket, request)
    const viewer = createLiveViewer(socket)
    const audience = audienceOf(person)
    const waiting = newcomers.get(audience) ?? { person, viewers: new Map() }
    waiting.viewers.set(viewer, { person, session })
    newcomers.set(audience, waiting)
    socket.on('close', () => {
      removeOnlineUser()
      viewers.delete(viewer)
      waiting.viewers.delete(viewer)
      if (viewers.size === 0) ticks.stop()
    })
    welcoming ??= welcome().finally(() => {
      welcoming = undefined
    })
    await welcoming
  }

  /** Gives the first frame to all who wait for it. It is made once for an audience, and not for those who have left. */
  async function welcome(): Promise<void> {
    for (const [audience, { person, viewers: waiting }] of newcomers) {
      // Who comes from now on may not get what is hidden while the frame is made.
      newcomers.delete(audience)
      if (waiting.size > 0) await keepFirstFrame(audience, person)
      const frame = kept.get(audience)?.frame
      for (const [viewer, viewing] of waiting) {
        if (!frame || !stays(viewer, viewing)) continue
        viewer.send(frame)
        // From now on: its first frame must be that one.
        viewers.set(viewer, viewing)
        ticks.start()
      }
    }
  }

  /** Makes it unless one is kept that was made since the last tick, and since records were changed. */
  async function keepFirstFrame(audience: string, person: Person | undefined): Promise<void> {
    const snapshot = frames.snapshot()
    if (kept.get(audience)?.snapshot === snapshot) return
    const frame = await frames.frame(person, online.count(), true)
    kept.get(audience)?.drop()
    if (kept.size >= maxKept) [...kept.values()][0]?.drop()
    const release = frame.hold()
    const expiry = setTimeout(drop, tickMs)
    function drop(): void {
      clearTimeout(expiry)
      kept.delete(audience)
      release()
    }
    kept.set(audience, { snapshot, frame, drop })
  }

  app.addHook('onClose', async () => {
    ticks.stop()
    for (const { drop } of [...kept.values()]) drop()
  })
  app.route({
    method: 'GET',
    url: '/api/v1/ws/server',
    onRequest: guard('visitor', { scopes: ['nezha:inventory:read'], keepsToServers: true }),
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}

export interface LiveFrames {
  /** Another object after the records were written that decide who sees which servers, and by which names. */
  snapshot(): object
  /**
   * The frame for one audience, as JSON in UTF-8. Others get their turn meanwhile: thousands of machines take a tenth of
   * a second.
   * @param online number of open sockets
   * @param isFirst a connection's first frame; it alone carries the public notes
   */
  frame(person: Person | undefined, online: number, isFirst: boolean): Promise<FrameBytes>
}

/** People with the same audience see the same servers, which are looked through once per tick. */
export function audienceOf(person: Person | undefined): string {
  if (person?.token?.servers) return `token ${person.token.id}`
  return isAdmin(person) ? 'admins' : person ? `user ${person.id}` : 'guests'
}

/** Makes another object after the records were written that decide who sees which servers. */
export function createRightsSnapshot(store: Store): () => object {
  const whoMay = [...Object.values(roleTables(store)), ...Object.values(teamTables(store))]
  const tables = [server, serverShare, serverGroup].map((entity) => entityTable(store, entity))
  return createSnapshot([...tables, ...whoMay])
}

/** The frames of `/ws/server` (docs/contract/CONTRACT.md#103-wsserver). */
export function createLiveFrames(store: Store, machines: Machines, access: ServerAccess, now = Date.now): LiveFrames {
  const table = entityTable(store, server)
  const snapshot = createRightsSnapshot(store)
  const memory = createFrameMemory()
  const hosts = createHostTexts()

  /** A `LiveServer` as JSON. */
  function liveServer(row: ServerRow, isListed: boolean, isFirst: boolean): string {
    const { host, geoip, last_active, duplicate_uuid, missing } = machines.wireReport(row)
    const state = machines.stateJson(row)
    const { name, display_index, public_note } = row
    const before: Partial<LiveServer> = {
      id: row.id,
      ...withoutEmpty({ name, public_note: isFirst ? public_note : '', display_index }),
    }
    const after: Partial<LiveServer> = { ...withoutEmpty({ country_code: geoip.country_code ?? '' }), last_active }
    if (missing) after.missing = missing
    if (isListed && duplicate_uuid) after.duplicate_uuid = duplicate_uuid
    const members = `${member('host', hosts.of(host, isListed))}${member('state', state)}`
    return `${JSON.stringify(before).slice(0, -1)},${members}${JSON.stringify(after).slice(1)}`
  }

  return {
    snapshot,
    async frame(person, online, isFirst) {
      const turn = takeTurns(leaveTurn)
      const rows = table
        .all()
        .filter((row) => access.canSee(person, row))
        .sort(byDisplayIndex)
        // Now: what is read later may have changed, or be closed.
        .map((row) => ({ row, isListed: access.isListed(person, row) }))
      const bytes = memory.take()
      bytes.append(`{"now":${now()},"online":${online},"servers":[`)
      for (const [index, { row, isListed }] of rows.entries()) {
        if (index > 0) bytes.append(',')
        bytes.append(liveServer(row, isListed, isFirst))
        await turn()
      }
      bytes.append(']}')
      return bytes
    },
  }
}

const member = (name: string, json: string) => (json === '{}' ? '' : `"${name}":${json},`)

/** The JSON of hosts for one person: who has a server on their list is told the versions, too. What hardly ever changes is written once. */
export function createHostTexts(): { of(host: WireReport['host'], isListed: boolean): string } {
  const [ofListed, ofOthers] = [createJsonCache((host) => host), createJsonCache(withoutVersions)]
  return { of: (host, isListed) => (isListed ? ofListed : ofOthers).of(host) }
}

function createJsonCache(present: (value: WireReport['host']) => object) {
  const texts = new WeakMap<object, string>()
  return {
    of(value: WireReport['host']): string {
      const text = texts.get(value) ?? JSON.stringify(present(value))
      texts.set(value, text)
      return text
    },
  }
}

/** Versions would tell attackers which vulnerabilities to try. */
function withoutVersions(host: WireReport['host']): object {
  const { platform_version: _platform, version: _agent, ...rest } = host
  return rest
}
