import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { ChoiceField, NumberField } from '../../components/inputs/plainFields.tsx'
import { FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import { cycleUnits } from '../../schemas/alerts/ruleLimits.ts'
import { type Rule, toLocalInputValue, toRuleTime } from './alertRule.ts'

interface CycleFieldsProps {
  rule: Rule
  onChange: (changes: Rule) => void
}

/** Start and length of a traffic cycle. The start is shown in local time and stored in UTC. */
export function CycleFields({ rule, onChange }: CycleFieldsProps) {
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
