import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useToast } from '../../../engine/parts/useToast.ts'
import { clearPrivateFiles } from './privateFiles.ts'
import { discardDownload } from './rememberDownload.ts'
import type { ResumableFiles } from './resumableFiles.ts'
import { forgetTransfer, interrupted, type StoredTransfer, storedTransfers } from './storedTransfers.ts'
import type { Upload } from './uploadPlan.ts'

const none: StoredTransfer[] = []

/** The transfers of a server that were interrupted. @param resumable removes the parts that are left there */
export function useInterrupted(serverId: number, resumable: ResumableFiles | undefined) {
  const { showError } = useToast()
  const query = useQuery({
    queryKey: ['interrupted-transfers', serverId],
    queryFn: async () => (await interrupted(await storedTransfers())).filter((one) => one.serverId === serverId),
    gcTime: 0,
    retry: false,
  })
  useEffect(() => void clearOld(), [])

  return {
    interrupted: query.data ?? none,
    /** Forgets some, with what has arrived of them. */
    async discard(some: readonly StoredTransfer[]): Promise<void> {
      try {
        for (const one of some) {
          if (one.upload) await resumable?.discard(one.path, one.upload)
          if (one.privateName) await discardDownload(one.privateName)
          await forgetTransfer(one)
        }
      } catch (error) {
        showError(error)
      }
      await query.refetch()
    },
  }
}

/** Removes downloads from the browser's own storage that nobody needs any more. */
async function clearOld(): Promise<void> {
  try {
    await clearPrivateFiles((await storedTransfers()).flatMap(({ privateName = '' }) => privateName || []))
  } catch (error) {
    console.warn('Old downloads could not be removed.', error)
  }
}

const uploadOf = ({ path, name, upload }: StoredTransfer, file: File): Upload => ({
  target: path,
  name,
  file,
  exists: true,
  ...(upload && { part: upload }),
})

/**
 * Which uploads files belong to that a person has chosen again: by name and size, and by date where several are alike. What
 * has arrived is compared besides, before anything is sent.
 */
export function chosenAgain(stored: readonly StoredTransfer[], files: readonly File[]): Upload[] {
  const left = new Set(files)
  return stored.flatMap((one) => {
    if (one.kind !== 'upload') return []
    const alike = [...left].filter(
      ({ name, size }) => size === one.size && (one.name === name || one.name.endsWith(`/${name}`)),
    )
    const file = alike.find(({ lastModified }) => lastModified === one.modified) ?? alike[0]
    if (!file) return []
    left.delete(file)
    return [uploadOf(one, file)]
  })
}

/** The part of the File System Access API that is used; only some browsers have it. */
type PermittedHandle = FileSystemFileHandle & {
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>
}

/** The upload with the file that the browser has remembered; `undefined` where it has to be chosen. Must be called from a click. */
export async function readAgain(one: StoredTransfer): Promise<Upload | undefined> {
  const handle: PermittedHandle | undefined = one.handle
  try {
    if ((await handle?.requestPermission?.({ mode: 'read' })) === 'denied') return undefined
    const file = await handle?.getFile()
    return file?.size === one.size ? { ...uploadOf(one, file), handle } : undefined
  } catch {
    // It was moved away.
    return undefined
  }
}
