import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { memo, type ReactNode, Suspense, use } from 'react'
import { type RaRecord, useListContext, useRecordContext, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { describeField, type FieldDescription, isConcealed } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { FieldItem, Section } from '../define/form.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import { inputs } from '../kinds/inputs.tsx'
import { type Copy, CopyContext, isNotCopied, mustBeEnteredAgain } from './newValues.ts'
import { FieldsSuspense, SectionFields, SectionHeading } from './sectionStyles.tsx'

const Fields = styled(SectionFields)(({ theme }) => ({
  // A section without a heading continues the one before it.
  'section + section > &:first-of-type:not(h3 + *)': { marginTop: theme.spacing(2) },
}))

const Fold = styled('details')(({ theme }) => ({
  '& > summary': { cursor: 'pointer', marginTop: theme.spacing(3) },
  '& > summary > h3': { display: 'inline', margin: 0 },
  '& > div': { marginTop: theme.spacing(1.5) },
}))

interface FormSectionsProps {
  sections: readonly Section[]
  values: Values
  /** Is told whether inputs are still being fetched. */
  onPending: (isPending: boolean) => void
}

/** The form's sections, each with its heading and fields; some are shown only for certain values. */
export function FormSections({ sections, values, onPending }: FormSectionsProps) {
  const { texts } = useScreen()
  return (
    <FieldsSuspense onPending={onPending}>
      {sections.map(({ section, items, when, folded }) => {
        if (when && !when(values)) return null
        const inputs = items.map((item): FieldItem => (typeof item === 'string' ? { source: item } : item))
        const fields = (
          <Fields>
            {inputs.map((input) => (
              <FormField key={input.source} {...input} />
            ))}
          </Fields>
        )
        const heading = section ? <SectionHeading>{texts.section(section)}</SectionHeading> : null
        // A form may have several sections without a heading, so the key contains their first field.
        const key = `${section} ${inputs[0]?.source}`
        if (!folded) {
          return (
            // A section that a choice adds must not hide the rest of the form, nor take its focus, while it is loading.
            <SuspenseIf key={key} isNeeded={when !== undefined}>
              <section>
                {heading}
                {fields}
              </section>
            </SuspenseIf>
          )
        }
        return (
          <Fold key={key}>
            <summary>{heading}</summary>
            {fields}
          </Fold>
        )
      })}
    </FieldsSuspense>
  )
}

const SuspenseIf = ({ isNeeded, children }: { isNeeded: boolean; children: ReactNode }) =>
  isNeeded ? <Suspense>{children}</Suspense> : children

/**
 * One field of a form: its input, and hints about values that the server does not show. The form around it renders with
 * each letter that is typed; a field only with its own value.
 */
const FormField = memo(function FormField({ source, Input }: FieldItem) {
  const { entity, texts, translate } = useScreen()
  const record = useRecordContext()
  const copy = use(CopyContext)
  const field = describeField(entity, source)
  const isKnown = useIsKnown(field)
  const canClear = use(AnnouncedFeaturesContext)?.has('clear_secrets') === true
  const isBound = useIsBound(field, copy === undefined ? record : undefined)
  if (!field || !isKnown) return null
  const concealed = record && concealment(field, record)
  const isClearable = canClear && !isBound && copy === undefined && concealed !== undefined && !field.required
  const hint = isBound ? 'bound' : isClearable ? 'clearable' : concealed
  const help = [
    texts.help(source),
    concealed && hint && translate(hints[hint]),
    copy && isNotCopied(field, copy.original) && translate('app.form.not_copied'),
  ]
    .filter(Boolean)
    .join(' ')
  const mustEnter = copy !== undefined && mustBeEnteredAgain(field, copy.original)
  const props = {
    field: mustEnter || concealed ? { ...field, required: mustEnter && !copy.without.has(source) } : field,
    entity: entity.name,
    label: texts.label(source),
    help: help || undefined,
  }
  const KindInput = inputs[field.kind]
  const drawn = Input ? <Input source={source} {...props} /> : <KindInput {...props} />
  // The field may appear while the form is in use, and must not hide the rest of it while its input is loading.
  const input = field.announced === undefined ? drawn : <Suspense>{drawn}</Suspense>
  if (!mustEnter && !isClearable) return input
  return (
    <div>
      {input}
      {mustEnter ? <LeaveOut copy={copy} source={source} label={props.label} /> : null}
      {isClearable ? <ClearSecret source={source} label={props.label} /> : null}
    </div>
  )
})

/** The alternative to an empty input that keeps what is stored: the save takes it away. */
function ClearSecret({ source, label }: { source: string; label: string }) {
  const translate = useTranslate()
  const { setValue } = useFormContext()
  const [value, cleared = []]: [unknown, (readonly string[])?] = useWatch({ name: [source, 'clear_secrets'] })
  if (value) return null
  return (
    <Option
      label={translate('app.form.clear_secret', { field: label })}
      checked={cleared.includes(source)}
      onChange={(isCleared) => {
        const others = cleared.filter((name) => name !== source)
        setValue('clear_secrets', isCleared ? [...others, source] : others)
      }}
    />
  )
}

/** The alternative to entering a value again: the copy is created without it. */
function LeaveOut({ copy: { without, leaveOut }, source, label }: { copy: Copy; source: string; label: string }) {
  const translate = useTranslate()
  const value = useWatch({ name: source })
  const { clearErrors } = useFormContext()
  if (value) return null
  return (
    <Option
      label={translate('app.copy.without', { field: label })}
      checked={without.has(source)}
      onChange={(isLeftOut) => {
        leaveOut(source, isLeftOut)
        clearErrors(source)
      }}
    />
  )
}

/** A choice below an input that is about its value. */
function Option({ label, checked, onChange }: OptionProps) {
  return (
    <FormControlLabel
      label={label}
      slotProps={{ typography: { variant: 'body2' } }}
      control={<Checkbox size="small" checked={checked} onChange={(_, isChecked) => onChange(isChecked)} />}
    />
  )
}

interface OptionProps {
  label: string
  checked: boolean
  onChange: (isChecked: boolean) => void
}

const hints = {
  stored: 'app.form.stored_secret',
  perhaps: 'app.form.kept_if_stored',
  clearable: 'app.form.kept_unless_cleared',
  bound: 'app.form.bound_secret',
} as const

/** Whether the server hides a value of this field: `stored` when there is one, `perhaps` when that is unknown. */
function concealment(
  { name, kind, concealedBy }: FieldDescription,
  record: RaRecord,
): 'stored' | 'perhaps' | undefined {
  if (concealedBy) {
    if (record[concealedBy]) return undefined
    return name === concealedBy ? 'stored' : 'perhaps'
  }
  return kind === 'secret' && !record[name] ? 'perhaps' : undefined
}

/** Whether the form sends the secret elsewhere now, so that this server does not keep what is stored of it. */
function useIsBound(field: FieldDescription | undefined, record: RaRecord | undefined): boolean {
  const losesSecrets = useLosesSecrets()
  const isWatched = record !== undefined && field !== undefined && isConcealed(field)
  return useWatch({
    disabled: !isWatched,
    compute: (values: RaRecord) => isWatched && !values[field.name] && losesSecrets(record, values),
  })
}

/** Whether this server knows a newer field: its records have it. Without any record, it may. */
function useIsKnown(field: FieldDescription | undefined): boolean {
  const record = useRecordContext()
  const { data = [] } = useListContext()
  const announced = use(AnnouncedFeaturesContext)
  if (field?.announced !== undefined && !announced?.has(field.announced)) return false
  if (!field?.newer) return true
  return record ? field.name in record : data.length === 0 || data.some((row) => field.name in row)
}
