import { type DBSchema, openDB } from 'idb'
import { currentAccount } from '../../../session/currentUser.ts'
import { transfersDatabase } from '../../../storage/forgetChanges.ts'
import type { Target } from './downloadTargets.ts'
import { privateFile } from './privateFiles.ts'
import type { RawPath } from './remotePath.ts'
import { newUploadId } from './resumableFiles.ts'

/** How much a browser remembers of transfers that were not completed. */
const storedLimits = {
  /** Transfers of all servers together; of a longer upload the first ones. */
  transfers: 500,
  /** Milliseconds: a week. */
  ageMs: 7 * 24 * 60 * 60_000,
} as const

/** A transfer that is under way, or was cut by leaving the page. A server has one for each of its paths. */
export interface StoredTransfer {
  kind: 'upload' | 'download'
  serverId: number
  /** On the server. */
  path: RawPath
  /** For reading. */
  name: string
  /** Bytes. */
  size: number
  /** Of an upload: when the local file was last changed, ms since 1970. */
  modified?: number
  /** Of an upload: the name of its part. Left out where it begins anew. */
  upload?: string
  /** Of an upload, where the browser has one: the local file itself. */
  handle?: FileSystemFileHandle
  /** Of a download: the file in the browser's own storage that has its beginning. Left out where it begins anew. */
  privateName?: string
  /** Which run it belongs to: its lock is held for as long as that goes on. */
  run: string
}

interface Stored extends StoredTransfer {
  account: string
  /** When it was stored, ms since 1970. */
  at: number
}

interface Schema extends DBSchema {
  transfers: { key: [number, string, string]; value: Stored }
}

/** Works with the database; without one, nothing is remembered. */
async function withTransfers<T>(
  otherwise: T,
  work: (transfers: {
    all(): Promise<Stored[]>
    put(one: Stored): Promise<unknown>
    remove(one: Pick<StoredTransfer, 'serverId' | 'kind' | 'path'>): Promise<unknown>
  }) => Promise<T>,
): Promise<T> {
  if (!globalThis.indexedDB) return otherwise
  try {
    const database = await openDB<Schema>(transfersDatabase, 1, {
      upgrade: (created) => void created.createObjectStore('transfers', { keyPath: ['serverId', 'kind', 'path'] }),
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    })
    try {
      const transaction = database.transaction('transfers', 'readwrite')
      const store = transaction.objectStore('transfers')
      const result = await work({
        all: () => store.getAll(),
        put: (one) => store.put(one),
        remove: ({ serverId, kind, path }) => store.delete([serverId, kind, path]),
      })
      await transaction.done
      return result
    } finally {
      database.close()
    }
  } catch (error) {
    console.warn('Transfers cannot be remembered in this browser.', error)
    return otherwise
  }
}

const isOwn = ({ account, at }: Stored, now: number) =>
  account === (currentAccount() ?? '') && Math.abs(now - at) < storedLimits.ageMs

/** Remembers transfers that begin, until `forgetTransfer`. Those of other accounts and old ones are forgotten. */
export const storeTransfers = (transfers: readonly StoredTransfer[], now = Date.now()): Promise<void> =>
  withTransfers(undefined, async ({ all, put, remove }) => {
    let count = 0
    for (const one of await all()) {
      if (isOwn(one, now)) count += 1
      else await remove(one)
    }
    const account = currentAccount() ?? ''
    for (const one of transfers.slice(0, Math.max(0, storedLimits.transfers - count))) {
      await put({ ...one, account, at: now })
    }
  })

export const forgetTransfer = (one: Pick<StoredTransfer, 'serverId' | 'kind' | 'path'>): Promise<void> =>
  withTransfers(undefined, async ({ remove }) => void (await remove(one)))

/** All that are remembered of this account, also those that are under way. */
export const storedTransfers = (now = Date.now()): Promise<StoredTransfer[]> =>
  withTransfers([], async ({ all }) => (await all()).filter((one) => isOwn(one, now)))

const lockName = (run: string) => `${transfersDatabase}.${run}`

/** Marks transfers as being under way, for all tabs, until the work is over. */
export function whileRunning<T>(run: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(lockName(run), work) : work()
}

/** Those that no tab is at work on. */
export async function interrupted(transfers: readonly StoredTransfer[]): Promise<StoredTransfer[]> {
  const { held = [] } = navigator.locks ? await navigator.locks.query() : {}
  const running = new Set(held.map(({ name }) => name))
  return transfers.filter(({ run }) => !running.has(lockName(run)))
}

export interface DownloadedFile {
  /** On the server. */
  path: RawPath
  /** For reading. */
  name: string
}

/**
 * Remembers a download until it is over: after a reload it is shown as interrupted. What is in the browser's own storage
 * goes on; a picked file begins anew, because browsers give up what was written to it until it is closed.
 */
export function rememberDownload(file: DownloadedFile & { serverId: number }, target: Target, canGoOn: boolean) {
  const run = newUploadId()
  const transfer = { kind: 'download', ...file, run } as const
  const privateName = target.kind === 'private' && canGoOn ? target.name : undefined
  let stored: Promise<void> | undefined
  return {
    running: <T>(work: () => Promise<T>): Promise<T> => whileRunning(run, work),
    /** Its size is known. */
    begun(size: number): void {
      stored ??= storeTransfers([{ ...transfer, size, ...(privateName && { privateName }) }])
    },
    async forget(): Promise<void> {
      await stored
      if (stored) await forgetTransfer(transfer)
    },
  }
}

/** Forgets a download that was interrupted, with what is here of it. */
export async function discardDownload(privateName: string): Promise<void> {
  await (await privateFile(privateName)).remove()
}
