import { type ComponentType, memo } from 'react'
import { useTranslate } from 'react-admin'
import { useScreen } from '../../engine/define/screen.ts'
import { inputs } from '../../engine/kinds/inputs.ts'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { describeField } from '../../schemas/define/describe.ts'
import { type SiteSettingKey, siteSetting } from '../../schemas/settings/siteSetting.ts'
import { CustomCodeInput } from './CustomCodeInput.tsx'
import { LanguageInput } from './LanguageInput.tsx'
import { RealIpInput } from './RealIpInput.tsx'
import { ServersInput } from './ServersInput.tsx'
import { ThemeInput } from './ThemeInput.tsx'

const ownInputs: Partial<Record<SiteSettingKey, ComponentType<InputProps>>> = {
  language: LanguageInput,
  user_template: ThemeInput,
  custom_code: CustomCodeInput,
  custom_code_dashboard: CustomCodeInput,
  web_real_ip_header: RealIpInput,
  agent_real_ip_header: RealIpInput,
  ignored_ip_notification: ServersInput,
}

interface SettingFieldProps {
  name: SiteSettingKey
  /** Whether the server stores it without using it. */
  isUnused: boolean
}

/** The input of one setting. The form around it renders with each letter that is typed; a setting only with its own value. */
export const SettingField = memo(function SettingField({ name, isUnused }: SettingFieldProps) {
  const { texts } = useScreen()
  const translate = useTranslate()
  const field = describeField(siteSetting, name)
  if (!field) return null
  const Input = ownInputs[name] ?? inputs[field.kind]
  const help = [texts.help(name), isUnused && translate('app.site.idle')].filter(Boolean).join(' ')
  return <Input field={field} entity={siteSetting.name} label={texts.label(name)} help={help || undefined} />
})
