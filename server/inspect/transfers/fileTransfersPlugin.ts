import '../inspectPlugin.ts'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { errorCode } from '../../../src/domain/errors.ts'
import { bytesOfPathText } from '../../../src/domain/files/pathText.ts'
import { fileTransferEndpoints as endpoints } from '../../../src/schemas/endpoints/fileTransferEndpoints.ts'
import { transferLimits } from '../../../src/schemas/inspect/fileTransfers.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../../http/routes/route.ts'
import type { Log } from '../../log.ts'
import { ApiError, bodyReader } from '../../wire/apiCall.ts'
import { notedPaths } from '../fileRoutes.ts'
import type { OpenMachine } from '../inspector.ts'
import { patient, Silence } from '../machine/programs.ts'
import { changedPaths, shownPath } from '../subjects/filePaths.ts'
import { measure } from '../subjects/files.ts'
import { archiveFiles } from './archiveFiles.ts'
import { createFileTransfers, type Transfer, type TransferServer } from './fileTransfers.ts'
import { sendFiles } from './sendFiles.ts'
import { registerUploadRoutes } from './uploadRoutes.ts'

interface Options {
  log: Pick<Log, 'warn' | 'error'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** An archive that waits to be downloaded. */
interface WaitingArchive {
  format: string
  fileName: string
  open: () => AsyncGenerator<Buffer>
  timer: NodeJS.Timeout
}

/** The calls about transfers of many files (docs/decisions/many-files.md). */
export const fileTransfersPlugin = fp(
  async (app: FastifyInstance, options: Options) => registerFileTransfers(app, options),
  { name: 'file-transfers', dependencies: ['inspect', 'audit'] },
)

function registerFileTransfers(app: FastifyInstance, { log, now }: Options): void {
  const { inspector } = app
  const transfers = createFileTransfers({ audit: app.audit, log, now, isAlive: app.auth.isAlive })
  const archives = new Map<string, WaitingArchive>()
  app.addHook('preClose', transfers.stop)
  registerUploadRoutes(app, inspector)

  /** The paths of an order as bytes, without doubled slashes. @throws ApiError */
  function rootsOf(paths: readonly string[]): Buffer[] {
    changedPaths(paths)
    return paths.map((path) => {
      const plain = Buffer.from(bytesOfPathText(path))
        .toString('latin1')
        .replace(/\/{2,}/g, '/')
        .replace(/\/$/, '')
      return Buffer.from(plain, 'latin1')
    })
  }

  /** Asks again whether a person may work on a machine, which nobody has moved and which has not come back as another. */
  function recheck({ person }: FastifyRequest, { row, host }: OpenMachine): () => void {
    return () => {
      const present = inspector.machine(person, row.id)
      if (present.row.user_id !== row.user_id) throw new ApiError('permission denied')
      if (present.host !== host) throw new ApiError('the machine has reported anew')
    }
  }

  const serverOf = ({ row }: OpenMachine) => ({ id: row.id, name: String(row.name) })

  const named = (paths: readonly string[]) => ({ name: shownPath(paths[0] ?? ''), count: paths.length })

  /** The order has a line of its own in the audit log, which is there when the server is killed before the end too. */
  function noteOrder(
    request: FastifyRequest,
    { id, name }: TransferServer,
    paths: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): void {
    addAuditDetails(request, {
      target: auditTarget('server', [id]),
      detail: { ...auditNames([name]), ...notedPaths(paths), ...more },
    })
  }

  /** Counts what will be moved; a machine that cannot say it is no hindrance. */
  async function setTotal(transfer: Transfer, { programs }: OpenMachine, paths: readonly string[]): Promise<void> {
    try {
      const [item] = (await measure.ask(programs, { paths }, undefined)).items
      transfer.totalBytes = item?.bytes
    } catch (error) {
      if (!(error instanceof Silence)) throw error
    }
  }

  route(
    app,
    { name: 'archiveFiles', audit: 'file.archive' },
    endpoints.archiveFiles,
    bodyReader(endpoints.archiveFiles),
    (request) => {
      const { params, body, person } = request
      const { paths, format } = body
      const roots = rootsOf(paths)
      const machine = inspector.machine(person, params.id)
      const order = {
        kind: 'archive' as const,
        from: serverOf(machine),
        ...named(paths),
        check: recheck(request, machine),
      }
      const transfer = transfers.create(request, order)
      const { progress, proceed: check } = transfer
      const giveUp = () => {
        archives.delete(transfer.id)
        transfers.cancel(transfer)
      }
      const timer = setTimeout(giveUp, transferLimits.startMs)
      timer.unref()
      archives.set(transfer.id, {
        format,
        fileName: `${paths.length === 1 ? order.name.slice(order.name.lastIndexOf('/') + 1) : order.from.name}.${format}`,
        open: () => {
          // Nobody waits for it.
          setTotal(transfer, machine, paths).catch((error) =>
            log.error('The files of an archive were not counted:', error),
          )
          return archiveFiles({
            programs: patient(machine.programs),
            files: machine.host.files,
            roots,
            progress,
            check,
          })
        },
        timer,
      })
      noteOrder(request, order.from, paths)
      return transfers.shown(transfer)
    },
  )

  route(app, 'downloadArchive', endpoints.downloadArchive, async (request, reply) => {
    const transfer = transfers.find(request, request.params.transfer)
    const archive = archives.get(transfer.id)
    if (!archive) throw new ApiError('this archive was downloaded already, or waited for too long')
    archives.delete(transfer.id)
    clearTimeout(archive.timer)
    try {
      transfer.proceed()
    } catch (error) {
      transfer.end(error)
      throw error
    }
    const fileName = encodeURIComponent(archive.fileName.toWellFormed())
    transfer.begin()
    const source = Readable.from(archive.open(), { objectMode: false, highWaterMark: 1 })
    const isPacked = archive.format === 'tar.gz'
    // The sender waits as long as the browser does not read: memory holds some pieces of 256 KiB.
    const content = isPacked ? createGzip({ level: 3 }) : source
    if (isPacked) {
      source.on('error', (error) => content.destroy(error))
      content.on('close', () => source.destroy())
      source.pipe(content as ReturnType<typeof createGzip>)
    }
    const ended = finished(content).then(
      () => transfer.end(),
      (error: unknown) => {
        // The browser has given it up.
        if (errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE') transfers.cancel(transfer)
        transfer.end(error)
      },
    )
    reply.header('content-disposition', `attachment; filename*=UTF-8''${fileName}`)
    reply.header('cache-control', 'no-store')
    reply.type(isPacked ? 'application/gzip' : 'application/x-tar').send(content)
    await reply
    await ended
  })

  route(
    app,
    { name: 'sendFiles', audit: 'file.send' },
    endpoints.sendFiles,
    bodyReader(endpoints.sendFiles),
    (request) => {
      const { params, body, person } = request
      const { paths, to_server, to, conflicts = 'refuse' } = body
      const roots = rootsOf(paths)
      const [from, target] = [inspector.machine(person, params.id), inspector.machine(person, to_server)]
      if (from.row.id === target.row.id)
        throw new ApiError('choose another server: this is the one that the files are on')
      const [folder = Buffer.alloc(0)] = /^\/+$/.test(to) ? [Buffer.from('/')] : rootsOf([to])
      const checks = [recheck(request, from), recheck(request, target)]
      const transfer = transfers.create(request, {
        kind: 'send',
        from: serverOf(from),
        to: { ...serverOf(target), folder: shownPath(to) },
        ...named(paths),
        check: () => {
          for (const check of checks) check()
        },
      })
      const { progress, proceed: check } = transfer
      transfers.enqueue(transfer, async () => {
        await setTotal(transfer, from, paths)
        const ends = {
          from: { programs: patient(from.programs), files: from.host.files },
          to: { programs: patient(target.programs), files: target.host.files },
        }
        transfer.verified = await sendFiles({ ...ends, roots, folder, conflicts, progress, check })
      })
      noteOrder(request, transfer.from, paths, { to: shownPath(to), to_server: transfer.to?.name ?? '' })
      return transfers.shown(transfer)
    },
  )

  route(app, 'fileTransfers', endpoints.fileTransfers, (request) => transfers.list(request).map(transfers.shown))

  route(app, 'cancelFileTransfer', endpoints.cancelFileTransfer, (request) => {
    const transfer = transfers.find(request, request.params.transfer)
    archives.delete(transfer.id)
    transfers.cancel(transfer)
  })
}
