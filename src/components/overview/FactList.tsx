import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../CopyButton.tsx'

/** A name and its value; without a value it is left out. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Facts, one below the other. */
export const FactList = styled('dl')(({ theme }) => ({
  margin: 0,
  fontSize: 13,
  '& > div': {
    display: 'grid',
    gridTemplateColumns: '112px minmax(0, 1fr)',
    gap: theme.spacing(1.5),
    paddingBlock: theme.spacing(0.75),
  },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { color: theme.vars.palette.text.secondary, hyphens: 'auto' },
  '& dd': { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  '& code': { fontFamily: 'var(--mono)', fontSize: 12 },
}))

/** A text in letters of one width, with a button that copies it. @param name what it is, for the button */
export function Copied({ text, name }: { text: string; name: string }) {
  const translate = useTranslate()
  return (
    <CopyLine>
      <code>{text}</code>
      <CopyButton text={text} label={translate('app.overview.copy', { what: name })} />
    </CopyLine>
  )
}

const CopyLine = styled('span')({
  display: 'flex',
  minWidth: 0,
  alignItems: 'center',
  gap: 4,
  minHeight: 24,
  '& button': { marginBlock: -4 },
})
