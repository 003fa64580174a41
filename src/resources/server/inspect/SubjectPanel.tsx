import PauseIcon from '@mui/icons-material/Pause'
import PlayArrowIcon from '@mui/icons-material/PlayArrow'
import Alert from '@mui/material/Alert'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { SearchInput } from '../../../components/inputs/SearchInput.tsx'
import { PendingData } from '../../../engine/parts/PendingData.tsx'
import { Output } from './Output.tsx'
import type { Answer } from './useInspected.ts'

/** What every subject is given. */
export interface SubjectProps {
  server: { id: number; name: string }
}

interface SubjectPanelProps {
  /** What was asked, as `useInspected` has it. */
  asked: {
    data: Answer | undefined
    error: Error | null
    refetch: () => unknown
    isPaused: boolean
    setPaused: (isPaused: boolean) => void
  }
  /** Above the answer: search, filters, numbers. */
  tools?: ReactNode
  /** Whether it changes by itself, and can be held. */
  isLive?: boolean
  children: ReactNode
}

/** The answer of a machine about a subject with what is around it; in its place the reason why there is none. */
export function SubjectPanel({ asked, tools, isLive = true, children }: SubjectPanelProps) {
  const { data, error, refetch, isPaused, setPaused } = asked
  const translate = useTranslate()
  const holdLabel = translate(isPaused ? 'app.inspect.go_on' : 'app.inspect.hold')
  return (
    <div aria-busy={!data && !error}>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data?.cause ? <Reason answer={data} /> : null}
      {data && !data.cause ? (
        <>
          {tools || isLive ? (
            <Tools>
              {tools}
              {isLive ? (
                <IconButton size="small" aria-label={holdLabel} title={holdLabel} onClick={() => setPaused(!isPaused)}>
                  {isPaused ? <PlayArrowIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
                </IconButton>
              ) : null}
            </Tools>
          ) : null}
          {error ? (
            <Alert severity="warning" sx={{ marginBottom: 1 }}>
              {translate(error.message || 'app.toast.unexpected')}
            </Alert>
          ) : null}
          {data.truncated ? (
            <Alert severity="info" sx={{ marginBottom: 1 }}>
              {translate('app.inspect.truncated', { count: data.items.length })}
            </Alert>
          ) : null}
          {data.text ? <Unknown text={data.text} /> : null}
          {data.text && data.items.length === 0 ? null : children}
        </>
      ) : null}
    </div>
  )
}

/** Why the machine says nothing, and what has to be done. */
export function Reason({ answer: { cause, reason, detail } }: { answer: Answer }) {
  const translate = useTranslate()
  return (
    <Alert severity="info" variant="outlined">
      {translate(`app.inspect.causes.${cause}`, { _: reason, detail: detail ?? '' })}
    </Alert>
  )
}

/** Output that this version does not understand. */
function Unknown({ text }: { text: string }) {
  const translate = useTranslate()
  return (
    <>
      <p>{translate('app.inspect.not_understood')}</p>
      <Output>{text}</Output>
    </>
  )
}

const Tools = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 1.5),
  marginBottom: theme.spacing(1.5),
  '& > button:last-child': { marginInlineStart: 'auto' },
  '& > p': { margin: 0, fontSize: 13, color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& select, & input[type=datetime-local], & input[type=text]': {
    height: 36,
    padding: theme.spacing(0, 1),
    font: 'inherit',
    fontSize: 13,
    color: 'inherit',
    background: theme.vars.palette.background.paper,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 4,
  },
}))

interface SearchFieldProps {
  value: string
  onChange: (text: string) => void
}

/** Searches what is on screen. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const translate = useTranslate()
  return (
    <SearchInput
      value={value}
      onChange={onChange}
      label={translate('app.list.search')}
      sx={{ width: { xs: '100%', sm: 240 } }}
    />
  )
}

/** The rows whose text has every word of a search. */
export function foundRows<Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
