import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useDataProvider, useLocaleState, useLocation, useNavigate, useRefresh, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Loading, PageTitle, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { usePageTitle } from '../../engine/define/page.tsx'
import type { FormState } from '../../engine/define/screen.ts'
import { ChangeList, NamedChange } from '../../engine/history/ChangeEntry.tsx'
import { ActionDialog, PendingData, RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { changeEndpoints } from '../../schemas/endpoints/changeEndpoints.ts'
import { entityNamed } from '../../schemas/index.ts'
import { currentAccount } from '../../session/currentUser.ts'
import { type ChangeAction, readActions } from '../../undo/changeDatabase.ts'
import type { UndoStep } from '../../undo/planUndo.ts'
import { readPlan, runUndo, type UndoResult } from '../../undo/runUndo.ts'
import { type Choices, UndoPreview } from './UndoPreview.tsx'

/**
 * What somebody changed in this browser within a day, and the way to take it back, and what everybody has changed.
 * `?undo=<key>` opens the dialog.
 */
export default function RecentChangesPage() {
  const translate = useTranslate()
  const title = translate('app.shell.recent_changes')
  usePageTitle(title)
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const { data: actions, error, refetch } = useRecentActions()
  const hasChanges = useSetting()?.wheelhouse?.changes === true
  const key = new URLSearchParams(search).get('undo')
  const chosen = actions?.find((action) => action.key === key)
  const close = (isDone: boolean) => {
    const { openedFrom } = (state ?? {}) as FormState
    if (openedFrom && isDone) return navigate(openedFrom)
    void refetch()
    return navigate(pathname, { replace: true })
  }
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <div style={{ maxWidth: 960 }} aria-busy={!actions && !error}>
        {error ? <Alert severity="info">{translate('app.undo.unavailable')}</Alert> : null}
        {actions && key && !chosen ? (
          <Alert severity="info" sx={{ marginBottom: 2 }} onClose={() => close(false)}>
            {translate('app.undo.expired')}
          </Alert>
        ) : null}
        {actions ? (
          <Panel title={translate('app.undo.last_day')} hint={translate('app.undo.hint')}>
            {actions.length === 0 ? <p>{translate('app.undo.empty')}</p> : <Actions actions={actions} />}
          </Panel>
        ) : null}
        {hasChanges && (actions || error) ? <EverybodysChanges /> : null}
      </div>
      {chosen ? <UndoDialog key={chosen.key} action={chosen} onClose={close} /> : null}
    </>
  )
}

function Actions({ actions }: { actions: readonly ChangeAction[] }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const textOf = useActionText()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  return (
    <List>
      {actions.map((action) => {
        const { key, at, undone, count, isTooLarge } = action
        const text = textOf(action)
        return (
          <li key={key}>
            <div>
              <span>{text}</span>
              <small>
                <time dateTime={new Date(at).toISOString()}>{formatDateTime(at, locale)}</time>
                {undone > 0 && undone < count ? ` · ${translate('app.undo.partly_undone', { undone, count })}` : null}
                {isTooLarge ? ` · ${translate('app.undo.too_large')}` : null}
              </small>
            </div>
            {undone >= count ? <small>{translate('app.undo.undone')}</small> : null}
            {undone < count && !isTooLarge ? (
              <Button
                variant="outlined"
                color="inherit"
                size="small"
                aria-label={translate('app.undo.title', { action: text })}
                onClick={() => navigate(`${pathname}?undo=${encodeURIComponent(key)}`, { state })}
              >
                {translate('app.action.undo')}
              </Button>
            ) : null}
          </li>
        )
      })}
    </List>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 14,
  '& > li': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(2),
    paddingBlock: theme.spacing(1),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > li > div': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > li > button': { flexShrink: 0 },
  '& small': { display: 'block', fontSize: 13, color: theme.vars.palette.text.secondary },
}))

/** Changes made in this browser that can be taken back, latest first. Read again when the tab gets the focus. */
function useRecentActions() {
  const account = currentAccount()
  return useQuery({
    queryKey: ['recentChanges', account],
    queryFn: () => readActions(account ?? ''),
    // It is in this browser: no network is needed, and other tabs write to it too.
    networkMode: 'always',
    refetchOnWindowFocus: 'always',
    refetchOnMount: 'always',
    gcTime: 0,
  })
}

/** Changes that are asked for at first, and with each press of the button below them. */
const pageSize = 25

/**
 * What everybody has changed, the latest first, as far as this person may see it: the server decides. For servers that
 * announce `wheelhouse.changes`.
 */
