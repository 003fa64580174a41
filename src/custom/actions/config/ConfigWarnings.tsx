import Alert from '@mui/material/Alert'
import { useTranslate } from 'react-admin'
import type { ServerConfigKey } from '../../../schemas/machines/serverConfig.ts'
import { labelOf } from './ConfigFields.tsx'

/** Says by name what can no longer be done, or undone, from here after a change. */
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
