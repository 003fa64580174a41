import { styled } from '@mui/material/styles'
import type { CellProps } from '../parts/kind.ts'

export const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

const Ellipsis = styled('span')({ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' })

export function TextCell({ value }: CellProps) {
  const text = asText(value)
  return <Ellipsis title={text}>{text}</Ellipsis>
}
