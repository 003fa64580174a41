import RemoveIcon from '@mui/icons-material/DeleteOutlined'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Suspense, use, useId, useState } from 'react'
import { useGetList, useTranslate, ValidationError } from 'react-admin'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { ChoiceField, NumberField } from '../../components/inputs/plainFields.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { JsonInput } from '../../engine/kinds/inputs.tsx'
import { FieldFrame, fieldGrid, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { everyRow } from '../../records/queryRows.ts'
import { alertRuleTypes, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { cycleUnits, isCycleType } from '../../schemas/alerts/ruleLimits.ts'
import {
  formatRuleValue,
  ignoredOf,
  namedServers,
  newRule,
  type Rule,
  readRules,
  ruleSentence,
  ruleTypeText,
  ruleWarnings,
  samplesDuration,
  toLocalInputValue,
  toRuleTime,
  type WatchedServer,
  withChanges,
  withType,
} from './alertRule.ts'

/** Fetched after the fields: they can be filled in without it. */
const RuleBacktestPanel = lazyPart(() => import('./backtest/RuleBacktestPanel.tsx'))

/** The rules of an alert in two views of one value: a rule builder and JSON text. */
export default function AlertRulesInput(props: InputProps) {
  const translate = useTranslate()
  const { field } = useField<unknown>(props.field)
  const rules = readRules(field.value)
  const [view, setView] = useState<'builder' | 'json'>(rules ? 'builder' : 'json')
  return (
    <div>
      <Head>
        <span>{props.label}</span>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          aria-label={translate('resources.alert-rule.values.view')}
          onChange={(_, chosen: typeof view | null) => chosen && setView(chosen)}
        >
          <ToggleButton value="builder">{translate('resources.alert-rule.values.view_builder')}</ToggleButton>
          <ToggleButton value="json">{translate('resources.alert-rule.values.view_json')}</ToggleButton>
        </ToggleButtonGroup>
      </Head>
      {view === 'json' ? (
        <JsonInput {...props} label={translate('resources.alert-rule.values.view_json')} />
      ) : (
        <Rules {...props} />
      )}
      <Suspense>{rules && rules.length > 0 ? <RuleBacktestPanel rules={rules} /> : null}</Suspense>
    </div>
  )
}

/** A text that is not a list of rules is kept and can only be corrected as text. */
function Rules(props: InputProps) {
  const translate = useTranslate()
  const { field, error } = useField<unknown>(props.field)
  const rules = readRules(field.value)
  if (!rules) return <Alert severity="warning">{translate('resources.alert-rule.values.unreadable')}</Alert>
  const change = (index: number, rule: Rule | undefined) =>
    field.onChange(rules.toSpliced(index, 1, ...(rule ? [rule] : [])))
  return (
    <Stack>
      {rules.map((rule, index) => (
        <RuleFields
          // Rules have no ids, only positions.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          number={index + 1}
          rule={rule}
          onChange={(next) => change(index, next)}
          onRemove={() => change(index, undefined)}
        />
      ))}
      {rules.length > 1 ? <small>{translate('resources.alert-rule.values.together')}</small> : null}
      {error ? (
        <Alert severity="error" role="alert">
          <ValidationError error={error} />
        </Alert>
      ) : null}
      <div>
        <Button ref={field.ref} variant="outlined" size="small" onClick={() => field.onChange([...rules, newRule()])}>
          {translate('resources.alert-rule.values.add')}
        </Button>
      </div>
    </Stack>
  )
}

const Head = styled('div')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  marginBottom: 8,
  fontSize: 13,
  fontWeight: 600,
})

const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 })

interface RuleFieldsProps {
  /** Its position, from 1. */
  number: number
  rule: Rule
  onChange: (rule: Rule) => void
  onRemove: () => void
}

const everyServer = {
  pagination: everyRow,
  sort: { field: 'name', order: 'ASC' as const },
}
const symbols = {
  percent: '%',
  bytes_per_second: 'B/s',
  bytes: 'B',
  number: '',
  celsius: '°C',
  days: '',
  none: '',
} as const

