import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { terminalEndpoints } from '../../src/schemas/endpoints/terminalEndpoints.ts'
import type { TerminalState } from '../../src/schemas/frames/terminal.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { isAdmin, may, type Person, personOf } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { readFields, readPathId } from '../wire/readFields.ts'
import { createFileSockets } from './fileSocket.ts'
import { createLiveTerminals, createOutputHistories, type LiveTerminal, owner } from './liveTerminals.ts'
import { createRecorder } from './recorder.ts'
import { createRecordingFiles, type RecordingFiles, type StoredRecording } from './recordingFiles.ts'
import { mayUse, registerSessionSocket, type SocketServices } from './sessionSocket.ts'
import { createStreamSessions, type SessionKind, type StreamSession } from './sessions.ts'
import {
  registerHeldTerminals,
  registerSnippets,
  registerTerminalShares,
  registerTerminalTyping,
} from './terminalRoutes.ts'
import { createTerminalShares, registerGuestSocket } from './terminalShares.ts'
import { serveTerminal } from './terminalSocket.ts'

/** Milliseconds; see `SocketServices`. */
export type SocketTimes = Pick<SocketServices, 'watchMs' | 'pingMs'>

interface SessionsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
  /** Default: as the contract has them. */
  socketTimes?: SocketTimes
  /** The folder for recorded terminals. Without it none are recorded. */
  recordingsFolder?: string
}

/** Milliseconds between two looks for recordings that are too old. */
const tidyMs = 3_600_000

function readTerminalForm(body: unknown): { server_id: number } {
  const { server_id = 0 } = readFields(body, 'TerminalForm', { server_id: { kind: 'uint64' } })
  return { server_id }
}

/**
 * Terminals and file managers: the calls that open them (docs/contract/CONTRACT.md#513-terminal-and-file-sessions), and
 * their sockets.
 */
export const sessionsPlugin = fp(registerSessions, { name: 'sessions', dependencies: ['machines', 'audit', 'site'] })

async function registerSessions(app: FastifyInstance, options: SessionsOptions): Promise<void> {
  const { store, log, now, retentionNow, socketTimes, recordingsFolder } = options
  const { machines, audit } = app
  const servers = entityTable(store, server)
  const holdMs = () => app.terminalHoldMinutes() * 60_000
  const sessions = createStreamSessions({ audit, now, holdMs })

  /** @throws ApiError when the machine does not exist, has another owner, or too many sessions are open */
  function open(kind: SessionKind, id: number, request: FastifyRequest): StreamSession {
    const person = personOf(request)
    const row = servers.get(id)
    const host = row && machines.connected(row)
    if (!host) throw new ApiError('server not found or not connected')
    if (!may(person, 'act', row, [id])) throw new ApiError('permission denied')
    const server = { id, name: row.name as string, ownerId: row.user_id }
    return sessions.create(kind, { person, address: request.address, server, host })
  }

  route(app, 'openTerminal', endpoints.openTerminal, readTerminalForm, (request) => {
    const session = open('terminal', request.body.server_id, request)
    return { session_id: session.id, server_id: session.server.id, server_name: session.server.name }
  })

  route(app, 'openFile', endpoints.openFile, (request) => {
    return { session_id: open('file', readPathId(request.query.id), request).id }
  })

  const ownerOf = (id: number) => servers.get(id)
  const sockets: SocketServices = {
    sessions,
    guard: app.guard,
    audit,
    log,
    ownerOf,
    holdMs,
    ...socketTimes,
    isAlive: app.auth.isAlive,
    isBlocked: app.auth.waf.isBlockedByAdmin,
  }
  const recordings = recordingsFolder === undefined ? undefined : createRecordingFiles(recordingsFolder, retentionNow)
  const settings = () => app.terminalRecordings()
  const recorder = createRecorder({ files: recordings, settings, audit, log, now })
  const shares = createTerminalShares({ audit, now })
  const terminals = createLiveTerminals(createOutputHistories(), recorder.started)
  const stateOf = (terminal: LiveTerminal): TerminalState => {
    const { session, size, isShown, typist } = terminal
    const { guests, ...shared } = shares.stateOf(session)
    const name = session.person.username
    const people = isShown ? [{ name, role: 'owner', typed: typist === owner } as const, ...guests] : guests
    return { ...size, people, ...shared, recording: recorder.stateOf(terminal) }
  }
  const mayUseNow = (person: Person, session: StreamSession) => mayUse(person, session, sockets)
  registerSessionSocket(app, sockets, 'terminal', serveTerminal({ log, terminals, stateOf }))
  registerGuestSocket(app, { ...sockets, shares, stateOf })
  const { find: findOwn } = registerHeldTerminals(app, { sessions, holdMs, mayUse: mayUseNow })
  registerTerminalShares(app, { terminals, shares, recorder, findOwn, mayUse: mayUseNow })
  registerTerminalTyping(app, { terminals, findOwn })
  registerRecordings(app, { files: recordings, ownerOf })
  registerSnippets(app, store)
  const files = createFileSockets({ log, now })
  registerSessionSocket(app, sockets, 'file', files.serve)
  const tidy = () =>
    void recordings?.tidy(settings().keptMs).catch((error: unknown) => {
      log.error('Old recordings cannot be deleted:', error)
    })
  const tidyTimer = setInterval(tidy, tidyMs)
  tidy()
  app.addHook('onClose', async () => {
    clearInterval(tidyTimer)
    sessions.endAll('the server stopped')
    await Promise.all([files.settled(), recorder.settled()])
  })
}

