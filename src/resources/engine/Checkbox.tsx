import { styled } from '@mui/material/styles'
import type { ComponentProps } from 'react'

const Target = styled('label')({
  display: 'inline-flex',
  width: 40,
  height: 40,
  alignItems: 'center',
  justifyContent: 'center',
  cursor: 'pointer',
  verticalAlign: 'middle',
})

const Input = styled('input')(({ theme }) => ({
  width: 16,
  height: 16,
  margin: 0,
  accentColor: theme.vars.palette.primary.main,
  cursor: 'inherit',
}))

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
  indeterminate?: boolean
}

/** The browser's own checkbox in a target of 40 px: a table of 100 rows needs no heavier one. */
export function Checkbox({ label, indeterminate = false, ...props }: CheckboxProps) {
  return (
    <Target>
      <Input
        {...props}
        type="checkbox"
        aria-label={label}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
      />
    </Target>
  )
}
