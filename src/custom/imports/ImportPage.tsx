import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'
import { useDataProvider, useLocale, useTranslate } from 'react-admin'
import { sendBytes } from '../../api/apiClient.ts'
import { formatDateTime, formatPercent } from '../../components/format/format.ts'
import { Loading, PageTitle, Panel, PlainTable } from '../../components/Panel.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { keysOf, type Values } from '../../schemas/define/values.ts'
import { type ImportPlanReply, importEndpoints, type MadeImport } from '../../schemas/endpoints/importEndpoints.ts'
import {
  type ImportKind,
  importKinds,
  importPartBytes,
  maxImportBytes,
  maxSettingsLength,
} from '../../schemas/imports/importKinds.ts'
import { kindText, PlanView } from '../configuration/PlanView.tsx'
import { FileChooser } from './FileChooser.tsx'
import { SkippedTable } from './SkippedTable.tsx'

/** Takes over what another product has, and takes that back. */
export default function ImportPage() {
  const translate = useTranslate()
  const title = translate('app.shell.import')
  usePageTitle(title)
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={use(SectionContext)} current="settings/import" />
      <div style={{ maxWidth: 960 }}>
        <ImportPanel />
        <MadeImports />
      </div>
    </>
  )
}

/** The imports that were made, each with a button that takes it back. */
function MadeImports() {
  const translate = useTranslate()
  const locale = useLocale()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const { undo, asked, ask, isRunning, kept } = useUndo()
  const { data, error, refetch } = useQuery({
    queryKey: importsKey,
    queryFn: () => dataProvider.call(importEndpoints.imports),
  })
  if (error && !data) return <RetryAlert error={error} onRetry={refetch} />
  if (!data) return <Loading />
  if (data.length === 0) return null
  const headings = ['at', 'from', 'who', 'changes', 'undo'].map((one) => translate(`app.import.headings.${one}`))
  const time = (at: string) => formatDateTime(Date.parse(at), locale)
  const undoButton = (made: MadeImport) => (
    <Button size="small" color="inherit" variant="outlined" disabled={isRunning} onClick={() => ask(made)}>
      {translate('app.import.undo')}
    </Button>
  )
  const nameOfKept = ({ entity, name }: { entity: string; name: string }) =>
    entity === 'setting'
      ? translate(`resources.setting.fields.${name}`, { _: name })
      : `${kindText(entity, translate)} ${translate('app.confirm.quoted', { name })}`
  return (
    <Panel title={translate('app.import.made')} hint={translate('app.import.made_hint')}>
      <PlainTable
        headings={headings}
        rows={data.map((made) => ({
          key: made.id,
          cells: [
            time(made.at),
            `${made.product} (${made.file})`,
            made.username || translate('app.import.by_command'),
            translate('app.import.made_counts', { created: made.created, updated: made.updated }),
            made.undone_at ? translate('app.import.undone_at', { time: time(made.undone_at) }) : undoButton(made),
          ],
        }))}
      />
      {kept ? (
        <Alert severity={kept.length > 0 ? 'warning' : 'success'} sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
          {translate('app.import.undone')}
          {kept.length > 0 ? ` ${translate('app.import.kept', { names: kept.map(nameOfKept).join(', ') })}` : ''}
        </Alert>
      ) : null}
      {asked ? (
        <QuestionDialog
          title={translate('app.import.confirm_undo', { product: asked.product })}
          button={translate('app.import.undo')}
          onCancel={() => ask(undefined)}
          onConfirm={() => void undo(asked)}
        >
          {translate('app.import.confirm_undo_hint')}
        </QuestionDialog>
      ) : null}
    </Panel>
  )
}

function useUndo() {
  const { showError } = useToast()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const [asked, ask] = useState<MadeImport>()
  const [isRunning, setRunning] = useState(false)
  const [kept, setKept] = useState<readonly { entity: string; name: string }[]>()

  async function undo({ id }: MadeImport): Promise<void> {
    ask(undefined)
    setRunning(true)
    try {
      const reply = await dataProvider.call(importEndpoints.undoImport, { id })
      setKept(reply.kept)
    } catch (error) {
      showError(error)
    }
    setRunning(false)
    queryClient.removeQueries({ queryKey: ['collection'] })
    await queryClient.invalidateQueries()
  }

  return { undo, asked, ask, isRunning, kept }
}

