import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslate } from 'react-admin'

export const recordTabs = ['form', 'history'] as const
export type RecordTab = (typeof recordTabs)[number]

interface RecordTabsProps {
  current: RecordTab
  onChange: (tab: RecordTab) => void
  /** The ids of tabs and panels begin with it. */
  id: string
}

/** The tabs of a record's dialog. As everywhere, the arrow keys move between them. */
export function RecordTabs({ current, onChange, id }: RecordTabsProps) {
  const translate = useTranslate()
  const bar = useRef<HTMLDivElement>(null)
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = current === 'form' ? 'history' : 'form'
    onChange(other)
    bar.current?.querySelector<HTMLElement>(`[data-tab=${other}]`)?.focus()
  }
  return (
    <Bar ref={bar} role="tablist" aria-label={translate('app.changes.tabs')} onKeyDown={onKeyDown}>
      {recordTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          id={`${id}-${tab}`}
          aria-controls={`${id}-${tab}-panel`}
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChange(tab)}
        >
          {translate(`app.changes.tab.${tab}`)}
        </button>
      ))}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(2),
  padding: '0 24px',
  '& > button': {
    ...theme.typography.body2,
    padding: '6px 0',
    border: 0,
    borderBottom: '2px solid transparent',
    color: theme.vars.palette.text.secondary,
    backgroundColor: 'transparent',
    cursor: 'pointer',
  },
  '& > button[aria-selected=true]': {
    color: theme.vars.palette.text.primary,
    borderBottomColor: theme.vars.palette.primary.main,
  },
}))
