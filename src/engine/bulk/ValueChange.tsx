import { styled } from '@mui/material/styles'
import { useScreen } from '../define/screen.ts'
import { FieldValue, isText, textOf } from '../history/FieldValue.tsx'
import { changedPart } from './changedPart.ts'

const Change = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: theme.spacing(0, 1),
  minWidth: 0,
  maxWidth: '100%',
  overflowWrap: 'anywhere',
  '& del, & ins': { minWidth: 0, maxWidth: '100%', textDecoration: 'none', whiteSpace: 'normal' },
  '& del': { color: theme.vars.palette.text.secondary, textDecoration: 'line-through' },
  '& ins': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}))

interface ValueChangeProps {
  /** The name of the field. */
  name: string
  before: unknown
  after: unknown
}

/** Old → new in words; of texts, the part that differs. */
export function ValueChange({ name, before, after }: ValueChangeProps) {
  const { entity } = useScreen()
  const shown = isText(entity, name) ? changedPart(textOf(before), textOf(after)) : { before, after }
  return (
    <Change>
      <del>
        <FieldValue entity={entity} name={name} value={shown.before} />
      </del>
      <span aria-hidden>→</span>
      <ins>
        <FieldValue entity={entity} name={name} value={shown.after} />
      </ins>
    </Change>
  )
}
