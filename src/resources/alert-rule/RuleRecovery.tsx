import { useTranslate } from 'react-admin'
import { NumberField } from '../../components/inputs/plainFields.tsx'
import type { Rule } from './alertRule.ts'

interface RecoveryFieldsProps {
  rule: Rule
  /** The unit of its bounds. */
  symbol: string
  onChange: (changes: Rule) => void
}

/** What an alarm needs to be over: bounds within those of the rule, and a time. Only the embedded server knows it. */
export function RecoveryFields({ rule, symbol, onChange }: RecoveryFieldsProps) {
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
