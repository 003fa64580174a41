import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import TextField from '@mui/material/TextField'
import { useId, useState } from 'react'
import type { ActionDialogProps } from '../../resources/engine/define/defineResource.ts'
import { useScreen } from '../../resources/engine/define/screen.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import { ActionDialog } from '../components/ActionDialog.tsx'
import type { ServerRow } from '../hooks/serverMetrics.ts'
import { ChartToolbar } from './ChartToolbar.tsx'
import { MetricChart } from './MetricChart.tsx'
import { metricCharts } from './metricCharts.ts'
import { PeriodSwitch } from './PeriodSwitch.tsx'
import { ServerServicesChart } from './ServerServicesChart.tsx'

const services = 'app.charts.metrics.services'

/** A server's metrics over time, one chart at a time, and the latency of the services that it checks. */
export default function ServerChartsDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const selectId = useId()
  const [period, setPeriod] = useState<HistoryPeriod>('1d')
  const [key, setKey] = useState(metricCharts[0]?.key)
  const server = (records[0] ?? { id: 0 }) as ServerRow
  const chart = metricCharts.find((one) => one.key === key)
  return (
    <ActionDialog title={translate('app.charts.title', { what: texts.what(records) })} width={960} onClose={onClose}>
      <DialogContent dividers>
        <ChartToolbar>
          <TextField
            select
            size="small"
            fullWidth={false}
            sx={{ width: 280 }}
            id={selectId}
            label={translate('app.charts.what')}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            slotProps={{ select: { native: true } }}
          >
            {[...metricCharts.map((one) => one.key), services].map((one) => (
              <option key={one} value={one}>
                {translate(one)}
              </option>
            ))}
          </TextField>
          <PeriodSwitch period={period} onChange={setPeriod} />
        </ChartToolbar>
        {chart ? (
          <MetricChart key={key} server={server} chart={chart} period={period} />
        ) : (
          <ServerServicesChart server={server} period={period} />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}
