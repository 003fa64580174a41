import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useLocaleState } from 'react-admin'
import { weekdays } from '../../domain/timeOfDay.ts'
import { FieldFrame, useField } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'

/** A Monday. */
const monday = Date.UTC(2024, 0, 1)

/** Days of the week, as buttons. */
export default function DaysInput({ field: description, label, help }: InputProps) {
  const [locale] = useLocaleState()
  const { id, field, error } = useField<string[] | null>(description)
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <ToggleButtonGroup
        id={id}
        size="small"
        value={field.value ?? []}
        aria-label={label}
        sx={{ flexWrap: 'wrap' }}
        onChange={(_, chosen: string[]) => field.onChange(weekdays.filter((day) => chosen.includes(day)))}
      >
        {weekdays.map((day, index) => (
          <ToggleButton key={day} value={day} sx={{ minWidth: 44 }}>
            {names.format(monday + index * 86_400_000)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </FieldFrame>
  )
}
