import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errorMessage } from '../../../src/domain/errors.ts'
import { type FileTransfer, transferLimits } from '../../../src/schemas/inspect/fileTransfers.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { createPlaceQueue } from '../../concurrency/placeQueue.ts'
import { auditTarget } from '../../http/routes/route.ts'
import type { Log } from '../../log.ts'
import { FileError } from '../../machines/hosts/files.ts'
import { mayReach, type Person, personOf } from '../../person.ts'
import { ApiError, timestamp } from '../../wire/apiCall.ts'
import { Silence } from '../machine/programs.ts'
import { createFilesProgress, type FilesProgress } from './filesProgress.ts'

/** A server of a transfer, as it was when it was ordered. */
export interface TransferServer {
  id: number
  name: string
}

export interface TransferOrder {
  kind: FileTransfer['kind']
  from: TransferServer
  /** The machine that gets the files, and the folder there for reading. */
  to?: TransferServer & { folder: string }
  /** The first path for reading, and of how many. */
  name: string
  count: number
  /** @throws ApiError or Silence when the person may not do this any more, or a machine has gone */
  check: () => void
}

/** A transfer from its order to its end. */
export interface Transfer extends TransferOrder {
  readonly id: string
  readonly person: Person
  readonly progress: FilesProgress
  state: FileTransfer['state']
  totalBytes?: number
  verified?: FileTransfer['verified']
  /** To be called before each step. @throws an error when it is cancelled or not allowed any more */
  proceed(): void
  /** It has begun. */
  begin(): void
  /** It is over, and noted in the audit log of both servers. @param error why it was not completed */
  end(error?: unknown): void
}

/** Transfers of files of everybody: one that is over is remembered for a while. */
export interface FileTransfers {
  /** @throws ApiError when the person has ordered too many */
  create(request: FastifyRequest, order: TransferOrder): Transfer
  /** Does work when its turn has come: one transfer of a person at a time. */
  enqueue(transfer: Transfer, work: () => Promise<void>): void
  /** Those of the person of a request, the newest first. */
  list(request: FastifyRequest): Transfer[]
  /** @throws ApiError when the person has no such transfer */
  find(request: FastifyRequest, id: string): Transfer
  /** Ends it at its next step; one that is over is forgotten. */
  cancel(transfer: Transfer): void
  /** As replies have it. */
  shown(transfer: Transfer): FileTransfer
  /** Ends all, and resolves when nothing of them is left, or a machine takes too long to remove it: the log says so. */
  stop(): Promise<void>
}

interface Services {
  audit: AuditLog
  log: Pick<Log, 'warn' | 'error'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Whether the session or API token that it was ordered with still counts. */
  isAlive: (visitor: Pick<FastifyRequest, 'person' | 'session'>) => boolean
}

interface Known {
  transfer: Transfer
  createdAt: number
  endedAt?: number
  error?: string
  address: string
  isCancelled: boolean
  leave?: () => void
}

const cancelled = 'cancelled'
const serverEnds = 'the server was stopped meanwhile'
/** Milliseconds that transfers have to remove what is not complete when the server ends. */
const stopMs = 1000

