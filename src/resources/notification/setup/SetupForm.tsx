import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import { use, useEffect, useMemo, useRef, useState } from 'react'
import { type RaRecord, useGetList } from 'react-admin'
import { FormProvider, type Resolver, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { FormFields } from '../../../components/FormFields.tsx'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import KeyValueInput from '../../../components/inputs/KeyValueInput.tsx'
import { ChoiceField } from '../../../components/inputs/plainFields.tsx'
import { Panel } from '../../../components/Panel.tsx'
import type { Preset } from '../../../domain/notifierPresets/preset.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { UnsavedChangesGuard } from '../../../engine/form/DiscardDialog.tsx'
import { FieldsSuspense } from '../../../engine/form/sectionStyles.tsx'
import { asFormErrors, initialValues, validate } from '../../../engine/form/validate.ts'
import { everyRowByName } from '../../../records/queryRows.ts'
import { isReadOnly } from '../../../schemas/define/access.ts'
import { describeFields } from '../../../schemas/define/describe.ts'
import { defineEntity } from '../../../schemas/define/entity.ts'
import type { Values } from '../../../schemas/define/values.ts'
import { notification } from '../../../schemas/notification.ts'
import { ruleSentence } from '../../alert-rule/alertRule.ts'
import { NotifierBodyInput } from '../notifierInputs.tsx'
import { missingRules, type SetupPlan } from './setupPlan.ts'

const get = 1
const none: RaRecord[] = []

/** The name of the group that is made when there is none to choose. */
const newGroup = 'new'

interface SetupFormProps {
  /** The messenger; left out for the technical form. */
  preset?: Preset
  /** Makes it all. Its error stands below the form, which stays as it is. */
  onSubmit: (plan: SetupPlan) => Promise<void>
  onBack: () => void
}

/** What a messenger asks for, and what is made together with its notifier. */
export function SetupForm({ preset, onSubmit, onBack }: SetupFormProps) {
  const language = useLanguage()
  const { translate } = language
  const entity = useMemo(() => (preset ? entityOf(preset) : notification), [preset])
  const groups = useGetList('notification-group', everyRowByName).data ?? none
  const rules = useGetList('alert-rule', everyRowByName)
  const ownGroups = groups.filter((group) => !isReadOnly(group))
  const hasRecovery = use(AnnouncedFeaturesContext)?.has('incidents') === true
  const [group, setGroup] = useState(newGroup)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [error, setError] = useState<Error>()
  const [isPending, setPending] = useState(false)
  const isSaved = useRef(false)
  const frame = useRef<HTMLFormElement>(null)
  useEffect(() => frame.current?.querySelector('input')?.focus(), [])

  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(entity, values, preset ? Object.keys(values) : shownFields(values))
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: initialValues(entity), resolver })
  const values = useWatch({ control: form.control })
  const fields = describeFields(entity).filter(({ name }) => preset || shownFields(values).includes(name))

  const suggested = rules.data ? missingRules(rules.data, hasRecovery) : []
  const silent = (rules.data ?? none).filter((rule) => !isReadOnly(rule) && !rule.notification_group_id)
  const isChosen = (key: string, isDefault: boolean) => toggled.has(key) !== isDefault
  const nameOf = (key: string) => translate(`app.notification_setup.rule_${key}`)
  const toggle = (key: string) =>
    setToggled((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))

  async function submit(parsed: Values) {
    setError(undefined)
    try {
      await onSubmit({
        notifier: { name: preset?.name ?? '', ...notifierOf(preset, parsed), skip_check: false },
        group: group === newGroup ? translate('app.notification_setup.group_name') : Number(group),
        rules: suggested
          .filter(({ key, isChosen: isDefault }) => isChosen(key, isDefault))
          .map(({ key, rule }) => ({ name: nameOf(key), rule })),
        silent: isChosen('silent', true) ? silent : [],
      })
      isSaved.current = true
    } catch (failure) {
      setError(failure as Error)
    }
  }

  const label = (name: string) => translate(preset?.questions[name]?.label ?? `resources.notification.fields.${name}`)
  const help = (name: string) => {
    const key = preset ? preset.questions[name]?.help : `resources.notification.help.${name}`
    return key ? translate(key, { _: '' }) : ''
  }
  return (
    <FormProvider {...form}>
      <form noValidate ref={frame} onSubmit={form.handleSubmit(submit)}>
        <Panel
          title={preset?.name ?? translate('app.notification_setup.custom')}
          hint={translate(preset?.help ?? 'app.notification_setup.custom_hint')}
        >
          <FieldsSuspense onPending={setPending}>
            <Stack spacing={2} sx={{ maxWidth: 560 }}>
              <FormFields
                entity={entity.name}
                fields={fields.filter(({ editable }) => editable)}
                inputsByField={preset ? {} : customInputs}
                labelOf={label}
                helpOf={help}
              />
            </Stack>
          </FieldsSuspense>
        </Panel>
        <Panel
          title={translate('app.notification_setup.together')}
          hint={translate('app.notification_setup.together_hint')}
        >
          {ownGroups.length > 0 ? (
            <div style={{ maxWidth: 560 }}>
              <ChoiceField
                label={translate('resources.notification-group.name', { smart_count: 1 })}
                value={group}
                choices={[newGroup, ...ownGroups.map(({ id }) => String(id))]}
                textOf={(id) =>
                  id === newGroup
                    ? translate('app.notification_setup.new_group', {
                        name: translate('app.notification_setup.group_name'),
                      })
                    : String(ownGroups.find((one) => String(one.id) === id)?.name)
                }
                onChange={setGroup}
              />
            </div>
          ) : (
            <div>
              {translate('resources.notification-group.name', { smart_count: 1 })}{' '}
              <strong>{translate('app.notification_setup.group_name')}</strong>
            </div>
          )}
          {suggested.map(({ key, rule, isChosen: isDefault }) => (
            <Choice
              key={key}
              name={nameOf(key)}
              hint={ruleSentence(rule, String, language)}
              isChosen={isChosen(key, isDefault)}
              onToggle={() => toggle(key)}
            />
          ))}
          {silent.length > 0 ? (
            <Choice
              name={translate('app.notification_setup.silent', { smart_count: silent.length })}
              hint={silent.map(({ name }) => name).join(', ')}
              isChosen={isChosen('silent', true)}
              onToggle={() => toggle('silent')}
            />
          ) : null}
        </Panel>
        {error ? (
          <Alert severity="error" sx={{ marginBottom: 2, overflowWrap: 'anywhere' }}>
            {translate('app.notification_setup.refused')} {translate(error.message || 'app.toast.unexpected')}
          </Alert>
        ) : null}
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
          <Button
            type="submit"
            variant="contained"
            disabled={isPending || rules.isPending}
            loading={form.formState.isSubmitting}
          >
            {translate('app.notification_setup.submit')}
          </Button>
          <Button onClick={onBack}>{translate('app.notification_setup.back')}</Button>
        </Stack>
      </form>
      <UnsavedChangesGuard isDirty={() => form.formState.isDirty && !isSaved.current} />
    </FormProvider>
  )
}

