import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { fileLimits } from '../../../schemas/inspect/files.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { pathText } from './fileItems.ts'

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
