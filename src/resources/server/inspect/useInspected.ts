import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider } from 'react-admin'
import type { TextArgs } from '../../../../i18n/fillText.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/useToast.ts'
import type { Endpoint, InputOf, ReplyOf } from '../../../schemas/define/endpoint.ts'
import type { SilenceCause } from '../../../schemas/inspect/answer.ts'

/** What every answer of a machine has. */
export interface Answer {
  items: unknown[]
  reason?: string
  cause?: SilenceCause
  detail?: string
  text?: string
  truncated?: boolean
  fresh_ms?: number
}

/** Milliseconds: the shortest time between two requests, and that while nothing is known of the machine's pace. */
const pollMs = 2000

/**
 * What a machine says about a subject, asked again and again while the page is in view and not paused.
 * @param input with the `id` of the server
 * @param keepsCurrent whether it is asked again by itself
 */
export function useInspected<E extends Endpoint>(endpoint: E, input: InputOf<E> & { id: number }, keepsCurrent = true) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [isPaused, setPaused] = useState(false)
  const query = useQuery({
    queryKey: ['inspect', input.id, endpoint.path, input],
    queryFn: () => call(endpoint, input),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      keepsCurrent && !isPaused && Math.max(pollMs, (state.data as Answer | undefined)?.fresh_ms ?? pollMs),
    gcTime: 60_000,
  })
  return {
    data: query.data as ReplyOf<E> | undefined,
    error: query.error,
    refetch: query.refetch,
    isFetching: query.isFetching,
    isPaused,
    setPaused,
  }
}

/** Sends an order to a machine, says how it went, and asks the machine again about everything that is on screen. */
export function useOrder(id: number) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const queryClient = useQueryClient()
  /** @param done the key of the text when it has worked */
  return async function order<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    done: { key: string; args?: TextArgs },
  ): Promise<boolean> {
    try {
      await call(endpoint, input)
      show(done)
      return true
    } catch (error) {
      showError(error)
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['inspect', id] })
    }
  }
}
