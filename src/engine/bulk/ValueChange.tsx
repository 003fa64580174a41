import { styled } from '@mui/material/styles'
import { useScreen } from '../define/screen.ts'
import { FieldValue, isText, textOf } from '../history/FieldValue.tsx'

/** Characters that stand around a change, so that people see where it is. */
const context = 24

/**
 * Where two texts differ, with a few characters around it: in a note of a thousand lines the change would be out of
 * sight.
 */
export function changedPart(before: string, after: string): { before: string; after: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const from = start > context ? outsidePair(before, start - context) : 0
  const rest = end > context ? end - context : 0
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, outsidePair(text, text.length - rest))}${rest > 0 ? '…' : ''}`.replaceAll(
      /\s*\n\s*/g,
      ' ⏎ ',
    )
  return { before: cut(before), after: cut(after) }
}

/** An emoji has two places in a text; a cut between them would leave neither readable. */
const outsidePair = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at)

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
  const shown = isText(entity, name)
    ? changedPart(textOf(entity, name, before), textOf(entity, name, after))
    : { before, after }
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
