import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { Compare } from '../transfer/useTransfers.ts'
import { pathText } from './fileItems.ts'

/** Bytes of a file that is compared: browsers compute the checksum of what is in memory, and of nothing else. */
const comparedBytes = 64 * 1024 * 1024

/** Compares by SHA-256, where the machine has it, and the browser too: it needs HTTPS or localhost. */
export function useCompare(id: number): Compare {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return async (path, local) => {
    if (!globalThis.crypto?.subtle || local.size > comparedBytes) return undefined
    try {
      const [answer, digest] = await Promise.all([
        call(fileEndpoints.fileChecksum, { id, path: pathText(path) }),
        local.arrayBuffer().then((bytes) => crypto.subtle.digest('SHA-256', bytes)),
      ])
      const [item] = answer.items
      return item && item.sha256 === hexOf(new Uint8Array(digest))
    } catch (error) {
      console.warn('A file could not be compared.', error)
      return undefined
    }
  }
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
