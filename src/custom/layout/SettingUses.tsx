import { type ReactNode, useMemo } from 'react'
import { SinglesContext } from '../../resources/engine/actions/useUsedBy.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { useSetting } from '../hooks/useSetting.ts'

/** Lets a deletion know what the site's settings point at. */
export function SettingUses({ children }: { children: ReactNode }) {
  const config = useSetting()?.config
  const singles = useMemo(
    () => (config ? [{ entity: siteSetting, record: config, title: 'app.usage.settings', fieldTitle }] : []),
    [config],
  )
  return <SinglesContext value={singles}>{children}</SinglesContext>
}

const fieldTitle = (field: string) => `app.usage.setting_fields.${field}`
