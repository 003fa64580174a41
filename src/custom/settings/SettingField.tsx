import { type ComponentType, memo, Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { useScreen } from '../../engine/define/screen.ts'
import { inputs } from '../../engine/kinds/inputs.tsx'
import { FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { describeField } from '../../schemas/define/describe.ts'
import { type SiteSettingKey, siteSetting } from '../../schemas/settings/siteSetting.ts'
import { LanguageInput } from './LanguageInput.tsx'
import { RealIpInput } from './RealIpInput.tsx'
import { ThemeInput } from './ThemeInput.tsx'

const CodeEditor = lazyPart(() => import('../../components/CodeEditor.tsx'))

const height = '180px'

/** An editor for HTML with styles and scripts. */
function CustomCodeInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField(description)
  return (
    <FieldFrame id={id} label={label} help={help} required={false} error={error}>
      <Suspense fallback={<div style={{ height }} aria-busy />}>
        <CodeEditor value={field.value ?? ''} onChange={field.onChange} language="html" label={label} height={height} />
      </Suspense>
    </FieldFrame>
  )
}

const ownInputs: Partial<Record<SiteSettingKey, ComponentType<InputProps>>> = {
  language: LanguageInput,
  user_template: ThemeInput,
  custom_code: CustomCodeInput,
  custom_code_dashboard: CustomCodeInput,
  web_real_ip_header: RealIpInput,
  agent_real_ip_header: RealIpInput,
  ignored_ip_notification: ServersInput,
  recorded_servers: ServersInput,
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

/** Servers stored as one text of ids, `1,2`. Other parts of the text are removed with the first change. */
function ServersInput(props: InputProps) {
  const { id, field, error } = useField(props.field)
  const chosen = (field.value ?? '').split(',').flatMap((part) => (/^\s*\d+\s*$/.test(part) ? [Number(part)] : []))
  return (
    <LazyReferencePicker
      to="server"
      required={props.field.required}
      label={props.label}
      help={props.help}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={chosen}
      onChoose={(ids) => field.onChange(ids.join(','))}
    />
  )
}
