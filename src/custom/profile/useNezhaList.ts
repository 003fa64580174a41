import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HttpError, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { markMissing, useMissing } from '../../engine/define/missingEndpoints.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import type { Endpoint, ReplyOf } from '../../schemas/define/endpoint.ts'

/**
 * A list that only some Nezha servers have, requested when it is opened. After a 404 a message says that this server does
 * not have it, and the list is hidden until the page is loaded again.
 */
export function useNezhaList<E extends Endpoint>(endpoint: E) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const isMissing = useMissing()(endpoint)
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['nezha', endpoint.path],
    queryFn: async (): Promise<ReplyOf<E> | null> => {
      try {
        return await call(endpoint)
      } catch (failure) {
        if (!(failure instanceof HttpError) || failure.status !== 404) throw failure
        toast.show({ key: 'app.nezha.missing', type: 'info' })
        markMissing(endpoint)
        return null
      }
    },
    enabled: isOpen && !isMissing,
  })
  return { isMissing, isOpen, open: () => setOpen(true), data: data ?? undefined, error, refetch }
}
