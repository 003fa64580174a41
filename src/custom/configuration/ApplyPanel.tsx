import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { HiddenFileInput } from '../../components/inputs/HiddenFileInput.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { RecordsByEntity } from '../../domain/configuration/fileValues.ts'
import type { Plan, RecordChange } from '../../domain/configuration/plan.ts'
import { type PlanOptions, planConfiguration } from '../../domain/configuration/planConfiguration.ts'
import { maxFileBytes, readConfiguration } from '../../domain/configuration/readConfiguration.ts'
import { ActionDialog, useToast } from '../../engine/parts/ActionDialog.tsx'
import { appliesWhole, applyChanges, type ConfigurationServer, readRecords } from './configurationCalls.ts'
import { PlanView } from './PlanView.tsx'
import { ProblemList } from './ProblemList.tsx'

/** Compares a file with the server, and applies it. */
export function ApplyPanel({ server }: { server: ConfigurationServer }) {
  const translate = useTranslate()
  const { showError } = useToast()
  const fileInput = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [options, setOptions] = useState<Required<Pick<PlanOptions, 'prune' | 'sendSecrets'>>>({
    prune: false,
    sendSecrets: false,
  })
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const { plan, variables, state, makePlan, apply, forget } = usePlan(server, text, {
    ...options,
    variables: values,
  })

  // The plan begins below the window where that is not high.
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (plan) result.current?.scrollIntoView?.({ block: 'nearest' })
  }, [plan])

  const changeText = (next: string) => {
    setText(next)
    forget()
  }
  const readFile = async (file: File | undefined) => {
    if (!file) return
    if (file.size > maxFileBytes) {
      return showError(
        new Error(translate('app.configuration.problems.too_large', { max: maxFileBytes / 1024 / 1024 })),
      )
    }
    changeText(await file.text())
  }
  const setOption = (name: keyof typeof options) => (_: unknown, checked: boolean) => {
    setOptions({ ...options, [name]: checked })
    forget()
  }

  return (
    <Panel title={translate('app.configuration.apply_file')} hint={translate('app.configuration.apply_hint')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void makePlan()
        }}
      >
        <Button variant="outlined" color="inherit" onClick={() => fileInput.current?.click()}>
          {translate('app.configuration.choose')}
        </Button>
        <HiddenFileInput
          ref={fileInput}
          accept=".yaml,.yml,application/yaml,text/yaml"
          aria-label={translate('app.configuration.choose')}
          onChange={({ target }) => {
            void readFile(target.files?.[0])
            // The same file can be chosen again after it was corrected.
            target.value = ''
          }}
        />
        <TextField
          label={translate('app.configuration.text')}
          value={text}
          onChange={({ target }) => changeText(target.value)}
          multiline
          rows={12}
          fullWidth
          margin="normal"
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'var(--mono)', fontSize: 13 } } }}
        />
        <FormControlLabel
          sx={{ display: 'flex' }}
          control={<Checkbox checked={options.prune} onChange={setOption('prune')} />}
          label={translate('app.configuration.prune')}
        />
        <FormControlLabel
          sx={{ display: 'flex' }}
          control={<Checkbox checked={options.sendSecrets} onChange={setOption('sendSecrets')} />}
          label={translate('app.configuration.send_secrets')}
        />
        {variables.map((name) => (
          <TextField
            key={name}
            label={`$\{${name}}`}
            value={values[name] ?? ''}
            onChange={({ target }) => {
              setValues({ ...values, [name]: target.value })
              forget()
            }}
            type="password"
            autoComplete="off"
            fullWidth
            margin="dense"
            size="small"
          />
        ))}
        <Button
          type="submit"
          variant="contained"
          disabled={text.trim() === ''}
          loading={state.kind === 'planning'}
          sx={{ marginTop: 1 }}
        >
          {translate('app.configuration.make_plan')}
        </Button>
      </form>
      <div ref={result}>
        {state.kind === 'failed' ? (
          <Alert severity="error" sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
            {translate(state.message, { _: state.message })}
            <br />
            {state.done === 0
              ? translate('app.configuration.nothing_changed')
              : translate('app.configuration.done_before', { smart_count: state.done })}
          </Alert>
        ) : null}
        {state.kind === 'applied' ? (
          <Alert severity={state.differs ? 'warning' : 'success'} sx={{ marginTop: 2 }}>
            {translate('app.configuration.applied', { smart_count: state.count })}
            {state.differs ? ` ${translate('app.configuration.differs')}` : ''}
          </Alert>
        ) : null}
        {plan ? <ProblemList problems={plan.problems} warnings={plan.warnings} /> : null}
        {plan && plan.problems.length === 0 ? <PlanView plan={plan} words="file" /> : null}
        {plan && plan.problems.length === 0 && plan.changes.length > 0 ? (
          <Button
            variant="contained"
            sx={{ marginTop: 2 }}
            loading={state.kind === 'applying'}
            onClick={() => setAsking(true)}
          >
            {translate('app.configuration.apply')}
          </Button>
        ) : null}
      </div>
      {state.kind === 'applying' ? (
        <p role="status">{translate('app.configuration.progress', { done: state.done, total: state.total })}</p>
      ) : null}
      {isAsking && plan ? (
        <ConfirmApplyDialog
          server={server}
          changes={plan.changes}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void apply()
          }}
        />
      ) : null}
    </Panel>
  )
}

