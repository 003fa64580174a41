import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import { formatPercent } from '../../components/format/format.ts'
import { Panel } from '../../components/Panel.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { keysOf } from '../../schemas/define/values.ts'
import type { ImportPlanReply } from '../../schemas/endpoints/importEndpoints.ts'
import { type ImportKind, importKinds, maxImportBytes } from '../../schemas/imports/importKinds.ts'
import { PlanView } from '../configuration/PlanView.tsx'
import { FileChooser } from './FileChooser.tsx'
import { SkippedTable } from './SkippedTable.tsx'
import { useImport } from './useImport.ts'

const kinds = keysOf(importKinds)

/** Takes the file of another product, shows what importing it would do, and does it. */
export function ImportPanel() {
  const translate = useTranslate()
  const locale = useLocale()
  const { showError } = useToast()
  const { state, makePlan, apply, forget, cancel } = useImport()
  const [kind, setKind] = useState<ImportKind>('nezha')
  const [database, setDatabase] = useState<File>()
  const [settings, setSettings] = useState<File>()
  const [isAsking, setAsking] = useState(false)
  const { name: product, file, hasSettingsFile } = importKinds[kind]
  const isBusy = ['uploading', 'reading', 'applying'].includes(state.step)

  const choose = (chosen: File) => {
    if (chosen.size > maxImportBytes) return showError(new Error(translate('app.import.too_large')))
    setDatabase(chosen)
    forget()
  }

  return (
    <Panel title={translate('app.import.title')} hint={translate('app.import.hint')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (database) void makePlan({ kind, database, ...(hasSettingsFile && { settings }) })
        }}
      >
        <TextField
          select
          label={translate('app.import.product')}
          value={kind}
          onChange={({ target }) => {
            setKind(kinds.find((one) => one === target.value) ?? kind)
            forget()
          }}
          disabled={isBusy}
          size="small"
          sx={{ minWidth: 220, marginBlock: 1 }}
        >
          {kinds.map((one) => (
            <MenuItem key={one} value={one}>
              {importKinds[one].name}
            </MenuItem>
          ))}
        </TextField>
        <FileChooser
          label={translate('app.import.database', { file })}
          file={database}
          onChoose={choose}
          disabled={isBusy}
        />
        {hasSettingsFile ? (
          <FileChooser
            label={translate('app.import.settings_file')}
            file={settings}
            accept=".yaml,.yml"
            onChoose={(chosen) => {
              setSettings(chosen)
              forget()
            }}
            disabled={isBusy}
          />
        ) : null}
        <Button type="submit" variant="contained" disabled={!database || isBusy} sx={{ marginTop: 1 }}>
          {translate('app.configuration.make_plan')}
        </Button>
        {state.step === 'uploading' ? (
          <Button color="inherit" onClick={cancel} sx={{ marginTop: 1, marginLeft: 1 }}>
            {translate('app.action.cancel')}
          </Button>
        ) : null}
      </form>
      <div role="status">
        {state.step === 'uploading' ? (
          <Progress
            text={translate('app.import.uploading', { part: formatPercent(state.part * 100, locale) })}
            value={state.part * 100}
          />
        ) : null}
        {state.step === 'reading' ? <Progress text={translate('app.import.reading')} /> : null}
        {state.step === 'applying' ? <Progress text={translate('app.import.applying')} /> : null}
      </div>
      {state.step === 'refused' ? (
        <Alert severity="error" sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
          {translate(`app.import.refusals.${state.code}`, state.args)} {translate('app.configuration.nothing_changed')}
        </Alert>
      ) : null}
      {state.step === 'done' ? (
        <Alert severity="success" sx={{ marginTop: 2 }}>
          {translate('app.import.done', { product: state.made.product })}
        </Alert>
      ) : null}
      {state.step === 'planned' || state.step === 'applying' ? (
        <>
          <h3>{translate('app.import.from', { product: state.plan.product })}</h3>
          <SkippedTable skipped={state.plan.skipped} />
          <PlanView plan={asPlan(state.plan)} words="console" />
          {state.plan.changes.length > 0 ? (
            <Button
              variant="contained"
              sx={{ marginTop: 2 }}
              loading={state.step === 'applying'}
              onClick={() => setAsking(true)}
            >
              {translate('app.import.apply')}
            </Button>
          ) : null}
        </>
      ) : null}
      {isAsking ? (
        <QuestionDialog
          title={translate('app.import.confirm', { product })}
          button={translate('app.import.apply')}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void apply(database?.name ?? '')
          }}
        >
          {translate('app.import.confirm_hint')}
        </QuestionDialog>
      ) : null}
    </Panel>
  )
}

/** @param value percent; without it, it is not known how long it takes */
function Progress({ text, value }: { text: string; value?: number }) {
  return (
    <div style={{ marginTop: 16 }}>
      <p style={{ margin: '0 0 4px' }}>{text}</p>
      <LinearProgress
        variant={value === undefined ? 'indeterminate' : 'determinate'}
        value={value ?? 0}
        aria-label={text}
      />
    </div>
  )
}

/** What the server has planned, as a configuration file is shown. */
const asPlan = ({ changes, unchanged }: ImportPlanReply) => ({
  changes,
  unchanged,
  unlisted: [],
  problems: [],
  warnings: [],
  variables: [],
})
