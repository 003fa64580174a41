import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useLocaleState, useLocation, useNavigate, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { PageTitle, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import type { FormState } from '../../engine/define/screen.ts'
import { ChangeList } from '../../engine/history/ChangeEntry.tsx'
import { NamedChange } from '../../engine/history/NamedChange.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { changeEndpoints } from '../../schemas/endpoints/changeEndpoints.ts'
import { currentAccount } from '../../session/currentUser.ts'
import { type ChangeAction, readActions } from '../../undo/changeDatabase.ts'
import { UndoDialog } from './UndoDialog.tsx'
import { useActionText } from './useActionText.ts'

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
