import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useLocales } from 'react-admin'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'

/** The console's languages by their own names; another stored value is kept. */
export function LanguageInput({ field: description, label, help }: InputProps) {
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