/** Recordings in one reply. */
const pageSize = 100

interface Services {
  files: RecordingFiles | undefined
  /** The current owner of a server; `undefined` when it was deleted. */
  ownerOf: (serverId: number) => { user_id: number } | undefined
}

/** The calls about recorded terminals. */
function registerRecordings(app: FastifyInstance, { files, ownerOf }: Services): void {
  /** Administrators, and who opened the terminal and may still work on the machine. */
  function maySee(person: Person | undefined, { server_id, user_id }: StoredRecording): boolean {
    if (isAdmin(person)) return true
    const row = ownerOf(server_id)
    return person?.id === user_id && row !== undefined && may(person, 'act', row, [server_id])
  }

  /** Who is recorded because of the settings has no say in it afterwards either. */
  const mayDelete = (person: Person | undefined, { by_settings }: StoredRecording) => isAdmin(person) || !by_settings

  async function listFor({ person }: FastifyRequest): Promise<StoredRecording[]> {
    const all = (await files?.list()) ?? []
    return all.filter((recording) => maySee(person, recording))
  }

  /** @throws ApiError when there is none that this person may see */
  async function find(
    request: FastifyRequest,
    id: string,
  ): Promise<{ recording: StoredRecording; storage: RecordingFiles }> {
    const recording = (await listFor(request)).find((one) => one.id === id)
    if (!recording || !files) throw new ApiError('recording not found')
    return { recording, storage: files }
  }

  function shown(recording: StoredRecording, { person }: FastifyRequest) {
    const { began, user_id, isRunning, by_settings, ...rest } = recording
    return { ...rest, began_at: timestamp(began), is_running: isRunning, may_delete: mayDelete(person, recording) }
  }

  async function send(action: string, request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
    const { recording, storage } = await find(request, id)
    const { person, address } = request
    app.audit.write({ action, person, address, ...noted(recording) })
    reply.header('content-disposition', `attachment; filename="${recording.id}.cast"`)
    reply.header('cache-control', 'no-store')
    reply.type('application/x-asciicast').send(storage.read(recording))
    await reply
  }

  route(app, 'recordings', terminalEndpoints.recordings, async (request) => {
    const search = (request.query.search ?? '').toLowerCase()
    const found = (await listFor(request)).filter(({ server_name, username }) =>
      `${server_name}\n${username}`.toLowerCase().includes(search),
    )
    const offset = Math.max(0, Math.trunc(Number(request.query.offset) || 0))
    const items = found.slice(offset, offset + pageSize).map((recording) => shown(recording, request))
    return { items, total: found.length }
  })
  route(app, 'recording', terminalEndpoints.recording, async (request) => {
    const { recording } = await find(request, request.params.recording)
    return shown(recording, request)
  })
  route(app, 'playRecording', terminalEndpoints.playRecording, (request, reply) =>
    send('recording.play', request, reply, request.params.recording),
  )
  route(app, 'downloadRecording', terminalEndpoints.downloadRecording, (request, reply) =>
    send('recording.download', request, reply, request.params.recording),
  )
  route(
    app,
    { name: 'deleteRecording', audit: 'recording.delete' },
    terminalEndpoints.deleteRecording,
    async (request) => {
      const { recording, storage } = await find(request, request.params.recording)
      if (!mayDelete(request.person, recording)) throw new ApiError('permission denied')
      if (recording.isRunning) throw new ApiError('this terminal is still being recorded')
      await storage.remove(recording.id)
      addAuditDetails(request, noted(recording))
    },
  )
}

const noted = ({ id, server_id, username }: StoredRecording) => ({
  target: `server ${server_id}`,
  detail: { recording: id, owner: username },
})
