import { sendBytes } from '../../api/apiClient.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { importEndpoints } from '../../schemas/endpoints/importEndpoints.ts'
import { importPartBytes } from '../../schemas/imports/importKinds.ts'

/**
 * Sends a file in parts: a slow line has a minute for each, and proxies that refuse large bodies take them.
 * @param onProgress called with how much of it was sent, from 0 to 1
 * @returns what the server calls it
 */
export async function uploadFile(
  { call }: Pick<ConsoleDataProvider, 'call'>,
  content: Blob,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<string> {
  const { file } = await call(importEndpoints.startImportFile, { bytes: content.size })
  for (let offset = 0; offset < content.size; offset += importPartBytes) {
    if (signal.aborted) {
      await call(importEndpoints.dropImportFile, { file })
      signal.throwIfAborted()
    }
    await sendBytes(importEndpoints.addImportPart, { file, offset }, content.slice(offset, offset + importPartBytes))
    onProgress(Math.min(1, (offset + importPartBytes) / content.size))
  }
  return file
}