const kinds = keysOf(importKinds)

/** What is wrong with a settings file is told as of a configuration file. */
function useRefusalText(): (refusal: { code: string; args: Values }) => string {
  const translate = useTranslate()
  return ({ code, args }) => {
    const { problem, line, words } = args
    if (problem === undefined) return translate(`app.import.refusals.${code}`, args)
    const place = line === undefined ? '' : `${translate('app.configuration.at', args)} `
    const said = translate(`app.configuration.problems.${problem}`, { ...args, reason: words })
    return translate(`app.import.refusals.${code}`, { ...args, reason: `${place}${said}` })
  }
}

/** Takes the file of another product, shows what importing it would do, and does it. */
function ImportPanel() {
  const translate = useTranslate()
  const locale = useLocale()
  const { showError } = useToast()
  const refusalText = useRefusalText()
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

  const chooseSettings = (chosen: File) => {
    if (chosen.size > maxSettingsLength) {
      const reason = `> ${maxSettingsLength / 1024} KiB`
      return showError(new Error(translate('app.import.refusals.bad_settings', { reason })))
    }
    setSettings(chosen)
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
            onChoose={chooseSettings}
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
          {refusalText(state)} {translate('app.configuration.nothing_changed')}
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

interface ImportSource {
  kind: ImportKind
  database: File
  /** The product's settings file. */
  settings?: File
}

type ImportState =
  | { step: 'idle' | 'reading' }
  /** @property part from 0 to 1 */
  | { step: 'uploading'; part: number }
  | { step: 'refused'; code: string; args: Values }
  | { step: 'planned' | 'applying'; file: string; plan: ImportPlanReply }
  | { step: 'done'; made: MadeImport }

const importsKey = ['imports'] as const

/** An import on its way: the file is uploaded, read by the server, looked at, and applied. */
function useImport() {
  const { showError } = useToast()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const stop = useRef<AbortController>(undefined)

  const forget = () => setState({ step: 'idle' })

  async function makePlan({ kind, database, settings }: ImportSource): Promise<void> {
    const controller = new AbortController()
    stop.current = controller
    // There is nothing to upload: what comes of a download that failed.
    if (database.size === 0) return setState({ step: 'refused', code: 'damaged', args: {} })
    setState({ step: 'uploading', part: 0 })
    try {
      const file = await uploadFile(dataProvider, database, {
        onProgress: (part) => setState({ step: 'uploading', part }),
        signal: controller.signal,
      })
      setState({ step: 'reading' })
      const text = (await settings?.text()) ?? ''
      const { plan, refusal } = await dataProvider.call(importEndpoints.planImport, { file, kind, settings: text })
      if (plan) setState({ step: 'planned', file, plan })
      else if (refusal) setState({ step: 'refused', ...refusal })
    } catch (error) {
      forget()
      if (!controller.signal.aborted) showError(error)
    }
  }

  async function apply(name: string): Promise<void> {
    if (state.step !== 'planned') return
    const { file, plan } = state
    setState({ step: 'applying', file, plan })
    try {
      const made = await dataProvider.call(importEndpoints.applyImport, { file, name, digest: plan.digest })
      setState({ step: 'done', made })
    } catch (error) {
      setState({ step: 'planned', file, plan })
      showError(error)
    }
    // Records of every kind may be new, and settings too.
    queryClient.removeQueries({ queryKey: ['collection'] })
    await queryClient.invalidateQueries()
  }

  return { state, makePlan, apply, forget, cancel: () => stop.current?.abort() }
}

/**
 * Sends a file in parts: a slow line has a minute for each, and proxies that refuse large bodies take them.
 * @param onProgress called with how much of it was sent, from 0 to 1
 * @returns what the server calls it
 */
async function uploadFile(
  { call }: Pick<ConsoleDataProvider, 'call'>,
  content: Blob,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<string> {
  const { file } = await call(importEndpoints.startImportFile, { bytes: content.size })
  for (let offset = 0; offset < content.size; offset += importPartBytes) {
    if (signal.aborted) {
      await call(importEndpoints.dropImportFile, { file })
      signal.throwIfAborted()
    }
    await sendBytes(importEndpoints.addImportPart, { file, offset }, content.slice(offset, offset + importPartBytes))
    onProgress(Math.min(1, (offset + importPartBytes) / content.size))
  }
  return file
}
