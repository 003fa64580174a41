import MoreHoriz from '@mui/icons-material/MoreHoriz'
import PauseIcon from '@mui/icons-material/Pause'
import PlayArrowIcon from '@mui/icons-material/PlayArrow'
import Alert from '@mui/material/Alert'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../../i18n/fillText.ts'
import type { Language } from '../../../components/format/format.ts'
import { SearchInput } from '../../../components/inputs/SearchInput.tsx'
import type { TableColumn } from '../../../components/LiveTable.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { PendingData, useToast } from '../../../engine/parts/ActionDialog.tsx'
import type { MenuOption } from '../../../engine/parts/menuProps.ts'
import type { Endpoint, InputOf, ReplyOf } from '../../../schemas/define/endpoint.ts'
import type { SilenceCause } from '../../../schemas/inspect/answer.ts'

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

/** The output of a program, as it is. */
export const Output = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5),
  maxHeight: 'max(320px, calc(100vh - 300px))',
  overflow: 'auto',
  fontFamily: 'var(--mono)',
  fontSize: 12,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  background: theme.vars.palette.sunken,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))

/** What every answer of a machine has. */
export interface Answer {
  items: unknown[]
  reason?: string
  cause?: SilenceCause
  detail?: string
  text?: string
  truncated?: boolean
  fresh_ms?: number
}

/** Milliseconds: the shortest time between two requests, and that while nothing is known of the machine's pace. */
const pollMs = 2000

/**
 * What a machine says about a subject, asked again and again while the page is in view and not paused.
 * @param input with the `id` of the server
 * @param keepsCurrent whether it is asked again by itself
 */
export function useInspected<E extends Endpoint>(endpoint: E, input: InputOf<E> & { id: number }, keepsCurrent = true) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [isPaused, setPaused] = useState(false)
  const query = useQuery({
    queryKey: ['inspect', input.id, endpoint.path, input],
    queryFn: () => call(endpoint, input),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      keepsCurrent && !isPaused && Math.max(pollMs, (state.data as Answer | undefined)?.fresh_ms ?? pollMs),
    gcTime: 60_000,
  })
  return {
    data: query.data as ReplyOf<E> | undefined,
    error: query.error,
    refetch: query.refetch,
    isFetching: query.isFetching,
    isPaused,
    setPaused,
  }
}

/** Sends an order to a machine, says how it went, and asks the machine again about everything that is on screen. */
export function useOrder(id: number) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const queryClient = useQueryClient()
  /** @param done the key of the text when it has worked */
  return async function order<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    done: { key: string; args?: TextArgs },
  ): Promise<boolean> {
    try {
      await call(endpoint, input)
      show(done)
      return true
    } catch (error) {
      showError(error)
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['inspect', id] })
    }
  }
}

/** The last column: a menu of what can be done with the thing of a row. */
export const actionsColumn = <Row,>(
  translate: Language['translate'],
  nameOf: (row: Row) => string,
  optionsFor: (row: Row) => readonly MenuOption[],
): TableColumn<Row> => ({
  key: 'actions',
  label: '',
  width: '40px',
  cell: (row) => (
    <MenuButton
      label={translate('app.list.actions_for', { name: nameOf(row) })}
      icon={<MoreHoriz fontSize="small" />}
      items={optionsFor(row)}
    />
  ),
})
