import type { Target } from './downloadTargets.ts'
import { privateFile } from './privateFiles.ts'
import type { RawPath } from './remotePath.ts'
import { newUploadId } from './resumableFiles.ts'
import { forgetTransfer, storeTransfers, whileRunning } from './storedTransfers.ts'

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
