import { type ReactNode, useMemo } from 'react'
import { AnnouncedContext } from '../../resources/engine/announced.tsx'
import { useSetting } from './useSetting.ts'

/** Lets the screens know what the server says it has beyond the contract. */
export function ServerAnnouncements({ children }: { children: ReactNode }) {
  const setting = useSetting()
  const announced = useMemo(
    () => setting && new Set(Object.keys(setting.wheelhouse ?? {}).filter((key) => setting.wheelhouse?.[key])),
    [setting],
  )
  return <AnnouncedContext value={announced}>{children}</AnnouncedContext>
}
