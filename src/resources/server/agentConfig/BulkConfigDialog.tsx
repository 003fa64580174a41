import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { initialValues } from '../../../engine/form/formValues.ts'
import { serverConfig } from '../../../schemas/machines/serverConfig.ts'
import { type BulkChoice, BulkConfigForm } from './BulkConfigForm.tsx'
import { ConfigComparison } from './ConfigComparison.tsx'
import { ConfigResults } from './ConfigResults.tsx'
import { type ConfigOutcome, type ConfigReadResult, changeConfigs, readConfigs } from './configRequests.ts'
import type { ConfigChanges } from './configText.ts'

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
  const ids = records.map(({ id }) => Number(id))
  const nameOf = (id: number) => texts.nameOf(records.find((record) => Number(record.id) === id) ?? { id })

  /** Shows a progress bar while `work` runs. */
  async function withProgress<T>(total: number, work: (onStep: () => void) => Promise<T>): Promise<T> {
    setProgress({ done: 0, total })
    const result = await work(() => setProgress((now) => now && { ...now, done: now.done + 1 }))
    setProgress(undefined)
    return result
  }

  const compare = async (chosen: BulkChoice, newChanges: ConfigChanges) => {
    setChoice(chosen)
    setChanges(newChanges)
    setStep({ configs: await withProgress(ids.length, (onStep) => readConfigs(call, ids, onStep)) })
  }

  const send = async (to: readonly number[], before: readonly ConfigOutcome[]) => {
    const sent = await withProgress(to.length, (onStep) => changeConfigs(call, to, changes, onStep))
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
          <DialogActions />
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