interface ChoiceProps {
  name: string
  hint: string
  isChosen: boolean
  onToggle: () => void
}

const Choice = ({ name, hint, isChosen, onToggle }: ChoiceProps) => (
  <FormControlLabel
    sx={{ display: 'flex', alignItems: 'flex-start', marginTop: 1 }}
    control={<Checkbox size="small" checked={isChosen} onChange={onToggle} sx={{ paddingBlock: 0.25 }} />}
    label={
      <>
        {name}
        <br />
        <small>{hint}</small>
      </>
    }
  />
)

const customInputs = { request_header: KeyValueInput, request_body: NotifierBodyInput }

/** The fields of the technical form, as long as they mean something. */
const shownFields = ({ request_method }: Values): string[] => [
  ...['name', 'url', 'request_method', 'request_header', 'verify_tls'],
  ...(request_method === get ? [] : ['request_type', 'request_body']),
]

const entityOf = ({ questions }: Preset) =>
  defineEntity({
    name: 'notifier-preset',
    form: z.object(Object.fromEntries(Object.entries(questions).map(([key, { answer }]) => [key, answer]))),
  })

/** The fields of the notifier: as they were entered, or as the messenger wants them. */
function notifierOf(preset: Preset | undefined, parsed: Values): Values {
  if (!preset) return parsed
  const answers = Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value ?? '')]))
  return { ...preset.fill(answers) }
}
