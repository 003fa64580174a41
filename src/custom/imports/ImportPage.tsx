import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useDataProvider, useLocale, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Loading } from '../../components/Loading.tsx'
import { PageTitle, Panel } from '../../components/Panel.tsx'
import { PlainTable } from '../../components/PlainTable.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext } from '../../engine/define/namedPage.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { importEndpoints, type MadeImport } from '../../schemas/endpoints/importEndpoints.ts'
import { ImportPanel } from './ImportPanel.tsx'
import { importsKey } from './useImport.ts'

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
          {kept.length > 0
            ? ` ${translate('app.import.kept', { names: kept.map(({ entity, name }) => `${entity} “${name}”`).join(', ') })}`
            : ''}
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
