import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { z } from 'zod'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileUploadEndpoints as endpoints } from '../../../schemas/endpoints/fileUploadEndpoints.ts'
import type { answerOf } from '../../../schemas/inspect/answer.ts'
import { FileFailure } from '../transfer/fileFailure.ts'
import type { ResumableFiles } from '../transfer/resumableFiles.ts'
import { pathText } from './fileItems.ts'

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
