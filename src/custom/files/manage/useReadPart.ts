import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { RawPath } from '../transfer/remotePath.ts'
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