export function createFileTransfers({ audit, log, now, isAlive }: Services): FileTransfers {
  const known = new Map<string, Known>()
  const running = new Set<Promise<void>>()
  const { running: places, waiting, waitMs } = transferLimits
  let isEnding = false
  const queue = createPlaceQueue({ perKey: places.perPerson, total: places.total, waiting, waitMs })

  const isOver = ({ transfer }: Known) => transfer.state !== 'waiting' && transfer.state !== 'running'

  function forgetOld(personId: number): void {
    const own = [...known.values()].filter((one) => one.transfer.person.id === personId && isOver(one))
    const tooMany = own.slice(0, Math.max(0, own.length - transferLimits.remembered))
    const old = own.filter(({ endedAt = 0 }) => endedAt < now() - transferLimits.rememberedMs)
    for (const { transfer } of [...tooMany, ...old]) known.delete(transfer.id)
  }

  /** A line for each machine. */
  function note(one: Known, outcome: string): void {
    const { transfer, address, error } = one
    const { from, to, person, progress, name, count, verified } = transfer
    const { files, bytes, left_out } = progress.now()
    const detail = {
      path: name,
      ...(count > 1 && { count }),
      files,
      bytes,
      outcome,
      ...(left_out > 0 && { left_out }),
      ...(verified && { verified }),
      ...(error && { error }),
    }
    const line = (action: string, server: TransferServer, more: object) =>
      audit.write({
        action,
        person,
        address,
        target: auditTarget('server', [server.id]),
        detail: { name: server.name, ...detail, ...more },
      })
    if (!to) line('file.archive', from, {})
    else {
      line('file.sent', from, { to: to.folder, to_server: to.name })
      line('file.received', to, { to: to.folder, from_server: from.name })
    }
  }

  function create(request: FastifyRequest, order: TransferOrder): Transfer {
    const { session, address } = request
    const person = personOf(request)
    forgetOld(person.id)
    const alike = [...known.values()].filter((one) => one.transfer.kind === order.kind && !isOver(one))
    const own = alike.filter(({ transfer }) => transfer.person.id === person.id).length
    const isTooMany =
      order.kind === 'archive'
        ? own >= transferLimits.archives
        : own >= transferLimits.openPerPerson ||
          alike.filter(({ transfer }) => transfer.state === 'waiting').length >= waiting
    if (isTooMany) throw new ApiError('too many transfers are open: wait until one is over, or cancel one')
    const one: Known = {
      createdAt: now(),
      address,
      isCancelled: false,
      transfer: {
        ...order,
        id: randomUUID(),
        person,
        progress: createFilesProgress(),
        state: 'waiting',
        proceed() {
          if (one.isCancelled) throw new ApiError(cancelled)
          if (isEnding) throw new ApiError(serverEnds)
          if (!isAlive({ person, session })) throw new ApiError('permission denied')
          order.check()
        },
        begin() {
          if (!isOver(one)) one.transfer.state = 'running'
        },
        end(error) {
          if (isOver(one)) return
          one.endedAt = now()
          if (error !== undefined && !one.isCancelled) one.error = wordsOf(error)
          // One that was cancelled too late is done.
          one.transfer.state = error === undefined ? 'done' : one.isCancelled ? 'cancelled' : 'failed'
          note(one, one.transfer.state)
        },
      },
    }
    known.set(one.transfer.id, one)
    return one.transfer
  }

  function wordsOf(error: unknown): string {
    const isKnown = error instanceof ApiError || error instanceof Silence || error instanceof FileError
    if (!isKnown) log.error('A transfer of files failed:', error)
    return errorMessage(error).slice(0, transferLimits.reason)
  }

  async function run(transfer: Transfer, work: () => Promise<void>): Promise<void> {
    try {
      transfer.proceed()
      transfer.begin()
      await work()
      transfer.end()
    } catch (error) {
      transfer.end(error)
    }
  }

  return {
    create,
    shown,
    enqueue(transfer, work) {
      const one = known.get(transfer.id)
      if (!one) return
      const leave = queue.enter(String(transfer.person.id), {
        onPlace() {
          // A place that is free is given before `enter` returns.
          const job = Promise.resolve()
            .then(() => run(transfer, work))
            .finally(() => leave())
          running.add(job)
          void job.then(() => running.delete(job))
        },
        onRefused: () => transfer.end(new ApiError('too many transfers are waiting')),
      })
      one.leave = leave
    },
    list(request) {
      const { id } = personOf(request)
      forgetOld(id)
      return [...known.values()]
        .filter((one) => isOwn(request, one))
        .map(({ transfer }) => transfer)
        .reverse()
    },
    find(request, id) {
      const one = known.get(id)
      if (!one || !isOwn(request, one)) throw new ApiError('transfer not found')
      return one.transfer
    },
    cancel({ id }) {
      const one = known.get(id)
      if (!one) return
      if (isOver(one)) known.delete(id)
      one.isCancelled = true
      if (one.transfer.state !== 'waiting') return
      one.leave?.()
      one.transfer.end(new ApiError(cancelled))
    },
    async stop() {
      isEnding = true
      for (const { transfer, leave } of known.values()) {
        if (transfer.state !== 'waiting') continue
        leave?.()
        transfer.end(new ApiError(serverEnds))
      }
      // A machine that is silent must not hold up the end.
      const tooLate = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref())
      await Promise.race([Promise.all(running), tooLate])
      for (const { transfer } of [...known.values()].filter((one) => !isOver(one))) {
        const left = transfer.to && `: a part of a file may be left below ${transfer.to.folder} on ${transfer.to.name}`
        const text = `${serverEnds}${left ?? ''}`
        log.warn(`A transfer of files was broken off: ${text}`)
        transfer.end(new ApiError(text))
      }
    },
  }

  /** A token that is limited to some servers sees nothing of others. */
  function isOwn({ person }: FastifyRequest, { transfer: { person: owner, from, to } }: Known): boolean {
    return owner.id === person?.id && mayReach(person, [from.id, ...(to ? [to.id] : [])])
  }

  function shown(transfer: Transfer): FileTransfer {
    const { id, kind, state, from, to, name, count, totalBytes, verified, progress } = transfer
    const one = known.get(id)
    return {
      id,
      kind,
      state,
      server_id: from.id,
      server_name: from.name,
      ...(to && { to_server_id: to.id, to_server_name: to.name, to: to.folder }),
      name,
      count,
      ...progress.now(),
      ...(totalBytes !== undefined && { total_bytes: totalBytes }),
      ...(verified && { verified }),
      ...(one?.error && { error: one.error }),
      created_at: timestamp(one?.createdAt ?? now()),
    }
  }
}
