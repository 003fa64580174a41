import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, useId, useState } from 'react'
import { useDataProvider, useLocaleState, useLocation, useTranslate } from 'react-admin'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import { type TaskRun, taskRunEndpoints } from '../../schemas/endpoints/taskRunEndpoints.ts'

const states = ['failed', 'lost', 'offline', 'running', 'succeeded']
/** Rows that are asked for at first, and with each press of the button below them. */
const pageSize = 50
/** Milliseconds between two requests while a run goes on, and while none does. */
const poll = { running: 1500, idle: 10_000 }

/** The runs of a task, the latest first, each with its output. */
export default function TaskRunsDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(records[0]?.id)
  const [state, setState] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const selectId = useId()
  const { data, error, refetch } = useQuery({
    queryKey: ['cron', 'runs', id, state, limit],
    queryFn: () => call(taskRunEndpoints.taskRuns, { id, limit, ...(state && { state }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: page } }) =>
      page?.value.some((run) => run.state === 'running') ? poll.running : poll.idle,
  })
  const runs = data?.value ?? []
  const total = data?.pagination.total ?? 0
  return (
    <ActionDialog title={translate('app.task_runs.title', { what: texts.what(records) })} onClose={onClose} width={760}>
      <DialogContent dividers aria-busy={!data && !error}>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data && (total > 0 || state) ? (
          <Filter>
            <label htmlFor={selectId}>{translate('app.task_runs.state')}</label>
            <select id={selectId} value={state} onChange={(event) => setState(event.target.value)}>
              <option value="">{translate('app.task_runs.all')}</option>
              {states.map((one) => (
                <option key={one} value={one}>
                  {translate(`app.task_runs.states.${one}`)}
                </option>
              ))}
            </select>
          </Filter>
        ) : null}
        {data && total === 0 ? (
          <Alert severity="info">{translate(state ? 'app.task_runs.none_in_state' : 'app.task_runs.none')}</Alert>
        ) : null}
        {runs.length > 0 ? <Runs runs={runs} /> : null}
        {runs.length < total ? (
          <Button onClick={() => setLimit(limit + pageSize)}>
            {translate('app.task_runs.more', { shown: runs.length, total })}
          </Button>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** The runs that were started together are below one heading. */
function Runs({ runs }: { runs: readonly TaskRun[] }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const executions = [...Map.groupBy(runs, ({ execution_id }) => execution_id)]
  return executions.map(([execution, together]) => {
    const [{ started_at, cause }] = together as [TaskRun]
    return (
      <Fragment key={execution}>
        <Heading>
          {formatDateTime(Date.parse(started_at), locale)}
          <small>{translate(`app.task_runs.causes.${cause}`, { _: cause })}</small>
        </Heading>
        <List>
          {together.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </List>
      </Fragment>
    )
  })
}

function Run({ run }: { run: TaskRun }) {
  const translate = useTranslate()
  const { search } = useLocation()
  const [isOpen, setOpen] = useState(new URLSearchParams(search).get('run') === String(run.id))
  const outputId = useId()
  const { state, reason, exit_code, started_at, ended_at } = run
  const isTimed = ended_at !== undefined && state !== 'offline' && reason !== 'restart'
  const facts = [
    translate(`app.task_runs.states.${state}`, { _: state }),
    reason ? translate(`app.task_runs.reasons.${reason}`, { _: reason, code: exit_code }) : '',
    isTimed ? formatDuration((Date.parse(ended_at) - Date.parse(started_at)) / 1000, translate) : '',
  ]
  return (
    <li data-state={state}>
      <button type="button" aria-expanded={isOpen} aria-controls={outputId} onClick={() => setOpen(!isOpen)}>
        <strong>{run.server_name || `#${run.server_id}`}</strong>
        <em>{facts.filter(Boolean).join(' · ')}</em>
      </button>
      <div id={outputId}>{isOpen ? <Output run={run} /> : null}</div>
    </li>
  )
}

/** The output of a run, which grows while it is running on a machine that sends it. */
function Output({ run: { id, state } }: { run: TaskRun }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, refetch } = useQuery({
    // `state` is part of the key, so that the output is read once more when the run has ended.
    queryKey: ['cron', 'run', id, state],
    queryFn: () => call(taskRunEndpoints.taskRun, { id }),
    placeholderData: keepPreviousData,
    refetchInterval: state === 'running' ? poll.running : false,
  })
  if (!data) return <PendingData data={data} error={error} onRetry={refetch} />
  if (data.output_deleted) return <p>{translate('app.task_runs.output_deleted')}</p>
  if (!data.output) {
    return <p>{translate(state === 'running' ? 'app.task_runs.no_output_yet' : 'app.task_runs.no_output')}</p>
  }
  return (
    <>
      {data.truncated ? <p>{translate('app.task_runs.truncated')}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to be able to scroll it */}
      <section tabIndex={0} aria-label={translate('app.task_runs.output')}>
        <pre>{data.output}</pre>
      </section>
    </>
  )
}

const Filter = styled('p')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  margin: 0,
  '& select': {
    font: 'inherit',
    padding: theme.spacing(0.5, 1),
    color: 'inherit',
    background: theme.vars.palette.background.paper,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 4,
  },
}))

const Heading = styled('h3')(({ theme }) => ({
  ...theme.typography.body2,
  fontWeight: 600,
  margin: theme.spacing(2, 0, 0.5),
  '& small': {
    marginLeft: theme.spacing(1),
    fontSize: 'inherit',
    fontWeight: 400,
    color: theme.vars.palette.text.secondary,
  },
}))

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  overflowWrap: 'anywhere',
  '& li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& button': {
    display: 'block',
    width: '100%',
    padding: theme.spacing(1, 0.5),
    font: 'inherit',
    color: 'inherit',
    textAlign: 'start',
    background: 'none',
    border: 'none',
    cursor: 'pointer',
  },
  '& button:hover': { background: theme.vars.palette.action.hover },
  '& strong': { fontWeight: 600 },
  '& em': { display: 'block', fontSize: 13, fontStyle: 'normal', color: theme.vars.palette.text.secondary },
  '& li[data-state=failed] em, & li[data-state=lost] em': { color: theme.vars.palette.error.main },
  '& p': { margin: theme.spacing(0, 0.5, 1), fontSize: 13, color: theme.vars.palette.text.secondary },
  '& section': {
    margin: theme.spacing(0, 0.5, 1),
    padding: theme.spacing(1),
    maxHeight: 320,
    overflow: 'auto',
    background: theme.vars.palette.action.hover,
    borderRadius: 4,
  },
  '& pre': { margin: 0, whiteSpace: 'pre-wrap', fontSize: 12 },
}))
