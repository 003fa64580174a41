import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { ComparisonTable } from '../../../components/ComparisonTable.tsx'
import type { ServerConfigKey } from '../../../schemas/machines/serverConfig.ts'
import { labelOf } from './ConfigFields.tsx'
import { ConfigWarnings } from './ConfigWarnings.tsx'
import type { ConfigReadResult } from './configRequests.ts'
import { type ConfigChanges, hasAgent, pendingChanges, riskyChanges } from './configText.ts'

interface ConfigComparisonProps {
  configs: readonly ConfigReadResult[]
  changes: ConfigChanges
  nameOf: (id: number) => string
  onBack: () => void
  /** @param ids the servers whose settings change */
  onSend: (ids: number[]) => void
}

/** The current and new settings of each server, shown before anything is sent. */
export function ConfigComparison({ configs, changes, nameOf, onBack, onSend }: ConfigComparisonProps) {
  const translate = useTranslate()
  const isWithAgents = configs.some((one) => 'config' in one && hasAgent(one.config))
  const valueText = useValueText()
  const rows = configs.map((one) => ({ ...one, pending: 'config' in one ? pendingChanges(one.config, changes) : {} }))
  const changing = rows.filter(({ pending }) => Object.keys(pending).length > 0)
  const dangers = riskyChanges(Object.assign({}, ...changing.map(({ pending }) => pending)))
  return (
    <>
      <DialogContent dividers>
        <Table>
          <thead>
            <tr>
              {['server', 'setting', 'now', 'new'].map((heading) => (
                <th key={heading} scope="col">
                  {translate(`app.server_config.table.${heading}`)}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map((row) => {
            const keys = Object.keys(row.pending)
            const note =
              'reason' in row
                ? translate(row.reason)
                : keys.length === 0
                  ? translate('app.server_config.unchanged')
                  : ''
            const change = (key: string) => (
              <>
                <td>{labelOf(key, translate)}</td>
                <td>{'config' in row ? valueText(row.config[key]) : null}</td>
                <td>
                  <strong>{valueText(changes[key as ServerConfigKey])}</strong>
                </td>
              </>
            )
            return (
              <tbody key={row.id}>
                <tr>
                  <th scope="rowgroup" rowSpan={Math.max(1, keys.length)}>
                    {nameOf(row.id)}
                  </th>
                  {note ? <td colSpan={3}>{note}</td> : change(keys[0] as string)}
                </tr>
                {keys.slice(1).map((key) => (
                  <tr key={key}>{change(key)}</tr>
                ))}
              </tbody>
            )
          })}
        </Table>
        {isWithAgents ? <ConfigWarnings keys={dangers} /> : null}
        {!isWithAgents || changing.length === 0 ? null : (
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 2 }}>
            {translate('app.server_config.meaning')}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>{translate('app.server_config.back')}</Button>
        <Button
          variant="contained"
          disabled={changing.length === 0}
          onClick={() => onSend(changing.map(({ id }) => id))}
        >
          {translate('app.server_config.send', { smart_count: changing.length })}
        </Button>
      </DialogActions>
    </>
  )
}

/** Formats the value of a setting. */
function useValueText() {
  const translate = useTranslate()
  return (value: unknown): string => {
    if (typeof value === 'boolean') return translate(`ra.boolean.${value}`)
    if (value === undefined || value === null) return '–'
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

const Table = styled(ComparisonTable)(({ theme }) => ({
  '& tbody': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
