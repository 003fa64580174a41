import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import { type SharedName, sharedNames, writeConfiguration } from '../../domain/configuration/writeConfiguration.ts'
import { saveFile } from '../../engine/export/exportRows.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { type ConfigurationServer, readRecords } from './configurationCalls.ts'

/** Downloads the configuration as YAML. */
export function ExportPanel({ server }: { server: ConfigurationServer }) {
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
