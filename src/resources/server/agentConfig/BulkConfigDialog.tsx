import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useRef, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { FormProvider } from 'react-hook-form'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { initialValues } from '../../../engine/form/validate.ts'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { Values } from '../../../schemas/define/values.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'
import { ConfigComparison, ConfigFields, useConfigForm } from './ConfigFields.tsx'
import {
  type ConfigChanges,
  type ConfigOutcome,
  type ConfigReadResult,
  changeConfigs,
  readConfigs,
} from './configRequests.ts'

type Step = 'choose' | { configs: ConfigReadResult[] } | { outcomes: ConfigOutcome[] }

/**
 * Changes the same settings on many servers in three steps: choose the settings, compare the changes per server, see the
 * results. Each server gets its own configuration text.
 */
export default function BulkConfigDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [choice, setChoice] = useState<BulkChoice>({ ticked: [], values: initialValues(serverConfig) })
  const [changes, setChanges] = useState<ConfigChanges>({})
  const [step, setStep] = useState<Step>('choose')
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const running = useRef<AbortController>(undefined)
  const ids = records.map(({ id }) => Number(id))
  const nameOf = (id: number) => texts.nameOf(records.find((record) => Number(record.id) === id) ?? { id })

  /** Shows a progress bar while `work` runs. */
  async function withProgress<T>(
    total: number,
    work: (onStep: () => void, signal: AbortSignal) => Promise<T>,
  ): Promise<{ result: T; isStopped: boolean }> {
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setProgress({ done: 0, total })
    const result = await work(() => setProgress((now) => now && { ...now, done: now.done + 1 }), signal)
    setProgress(undefined)
    return { result, isStopped: signal.aborted }
  }

  const compare = async (chosen: BulkChoice, newChanges: ConfigChanges) => {
    setChoice(chosen)
    setChanges(newChanges)
    const { result: configs, isStopped } = await withProgress(ids.length, (onStep, signal) =>
      readConfigs(call, ids, onStep, signal),
    )
    if (!isStopped) setStep({ configs })
  }

  const send = async (to: readonly number[], before: readonly ConfigOutcome[]) => {
    const { result: sent } = await withProgress(to.length, (onStep, signal) =>
      changeConfigs(call, to, changes, onStep, signal),
    )
    const outcomes = [...before.filter(({ id }) => !to.includes(id)), ...sent]
    setStep({ outcomes: outcomes.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) })
  }

  const title = translate('app.server_config.title', { what: texts.what(records) })
  return (
    // A request that is half done cannot be undone, so the dialog cannot be closed by accident meanwhile.
    <ActionDialog title={title} width={800} onClose={progress ? () => {} : onClose}>
      {progress ? (
        <>
          <DialogContent dividers>
            <Progress {...progress} />
          </DialogContent>
          <DialogActions>
            <Button autoFocus onClick={() => running.current?.abort()}>
              {translate('app.bulk.stop')}
            </Button>
          </DialogActions>
        </>
      ) : step === 'choose' ? (
        <BulkConfigForm choice={choice} onCompare={compare} onCancel={onClose} />
      ) : 'configs' in step ? (
        <ConfigComparison
          configs={step.configs}
          changes={changes}
          nameOf={nameOf}
          onBack={() => setStep('choose')}
          onSend={(to) => send(to, skippedServers(step.configs, to))}
        />
      ) : (
        <ConfigResults
          outcomes={step.outcomes}
          nameOf={nameOf}
          onRetry={(failed) => send(failed, step.outcomes)}
          onClose={onClose}
        />
      )}
    </ActionDialog>
  )
}

/** Outcomes for the servers that get no changes: those that could not be read, and those without a difference. */
const skippedServers = (configs: readonly ConfigReadResult[], to: readonly number[]): ConfigOutcome[] =>
  configs
    .filter(({ id }) => !to.includes(id))
    .map((one) =>
      'config' in one ? { id: one.id, state: 'unchanged' } : { id: one.id, state: 'failed', reason: one.reason },
    )

