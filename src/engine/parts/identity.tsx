import { createContext, type ReactNode, use, useMemo } from 'react'
import { useGetIdentity } from 'react-admin'

type Identity = Pick<ReturnType<typeof useGetIdentity>, 'identity' | 'isPending'>

const IdentityContext = createContext<Identity>({ identity: undefined, isPending: true })

/** Asks the auth provider who is signed in, for all parts below. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const { identity, isPending } = useGetIdentity()
  const value = useMemo(() => ({ identity, isPending }), [identity, isPending])
  return <IdentityContext value={value}>{children}</IdentityContext>
}

/**
 * Who is signed in. React-admin's `useGetIdentity` says the same, with an observer of its own for each caller, and a list
 * has more callers than rows.
 */
export const useIdentity = (): Identity => use(IdentityContext)
