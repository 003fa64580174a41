import type { ComponentProps } from 'react'
import '../../parts/row.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
  indeterminate?: boolean
}

/** The browser's own checkbox in a larger target: a table of 100 rows needs no heavier one. */
export function Checkbox({ label, indeterminate = false, ...props }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input
        {...props}
        type="checkbox"
        aria-label={label}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
      />
    </label>
  )
}
