import FormControlLabel from '@mui/material/FormControlLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { type ComponentType, memo, Suspense, useState } from 'react'
import { useLocales, useTranslate } from 'react-admin'
import { useScreen } from '../../engine/define/screen.ts'
import { inputs } from '../../engine/kinds/inputs.tsx'
import { describedBy, FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { describeField } from '../../schemas/define/describe.ts'
import { type SiteSettingKey, siteSetting, usePeerAddress } from '../../schemas/settings/siteSetting.ts'
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

/** The header in which a proxy sends the visitor's address, or a switch for the connection's own peer address. */
function RealIpInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField(description)
  const { ref, value, ...rest } = field
  const isDirect = value === usePeerAddress
  // Switching on and off restores the typed text.
  const [typed, setTyped] = useState(isDirect ? '' : value)
  return (
    <FieldFrame id={id} label={label} help={help} required={false} error={error}>
      <OutlinedInput
        {...rest}
        value={isDirect ? '' : (value ?? '')}
        onChange={(event) => {
          setTyped(event.target.value)
          field.onChange(event.target.value)
        }}
        disabled={isDirect}
        inputRef={ref}
        id={id}
        size="small"
        placeholder="X-Real-IP"
        error={Boolean(error)}
        sx={{ fontFamily: 'monospace' }}
        slotProps={{ input: { 'aria-describedby': describedBy(id), autoCapitalize: 'off', spellCheck: false } }}
      />
      <FormControlLabel
        label={translate('app.site.direct_ip')}
        control={
          <Switch
            size="small"
            checked={isDirect}
            onChange={(_, on) => field.onChange(on ? usePeerAddress : typed)}
            slotProps={{ input: { 'aria-label': translate('app.site.direct_ip_for', { setting: label }) } }}
          />
        }
        sx={{ marginTop: 0.5 }}
      />
    </FieldFrame>
  )
}

/** The console's languages by their own names; another stored value is kept. */
function LanguageInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField(description)
  const { ref, ...rest } = field
  const languages = useLocales()
  const isOther = field.value !== '' && !languages.some(({ locale }) => locale === field.value)
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <NativeSelect
        {...rest}
        inputRef={ref}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id, 'aria-describedby': describedBy(id) }}
      >
        {languages.map(({ locale, name }) => (
          <option key={locale} value={locale} lang={locale}>
            {name}
          </option>
        ))}
        {isOther ? <option value={field.value}>{field.value}</option> : null}
      </NativeSelect>
    </FieldFrame>
  )
}
