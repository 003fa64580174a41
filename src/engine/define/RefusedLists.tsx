import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { useIdentity } from '../parts/identity.tsx'

const RefusedListsContext = createContext<{ refused: ReadonlySet<string>; add: (key: string) => void }>({
  refused: new Set(),
  add: () => {},
})

/** Keeps which lists the server has refused to a person, until the console is loaded again. */
export function RefusedLists({ children }: { children: ReactNode }) {
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const add = useCallback((key: string) => setRefused((before) => new Set([...before, key])), [])
  const value = useMemo(() => ({ refused, add }), [refused, add])
  return <RefusedListsContext value={value}>{children}</RefusedListsContext>
}

/** Which lists were refused to the person who is signed in, by the name of their entity. */
export function useRefusedLists() {
  const { refused, add } = use(RefusedListsContext)
  const { identity } = useIdentity()
  const person = identity?.id
  return useMemo(
    () => ({
      isRefused: (entity: string) => refused.has(`${person} ${entity}`),
      /** From now on its page says that it is for administrators. */
      markRefused: (entity: string) => add(`${person} ${entity}`),
    }),
    [refused, add, person],
  )
}
