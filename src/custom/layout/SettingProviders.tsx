import { type ReactNode, useEffect, useMemo } from 'react'
import { AnnouncedContext } from '../../resources/engine/define/announcedByServer.tsx'
import { startCustomCode } from '../../site/customCode.ts'
import { useSetting } from '../hooks/useSetting.ts'
import { SettingUses } from './SettingUses.tsx'

/** Does what the server's settings ask of every page: screens know what it has, and the operator's code runs. */
export function SettingProviders({ children }: { children: ReactNode }) {
  const setting = useSetting()
  useEffect(() => {
    if (setting) startCustomCode(setting.config.custom_code_dashboard)
  }, [setting])
  const announced = useMemo(
    () => setting && new Set(Object.keys(setting.wheelhouse ?? {}).filter((key) => setting.wheelhouse?.[key])),
    [setting],
  )
  return (
    <AnnouncedContext value={announced}>
      <SettingUses>{children}</SettingUses>
    </AnnouncedContext>
  )
}
