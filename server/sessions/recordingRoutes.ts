import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { terminalEndpoints as endpoints } from '../../src/schemas/endpoints/terminalEndpoints.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import { isAdmin, may, type Person } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import type { RecordingFiles, StoredRecording } from './recordingFiles.ts'

/** Recordings in one reply. */
const pageSize = 100

interface Services {
  files: RecordingFiles | undefined
  /** The current owner of a server; `undefined` when it was deleted. */
  ownerOf: (serverId: number) => { user_id: number } | undefined
}

/** The calls about recorded terminals. */
export function registerRecordings(app: FastifyInstance, { files, ownerOf }: Services): void {
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

  route(app, 'recordings', endpoints.recordings, async (request) => {
    const search = (request.query.search ?? '').toLowerCase()
    const found = (await listFor(request)).filter(({ server_name, username }) =>
      `${server_name}\n${username}`.toLowerCase().includes(search),
    )
    const offset = Math.max(0, Math.trunc(Number(request.query.offset) || 0))
    const items = found.slice(offset, offset + pageSize).map((recording) => shown(recording, request))
    return { items, total: found.length }
  })
  route(app, 'recording', endpoints.recording, async (request) => {
    const { recording } = await find(request, request.params.recording)
    return shown(recording, request)
  })
  route(app, 'playRecording', endpoints.playRecording, (request, reply) =>
    send('recording.play', request, reply, request.params.recording),
  )
  route(app, 'downloadRecording', endpoints.downloadRecording, (request, reply) =>
    send('recording.download', request, reply, request.params.recording),
  )
  route(app, { name: 'deleteRecording', audit: 'recording.delete' }, endpoints.deleteRecording, async (request) => {
    const { recording, storage } = await find(request, request.params.recording)
    if (!mayDelete(request.person, recording)) throw new ApiError('permission denied')
    if (recording.isRunning) throw new ApiError('this terminal is still being recorded')
    await storage.remove(recording.id)
    addAuditDetails(request, noted(recording))
  })
}

const noted = ({ id, server_id, username }: StoredRecording) => ({
  target: `server ${server_id}`,
  detail: { recording: id, owner: username },
})
