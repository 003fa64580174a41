import { use } from 'react'
import { useEvent } from 'react-admin'
import { type NavigateOptions, type To, UNSAFE_DataRouterContext, useNavigate } from 'react-router'

/**
 * A function that navigates and draws at once. Below `<Routes>`, React Router's own function takes `flushSync` and drops
 * it, so that the router draws in a transition: in slices of 5 ms, behind everything else. A transition is right where
 * code has to be fetched, for what is on screen stays meanwhile; where nothing has to, it is only slower.
 */
export function useNavigateNow(): (to: To, options?: NavigateOptions) => void {
  const router = use(UNSAFE_DataRouterContext)?.router
  const navigate = useNavigate()
  return useEvent((to: To, options?: NavigateOptions) => {
    if (router) void router.navigate(to, { ...options, flushSync: true })
    else navigate(to, options)
  }) as (to: To, options?: NavigateOptions) => void
}
