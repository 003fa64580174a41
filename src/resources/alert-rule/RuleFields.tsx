import RemoveIcon from '@mui/icons-material/DeleteOutlined'
import Alert from '@mui/material/Alert'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { use, useId } from 'react'
import { useGetList } from 'react-admin'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { ChoiceField, NumberField } from '../../components/inputs/plainFields.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { everyRow } from '../../records/wholeList.ts'
import { alertRuleTypes, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType } from '../../schemas/alerts/ruleLimits.ts'
import { type Rule, withChanges, withType } from './alertRule.ts'
import { formatRuleValue, ruleTypeText } from './alertRuleText.ts'
import { CycleFields } from './RuleCycle.tsx'
import { RecoveryFields } from './RuleRecovery.tsx'
import { RuleServers } from './RuleServers.tsx'
import { ruleSentence, samplesDuration } from './ruleSentence.ts'
import { ruleWarnings, type WatchedServer } from './ruleWarnings.ts'

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
export function RuleFields({ number, rule, onChange, onRemove }: RuleFieldsProps) {
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

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  gridTemplateColumns: 'repeat(auto-fit, minmax(220px, 1fr))',
  alignItems: 'start',
}))
