import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import type { Entity } from '../../schemas/define/entity.ts'
import type { ChangedField } from '../../schemas/endpoints/changeEndpoints.ts'
import { FieldValue, isText } from './FieldValue.tsx'
import { useFieldText } from './useFieldText.ts'

/** Lines that stand before and after those that differ. */
const contextLines = 1

/** Two texts without the lines that they have in common at the beginning and at the end; '…' stands for these. */
export function changedLines(from: string, to: string): { from: string; to: string } {
  const [old, next] = [from.split('\n'), to.split('\n')]
  const shorter = Math.min(old.length, next.length)
  let head = 0
  while (head < shorter && old[head] === next[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++
  const [start, end] = [Math.max(0, head - contextLines), Math.max(0, tail - contextLines)]
  const cut = (lines: readonly string[]) =>
    [...(start > 0 ? ['…'] : []), ...lines.slice(start, lines.length - end), ...(end > 0 ? ['…'] : [])].join('\n')
  return { from: cut(old), to: cut(next) }
}

interface DifferenceTableProps {
  entity: Entity
  fields: readonly ChangedField[]
  /** The text keys of the two columns with values; one where the other would be empty. */
  headings: Readonly<Partial<Record<'from' | 'to', string>>>
}

/** Fields with their old and new values side by side, on a phone one below the other. */
export function DifferenceTable({ entity, fields, headings }: DifferenceTableProps) {
  const translate = useTranslate()
  const textOf = useFieldText(entity.name)
  const sides = (['from', 'to'] as const).filter((side) => headings[side] !== undefined)
  const labelOf = (name: string) =>
    name === 'user_id' ? translate('app.changes.owner') : translate(`resources.${entity.name}.fields.${name}`)
  return (
    <Table>
      <thead>
        <tr>
          <th scope="col">{translate('app.changes.field')}</th>
          {sides.map((side) => (
            <th key={side} scope="col">
              {translate(headings[side] as string)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const shown = sides.length === 2 ? withChangedLines(entity, field, textOf) : field
          return (
            <tr key={field.name}>
              <th scope="row">{labelOf(field.name)}</th>
              {field.secret ? (
                <td colSpan={sides.length}>{translate('app.changes.secret')}</td>
              ) : (
                sides.map((side) => (
                  <td key={side} data-heading={translate(headings[side] as string)}>
                    <FieldValue entity={entity} name={field.name} value={shown[side]} />
                    {field.cut ? <small>{translate('app.changes.cut')}</small> : null}
                  </td>
                ))
              )}
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

function withChangedLines(entity: Entity, field: ChangedField, textOf: ReturnType<typeof useFieldText>): ChangedField {
  const { name, from, to } = field
  if (!isText(entity, name)) return field
  return { ...field, ...changedLines(textOf(name, from), textOf(name, to)) }
}

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th, & td': { padding: '4px 12px 4px 0', textAlign: 'left', verticalAlign: 'top', overflowWrap: 'anywhere' },
  '& th': { fontWeight: 500, color: theme.vars.palette.text.secondary },
  '& th:first-of-type': { width: '28%' },
  '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& small': { display: 'block', color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: {
    '& thead': { display: 'none' },
    '&, & tbody, & tr, & th, & td': { display: 'block', width: 'auto' },
    '& th:first-of-type': { width: 'auto', paddingTop: 8, color: theme.vars.palette.text.primary },
    '& td[data-heading]::before': {
      content: 'attr(data-heading)',
      display: 'block',
      color: theme.vars.palette.text.secondary,
    },
  },
}))
