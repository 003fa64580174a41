import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { z } from 'zod'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { fileUploadEndpoints as endpoints } from '../../../schemas/endpoints/fileUploadEndpoints.ts'
import type { answerOf } from '../../../schemas/inspect/answer.ts'
import { fileLimits } from '../../../schemas/inspect/files.ts'
import { FileFailure } from '../transfer/fileFailure.ts'
import { pathText, type RawPath } from '../transfer/remotePath.ts'
import { type ResumableFiles, sha256Of } from '../transfer/resumableFiles.ts'
import type { Compare } from '../transfer/useTransfers.ts'

/** Reads a part of a file by the machine's programs, from any byte on. It throws an Error in words. */
export function useReadPart(id: number) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  return (path: RawPath) =>
    async (offset: number): Promise<{ bytes: Uint8Array; size: number }> => {
      const answer = await call(fileEndpoints.filePart, { id, path: pathText(path), offset })
      const { items, cause, reason, detail = '' } = answer
      const [part] = items
      if (!part) throw new Error(translate(`app.inspect.causes.${cause}`, { _: reason ?? '', detail }))
      return { bytes: Uint8Array.from(atob(part.data), (one) => one.charCodeAt(0)), size: part.size }
    }
}

/** Bytes of a file that is compared: browsers compute the checksum of what is in memory, and of nothing else. */
const comparedBytes = 64 * 1024 * 1024

/** Compares by SHA-256, where the machine has it, and the browser too: it needs HTTPS or localhost. */
export function useCompare(id: number): Compare {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return async (path, local, bytes) => {
    if (!globalThis.crypto?.subtle || local.size > comparedBytes) return undefined
    try {
      const [answer, sha256] = await Promise.all([
        call(fileEndpoints.fileChecksum, { id, path: pathText(path), ...(bytes !== undefined && { bytes }) }),
        sha256Of(local),
      ])
      const [item] = answer.items
      return item && item.sha256 === sha256
    } catch (error) {
      console.warn('A file could not be compared.', error)
      return undefined
    }
  }
}

type Answer<Item> = z.output<ReturnType<typeof answerOf<z.ZodType<Item, Item>>>>

/** The calls of transfers that go on after a cut. They throw FileFailure, or HttpError when the server refuses or is away. */
export function useResumableFiles(id: number): ResumableFiles {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const translate = useTranslate()
  return useMemo(() => {
    /** What the machine said; `undefined` where it cannot say it. */
    const itemOf = <Item>({ items, cause, reason = '', detail = '' }: Answer<Item>): Item | undefined => {
      if (cause === 'offline') throw new FileFailure({ code: 'offline' })
      if (cause === 'busy') throw new FileFailure({ code: 'busy' })
      if (cause === 'timeout') throw new FileFailure({ code: 'silent' })
      if (cause === 'failed') {
        throw new FileFailure({
          code: 'refused',
          message: translate('app.inspect.causes.failed', { _: reason, detail }),
        })
      }
      return items[0]
    }
    return {
      open: async (target, upload, keep) => {
        const order = { id, path: pathText(target), upload, ...(keep !== undefined && { keep }) }
        return itemOf(await call(endpoints.openUpload, order))?.size
      },
      place: async (target, upload, size) => {
        itemOf(await call(endpoints.placeUpload, { id, path: pathText(target), upload, size }))
      },
      discard: async (target, upload) => {
        await call(endpoints.discardUpload, { id, path: pathText(target), upload })
      },
      blocks: async (path, which) => itemOf(await call(endpoints.fileBlocks, { id, path: pathText(path), ...which })),
      contentAddress: (path) =>
        `/api/v1/${endpoints.fileContent.path.replace(':id', String(id))}?path=${encodeURIComponent(pathText(path))}`,
    }
  }, [call, id, translate])
}

/** Bytes of the paths of one order: the server counts five for a byte that is not plain. */
const batchBytes = fileLimits.allPaths / 5

/** Makes folders with those above them, in their order, in as many orders as it takes. */
export function useMakeFolders(id: number): (paths: readonly RawPath[]) => Promise<void> {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return async (paths) => {
    for (const batch of batchesOf(paths)) {
      await call(fileEndpoints.createFolders, { id, paths: batch.map(pathText) })
    }
  }
}

function batchesOf(paths: readonly RawPath[]): RawPath[][] {
  const batches: RawPath[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const path of paths) {
    const last = batches.at(-1)
    bytes += path.length
    if (last && bytes <= batchBytes && last.length < fileLimits.paths) last.push(path)
    else {
      batches.push([path])
      bytes = path.length
    }
  }
  return batches
}
