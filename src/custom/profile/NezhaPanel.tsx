import Button from '@mui/material/Button'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'

interface NezhaPanelProps {
  title: string
  hint: string
  /** The result of `useNezhaList`. */
  list: {
    isMissing: boolean
    isOpen: boolean
    open: () => void
    data: unknown
    error: Error | null
    refetch: () => unknown
  }
  action?: ReactNode
  children: ReactNode
}

/** A section for a list that only some Nezha servers have: closed at first, and hidden if the server does not have it. */
export function NezhaPanel({ title, hint, list, action, children }: NezhaPanelProps) {
  const translate = useTranslate()
  if (list.isMissing) return null
  const show = (
    <Button variant="outlined" color="inherit" onClick={list.open}>
      {translate('app.nezha.show', { what: title })}
    </Button>
  )
  return (
    <Panel title={title} hint={hint} action={list.isOpen ? action : show}>
      {list.isOpen ? <PendingData data={list.data} error={list.error} onRetry={list.refetch} /> : null}
      {list.data ? children : null}
    </Panel>
  )
}
