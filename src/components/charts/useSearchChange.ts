import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'

interface ChangeOptions {
  /** Whether Back leads to the address before the change. Default: it leads to the page before. */
  isStep?: boolean
  /** The state of the new address. Default: that of the present one. */
  state?: unknown
}

/** Changes parts of the search of the page's address; `undefined` removes one. */
export function useSearchChange() {
  const [, setParams] = useSearchParams()
  const { state: present } = useLocation()
  return useCallback(
    (
      changes: Readonly<Record<string, string | undefined>>,
      { isStep = false, state = present }: ChangeOptions = {},
    ) => {
      const change = (now: URLSearchParams) => {
        const next = new URLSearchParams(now)
        for (const [key, value] of Object.entries(changes))
          value === undefined ? next.delete(key) : next.set(key, value)
        return next
      }
      setParams(change, { replace: !isStep, state, preventScrollReset: true })
    },
    [setParams, present],
  )
}