/** The fields of one rule: type, limits and servers, with a summary in one sentence and warnings. */
function RuleFields({ number, rule, onChange, onRemove }: RuleFieldsProps) {
  const language = useLanguage()
  const { translate, locale } = language
  const titleId = useId()
  const { data: servers = [] } = useGetList<WatchedServer>('server', everyServer)
  const nameOf = (id: number) => servers.find((server) => Number(server.id) === id)?.name || `#${id}`
  const type = String(rule.type ?? '')
  const unit = alertRuleTypes[type]?.unit ?? 'number'
  const set = (changes: Rule) => onChange(withChanges(rule, changes))
  const announced = use(AnnouncedFeaturesContext)
  const hasRecovery = announced?.has('incidents') && !isCycleType(type)
  const isAsked = subjectOfType(type) !== undefined

  // Other servers ask machines nothing: there such a rule would never fail.
  const isKnown = (name: string) => announced?.has('inspect') !== false || subjectOfType(name) === undefined
  const types = Object.keys(alertRuleTypes).filter(isKnown)
  const bound = (key: 'min' | 'max') => (
    <NumberField
      label={translate(`resources.alert-rule.values.${key}`)}
      help={boundHelp(rule[key])}
      unit={symbols[unit]}
      value={rule[key]}
      onChange={(value) => set({ [key]: value })}
    />
  )
  function boundHelp(value: unknown): string {
    const isLarge = unit.startsWith('bytes') && Number(value) >= 1024
    return isLarge ? formatRuleValue(Number(value), unit, locale) : translate('resources.alert-rule.values.no_bound')
  }

  return (
    <Frame aria-labelledby={titleId}>
      <header>
        <strong id={titleId}>{translate('resources.alert-rule.values.rule', { number })}</strong>
        <IconButton
          size="small"
          aria-label={translate('resources.alert-rule.values.remove', { number })}
          onClick={onRemove}
        >
          <RemoveIcon fontSize="small" />
        </IconButton>
      </header>
      <Grid>
        <ChoiceField
          label={translate('resources.alert-rule.values.watched')}
          value={type}
          choices={types.includes(type) ? types : [...types, type]}
          textOf={(name) => ruleTypeText(name, language)}
          onChange={(next) => onChange(withType(rule, next, Date.now()))}
        />
        {isCycleType(type) ? null : (
          <NumberField
            label={translate('resources.alert-rule.values.samples')}
            help={translate('resources.alert-rule.values.samples_last', {
              smart_count: Number(rule.duration ?? 0) || 0,
              duration: samplesDuration(Number(rule.duration ?? 0) || 0, language),
            })}
            value={rule.duration}
            onChange={(duration) => set({ duration })}
          />
        )}
        {unit === 'none' ? null : bound('min')}
        {unit === 'none' ? null : bound('max')}
        {hasRecovery ? <RecoveryFields rule={rule} symbol={symbols[unit]} onChange={set} /> : null}
        {isCycleType(type) ? <CycleFields rule={rule} onChange={set} /> : null}
      </Grid>
      <RuleServers rule={rule} onChange={set} />
      <p>{ruleSentence(rule, nameOf, language)}</p>
      {isAsked && isKnown(type) ? <small>{translate('resources.alert-rule.values.asked_hint')}</small> : null}
      {isKnown(type) ? null : (
        <Alert severity="warning">{translate('resources.alert-rule.values.warn_type', { type })}</Alert>
      )}
      {ruleWarnings(rule, servers, Date.now()).map(({ key, args }) => (
        <Alert key={key} severity="warning">
          {translate(key, args)}
        </Alert>
      ))}
    </Frame>
  )
}

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(1.5),
  padding: theme.spacing(1, 1.5, 1.5),
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '& header': { display: 'flex', alignItems: 'center', justifyContent: 'space-between' },
  '& p': { margin: 0, fontWeight: 500, overflowWrap: 'anywhere' },
}))

const Grid = styled('div')(fieldGrid(220))

interface CycleFieldsProps {
  rule: Rule
  onChange: (changes: Rule) => void
}

