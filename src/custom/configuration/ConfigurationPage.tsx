import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { PageTitle, Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type SharedName, sharedNames, writeConfiguration } from '../../domain/configuration/writeConfiguration.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { saveFile } from '../../engine/export/exportRows.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { ApplyPanel } from './ApplyPanel.tsx'
import { type ConfigurationServer, readRecords } from './configurationCalls.ts'

/** The configuration as a file: written, compared with the server, and applied. */
export default function ConfigurationPage() {
  const translate = useTranslate()
  const title = translate('app.shell.configuration')
  usePageTitle(title)
  const section = use(SectionContext)
  const server = { dataProvider: useDataProvider<ConsoleDataProvider>(), queryClient: useQueryClient() }
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="settings/configuration" />
      <div style={{ maxWidth: 960 }}>
        <ExportPanel server={server} />
        <ApplyPanel server={server} />
      </div>
    </>
  )
}

/** Downloads the configuration as YAML. */
function ExportPanel({ server }: { server: ConfigurationServer }) {
  const translate = useTranslate()
  const { showError } = useToast()
  const [busy, setBusy] = useState(false)
  const [shared, setShared] = useState<readonly SharedName[]>([])

  const exportFile = async () => {
    setBusy(true)
    try {
      const stored = await readRecords(server)
      const found = sharedNames(stored)
      setShared(found)
      if (found.length === 0) saveFile(writeConfiguration(stored), 'configuration.yaml', 'application/yaml')
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Panel title={translate('app.configuration.export')} hint={translate('app.configuration.export_hint')}>
      <Button variant="outlined" color="inherit" loading={busy} onClick={() => void exportFile()}>
        {translate('app.configuration.export_button')}
      </Button>
      {shared.length > 0 ? (
        <Alert severity="error" sx={{ marginTop: 2 }}>
          {translate('app.configuration.shared_names')}
          <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
            {shared.map(({ entity, name, ids }) => (
              <li key={`${entity} ${name}`}>
                {entity} “{name}”: {ids.map((id) => `#${id}`).join(', ')}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </Panel>
  )
}
