import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useBasename, useDataProvider, useNavigate, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { ActionDialog, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { useDialogOrder } from '../../../engine/parts/useDialogOrder.ts'
import { questionEndpoints as endpoints } from '../../../schemas/endpoints/questionEndpoints.ts'
import {
  type QuestionKind,
  type QuestionOrder,
  questionKinds,
  questionLimits,
} from '../../../schemas/inspect/question.ts'

interface AskDialogProps {
  title: string
  /** Ids. */
  servers: readonly number[]
  /** What was asked before. */
  before?: Pick<AskValues, 'kind' | 'text'>
  onClose: () => void
}

/** Asks many servers the same; who says what has a page of its own, which follows. */
export default function AskDialog({ title, servers, before, onClose }: AskDialogProps) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const { isSending, isHeld, send } = useDialogOrder()
  const navigate = useNavigate()
  const basename = useBasename()
  const [values, setValues] = useState<AskValues>({
    ...firstAskValues,
    ...(before && { kind: before.kind, text: before.text }),
  })
  const ask = ({ kind, ...order }: QuestionOrder) => {
    const begin = () =>
      kind === 'command' ? call(endpoints.commandServers, order) : call(endpoints.askServers, { kind, ...order })
    return send(
      begin,
      ({ id }) => {
        onClose()
        navigate(`${basename}/ask/${id}`)
      },
      ({ id }) => toast.show({ key: title, link: { to: `${basename}/ask/${id}`, labelKey: 'ra.action.show' } }),
    )
  }
  return (
    <ActionDialog title={title} width={900} onClose={isHeld ? () => {} : onClose}>
      <AskForm
        values={values}
        count={servers.length}
        isBeginning={isSending}
        isHeld={isHeld}
        onChange={setValues}
        onAsk={(order) => void ask({ ...order, servers: [...servers] })}
        onCancel={onClose}
      />
    </ActionDialog>
  )
}

/** The form as it is typed. */
interface AskValues {
  kind: QuestionKind
  text: string
  atOnce: string
  stopAfter: string
}

const firstAskValues: AskValues = { kind: 'unit', text: '', atOnce: '8', stopAfter: '' }

interface AskFormProps {
  values: AskValues
  /** How many servers are asked. */
  count: number
  isBeginning: boolean
  isHeld: boolean
  onChange: (values: AskValues) => void
  onAsk: (order: Omit<QuestionOrder, 'servers'>) => void
  onCancel: () => void
}

const placeholders: Readonly<Record<QuestionKind, string>> = {
  unit: 'nginx.service',
  package: 'openssl',
  process: 'java',
  file: '/etc/resolv.conf',
  command: 'uname -r',
}

/** What is asked, and how fast. */
function AskForm({ values, count, isBeginning, isHeld, onChange, onAsk, onCancel }: AskFormProps) {
  const translate = useTranslate()
  const { kind, text, atOnce, stopAfter } = values
  const { servers, atOnce: most } = questionLimits
  const isTooMany = count > servers
  const hasAtOnce = isWithin(atOnce, 1, most)
  const hasStopAfter = stopAfter === '' || isWithin(stopAfter, 1, servers)
  const isValid = text.trim() !== '' && hasAtOnce && hasStopAfter && !isTooMany
  const set = (changed: Partial<AskValues>) => onChange({ ...values, ...changed })
  const ask = () => {
    if (isValid) onAsk({ kind, text, at_once: Number(atOnce), stop_after: Number(stopAfter) })
  }
  return (
    <form
      noValidate
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <DialogContent dividers>
        <Fields>
          {isTooMany ? (
            <Alert severity="error">{translate('app.question.too_many', { count, most: servers })}</Alert>
          ) : null}
          <TextField
            select
            fullWidth
            label={translate('app.question.kind')}
            value={kind}
            onChange={({ target }) => set({ kind: questionKinds.find((one) => one === target.value) ?? kind })}
          >
            {questionKinds.map((one) => (
              <MenuItem key={one} value={one}>
                {translate(`app.question.kinds.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            autoFocus
            fullWidth
            label={translate(`app.question.texts.${kind}`)}
            placeholder={placeholders[kind]}
            helperText={translate(`app.question.help.${kind}`, { _: '' })}
            value={text}
            onChange={({ target }) => set({ text: target.value })}
            slotProps={{
              htmlInput: {
                maxLength: questionLimits.text,
                spellCheck: false,
                autoCapitalize: 'none',
                className: 'mono',
              },
            }}
            sx={{ '& input': { fontFamily: 'var(--mono)' } }}
          />
          <div className="numbers">
            <NumberField
              label={translate('app.question.at_once')}
              help={translate('app.question.at_once_help', { most })}
              value={atOnce}
              isValid={hasAtOnce}
              onChange={(now) => set({ atOnce: now })}
            />
            <NumberField
              label={translate('app.question.stop_after')}
              help={translate('app.question.stop_after_help')}
              value={stopAfter}
              isValid={hasStopAfter}
              onChange={(now) => set({ stopAfter: now })}
            />
          </div>
        </Fields>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} disabled={isHeld}>
          {translate('app.action.cancel')}
        </Button>
        <Button type="submit" variant="contained" disabled={!isValid} loading={isBeginning}>
          {translate('app.question.ask')}
        </Button>
      </DialogActions>
    </form>
  )
}

const Fields = styled('div')(({ theme }) => ({
  '&, & > .numbers': { display: 'grid', gap: theme.spacing(2) },
  [theme.breakpoints.up('sm')]: { '& > .numbers': { gridTemplateColumns: '1fr 1fr' } },
}))

const isWithin = (text: string, least: number, most: number) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

interface NumberFieldProps {
  label: string
  help: string
  value: string
  isValid: boolean
  onChange: (value: string) => void
}

const NumberField = ({ label, help, value, isValid, onChange }: NumberFieldProps) => (
  <TextField
    fullWidth
    label={label}
    helperText={help}
    error={!isValid}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    slotProps={{ htmlInput: { inputMode: 'numeric' } }}
  />
)
