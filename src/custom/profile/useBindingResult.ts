import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNotify } from 'react-admin'
import type { Profile } from '../../schemas/account/profile.ts'
import { oauth2Failures } from '../../schemas/define/wireNames.ts'
import { newlyBound, recallBindings } from './pendingBinding.ts'

/**
 * Reports the result of a binding after the return from a provider, and removes it from the URL.
 * @param profile as the server has it after the return; `undefined` while loading
 * @param nameOf the configured name of a provider
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
      const code = oauth2Failures.find((code) => code === failure) ?? 'failed'
      notify(`app.account.bind_failures.${code}`, { type: 'error' })
    } else {
      const newBindings = newlyBound(before ?? {}, profile.oauth2_bind ?? {})
      const names = newBindings.map(nameOf).join(', ')
      if (before && names) notify('app.account.bound', { type: 'success', messageArgs: { provider: names } })
      else notify('app.account.bound_before', { type: 'info' })
    }
    navigate(pathname, { replace: true })
  }, [profile, search, pathname, nameOf, navigate, notify])
}
