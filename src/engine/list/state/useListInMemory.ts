import { use } from 'react'
import { DataProviderContext, type GetListParams } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'

/** Asks for rows of a list; `undefined` where a list is not in memory, or the answer needs more than that. */
export type GetListInMemory = (params: Partial<GetListParams>) => ReturnType<ConsoleDataProvider['getListNow']>

/** Answers from memory at once, so that rows are drawn together with the query that asks for them, and not after it. */
export function useListInMemory(resource: string): GetListInMemory {
  // React-admin's `useDataProvider` makes a promise of every answer.
  const provider = use(DataProviderContext) as Partial<ConsoleDataProvider>
  return (params) => {
    try {
      return provider.getListNow?.(resource, params)
    } catch {
      // The list is asked for in the usual way, which shows what is wrong.
      return undefined
    }
  }
}
