import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../resources/engine/define/defineResource.ts'
import { useScreen } from '../../resources/engine/define/screen.ts'
import { useNames } from '../../resources/engine/kinds/reference/useNames.ts'
import { RetryAlert } from '../../resources/engine/parts/RetryAlert.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { TaskResult } from '../../schemas/endpoints/taskResult.ts'
import { ActionDialog } from '../components/ActionDialog.tsx'
import { formatDateTime } from '../format/format.ts'

/** What the last run of a task did on each server. */
export default function TaskResultsDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(records[0]?.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['cron', 'results', id],
    queryFn: () => call(endpoints.taskResults, { id }),
    refetchInterval: ({ state }) => (state.data?.results.some((result) => result.state === 'running') ? 2000 : 10_000),
  })
  return (
    <ActionDialog title={translate('app.task_results.title', { what: texts.what(records) })} onClose={onClose}>
      <DialogContent dividers aria-busy={!data && !error}>
        {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <CircularProgress size={24} aria-label={translate('app.list.loading')} /> : null}
        {data ? <Results results={data.results} total={data.total} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}

function Results({ results, total }: { results: readonly TaskResult[]; total: number }) {
  const translate = useTranslate()
  const nameOf = useNames(
    'server',
    results.map(({ server_id }) => server_id),
  )
  if (results.length === 0) return <Alert severity="info">{translate('app.task_results.none')}</Alert>
  return (
    <>
      {results.length < total ? (
        <p>{translate('app.task_results.first_of', { shown: results.length, total })}</p>
      ) : null}
      <List>
        {results.map((result) => (
          <Result key={result.server_id} result={result} server={nameOf(result.server_id)} />
        ))}
      </List>
    </>
  )
}

function Result({ result: { state, at, reason, exit_code, output }, server }: { result: TaskResult; server: string }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const status = [
    translate(`app.task_results.states.${state}`, { _: state }),
    formatDateTime(Date.parse(at), locale),
    reason ? translate(`app.task_results.reasons.${reason}`, { _: reason, code: exit_code }) : '',
  ]
  return (
    <li data-state={state}>
      <strong>{server}</strong>
      <em>{status.filter(Boolean).join(' · ')}</em>
      {output ? <pre>{output}</pre> : null}
    </li>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  overflowWrap: 'anywhere',
  '& li': { paddingBlock: theme.spacing(1) },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& strong': { fontWeight: 600 },
  '& em': { display: 'block', fontSize: 13, fontStyle: 'normal', color: theme.vars.palette.text.secondary },
  '& li[data-state=failed] em, & li[data-state=lost] em': { color: theme.vars.palette.error.main },
  '& pre': {
    margin: theme.spacing(0.5, 0, 0),
    padding: theme.spacing(1),
    maxHeight: 160,
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    fontSize: 12,
    background: theme.vars.palette.action.hover,
    borderRadius: 4,
  },
}))
