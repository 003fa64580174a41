import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { sha256Of } from '../transfer/resumableFiles.ts'
import type { Compare } from '../transfer/useTransfers.ts'
import { pathText } from './fileItems.ts'

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
