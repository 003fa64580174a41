import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { fileUploadEndpoints as endpoints } from '../../../src/schemas/endpoints/fileUploadEndpoints.ts'
import { filePartQuery, folderQuery } from '../../../src/schemas/inspect/files.ts'
import { transferLimits } from '../../../src/schemas/inspect/fileTransfers.ts'
import { blocksQuery, resumeLimits } from '../../../src/schemas/inspect/fileUploads.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import { ApiError, bodyReader } from '../../wire/apiCall.ts'
import { notedPaths } from '../fileRoutes.ts'
import { type Answer, type Inspector, inWords, silentAnswer } from '../inspector.ts'
import { type Programs, patient, Silence } from '../machine/programs.ts'
import { readQuery } from '../orders.ts'
import { type FileBytes, fileBlocks, leftParts, readFilePart } from '../subjects/fileParts.ts'
import { discardUpload, openUpload, partPath, placeUpload } from './uploadParts.ts'

const shorter = 'the file has become shorter'

/** The calls of uploads and downloads that go on after a cut (docs/decisions/file-transfers.md). */
export function registerUploadRoutes(app: FastifyInstance, inspector: Inspector): void {
  /** Has a machine do something; that it says nothing is an answer too, so that a client knows whether to try again. */
  async function answer<Item>(
    { person, params }: FastifyRequest<{ Params: { id: number } }>,
    work: (programs: Programs) => Promise<Item | undefined>,
  ): Promise<Answer<Item>> {
    if (!inspector.mayLook(person, params.id)) throw new ApiError('permission denied')
    try {
      const item = await inspector.once(params.id, (programs) => work(patient(programs)))
      return { items: item === undefined ? [] : [item] }
    } catch (error) {
      if (error instanceof Silence) return silentAnswer(error)
      throw error
    } finally {
      inspector.renew(params.id)
    }
  }

  /** Notes a transfer in the audit log, as a file session does. */
  function note(
    { person, params, address }: FastifyRequest<{ Params: { id: number } }>,
    action: 'file.upload' | 'file.download',
    detail: Readonly<Record<string, string | number | undefined>>,
  ): void {
    const target = auditTarget('server', [params.id])
    const name = auditNames([inspector.nameOf(params.id)])
    app.audit.write({ action, person, address, target, detail: { ...name, ...detail } })
  }

  route(app, 'openUpload', endpoints.openUpload, bodyReader(endpoints.openUpload), (request) =>
    answer(request, async (programs) => {
      const size = await openUpload(programs, request.body, personOf(request).username)
      return size === undefined ? undefined : { size }
    }),
  )

  route(app, 'placeUpload', endpoints.placeUpload, bodyReader(endpoints.placeUpload), async (request) => {
    const { body } = request
    const placed = await answer(request, (programs) => placeUpload(programs, body))
    const [item] = placed.items ?? []
    if (item) note(request, 'file.upload', { ...notedPaths([body.path]), bytes: body.size, outcome: 'done', ...item })
    return placed
  })

  route(
    app,
    { name: 'discardUpload', audit: 'file.delete' },
    endpoints.discardUpload,
    bodyReader(endpoints.discardUpload),
    async (request) => {
      const { person, params, body } = request
      const row = await inspector.act(person, params.id, (programs) => discardUpload(programs, body))
      // It may be the part of somebody else.
      const detail = { ...auditNames([row.name]), ...notedPaths([partPath(body)]) }
      addAuditDetails(request, { target: auditTarget('server', [params.id]), detail })
    },
  )

  route(app, 'leftParts', endpoints.leftParts, ({ params, query, person }) =>
    inspector.look(person, params.id, leftParts, readQuery(folderQuery, query)),
  )

  route(app, 'fileBlocks', endpoints.fileBlocks, ({ params, query, person }) =>
    inspector.look(person, params.id, fileBlocks, readQuery(blocksQuery, query)),
  )

  /** How many contents each person reads. */
  const reading = new Map<number, number>()

  route(app, 'fileContent', endpoints.fileContent, async (request, reply) => {
    const { params, person, session } = request
    const { path, offset } = readQuery(filePartQuery, request.query)
    const { id } = personOf(request)
    const checkRight = () => {
      const isAllowed = app.auth.isAlive({ person, session }) && inspector.mayLook(person, params.id)
      if (!isAllowed) throw new ApiError('permission denied')
    }
    checkRight()
    const readAt = (at: number) =>
      inspector.once(params.id, (programs) =>
        readFilePart(patient(programs), { path, offset: at, bytes: resumeLimits.contentBytes }),
      )
    const count = reading.get(id) ?? 0
    if (count >= resumeLimits.contents) throw new ApiError('too many transfers are open: wait until one is over')
    reading.set(id, count + 1)
    let sent = 0

    /** Reads one part while the one before is sent. */
    async function* content(first: FileBytes): AsyncGenerator<Buffer> {
      const { size: end, file } = first
      let part = first
      for (let at = offset; at < end; ) {
        if (part.file !== file) throw new ApiError('another file has this name now')
        if (part.size < end || part.content.length === 0) throw new ApiError(shorter)
        const piece = part.content.subarray(0, end - at)
        at += piece.length
        const next = at < end ? readAt(at) : undefined
        // Awaited in its turn; until then it is nobody's fault.
        next?.catch(() => {})
        sent += piece.length
        yield piece
        if (!next) return
        checkRight()
        part = await next
      }
    }

    try {
      const first = await readAt(offset).catch((error: unknown) => {
        // A machine that may answer in a moment is worth another try.
        if (error instanceof Silence && error.silence !== 'failed') throw new ApiError(error.message, 503)
        throw inWords(error)
      })
      if (offset > first.size) throw new ApiError(shorter)
      const source = Readable.from(content(first), { objectMode: false, highWaterMark: 1 })
      const ended = finished(source).then(
        () => ({ outcome: 'done' }),
        (error: unknown) =>
          // The browser has given it up.
          errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'
            ? { outcome: 'cancelled' }
            : { outcome: 'failed', error: errorMessage(error).slice(0, transferLimits.reason) },
      )
      reply.header('content-length', first.size - offset)
      reply.header('cache-control', 'no-store')
      reply.type('application/octet-stream').send(source)
      await reply
      note(request, 'file.download', { ...notedPaths([path]), offset, bytes: sent, ...(await ended) })
    } finally {
      reading.set(id, (reading.get(id) ?? 1) - 1)
      if (reading.get(id) === 0) reading.delete(id)
    }
  })
}
