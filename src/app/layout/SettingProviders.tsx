import { type ReactNode, useEffect, useMemo } from 'react'
import { useSetting } from '../../components/useSetting.ts'
import { SingletonsContext } from '../../engine/actions/useUsedBy.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { runCustomCode } from '../../site/customCode.ts'

/**
 * Applies the server's settings to all pages: screens know what the server supports, deletions know which records the
 * settings refer to, and the operator's custom code runs.
 */
export function SettingProviders({ children }: { children: ReactNode }) {
  const setting = useSetting()
  useEffect(() => {
    if (setting) runCustomCode(setting.config.custom_code_dashboard)
  }, [setting])
  const announced = useMemo(
    () => setting && new Set(Object.keys(setting.wheelhouse ?? {}).filter((key) => setting.wheelhouse?.[key])),
    [setting],
  )
  const config = setting?.config
  const singletons = useMemo(
    () => (config ? [{ loadEntity, record: config, title: 'app.usage.settings', fieldTitle }] : []),
    [config],
  )
  return (
    <AnnouncedFeaturesContext value={announced}>
      <SingletonsContext value={singletons}>{children}</SingletonsContext>
    </AnnouncedFeaturesContext>
  )
}

const loadEntity = async () => (await import('../../schemas/settings/siteSetting.ts')).siteSetting

const fieldTitle = (field: string) => `app.usage.setting_fields.${field}`
