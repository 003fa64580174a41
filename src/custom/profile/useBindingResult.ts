import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNotify } from 'react-admin'
import type { Profile } from '../../schemas/account/profile.ts'
import { oauth2Failures } from '../../schemas/define/wireNames.ts'
import { newlyBound, recallBindings } from './pendingBinding.ts'

/**
 * After a visit to a provider: says in the profile what came of it, and takes the answer out of the address.
 * @param profile as the server has it after the visit; `undefined` while it is asked
 * @param nameOf a provider's name as people know it
 */
export function useBindingResult(profile: Profile | undefined, nameOf: (provider: string) => string) {
  const notify = useNotify()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isReported = useRef(false)

  useEffect(() => {
    const query = new URLSearchParams(search)
    const failure = query.get('oauth2_error')
    const isBack = query.get('oauth2') === 'true'
    if (!profile || isReported.current || (!isBack && failure === null)) return
    isReported.current = true
    const before = recallBindings()
    if (failure !== null) {
      const known = oauth2Failures.find((code) => code === failure) ?? 'failed'
      notify(`app.account.bind_failures.${known}`, { type: 'error' })
    } else {
      const fresh = newlyBound(before ?? {}, profile.oauth2_bind ?? {})
      const names = fresh.map(nameOf).join(', ')
      if (before && names) notify('app.account.bound', { type: 'success', messageArgs: { provider: names } })
      else notify('app.account.bound_before', { type: 'info' })
    }
    navigate(pathname, { replace: true })
  }, [profile, search, pathname, nameOf, navigate, notify])
}
