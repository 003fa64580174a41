import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { type RawPath, shownPath } from '../transfer/remotePath.ts'

interface FoundListProps {
  /** How many there are. */
  status: string
  items: readonly { raw: RawPath; detail?: ReactNode }[]
  onChoose: (raw: RawPath) => void
}

/** Files or folders by path, which lead there. */
export function FoundList({ status, items, onChoose }: FoundListProps) {
  return (
    <div>
      <p role="status" style={{ margin: '0 0 8px', fontSize: 13 }}>
        {status}
      </p>
      <List>
        {items.map(({ raw, detail }) => (
          <li key={raw}>
            <button type="button" onClick={() => onChoose(raw)}>
              {shownPath(raw)}
            </button>
            {detail ? <span>{detail}</span> : null}
          </li>
        ))}
      </List>
    </div>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  maxHeight: '45vh',
  overflow: 'auto',
  fontSize: 13,
  '& > li': {
    display: 'flex',
    gap: theme.spacing(2),
    paddingBlock: 3,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > li > span': { flex: 'none', fontVariantNumeric: 'tabular-nums' },
  '& > li > button': {
    all: 'unset',
    flex: 1,
    minWidth: 0,
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    color: theme.vars.palette.primary.main,
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  },
}))