/** Start and length of a traffic cycle. The start is shown in local time and stored in UTC. */
function CycleFields({ rule, onChange }: CycleFieldsProps) {
  const translate = useTranslate()
  const startId = useId()
  const storedUnit = String(rule.cycle_unit ?? 'hour')
  // Servers ignore the case of units.
  const unit = cycleUnits.find((one) => one === storedUnit.toLowerCase()) ?? storedUnit
  const knownUnits: readonly string[] = cycleUnits
  return (
    <>
      <FieldFrame id={startId} label={translate('resources.alert-rule.values.cycle_start')} required>
        <OutlinedInput
          id={startId}
          size="small"
          type="datetime-local"
          value={toLocalInputValue(rule.cycle_start)}
          onChange={({ target }) => {
            onChange({ cycle_start: target.value ? toRuleTime(new Date(target.value)) : undefined })
          }}
        />
      </FieldFrame>
      <NumberField
        label={translate('resources.alert-rule.values.cycle_interval')}
        value={rule.cycle_interval}
        onChange={(cycle_interval) => onChange({ cycle_interval })}
      />
      <ChoiceField
        label={translate('resources.alert-rule.values.cycle_unit')}
        value={unit}
        choices={knownUnits.includes(unit) ? knownUnits : [...knownUnits, unit]}
        textOf={(choice) =>
          knownUnits.includes(choice) ? translate(`resources.alert-rule.values.unit_${choice}`) : choice
        }
        onChange={(cycle_unit) => onChange({ cycle_unit })}
      />
    </>
  )
}

interface RecoveryFieldsProps {
  rule: Rule
  /** The unit of its bounds. */
  symbol: string
  onChange: (changes: Rule) => void
}

/** What an alarm needs to be over: bounds within those of the rule, and a time. Only the embedded server knows it. */
function RecoveryFields({ rule, symbol, onChange }: RecoveryFieldsProps) {
  const translate = useTranslate()
  const text = (key: string) => translate(`resources.alert-rule.values.${key}`)
  const bounds = [
    { bound: 'min', recovery: 'recovery_min' },
    { bound: 'max', recovery: 'recovery_max' },
  ] as const
  return (
    <>
      {bounds.map(({ bound, recovery }) =>
        rule[bound] || rule[recovery] ? (
          <NumberField
            key={recovery}
            label={text(recovery)}
            help={text('recovery_bound_help')}
            unit={symbol}
            value={rule[recovery]}
            onChange={(value) => onChange({ [recovery]: value })}
          />
        ) : null,
      )}
      <NumberField
        label={text('recovery_duration')}
        help={text('recovery_duration_help')}
        unit={translate('app.duration.seconds', { count: '' }).trim()}
        value={rule.recovery_duration}
        onChange={(recovery_duration) => onChange({ recovery_duration })}
      />
    </>
  )
}

interface RuleServersProps {
  rule: Rule
  onChange: (changes: Rule) => void
}

/** The servers that a rule covers. Entries with `false` have no meaning and are kept. */
function RuleServers({ rule, onChange }: RuleServersProps) {
  const translate = useTranslate()
  const cover = String(rule.cover ?? 0)
  const knownValues = ['0', '1']
  const texts: Record<string, string> = {
    0: translate('resources.alert-rule.values.cover_all'),
    1: translate('resources.alert-rule.values.cover_only'),
  }
  const choose = (ids: readonly number[]) => {
    const ignoredEntries = ignoredOf(rule).filter(([key, isNamed]) => isNamed !== true && !ids.includes(Number(key)))
    onChange({ ignore: Object.fromEntries([...ignoredEntries, ...ids.map((key) => [String(key), true] as const)]) })
  }
  return (
    <>
      <ChoiceField
        label={translate('resources.alert-rule.values.cover')}
        value={cover}
        choices={knownValues.includes(cover) ? knownValues : [...knownValues, cover]}
        textOf={(choice) => texts[choice] ?? translate('app.list.unknown_code', { code: choice })}
        onChange={(choice) => onChange({ cover: Number(choice) })}
      />
      <Suspense>
        <LazyReferencePicker
          to="server"
          label={translate('resources.alert-rule.values.servers')}
          multiple
          chosen={namedServers(rule)}
          onChoose={choose}
        />
      </Suspense>
    </>
  )
}