function EverybodysChanges() {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [limit, setLimit] = useState(pageSize)
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', 'everybody', limit],
    queryFn: () => call(changeEndpoints.changes, { limit }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const changes = data?.value ?? []
  const total = data?.pagination.total ?? 0
  return (
    <Panel title={translate('app.changes.everybody')} hint={translate('app.changes.everybody_hint')}>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data && total === 0 ? <p>{translate('app.changes.none')}</p> : null}
      <ChangeList>
        {changes.map((change) => (
          <NamedChange key={change.id} change={change} />
        ))}
      </ChangeList>
      {changes.length < total ? (
        <Button onClick={() => setLimit(limit + pageSize)}>
          {translate('app.changes.more', { shown: changes.length, total })}
        </Button>
      ) : null}
    </Panel>
  )
}

const nothingChosen: Choices = { overwrite: new Map(), secrets: new Map() }

interface UndoDialogProps {
  action: ChangeAction
  /** @param isDone whether everything that could be taken back was */
  onClose: (isDone: boolean) => void
}

/** Says what taking an action back will do, record by record, asks where it must, and does it. */
function UndoDialog({ action, onClose }: UndoDialogProps) {
  const translate = useTranslate()
  const provider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const toast = useToast()
  const text = useActionText()(action)
  const [choices, setChoices] = useState(nothingChosen)
  const [done, setDone] = useState<number>()
  const [failures, setFailures] = useState<readonly UndoResult[]>([])
  const stop = useRef<AbortController>(undefined)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['undoPlan', action.key],
    queryFn: () => readPlan(action, provider.reload, entityNamed),
    gcTime: 0,
  })
  const ready = data?.filter(({ state }) => state === 'ready') ?? []
  const isRunning = done !== undefined
  const lacksSecret = ready.some((step) => isMissingSecret(step, choices))

  const run = async () => {
    const entity = entityNamed(action.entity)
    if (!entity) return
    stop.current = new AbortController()
    setDone(0)
    setFailures([])
    const results = await runUndo(entity, ready, choices, {
      provider,
      entityNamed,
      onProgress: setDone,
      signal: stop.current.signal,
    })
    const failed = results.filter((result) => result.error !== undefined)
    for (const { error: cause } of failed) console.warn(cause)
    refresh()
    setDone(undefined)
    setFailures(failed)
    if (failed.length === 0 && results.length === ready.length) {
      toast.show({ key: 'app.undo.done', args: { action: text } })
      onClose(true)
    } else await refetch()
  }

  return (
    <ActionDialog
      title={translate('app.undo.title', { action: text })}
      onClose={() => !isRunning && onClose(false)}
      width={760}
    >
      <DialogContent aria-busy={isFetching || isRunning}>
        {failures.map(({ step, error: cause }) => (
          <Alert key={step.change.key} severity="error" sx={{ marginBottom: 1 }}>
            {translate('app.undo.failed', { name: step.change.name, error: translate(messageOf(cause)) })}
          </Alert>
        ))}
        {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <Loading /> : null}
        {data && ready.length === 0 ? <Alert severity="info">{translate('app.undo.nothing')}</Alert> : null}
        {data ? <UndoPreview action={action} steps={data} choices={choices} onChoose={setChoices} /> : null}
      </DialogContent>
      <DialogActions>
        {isRunning ? (
          <>
            <span role="status">{translate('app.undo.progress', { done, total: ready.length })}</span>
            <Button onClick={() => stop.current?.abort()}>{translate('app.undo.stop')}</Button>
          </>
        ) : (
          <Button onClick={() => onClose(false)}>{translate('app.action.close')}</Button>
        )}
        {ready.length > 0 ? (
          <Button
            variant="contained"
            loading={isRunning}
            disabled={isFetching || lacksSecret}
            onClick={() => void run()}
          >
            {translate('app.action.undo')}
          </Button>
        ) : null}
      </DialogActions>
    </ActionDialog>
  )
}

const isMissingSecret = ({ change, needed }: UndoStep, { secrets }: Choices) =>
  needed.some((field) => !secrets.get(change.key)?.[field]?.trim())

/** The words of a failure: the server's own, or the key of a text. */
function messageOf(error: unknown): string {
  const message = error instanceof Error && error.name !== 'ZodError' ? error.message : ''
  return message || 'app.toast.unexpected'
}

/** Fields that are named; more are an ellipsis. */
const fieldsNamed = 4

/** An action in words: '3 servers changed: Note', 'Service “web” deleted'. */
function useActionText(): (action: ChangeAction) => string {
  const translate = useTranslate()
  return ({ entity, verb, count, name, fields }) => {
    const root = `resources.${entity}`
    const what =
      count === 1
        ? translate('app.undo.one', { entity: translate(`${root}.name`, { smart_count: 1 }), name })
        : translate(`${root}.counted`, { smart_count: count })
    if (verb === 'delete') return translate('app.undo.deleted', { what })
    const named = fields.slice(0, fieldsNamed).map((field) => translate(`${root}.fields.${field}`))
    return translate('app.undo.changed', {
      what,
      fields: [...named, fields.length > fieldsNamed ? '…' : []].flat().join(', '),
    })
  }
}
