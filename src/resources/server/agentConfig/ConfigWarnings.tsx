import Alert from '@mui/material/Alert'
import { useTranslate } from 'react-admin'
import type { ServerConfigKey } from '../../../schemas/machines/serverConfig.ts'
import { labelOf } from './ConfigFields.tsx'

/** Warns which functions of the console the changes disable for this server. */
export function ConfigWarnings({ keys }: { keys: readonly ServerConfigKey[] }) {
  const translate = useTranslate()
  if (keys.length === 0) return null
  return (
    <Alert severity="warning" sx={{ marginY: 2 }}>
      <strong>{translate('app.server_config.dangers_title')}</strong>
      <ul style={{ margin: '4px 0 0', paddingLeft: 20 }}>
        {keys.map((key) => (
          <li key={key}>
            {labelOf(key, translate)}: {translate(`app.server_config.dangers.${key}`)}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