/** A progress bar with its numbers. */
function Progress({ done, total }: { done: number; total: number }) {
  const translate = useTranslate()
  const label = translate('app.server_config.progress', { done, total })
  return (
    <>
      <Typography gutterBottom>{label}</Typography>
      <LinearProgress variant="determinate" value={total ? (done / total) * 100 : 0} aria-label={label} />
    </>
  )
}

interface ConfigResultsProps {
  outcomes: readonly ConfigOutcome[]
  nameOf: (id: number) => string
  onRetry: (failed: number[]) => void
  onClose: () => void
}

/** The outcome per server, with a button that retries the failed ones. */
function ConfigResults({ outcomes, nameOf, onRetry, onClose }: ConfigResultsProps) {
  const translate = useTranslate()
  const failed = outcomes.filter(isFailure).map(({ id }) => id)
  const outcomeText = (outcome: ConfigOutcome) =>
    translate(outcome.state === 'failed' ? outcome.reason : textOfState[outcome.state])
  return (
    <>
      <DialogContent dividers>
        <Typography role="status" gutterBottom>
          {translate('app.server_config.results', { done: outcomes.length - failed.length, total: outcomes.length })}
        </Typography>
        <List>
          {outcomes.map((outcome) => (
            <li key={outcome.id} data-failed={isFailure(outcome)}>
              <strong>{nameOf(outcome.id)}</strong>
              <span>{outcomeText(outcome)}</span>
            </li>
          ))}
        </List>
      </DialogContent>
      <DialogActions>
        {failed.length > 0 ? (
          <Button onClick={() => onRetry(failed)}>
            {translate('app.server_config.retry', { smart_count: failed.length })}
          </Button>
        ) : null}
        <Button variant="contained" onClick={onClose}>
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </>
  )
}

const failures: readonly ConfigOutcome['state'][] = ['failed', 'offline', 'stopped', 'unknown']
const isFailure = ({ state }: ConfigOutcome) => failures.includes(state)

const textOfState: Readonly<Record<Exclude<ConfigOutcome['state'], 'failed'>, string>> = {
  sent: 'app.server_config.outcome.sent',
  reconnecting: 'app.server_config.outcome.reconnecting',
  accepted: 'app.server_config.outcome.accepted',
  unchanged: 'app.server_config.outcome.unchanged',
  offline: 'app.server_config.outcome.offline',
  stopped: 'app.bulk.not_sent',
  unknown: 'app.toast.unanswered',
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 2),
    padding: theme.spacing(0.75, 0),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& li[data-failed=true] span': { color: theme.vars.palette.error.main },
}))

/** The settings to change and their new values; kept while the person goes back and forth between the steps. */
interface BulkChoice {
  ticked: ServerConfigKey[]
  values: Values
}

interface BulkConfigFormProps {
  choice: BulkChoice
  onCompare: (choice: BulkChoice, changes: ConfigChanges) => void
  onCancel: () => void
}

/** The form for the settings to change. Only ticked settings are changed. */
function BulkConfigForm({ choice, onCompare, onCancel }: BulkConfigFormProps) {
  const translate = useTranslate()
  const [ticked, setTicked] = useState(choice.ticked)
  const [isEmpty, setEmpty] = useState(false)
  const { form, values } = useConfigForm(choice.values, ticked)
  const compare = (changes: ConfigChanges) => {
    setEmpty(ticked.length === 0)
    if (ticked.length > 0) onCompare({ ticked, values }, changes)
  }
  return (
    <FormProvider {...form}>
      <form noValidate style={{ display: 'contents' }} onSubmit={form.handleSubmit(compare)}>
        <DialogContent dividers>
          <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
            {translate('app.server_config.bulk_hint')}
          </Typography>
          <ConfigFields
            ticked={ticked}
            onTick={(key, on) => {
              setEmpty(false)
              setTicked(on ? [...ticked, key] : ticked.filter((other) => other !== key))
            }}
          />
          {isEmpty ? <Alert severity="error">{translate('app.server_config.nothing_ticked')}</Alert> : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.server_config.compare')}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  )
}