type PlanState =
  | { kind: 'idle' | 'planning' }
  | { kind: 'applying'; done: number; total: number }
  /** @property differs whether the server has other values now than the file */
  | { kind: 'applied'; count: number; differs: boolean }
  | { kind: 'failed'; message: string; done: number }

/** The plan of a file, and its application. */
function usePlan(server: ConfigurationServer, text: string, options: PlanOptions) {
  const { showError } = useToast()
  const [state, setState] = useState<PlanState>({ kind: 'idle' })
  const [variables, setVariables] = useState<readonly string[]>([])
  const [planned, setPlanned] = useState<{ plan: Plan; stored: RecordsByEntity }>()

  async function readPlan() {
    const stored = await readRecords(server)
    return { plan: planConfiguration(readConfiguration(text), stored, options), stored }
  }

  return {
    plan: planned?.plan,
    /** The variables that the last plan asked for. */
    variables,
    state,
    forget: () => {
      setPlanned(undefined)
      setState({ kind: 'idle' })
    },
    makePlan: async () => {
      setState({ kind: 'planning' })
      try {
        const made = await readPlan()
        setPlanned(made)
        setVariables(made.plan.variables)
      } catch (error) {
        showError(error)
      }
      setState({ kind: 'idle' })
    },
    apply: async () => {
      if (!planned) return
      const { changes } = planned.plan
      setState({ kind: 'applying', done: 0, total: changes.length })
      try {
        const failure = await applyChanges(server, changes, planned.stored, (done) =>
          setState({ kind: 'applying', done, total: changes.length }),
        )
        // Secrets were sent: a plan that sends them again is never empty.
        const stored = await readRecords(server)
        const plan = planConfiguration(readConfiguration(text), stored, { ...options, sendSecrets: false })
        setPlanned({ plan, stored })
        if (failure) {
          const { error, failed, done } = failure
          const place = failed ? `${failed.entity} “${failed.name}”: ` : ''
          setState({ kind: 'failed', message: `${place}${error.message}`, done: done.length })
        } else setState({ kind: 'applied', count: changes.length, differs: plan.changes.length > 0 })
      } catch (error) {
        showError(error)
        setState({ kind: 'idle' })
      }
    },
  }
}

interface ConfirmApplyDialogProps {
  server: ConfigurationServer
  changes: readonly RecordChange[]
  onClose: () => void
  onConfirm: () => void
}

/** Asks before a plan is carried out, and says what happens when a change is refused. */
function ConfirmApplyDialog({ server, changes, onClose, onConfirm }: ConfirmApplyDialogProps) {
  const translate = useTranslate()
  const { data: isWhole } = useQuery({ queryKey: ['configuration'], queryFn: () => appliesWhole(server) })
  const deleted = changes.filter(({ verb }) => verb === 'delete').length
  return (
    <ActionDialog
      title={translate('app.configuration.confirm', { smart_count: changes.length })}
      onClose={onClose}
      width={480}
    >
      <DialogContent>
        {deleted > 0 ? (
          <p style={{ marginTop: 0 }}>
            <strong>{translate('app.configuration.confirm_delete', { smart_count: deleted })}</strong>
          </p>
        ) : null}
        {translate(isWhole ? 'app.configuration.confirm_whole' : 'app.configuration.confirm_each')}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button variant="contained" color={deleted > 0 ? 'error' : 'primary'} onClick={onConfirm}>
          {translate('app.configuration.apply')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
