import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Suspense, useState } from 'react'
import { useTranslate, ValidationError } from 'react-admin'
import { JsonInput } from '../../engine/kinds/inputs.tsx'
import { type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { newRule, type Rule, readRules } from './alertRule.ts'
import { RuleFields } from './RuleFields.tsx'

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
