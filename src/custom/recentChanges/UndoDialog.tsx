import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useDataProvider, useRefresh, useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { Loading } from '../../components/Loading.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { entityNamed } from '../../schemas/index.ts'
import type { ChangeAction } from '../../undo/changeDatabase.ts'
import type { UndoStep } from '../../undo/planUndo.ts'
import { readPlan, runUndo, type UndoResult } from '../../undo/runUndo.ts'
import { type Choices, UndoPreview } from './UndoPreview.tsx'
import { useActionText } from './useActionText.ts'

const nothingChosen: Choices = { overwrite: new Map(), secrets: new Map() }

interface UndoDialogProps {
  action: ChangeAction
  /** @param isDone whether everything that could be taken back was */
  onClose: (isDone: boolean) => void
}

/** Says what taking an action back will do, record by record, asks where it must, and does it. */
export function UndoDialog({ action, onClose }: UndoDialogProps) {
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
